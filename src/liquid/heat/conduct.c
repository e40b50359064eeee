/* Conduction of heat in the liquid, and what leaves through its surface:

     (e(T) − e₀) V'/V = Δt κ ∇²T − Δt loss (A/V) (T − ambient)

   in each cell of liquid, backward Euler; A is the area of the surface in front of the cell, V' the volume of the
   liquid up to there. e = T + L f bends where it melts, so that the equation is solved for T with e's slope c at the
   last guess, and the enthalpy then goes along that slope: e ← e + c (T − T(e)). What leaves one cell enters the next
   in each of these turns, however many there are (Voller & Swaminathan 1991). Without latent heat one turn is exact.
   A diffusivity that varies is that of the last guess, in the same turns.

   Along one axis after the other (Carlson 2004, table 5) the surface loses along each what leaves through the faces
   across it: taken off on its own, the loss of a step would cool the cells at the surface alone. Each axis has turns of
   its own, so that each is such an equation, whose solution stays between the temperatures that are there. */
#include <math.h>

#include "base/threads.h"
#include "liquid/liquid.h"
#include "mac/coupling/warmth.h"
#include "mac/stage/diffuse.h"

/* A diffusivity that jumps may make the guess jump to and fro: after some turns it stays as it is, and the others find
   the temperatures for it, which no longer leave the range of those around. */
enum { CONDUCT_TURNS = 40, CONDUCT_TURNS_OF_DIFFUSIVITY = 12 };
/* Turns end when no temperature differs by more than this from that of its enthalpy, of the largest one around. */
static const double CONDUCT_CLOSE = 1e-5;

typedef struct conduct_job {
    const liquid_model *m;
    const domain *d;
    const field *phi;
    const uint8_t *marks;
    field *temperature, *fraction; /* fraction: NULL without latent heat */
    field *start, *enthalpy;       /* e₀ and e */
    field *capacity;               /* c V' + Δt loss A, over V */
    bool varies;                   /* the diffusivity does */
    int axis;                      /* along which is conducted; −1: all */
    const field *open;             /* share of each cell that obstacles leave; NULL: 1 */
    double dt;
    double *partial; /* per row */
} conduct_job;

static bool conduct_is_liquid(uint8_t mark)
{
    return mark == DIFFUSION_FREE || mark == DIFFUSION_WHOLE;
}

typedef struct conduct_part {
    double cooling; /* Δt loss A/V */
    double volume;  /* of the liquid that the cell stands for, of its own */
} conduct_part;

/* The least volume: of a film that is thinner than a cell. */
static const double CONDUCT_THINNEST = 0.1;

/* The surface passes between a cell and those beside it that are dry. A plane with the normal n cuts as many faces
   across each axis as |n_a| of its area. The cell stands for the liquid up to the surface, θ of the way to the dry one;
   all faces across one axis tell all of this volume, so that n_a² of each counts. */
static conduct_part conduct_at_surface(const conduct_job *job, const float *phi)
{
    double slope[3] = {0, 0, 0}, square = 0, area = 0, volume = 1;
    bool inside = true;
    for (int a = 0; a < job->d->dims; a++)
        inside = inside && phi[job->phi->stride[a]] < 0 && phi[-job->phi->stride[a]] < 0;
    if (inside)
        return (conduct_part){0, 1};
    for (int a = 0; a < job->d->dims; a++) {
        const ptrdiff_t next = job->phi->stride[a];
        slope[a] = ((double)phi[next] - (double)phi[-next]) / (2 * job->d->h[a]);
        square += slope[a] * slope[a];
    }
    for (int a = 0; a < job->d->dims && square > 0; a++)
        for (int end = -1; end <= 1; end += 2) {
            const double beside = (double)phi[end * job->phi->stride[a]], own = (double)*phi;
            if (beside < 0)
                continue;
            area += job->axis < 0 || job->axis == a ? fabs(slope[a]) / (sqrt(square) * job->d->h[a]) : 0;
            volume += (own / (own - beside) - 0.5) * slope[a] * slope[a] / square;
        }
    return (conduct_part){job->m->heat.loss * job->dt * area, fmax(volume, CONDUCT_THINNEST)};
}

static void conduct_begin_rows(void *context, int begin, int end)
{
    const conduct_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->start->size[1], k = r / job->start->size[1];
        const float *t = field_row(job->temperature, j, k);
        const float *f = job->fraction ? field_row(job->fraction, j, k) : NULL;
        float *start = field_row(job->start, j, k), *e = field_row(job->enthalpy, j, k);
        for (int i = 0; i < job->start->size[0]; i++)
            start[i] = e[i] = f ? (float)((double)t[i] + job->m->melt.latent * (double)f[i]) : t[i];
    }
}

/* The linear problem around the last guess: its capacities, and temperatures that stand for its right-hand side. */
static void conduct_set_rows(void *context, int begin, int end)
{
    const conduct_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->start->size[1], k = r / job->start->size[1];
        const float *phi = field_row(job->phi, j, k), *start = field_row(job->start, j, k);
        const float *e = field_row(job->enthalpy, j, k);
        const uint8_t *marks = job->marks + (start - job->start->block);
        float *t = field_row(job->temperature, j, k), *capacity = field_row(job->capacity, j, k);
        for (int i = 0; i < job->start->size[0]; i++) {
            capacity[i] = 1;
            if (!conduct_is_liquid(marks[i]))
                continue;
            double fraction, c = melt_capacity(&job->m->melt, (double)e[i]);
            double guess = melt_temperature(&job->m->melt, (double)e[i], &fraction);
            conduct_part part = conduct_at_surface(job, phi + i);
            double held = part.volume * ((double)start[i] - (double)e[i] + c * guess);
            capacity[i] = (float)(part.volume * c + part.cooling);
            t[i] = (float)((held + part.cooling * job->m->heat.ambient) / (part.volume * c + part.cooling));
        }
    }
}

/* The enthalpy goes along its slope; the row's partial is by how much T(e) then differs from the solved T, and where
   the diffusivity varies from the last guess. */
static void conduct_take_rows(void *context, int begin, int end)
{
    const conduct_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->start->size[1], k = r / job->start->size[1];
        float *t = field_row(job->temperature, j, k), *e = field_row(job->enthalpy, j, k);
        float *f = job->fraction ? field_row(job->fraction, j, k) : NULL;
        const uint8_t *marks = job->marks + (e - job->enthalpy->block);
        double worst = 0;
        for (int i = 0; i < job->start->size[0] && (f || job->varies); i++) {
            if (!conduct_is_liquid(marks[i]))
                continue;
            double fraction, c = melt_capacity(&job->m->melt, (double)e[i]);
            double guess = melt_temperature(&job->m->melt, (double)e[i], &fraction), enthalpy;
            enthalpy = (double)e[i] + c * ((double)t[i] - guess);
            double now = melt_temperature(&job->m->melt, enthalpy, &fraction);
            worst = fmax(worst, fmax(fabs((double)t[i] - now), job->varies ? fabs(now - guess) : 0));
            e[i] = (float)enthalpy;
            t[i] = (float)now;
            if (f)
                f[i] = (float)fraction;
        }
        job->partial[r] = worst;
    }
}

/* What cells have gained, and the volume that they stand for, of a cell's. */
static void conduct_gain_rows(void *context, int begin, int end)
{
    const conduct_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->start->size[1], k = r / job->start->size[1];
        const float *start = field_row(job->start, j, k), *e = field_row(job->enthalpy, j, k);
        const float *t = field_row(job->temperature, j, k), *open = job->open ? field_row(job->open, j, k) : NULL;
        const float *phi = field_row(job->phi, j, k);
        const uint8_t *marks = job->marks + (start - job->start->block);
        double sum = 0, sum_volume = 0;
        for (int i = 0; i < job->start->size[0]; i++) {
            const double gain = (double)(job->fraction ? e[i] : t[i]) - (double)start[i];
            if (!conduct_is_liquid(marks[i]))
                continue;
            const double volume =
                conduct_at_surface(job, phi + i).volume * (open && marks[i] == DIFFUSION_FREE ? (double)open[i] : 1);
            sum += gain * volume;
            sum_volume += volume;
        }
        job->partial[r] = sum;
        job->partial[r + field_rows(job->start)] = sum_volume;
    }
}

/* Obstacles with a temperature hold it where they are; elsewhere scalars.c has marked the liquid. */
static void conduct_mark_warm(const state *s, const field *layout)
{
    const uint8_t *warm = s->solids.warm_marks;
    for (size_t i = 0; i < layout->count && warm; i++)
        if (warm[i] == DIFFUSION_FIXED || (warm[i] == DIFFUSION_WHOLE && s->dry_marks[i] != DIFFUSION_OUTSIDE))
            s->dry_marks[i] = warm[i];
}

/* Turns until the guess is the solution; adds what the cells have gained. */
static fr_result conduct_along(const liquid_step *step, conduct_job *job, diffuse_task *task)
{
    state *s = step->flow.s;
    liquid_heat *conducted = &step->run->liquid.heat_conducted;
    const field *layout = job->start;
    const double cell = domain_cell_volume(job->d);
    const int rows = field_rows(layout);
    task->axis = job->axis;
    field_for_rows(layout, conduct_begin_rows, job);
    const double close = CONDUCT_CLOSE * field_largest(layout, 0, s->partial);
    for (int turn = 0; turn < CONDUCT_TURNS; turn++) {
        if (job->varies && turn < CONDUCT_TURNS_OF_DIFFUSIVITY)
            task->conductance = liquid_conductivity_spread(step->run);
        field_for_rows(layout, conduct_set_rows, job);
        if (task->diffusivity > 0)
            FR_TRY(stage_diffuse_scalar(step->flow.m, s, task));
        field_for_rows(layout, conduct_take_rows, job);
        if (!(job->fraction || job->varies) || threads_max(s->partial, rows) <= close)
            break;
    }
    field_for_rows(layout, conduct_gain_rows, job);
    *conducted = (liquid_heat){conducted->heat + cell * threads_sum(s->partial, rows),
                               cell * threads_sum(s->partial + rows, rows)};
    return FR_OK;
}

fr_result liquid_conduct(const liquid_step *step)
{
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    const liquid_model *settings = &step->run->model;
    double diffusivity = settings->heat.diffusivity;
    if (!settings->heat.set || (!l->conductivity && diffusivity == 0 && settings->heat.loss == 0))
        return FR_OK;
    field start = state_scratch(m, s, 0, FR_AT_CELL), enthalpy = state_scratch(m, s, 1, FR_AT_CELL);
    conduct_mark_warm(s, &start);
    if (l->conductivity)
        FR_TRY(liquid_conductivity_find(step->run, &diffusivity));
    conduct_job job = {.m = settings,
                       .d = &m->domain,
                       .phi = &l->next,
                       .marks = s->dry_marks,
                       .temperature = &s->next_scalars[m->temperature],
                       .fraction = settings->fraction >= 0 ? &s->next_scalars[settings->fraction] : NULL,
                       .start = &start,
                       .enthalpy = &enthalpy,
                       .capacity = &l->capacity,
                       .varies = l->conductivity && diffusivity > 0,
                       .open = s->solids.any ? &s->solids.volume : NULL,
                       .dt = step->flow.dt,
                       .partial = s->partial};
    diffuse_task task = {.scalar = m->temperature,
                         .dt = step->flow.dt,
                         .diffusivity = diffusivity,
                         .capacity = &l->capacity,
                         .marks = s->dry_marks,
                         .warm = s->solids.warm_marks,
                         .gains = job.fraction || settings->heat.loss > 0,
                         .split = settings->heat.conduction == FR_CONDUCTION_LOD};
    for (job.axis = task.split ? 0 : -1; job.axis < (task.split ? m->domain.dims : 0); job.axis++)
        FR_TRY(conduct_along(step, &job, &task));
    const warmth_task warmth = {.temperature = job.temperature,
                                .marks = s->dry_marks,
                                .number = diffusivity * step->flow.dt,
                                .conductance = task.conductance,
                                .capacity = m->heat_capacity};
    if (s->coupling)
        coupling_warm(m, s, &warmth);
    return FR_OK;
}
