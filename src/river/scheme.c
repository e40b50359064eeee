/* Rivers: the state at the start, the step by the scheme that the scene asks for, and what makes a step count. Each
   scheme is a file of its own: river_flux.c, river_classic.c. */
#include "river/scheme.h"

#include "base/clock.h"
#include "river/parts.h"
#include "mac/stage/check.h"
#include "method/evaluate.h"
#include "river/stage/particles.h"
#include "river/stage/sides.h"

static bool river_is_classic(const river_model *m) { return m->def->river.scheme == FR_RIVER_CLASSIC; }

static fr_result river_start_scalar(const river_model *m, const fr_number *value, field *f)
{
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double world[3], v;
                river_position(m, FR_AT_CELL, i, j, k, world);
                FR_TRY(evaluate_number(value, world, 0, &v));
                field_row(f, j, k)[i] = (float)v;
            }
    return FR_OK;
}

static fr_result river_check(const river_model *m, river_state *s, const char *stage)
{
    static const char *const names[3] = {"u", "v", "w"}, *const fluxes[3] = {"the flux along s", "the flux along t",
                                                                             "the flux along r"};
    for (int a = 0; a < m->curve.domain.dims; a++)
        FR_TRY(river_is_classic(m) ? stage_check_field(&s->next_velocity[a], names[a], stage, s->now.time, s->partial)
                                   : stage_check_field(&s->next_flux[a], fluxes[a], stage, s->now.time, s->partial));
    for (int i = 0; i < m->scalar_count; i++)
        FR_TRY(stage_check_field(&s->next_scalars[i], m->scalars[i].name, stage, s->now.time, s->partial));
    return FR_OK;
}

fr_result method_river_start(const river_model *m, river_state *s)
{
    FR_TRY(stage_river_sides_update(m, s, 0));
    FR_TRY(river_is_classic(m) ? river_start_classic(m, s) : river_start_flux(m, s));
    for (int i = 0; i < m->scalar_count; i++)
        FR_TRY(river_start_scalar(m, &m->scalars[i].initial, &s->next_scalars[i]));
    FR_TRY(river_check(m, s, "start"));
    method_river_accept(m, s);
    return stage_river_particles_seed(m, s);
}

fr_result method_river_step(const river_model *m, river_state *s, double dt, timing *t)
{
    s->now.report = (fr_step_report){.time = s->now.end, .dt = dt};
    double start = clock_now();
    FR_TRY(stage_river_particles_move(m, s, dt));
    timing_add(t, "particles", start);
    FR_TRY(river_is_classic(m) ? river_step_classic(m, s, dt, t) : river_step_flux(m, s, dt, t));
    return river_check(m, s, "pressure");
}

void method_river_accept(const river_model *m, river_state *s)
{
    for (int a = 0; a < m->curve.domain.dims; a++) {
        field_swap(&s->past_flux[a], &s->flux[a]);
        field_swap(&s->flux[a], &s->next_flux[a]);
        field_swap(&s->velocity[a], &s->next_velocity[a]);
    }
    s->past_reach = -1;
    s->past_step = s->now.end - s->now.time;
    s->past_inflow = s->begun_inflow;
    if (!river_is_classic(m))
        stage_river_sides_flux(m, s, s->flux);
    field_swap(&s->pressure, &s->next_pressure);
    for (int i = 0; i < m->scalar_count; i++)
        field_swap(&s->scalars[i], &s->next_scalars[i]);
    stage_river_particles_accept(s);
    s->now.before = s->now.time;
    s->now.time = s->now.end;
}
