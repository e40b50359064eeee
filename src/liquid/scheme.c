/* Liquid: the state at the start, the step, and accepting it. Each tracker has its own scheme. */
#include <math.h>

#include "liquid/surface_cells.h"
#include "mac/coupling/coupling.h"
#include "mac/stage/check.h"
#include "mac/stage/extend.h"
#include "mac/stage/tracers.h"
#include "mac/stage/turbulence.h"
#include "mac/stage/walls.h"
#include "method/evaluate.h"

const liquid_due liquid_at_start = {-INFINITY, 0};

static fr_result start_velocity(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    const fr_vector *given = m->prescribed ? m->prescribed : m->initial_velocity;
    if (given)
        FR_TRY(evaluate_velocity(given, &m->domain, 0, s->next_velocity));
    if (!m->prescribed)
        FR_TRY(liquid_fill_velocity(run, liquid_at_start, s->next_velocity));
    FR_TRY(stage_turbulence_start(m, s->next_velocity));
    liquid_mark_wet(m, s, s->surface);
    surface_cells_finish_velocity(run, s->next_velocity);
    if (m->prescribed)
        return FR_OK;
    surface_cells_place_pressure(run);
    stage_pressure_prepare(m, s);
    /* this pressure is not that of the flow: any Δt will do, and it is not kept */
    FR_TRY(surface_cells_project(run, 1, PRESSURE_WHOLE));
    field_fill(&s->next_pressure, 0);
    return FR_OK;
}

/* The next fields become the present ones. */
static void liquid_exchange(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    for (int a = 0; a < m->domain.dims; a++)
        field_swap(&s->velocity[a], &s->next_velocity[a]);
    s->rate = s->next_rate;
    field_swap(&s->pressure, &s->next_pressure);
    liquid_scalars_accept(run);
    stage_extend_pressure(s, &s->pressure);
    stage_walls_pressure(m, &s->pressure);
}

fr_result liquid_start(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    liquid_state *l = &run->liquid;
    s->surface = liquid_seen(run, &l->middle);
    FR_TRY(stage_walls_update(m, s, 0));
    FR_TRY(liquid_fill_distance(run, liquid_at_start, &l->surface, &l->next));
    liquid_pour_sides(run, &l->surface);
    FR_TRY(levelset_renew(l->levelset, &l->surface));
    field_copy(&l->middle, &l->surface);
    liquid_hold(run, &l->middle, false, &l->surface);
    field_copy(&l->middle, &l->surface);
    s->surface = liquid_seen(run, &l->middle);
    l->volume = liquid_volume(run, &l->surface);
    FR_TRY(start_velocity(run));
    FR_TRY(stage_check_velocity(m, s, "start"));
    FR_TRY(liquid_scalars_start(run));
    surface_cells_finish_velocity(run, s->next_velocity);
    liquid_exchange(run);
    if (run->tracker->start)
        FR_TRY(run->tracker->start(run));
    l->shown = true;
    return stage_tracers_seed(m, s);
}

double liquid_behind(const liquid_run *run)
{
    const progress *now = &run->flow.state->now;
    return run->liquid.leaps ? 0.5 * (now->time - now->before) : 0;
}

fr_result liquid_show(liquid_run *run)
{
    liquid_state *l = &run->liquid;
    if (l->leaps && !l->shown)
        FR_TRY(run->tracker->show(run));
    l->shown = true;
    return FR_OK;
}

fr_result liquid_scheme_step(liquid_run *run, double dt)
{
    liquid_step step = {mac_begin(run->flow.model, run->flow.state, dt), run, liquid_behind(run) + dt / 2};
    run->liquid.next_volume = run->liquid.volume;
    run->liquid.next_made = run->liquid.made;
    run->liquid.next_parcels_due = run->liquid.parcels_due;
    run->liquid.poured_volume = run->liquid.drained_volume = 0;
    liquid_flight_begin(run);
    const stage *scheme = run->flow.model->prescribed ? run->tracker->given : run->tracker->scheme;
    return stages_run(scheme, &step, &run->flow.base.timing);
}

void liquid_scheme_accept(liquid_run *run)
{
    state *s = run->flow.state;
    liquid_state *l = &run->liquid;
    liquid_exchange(run);
    if (s->coupling)
        coupling_accept(s->coupling);
    if (l->leaps)
        l->shown = l->kept = false;
    else
        field_swap(&l->surface, &l->next);
    field_swap(&l->viscous_pressure, &l->next_viscous_pressure);
    liquid_layers_age(run, s->now.end - s->now.time);
    l->volume = l->next_volume;
    l->left = l->next_left;
    l->made = l->next_made;
    l->parcels_due = l->next_parcels_due;
    liquid_flight_accept(run);
    if (run->flow.model->tracer_count)
        stage_tracers_move(run->flow.model, s, s->next_velocity);
}
