#include "sph/scheme.h"

#include "base/clock.h"
#include "sph/parts.h"
#include "method/evaluate.h"
#include "sph/stage/force.h"
#include "sph/stage/layer.h"
#include "sph/stage/move.h"
#include "sph/stage/near.h"
#include "sph/stage/pour.h"
#include "sph/stage/smooth.h"
#include "sph/stage/walls.h"

typedef struct start_job {
    const sph_model *m;
    sph_state *s;
} start_job;

static fr_result start_place(void *context, const double centre[3], const fr_fill_def *fill)
{
    const start_job *job = context;
    const fr_scene_def *def = job->m->def;
    double own[3], initial[3] = {0};
    FR_TRY(evaluate_vector(&fill->velocity, centre, 0, own));
    if (def->has_initial_velocity)
        FR_TRY(evaluate_vector(&def->initial_velocity, centre, 0, initial));
    for (int a = 0; a < 3; a++)
        own[a] = a < job->m->dims ? own[a] + initial[a] : 0;
    fluid_add(&job->s->fluid, job->s->born++, centre, own);
    return FR_OK;
}

fr_result method_sph_start(const sph_model *m, const sph_filling *filling, sph_state *s)
{
    FR_TRY(sph_state_reserve(m, s, filling->count > 0 ? filling->count : 1));
    start_job job = {m, s};
    FR_TRY(sph_fill(m, filling, start_place, &job));
    FR_TRY(stage_sph_force_start(m, s));
    FR_TRY(stage_sph_walls(m, s, 0, 0));
    return stage_sph_near(m, s);
}

static fr_result (*const schemes[])(const sph_model *, sph_state *, double, timing *) = {
    [FR_SPH_DFSPH] = sph_step_dfsph,
    [FR_SPH_PCISPH] = sph_step_pcisph,
    [FR_SPH_WCSPH] = sph_step_wcsph,
};

fr_result method_sph_step(const sph_model *m, sph_state *s, double dt, timing *t)
{
    double start = clock_now();
    s->now.report = (fr_step_report){.time = s->now.end, .dt = dt};
    FR_TRY(stage_sph_walls(m, s, s->now.time, s->now.end));
    start = timing_add(t, "walls", start);
    FR_TRY(stage_sph_near(m, s));
    timing_add(t, "near", start);
    FR_TRY(schemes[m->def->sph.solver](m, s, dt, t));
    start = clock_now();
    FR_TRY(stage_sph_hold(m, s));
    stage_sph_smooth(m, s);
    FR_TRY(stage_sph_move(m, s, dt));
    FR_TRY(stage_sph_pour(m, s));
    FR_TRY(stage_sph_drain(m, s));
    timing_add(t, "move", start);
    return FR_OK;
}

static void sph_swap(void *a, void *b)
{
    void **first = a, **second = b, *swap = *first;
    *first = *second;
    *second = swap;
}

void method_sph_accept(const sph_model *m, sph_state *s)
{
    sph_swap(&s->fluid.position, &s->next.position);
    sph_swap(&s->fluid.velocity, &s->next.velocity);
    sph_swap(&s->fluid.pressure, &s->next.pressure);
    if (m->def->sph.density == FR_SPH_CONTINUITY)
        sph_swap(&s->fluid.density, &s->next.density);
    sph_swap(&s->walls.unsorted.pressure, &s->walls.unsorted.next_pressure);
    stage_sph_layer_age(s, s->now.end - s->now.time);
    s->pull = s->next_pull;
    stage_sph_exchange(m, s);
    s->near_known = false;
    s->now.before = s->now.time;
    s->now.time = s->now.end;
}
