/* Heat that comes and goes with liquid: poured by sources and blobs, drained by sinks, through inflows and open sides.

   How much liquid that is, pour.c and volume.c know; here it gets its enthalpy. What is poured has the temperature of
   its source or blob before it is carried, so that what leaves a source within the step in which it opens has it too.
   What is drained has the enthalpy that the liquid there had at the step's begin. */
#include <math.h>

#include "base/threads.h"
#include "liquid/liquid.h"
#include "method/evaluate.h"
#include "method/times.h"

typedef struct ports_job {
    field *share;        /* of each cell that was poured or drained */
    const field *other;  /* shares after */
    const field *region; /* distance to where liquid is poured or drained: what φ does elsewhere is not of its making */
    float reach;         /* m, so far from there */
    double sign;
} ports_job;

void liquid_heat_note(const liquid_run *run, const field *phi, field *share)
{
    if (run->model.heat.set)
        liquid_shares(run, phi, share);
}

static void ports_change_rows(void *context, int begin, int end)
{
    const ports_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->share->size[1], k = r / job->share->size[1];
        const float *after = field_row(job->other, j, k);
        const float *region = field_row(job->region, j, k);
        float *share = field_row(job->share, j, k);
        for (int i = 0; i < job->share->size[0]; i++)
            share[i] = region[i] < job->reach ? fmaxf((float)job->sign * (after[i] - share[i]), 0) : 0;
    }
}

void liquid_heat_changed(const liquid_run *run, const field *region, double sign, field *share)
{
    if (!run->model.heat.set)
        return;
    field after = liquid_scratch(run, 0);
    liquid_shares(run, &run->liquid.middle, &after);
    ports_job job = {.share = share,
                     .other = &after,
                     .region = region,
                     .reach = (float)domain_min_h(&run->flow.model->domain),
                     .sign = sign};
    field_for_rows(share, ports_change_rows, &job);
}

static double ports_enthalpy(const liquid_run *run, ptrdiff_t at)
{
    const field *scalars = run->flow.state->scalars;
    const double molten = run->model.fraction >= 0 ? (double)scalars[run->model.fraction].data[at] : 0;
    return (double)scalars[run->flow.model->temperature].data[at] + run->model.melt.latent * molten -
           run->model.heat.ambient;
}

/* What comes by sides is counted there. */
static void ports_leave_out_sides(liquid_run *run, field *share)
{
    const model *m = run->flow.model;
    field near = liquid_scratch(run, 0);
    const float cell = (float)domain_min_h(&m->domain);
    bool any = false;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        any = any || m->walls[side].kind == FR_WALL_INFLOW;
    if (!any)
        return;
    field_fill(&near, levelset_width(run->liquid.levelset));
    liquid_pour_sides(run, &near);
    for (size_t i = 0; i < share->count; i++)
        share->block[i] = near.block[i] < cell ? 0 : share->block[i];
}

static bool ports_is_open(const model_source *source, const progress *now)
{
    return source->def->sets_velocity && times_overlap(source->def->from, source->def->to, now->time, now->end) > 0;
}

/* Of the sources that are open, by what they cover: where φ does not tell. */
static liquid_heat ports_sum_sources(const liquid_run *run)
{
    const model *m = run->flow.model;
    liquid_heat sum = {0, 0};
    for (int i = 0; i < m->source_count; i++) {
        const model_cover *cells = &m->sources[i].cells[0];
        for (int64_t c = 0; c < cells->count && ports_is_open(&m->sources[i], &run->flow.state->now); c++) {
            sum.heat += (double)cells->share[c] * ports_enthalpy(run, cells->at[c]);
            sum.volume += (double)cells->share[c];
        }
    }
    return sum;
}

/* Liquid that has a temperature of its own keeps it. */
static bool ports_may_set(const liquid_run *run, ptrdiff_t at)
{
    const field *t = &run->flow.state->scalars[run->flow.model->temperature];
    return run->liquid.ink_layers[t->data + at - t->block] != EXTEND_KNOWN;
}

static void ports_set(liquid_run *run, ptrdiff_t at, double temperature)
{
    field *scalars = run->flow.state->scalars;
    scalars[run->flow.model->temperature].data[at] = (float)temperature;
    if (run->model.fraction >= 0)
        scalars[run->model.fraction].data[at] = (float)melt_fraction(&run->model.melt, temperature);
}

static fr_result ports_warm_source(liquid_run *run, const model_source *source, const fr_number *temperature)
{
    const model *m = run->flow.model;
    const model_cover *cells = &source->cells[0];
    for (int64_t c = 0; c < cells->count; c++) {
        double at[3], value;
        model_position(&m->domain, &run->flow.state->scalars[m->temperature], cells->at[c], at);
        FR_TRY(evaluate_number(temperature, at, run->flow.state->now.time, &value));
        if (ports_may_set(run, cells->at[c]))
            ports_set(run, cells->at[c], value);
    }
    return FR_OK;
}

static fr_result ports_warm_sources(liquid_run *run)
{
    const model *m = run->flow.model;
    for (int i = 0; i < m->source_count; i++) {
        const fr_source_def *def = m->sources[i].def;
        if (def->rate > 0 || !ports_is_open(&m->sources[i], &run->flow.state->now))
            continue;
        for (int v = 0; v < def->scalar_count; v++)
            if (model_scalar_index(m, def->scalars[v].name) == m->temperature)
                FR_TRY(ports_warm_source(run, &m->sources[i], &def->scalars[v].value));
    }
    return FR_OK;
}

/* The next scalars are free until the present ones are carried: blobs set theirs there first. */
static fr_result ports_warm_fills(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    const liquid_due due = {s->now.time, s->now.end};
    const field *now = &s->scalars[m->temperature], *set = &s->next_scalars[m->temperature];
    if (!liquid_fills_due(run, due))
        return FR_OK;
    field_copy(&s->next_scalars[m->temperature], now);
    FR_TRY(liquid_fill_scalars(run, due, s->next_scalars));
    for (int r = 0; r < field_rows(now); r++) {
        const ptrdiff_t row = field_row(now, r % now->size[1], r / now->size[1]) - now->data;
        for (ptrdiff_t at = row; at < row + now->size[0]; at++)
            if (set->data[at] != now->data[at] && ports_may_set(run, at))
                ports_set(run, at, (double)set->data[at]);
    }
    return FR_OK;
}

/* K above the ambient, the mean of sums by shares. */
static double ports_mean(liquid_heat sum, liquid_heat otherwise)
{
    return sum.volume > 0 ? sum.heat / sum.volume : otherwise.volume > 0 ? otherwise.heat / otherwise.volume : 0;
}

fr_result liquid_heat_ports(const liquid_step *step)
{
    liquid_run *run = step->run;
    liquid_state *l = &run->liquid;
    const field *now = run->flow.state->scalars;
    l->heat_came = l->heat_left = 0;
    if (!run->model.heat.set)
        return FR_OK;
    FR_TRY(ports_warm_sources(run));
    FR_TRY(ports_warm_fills(run));
    if (l->poured_volume != 0) {
        ports_leave_out_sides(run, &l->poured);
        l->heat_came = l->poured_volume * ports_mean(liquid_heat_of(run, now, &l->poured), ports_sum_sources(run));
    }
    if (l->drained_volume != 0)
        l->heat_left = l->drained_volume * ports_mean(liquid_heat_of(run, now, &l->drained), l->heat_before);
    const liquid_heat_flow sides = liquid_heat_through(step, step->flow.s->next_velocity);
    l->heat_came += sides.in * step->flow.dt;
    l->heat_left += sides.out * step->flow.dt;
    return FR_OK;
}
