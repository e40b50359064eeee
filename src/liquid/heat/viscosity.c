/* Viscosity of the liquid: what it is in each cell, and how it acts on the flow. It may be one number; hang on the
   temperature (heat.melt) or be a function of the scene; be carried along by liquids that differ in it; and on top of
   each of these depend on the shear rate (yield.c). */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "grid/halo.h"
#include "liquid/liquid.h"
#include "mac/check_heat.h"
#include "mac/coupling/coupling.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/walls.h"
#include "method/limits.h"

bool liquid_viscosity_is_carried(const fr_scene_def *def)
{
    return mac_gives(def, "viscosity") != NULL;
}

bool liquid_viscosity_varies(const fr_scene_def *def)
{
    const rheology flow = rheology_of(&def->fluid);
    return def->heat.melt.set || def->fluid.viscosity_law || liquid_viscosity_is_carried(def) ||
           rheology_matters(&flow);
}

/* Whether the viscosity itself keeps the volume: not those that are there for comparison. */
static bool viscosity_presses(const fr_scene_def *def)
{
    const bool viscous = (def->fluid.viscosity > 0 || liquid_viscosity_varies(def)) && !def->has_prescribed;
    return viscous && def->solver.stress == FR_STRESS_FULL && def->solver.viscosity != FR_VISCOSITY_EXPLICIT;
}

double liquid_viscosity_saved_bytes(const fr_scene_def *def, const domain *d)
{
    return viscosity_presses(def) ? (double)field_bytes(d, FR_AT_CELL) : 0;
}

double liquid_viscosity_bytes(const fr_scene_def *def, const domain *d)
{
    const rheology flow = rheology_of(&def->fluid);
    const double cells = (double)field_bytes(d, FR_AT_CELL);
    const bool varies = liquid_viscosity_varies(def);
    const int edges = d->dims == 2 ? 1 : 3;
    return (varies || def->fluid.viscosity > 0 ? (double)stress_bytes(d) : 0) + (varies ? (1 + d->dims) * cells : 0) +
           (rheology_matters(&flow) ? (1 + 2 * edges) * cells : 0) + 2 * liquid_viscosity_saved_bytes(def, d);
}

fr_result liquid_viscosity_create(liquid_run *run)
{
    const fr_scene_def *def = run->flow.base.def;
    const domain *d = &run->flow.model->domain;
    run->model.flow = rheology_of(&def->fluid);
    run->model.carried = liquid_viscosity_is_carried(def) ? model_scalar_index(run->flow.model, "viscosity") : -1;
    if (liquid_viscosity_varies(def))
        FR_TRY(field_create(d, FR_AT_CELL, &run->liquid.viscosity));
    FR_TRY(liquid_ease_create(run));
    if (viscosity_presses(def)) {
        FR_TRY(field_create(d, FR_AT_CELL, &run->liquid.viscous_pressure));
        FR_TRY(field_create(d, FR_AT_CELL, &run->liquid.next_viscous_pressure));
    }
    if (rheology_matters(&run->model.flow))
        FR_TRY(liquid_yield_create(run));
    double first;
    run->liquid.law_args = MEMORY_NEW(double, 1 + def->scalar_count);
    return run->liquid.law_args ? liquid_viscosity_try(def, &first) : FR_ERROR_MEMORY;
}

void liquid_viscosity_destroy(liquid_run *run)
{
    field_destroy(&run->liquid.viscosity);
    field_destroy(&run->liquid.viscous_pressure);
    field_destroy(&run->liquid.next_viscous_pressure);
    liquid_ease_destroy(&run->liquid);
    liquid_yield_destroy(run);
    memory_free(run->liquid.law_args);
}

typedef struct viscosity_job {
    const liquid_model *m;
    const field *from; /* temperature, or the logarithm that is carried */
    field *to;
} viscosity_job;

static void viscosity_melt_rows(void *context, int begin, int end)
{
    const viscosity_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *t = field_row(job->from, j, k);
        float *to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = (float)melt_viscosity(&job->m->melt, (double)t[i]);
    }
}

static void viscosity_carried_rows(void *context, int begin, int end)
{
    const viscosity_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *logarithm = field_row(job->from, j, k);
        float *to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = (float)exp((double)logarithm[i]);
    }
}

/* One call of the scene's law. The arguments are T and the scalars that the scene declares. */
typedef struct viscosity_call {
    const fr_scene_def *def;
    const model *m;
    const field *scalars;
    double *args; /* of the last call */
    double value; /* that it gave, */
    bool valid;   /* if there was one */
} viscosity_call;

static fr_result viscosity_check(double value)
{
    return value >= 0 && value <= MODEL_LARGEST
               ? FR_OK
               : fr_fail(FR_ERROR_INPUT, "fluid.viscosity: the function gave %g m²/s; it must be zero or more", value);
}

/* What a scalar is at first in the middle of the domain, as far as numbers say it. */
static double viscosity_first_value(const fr_scene_def *def, const char *name, double otherwise)
{
    double value = otherwise;
    for (int i = 0; i < def->initial_count; i++)
        value = strcmp(def->initial[i].name, name) ? value : def->initial[i].value.value;
    for (int f = 0; f < def->fill_count; f++)
        for (int i = 0; i < def->fill[f].scalar_count; i++)
            value = strcmp(def->fill[f].scalars[i].name, name) ? value : def->fill[f].scalars[i].value.value;
    return value;
}

fr_result liquid_viscosity_try(const fr_scene_def *def, double *value)
{
    *value = def->heat.melt.set ? def->heat.melt.liquid : def->fluid.viscosity;
    if (!def->fluid.viscosity_law)
        return FR_OK;
    double *args = MEMORY_NEW(double, 1 + def->scalar_count);
    if (!args)
        return FR_ERROR_MEMORY;
    args[0] = viscosity_first_value(def, "temperature", def->heat.ambient);
    for (int i = 0; i < def->scalar_count; i++)
        args[1 + i] = viscosity_first_value(def, def->scalars[i].name, def->scalars[i].initial.value);
    fr_result result = def->fluid.viscosity_law(def->fluid.viscosity_context, args, value);
    memory_free(args);
    return result == FR_OK ? viscosity_check(*value) : result;
}

/* Neighbours are often alike: a call is made only where an argument has changed. */
static fr_result viscosity_by_law(viscosity_call *call, ptrdiff_t at)
{
    bool same = call->valid;
    for (int i = -1; i < call->def->scalar_count; i++) {
        const int index = i < 0 ? call->m->temperature : model_scalar_index(call->m, call->def->scalars[i].name);
        const double arg = index < 0 ? call->def->heat.ambient : (double)call->scalars[index].data[at];
        same = same && call->args[i + 1] == arg;
        call->args[i + 1] = arg;
    }
    if (same)
        return FR_OK;
    call->valid = true;
    FR_TRY(call->def->fluid.viscosity_law(call->def->fluid.viscosity_context, call->args, &call->value));
    return viscosity_check(call->value);
}

/* In the cells of liquid; continued beyond them as a constant. */
static fr_result viscosity_find_by_law(liquid_run *run, field *to)
{
    const model *m = run->flow.model;
    const uint8_t *layers = run->liquid.ink_layers;
    double sum = 0;
    int64_t count = 0;
    viscosity_call call = {
        .def = run->flow.base.def, .m = m, .scalars = run->flow.state->scalars, .args = run->liquid.law_args};
    for (int k = 0; k < to->size[2]; k++)
        for (int j = 0; j < to->size[1]; j++) {
            float *row = field_row(to, j, k);
            for (int i = 0; i < to->size[0]; i++) {
                if (layers && layers[row + i - to->block] != EXTEND_KNOWN)
                    continue;
                FR_TRY(viscosity_by_law(&call, row + i - to->data));
                row[i] = (float)call.value;
                sum += call.value;
                count++;
            }
        }
    extend_job extension = {.map = layers, .depth = LIQUID_INK_LAYERS, .far = (float)(count ? sum / (double)count : 0)};
    if (layers)
        extend_field(&extension, to);
    return FR_OK;
}

fr_result liquid_viscosity_find(liquid_run *run)
{
    const model *m = run->flow.model;
    const field *scalars = run->flow.state->scalars;
    field *to = run->liquid.consistency.data ? &run->liquid.consistency : &run->liquid.viscosity;
    viscosity_job job = {.m = &run->model, .to = to};
    if (run->flow.base.def->fluid.viscosity_law)
        FR_TRY(viscosity_find_by_law(run, to));
    else if (run->model.carried >= 0) {
        job.from = &scalars[run->model.carried];
        field_for_rows(to, viscosity_carried_rows, &job);
    } else if (run->model.heat.melt.set) {
        job.from = &scalars[m->temperature];
        field_for_rows(to, viscosity_melt_rows, &job);
    } else
        field_fill(to, (float)m->fluid.viscosity);
    halo_fill_even(to, &m->domain);
    if (run->liquid.consistency.data)
        liquid_yield(run);
    return FR_OK;
}

/* λ/ν (grid/stress/stress.h). */
static const double VISCOSITY_BULK = 1;

static fr_result viscosity_set_problem(const liquid_step *step, halo_side sides[3][6], stress_problem *problem)
{
    const model *m = step->flow.m;
    liquid_state *l = &step->run->liquid;
    FR_TRY(stage_stress_problem(m, step->flow.s, step->flow.dt, sides, problem));
    problem->viscosities = l->viscosity.data ? &l->viscosity : NULL;
    problem->form = m->solver.stress == FR_STRESS_FULL ? STRESS_FULL : STRESS_LAPLACIAN;
    if (l->viscous_pressure.data) {
        problem->bulk = VISCOSITY_BULK;
        problem->pressure = &l->next_viscous_pressure;
        field_copy(problem->pressure, &l->viscous_pressure);
    }
    for (int c = 0; c < 3; c++)
        problem->edges[c] = l->edges[c].data ? &l->edges[c] : NULL;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        problem->layers[side] = l->layers[side];
    return FR_OK;
}

fr_result liquid_viscosity(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    stress *solver = step->run->liquid.stress;
    if (!solver)
        return FR_OK;
    halo_side sides[3][6];
    stress_problem problem;
    uint8_t *const *of = step->run->liquid.held[0] ? step->run->liquid.held : s->solids.face_marks;
    const uint8_t *marks[3] = {of[0], of[1], of[2]};
    liquid_layers_thicken(step->run, step->flow.dt);
    FR_TRY(viscosity_set_problem(step, sides, &problem));
    problem.marks = marks[0] ? marks : NULL;
    stress_set(solver, &problem);
    enum { MOST_STEPS = 100000 };
    const bool march = m->solver.viscosity == FR_VISCOSITY_EXPLICIT;
    solve_limits limits = {1e-4, 0, m->solver.max_iterations};
    solve_stats stats = march ? stress_march(solver, s->next_velocity, MOST_STEPS)
                              : stress_solve(solver, s->next_velocity, &limits);
    s->now.report.viscosity_iterations = stats.iterations;
    s->now.report.viscosity_residual = stats.residual;
    s->now.report.viscosity_smeared = stress_smeared(solver);
    if (!stats.converged && march)
        return fr_fail(FR_ERROR_NUMERIC,
                       "explicit viscosity takes %d steps where the flow takes one of %.2g s; %d are the most. Leave "
                       "solver.viscosity out",
                       stats.iterations, step->flow.dt, MOST_STEPS);
    if (!stats.converged)
        return fr_fail(FR_ERROR_NUMERIC, "the viscosity did not converge: residual %.2g after %d iterations",
                       stats.residual, stats.iterations);
    coupling_feel(m, s);
    stage_walls_velocity(m, s, s->next_velocity);
    return FR_OK;
}
