/* Heat of the liquid. Temperature and liquid fraction are scalars (scalars.c); what is kept is the enthalpy of both
   (mac/melt.h). Conduction is in conduct.c. */
#include "liquid/liquid.h"
#include "method/times.h"

enum { HEAT_TEMPERATURE, HEAT_FRACTION }; /* places among the scalars: a liquid's own are the first */

/* In this order; viscosity is one where liquids differ in it. */
const char *const *liquid_own_scalars(const fr_scene_def *def)
{
    static const char *const lists[3][2][4] = {
        {{NULL}, {"viscosity", NULL}},
        {{"temperature", NULL}, {"temperature", "viscosity", NULL}},
        {{"temperature", "liquid_fraction", NULL}, {"temperature", "liquid_fraction", "viscosity", NULL}}};
    return lists[!def->heat.set ? 0 : def->heat.latent > 0 ? 2 : 1][liquid_viscosity_is_carried(def)];
}

fr_result liquid_heat_create(liquid_run *run)
{
    const domain *d = &run->flow.model->domain;
    liquid_state *l = &run->liquid;
    run->model.fraction = run->model.heat.latent > 0 ? HEAT_FRACTION : -1;
    if (run->model.heat.set)
        FR_TRY(field_create(d, FR_AT_CELL, &l->capacity));
    return FR_OK;
}

void liquid_heat_destroy(liquid_run *run)
{
    field_destroy(&run->liquid.capacity);
}

typedef struct heat_job {
    const liquid_model *m;
    field *temperature, *fraction;
    const field *before; /* temperatures before fills; NULL: everything is new */
} heat_job;

static heat_job heat_next(liquid_run *run)
{
    field *scalars = run->flow.state->next_scalars;
    return (heat_job){.m = &run->model, .temperature = &scalars[HEAT_TEMPERATURE], .fraction = &scalars[HEAT_FRACTION]};
}

/* What is molten by the temperature, where that is new. */
static void heat_melt_rows(void *context, int begin, int end)
{
    const heat_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->temperature->size[1], k = r / job->temperature->size[1];
        const float *t = field_row(job->temperature, j, k), *before = job->before ? field_row(job->before, j, k) : NULL;
        float *f = field_row(job->fraction, j, k);
        for (int i = 0; i < job->temperature->size[0]; i++)
            if (!before || t[i] != before[i])
                f[i] = (float)melt_fraction(&job->m->melt, (double)t[i]);
    }
}

void liquid_heat_start(liquid_run *run)
{
    heat_job job = heat_next(run);
    if (run->model.fraction >= 0)
        field_for_rows(job.temperature, heat_melt_rows, &job);
}

void liquid_heat_enter(liquid_run *run)
{
    const domain *d = &run->flow.model->domain;
    for (int side = 0; side < 2 * d->dims && run->model.fraction >= 0; side++) {
        float *const *given = run->flow.state->sides[side].scalars;
        const int64_t cells = domain_cells(d) / d->n[side / 2];
        for (int64_t c = 0; c < cells && run->flow.model->walls[side].kind == FR_WALL_INFLOW; c++)
            given[HEAT_FRACTION][c] = (float)melt_fraction(&run->model.melt, (double)given[HEAT_TEMPERATURE][c]);
    }
}

static bool heat_is_given(const fr_source_def *source, const progress *now)
{
    return source->rate == 0 && times_overlap(source->from, source->to, now->time, now->end) > 0;
}

/* Sources that hold a temperature say with it what is molten; those with a rate add energy. */
void liquid_heat_give(const liquid_step *step)
{
    const model *m = step->flow.m;
    heat_job job = heat_next(step->run);
    for (int i = 0; i < m->source_count && step->run->model.fraction >= 0; i++) {
        const fr_source_def *source = m->sources[i].def;
        const model_cover *cells = &m->sources[i].cells[0];
        bool warm = false;
        for (int v = 0; v < source->scalar_count; v++)
            warm = warm || model_scalar_index(m, source->scalars[v].name) == HEAT_TEMPERATURE;
        for (int64_t c = 0; c < cells->count && warm && heat_is_given(source, &step->flow.s->now); c++) {
            const double t = (double)job.temperature->data[cells->at[c]];
            job.fraction->data[cells->at[c]] = (float)melt_fraction(&job.m->melt, t);
        }
    }
    liquid_heat_settle(step->run);
}

static bool heat_is_thrown_in(const liquid_step *step)
{
    const progress *now = &step->flow.s->now;
    return step->run->model.fraction >= 0 && liquid_fills_due(step->run, (liquid_due){now->time, now->end});
}

/* The temperature before blobs are thrown in is kept, to tell where they are. */
void liquid_heat_keep(const liquid_step *step)
{
    if (heat_is_thrown_in(step))
        field_copy(&step->run->liquid.capacity, heat_next(step->run).temperature);
}

void liquid_heat_fill(const liquid_step *step)
{
    heat_job job = heat_next(step->run);
    job.before = &step->run->liquid.capacity;
    if (heat_is_thrown_in(step))
        field_for_rows(job.temperature, heat_melt_rows, &job);
}

static void heat_settle_rows(void *context, int begin, int end)
{
    const heat_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->temperature->size[1], k = r / job->temperature->size[1];
        float *t = field_row(job->temperature, j, k), *f = field_row(job->fraction, j, k);
        for (int i = 0; i < job->temperature->size[0]; i++) {
            double fraction, enthalpy = (double)t[i] + job->m->melt.latent * (double)f[i];
            t[i] = (float)melt_temperature(&job->m->melt, enthalpy, &fraction);
            f[i] = (float)fraction;
        }
    }
}

void liquid_heat_settle(liquid_run *run)
{
    heat_job job = heat_next(run);
    if (run->model.fraction >= 0)
        field_for_rows(job.temperature, heat_settle_rows, &job);
}

typedef struct heat_lift {
    const field *temperature;
    field *to;
    float push; /* m/s per kelvin */
    float ambient;
} heat_lift;

/* Boussinesq: the weight of liquid that is warmer than the ambient is less by expansion · (T − ambient). */
static void heat_lift_rows(void *context, int begin, int end)
{
    const heat_lift *job = context;
    const ptrdiff_t back = job->temperature->stride[field_axis(job->to)];
    for (int r = begin; r < end; r++) {
        const int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *restrict t = field_row(job->temperature, j, k);
        float *restrict to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] += job->push * (0.5f * (t[i] + t[i - back]) - job->ambient);
    }
}

fr_result liquid_heat_kick(void *self)
{
    const liquid_step *step = self;
    const liquid_model *m = &step->run->model;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    if (!l->viscosity.data && m->heat.expansion == 0)
        return FR_OK;
    if (step->flow.m->scalar_count > 0)
        liquid_scalars_continue(step->run);
    if (l->viscosity.data)
        FR_TRY(liquid_viscosity_find(step->run));
    if (m->heat.expansion == 0)
        return FR_OK;
    for (int a = 0; a < step->flow.m->domain.dims; a++) {
        heat_lift job = {&s->scalars[HEAT_TEMPERATURE], &s->next_velocity[a],
                         (float)(-m->heat.expansion * m->gravity[a] * step->flow.dt), (float)m->heat.ambient};
        if (job.push != 0)
            field_for_rows(job.to, heat_lift_rows, &job);
    }
    return FR_OK;
}
