/* How easily the pressure moves each face after the viscosity has acted.

   The viscosity leaves divergence where the liquid is thin. The pressure that takes it off acts through (1 + ΔtA)⁻¹, A
   being the viscous operator: hardly at all on what is stiff. With one density for all of it cold wax beside a molten
   pool would move as water does, and a candle would bulge. In the place of the operator stands its diagonal,

     u −= β (Δt/ρ) ∇p,      β = (1 + c ν₀ Δt/h²)/(1 + c ν Δt/h²),      c = 2 (dims + 1),

   with ν the mean of the face's cells and ν₀ the least in the liquid: where ν is the same everywhere β is 1. The
   system has the weights β, too, so that the flow ends free of divergence. Σ β∇p is not 0 as Σ ∇p is; a body in flight
   gets back the rigid motion that it has lost by that, which has no divergence. */
#include <math.h>

#include "base/threads.h"
#include "liquid/surface_cells.h"
#include "mac/coupling/coupling.h"

/* Least β. With less the pressure takes more iterations, and what is stiff moves by less than the tracker errs. */
static const float EASE_LEAST = 1e-4f;

fr_result liquid_ease_create(liquid_run *run)
{
    const domain *d = &run->flow.model->domain;
    for (int a = 0; a < d->dims && run->liquid.viscosity.data; a++)
        FR_TRY(field_create(d, field_face(a), &run->liquid.ease[a]));
    return FR_OK;
}

void liquid_ease_destroy(liquid_state *l)
{
    for (int a = 0; a < 3; a++)
        field_destroy(&l->ease[a]);
}

typedef struct ease_job {
    const field *viscosity, *surface, *open;
    field *to;
    double *partial;
    float least, scale; /* 1 + c ν₀ Δt/h² and c Δt/h² */
    ptrdiff_t back;
} ease_job;

static void ease_least_rows(void *context, int begin, int end)
{
    const ease_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->surface->size[1], k = r / job->surface->size[1];
        const float *phi = field_row(job->surface, j, k), *nu = field_row(job->viscosity, j, k);
        float least = INFINITY;
        for (int i = 0; i < job->surface->size[0]; i++)
            least = phi[i] < 0 ? fminf(least, nu[i]) : least;
        job->partial[r] = -(double)least;
    }
}

static void ease_rows(void *context, int begin, int end)
{
    const ease_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *restrict nu = field_row(job->viscosity, j, k);
        float *restrict to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = fmaxf(EASE_LEAST, job->least / (1 + job->scale * 0.5f * (nu[i] + nu[i - job->back])));
        const float *open = job->open ? field_row(job->open, j, k) : NULL;
        for (int i = 0; i < job->to->size[0] && open; i++)
            to[i] *= open[i];
    }
}

/* β times the open share of each face. */
static void ease_find(const liquid_step *step)
{
    const domain *d = &step->flow.m->domain;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    const double scale = 2 * (d->dims + 1) * step->flow.dt / pow(domain_min_h(d), 2);
    ease_job job = {.viscosity = &l->viscosity, .surface = s->surface, .partial = s->partial, .scale = (float)scale};
    field_for_rows(job.surface, ease_least_rows, &job);
    const double least = -threads_max(s->partial, field_rows(job.surface));
    job.least = isfinite(least) ? (float)(1 + scale * least) : 1;
    for (int a = 0; a < d->dims; a++) {
        job.to = &l->ease[a];
        job.open = s->solids.any ? &s->solids.open[a] : NULL;
        job.back = l->viscosity.stride[a];
        field_for_rows(job.to, ease_rows, &job);
    }
}

/* Whether the system as it is without β is solved again in the step: for parcels, and for a second projection. */
static bool ease_is_followed(const liquid_run *run)
{
    return run->liquid.parcels.room > 0 || run->model.settings.loop == FR_LIQUID_TWICE;
}

/* A wall that sticks would brake the fall g Δt beside it, which the pressure of the liquid is about to take off, and
   still liquid would begin to rise along walls and to turn. So the viscosity acts on a flow without divergence, and
   what divergence it makes is taken off again (Batty & Bridson 2008). */
fr_result liquid_viscous_pressure(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    if (!step->run->liquid.stress)
        return FR_OK;
    if (!step->run->liquid.ease[0].data)
        return surface_cells_project(step->run, step->flow.dt, PRESSURE_CHANGE);
    ease_find(step);
    s->ease = step->run->liquid.ease;
    stage_pressure_prepare(m, s);
    stress_remember(step->run->liquid.stress, s->next_velocity);
    fr_result result = surface_cells_project(step->run, step->flow.dt, PRESSURE_CHANGE);
    coupling_tell(m, s);
    stress_keep_momentum(step->run->liquid.stress, s->next_velocity);
    coupling_feel(m, s);
    s->ease = NULL;
    if (ease_is_followed(step->run))
        stage_pressure_prepare(m, s);
    return result;
}
