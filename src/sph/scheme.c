#include "sph/scheme.h"

#include "sph/parts.h"
#include "method/evaluate.h"
#include "sph/floating/floating.h"
#include "sph/heat/heat.h"
#include "sph/stage/force.h"
#include "sph/stage/layer.h"
#include "sph/stage/move.h"
#include "sph/stage/near.h"
#include "sph/stage/pour.h"
#include "sph/stage/shear.h"
#include "sph/stage/smooth.h"
#include "sph/stage/walls.h"

typedef struct start_job {
    const fr_scene_def *def;
    const sph_model *m;
    sph_state *s;
} start_job;

static fr_result start_place(void *context, const double centre[3], const fr_fill_def *fill)
{
    const start_job *job = context;
    const fr_scene_def *def = job->def;
    double own[3], initial[3] = {0};
    FR_TRY(evaluate_vector(&fill->velocity, centre, 0, own));
    if (def->has_initial_velocity)
        FR_TRY(evaluate_vector(&def->initial_velocity, centre, 0, initial));
    for (int a = 0; a < 3; a++)
        own[a] = a < job->m->dims ? own[a] + initial[a] : 0;
    fluid *f = &job->s->fluid;
    fluid_add(f, job->s->born++, centre, own);
    return f->warm ? sph_heat_filled(def, job->m, fill, centre, &f->enthalpy[f->count - 1]) : FR_OK;
}

fr_result sph_scheme_start(const fr_scene_def *def, const sph_model *m, const sph_filling *filling, sph_state *s)
{
    FR_TRY(sph_state_reserve(m, s, filling->count > 0 ? filling->count : 1));
    start_job job = {def, m, s};
    FR_TRY(sph_fill(def, m, filling, start_place, &job));
    FR_TRY(stage_sph_force_start(m, s));
    FR_TRY(stage_sph_walls(m, s, 0, 0));
    if (s->floating && m->sph.solver != FR_SPH_WCSPH)
        FR_TRY(sph_settle(m, s));
    return stage_sph_near(m, s);
}

static fr_result scheme_walls(void *self)
{
    const sph_step *step = self;
    return stage_sph_walls(step->m, step->s, step->s->now.time, step->s->now.end);
}

static fr_result scheme_near(void *self)
{
    const sph_step *step = self;
    return stage_sph_near(step->m, step->s);
}

static fr_result scheme_heat(void *self)
{
    const sph_step *step = self;
    return stage_sph_heat(step->m, step->s, step->dt);
}

static fr_result scheme_move(void *self)
{
    const sph_step *step = self;
    if (step->s->floating)
        FR_TRY(sph_floating_advance(step->m, step->s));
    FR_TRY(stage_sph_hold(step->m, step->s));
    stage_sph_smooth(step->m, step->s);
    FR_TRY(stage_sph_move(step->m, step->s, step->dt));
    if (step->s->floating)
        sph_floating_knock(step->s);
    return FR_OK;
}

static fr_result scheme_exchange(void *self)
{
    const sph_step *step = self;
    FR_TRY(stage_sph_pour(step->m, step->s));
    return stage_sph_drain(step->m, step->s);
}

static fr_result scheme_shear(void *self)
{
    const sph_step *step = self;
    if (step->s->paste)
        stage_sph_shear(step->m, step->s);
    return FR_OK;
}

const stage sph_begin[] = {
    {.name = "walls", .run = scheme_walls},
    {.name = "near", .run = scheme_near},
    {.name = "heat", .run = scheme_heat},
    {.name = "viscosity", .run = scheme_shear},
    {0}};

const stage sph_end[] = {
    {.name = "move", .run = scheme_move},
    {.name = "move", .run = scheme_exchange},
    {0}};

static const stage *scheme_of(const sph_step *step)
{
    switch (step->m->sph.solver) {
    case FR_SPH_PCISPH: return sph_pcisph;
    case FR_SPH_WCSPH: return sph_wcsph(step);
    default: return sph_dfsph;
    }
}

fr_result sph_scheme_step(const sph_model *m, sph_state *s, double dt, timing *t)
{
    sph_step step = {.m = m, .s = s, .dt = dt};
    return stages_run(scheme_of(&step), &step, t);
}

static void scheme_swap(void *a, void *b)
{
    void **first = a, **second = b, *swap = *first;
    *first = *second;
    *second = swap;
}

void sph_scheme_accept(const sph_model *m, sph_state *s)
{
    scheme_swap(&s->fluid.position, &s->next.position);
    scheme_swap(&s->fluid.velocity, &s->next.velocity);
    scheme_swap(&s->fluid.pressure, &s->next.pressure);
    if (m->sph.density == FR_SPH_CONTINUITY)
        scheme_swap(&s->fluid.density, &s->next.density);
    if (s->heat) {
        scheme_swap(&s->fluid.enthalpy, &s->next.enthalpy);
        s->heat->account = s->heat->next;
    }
    if (s->floating)
        sph_floating_accept(s->floating);
    scheme_swap(&s->walls.unsorted.pressure, &s->walls.unsorted.next_pressure);
    stage_sph_layer_age(s, s->now.end - s->now.time);
    s->pull = s->next_pull;
    stage_sph_exchange(m, s);
    s->near_known = false;
}
