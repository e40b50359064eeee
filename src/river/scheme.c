/* Rivers: the initial state, the step by the scene's scheme, and its acceptance. Each scheme has its own file: flux.c,
   classic/scheme.c. */
#include "river/scheme.h"

#include "river/parts.h"
#include "mac/stage/check.h"
#include "method/evaluate.h"
#include "river/stage/particles.h"
#include "river/stage/sides.h"

static bool scheme_is_classic(const river_model *m) { return m->scheme == FR_RIVER_CLASSIC; }

static fr_result scheme_start_scalar(const river_model *m, const fr_number *value, field *f)
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

static fr_result scheme_check(const river_model *m, river_state *s, const char *stage)
{
    static const char *const names[3] = {"u", "v", "w"}, *const fluxes[3] = {"the flux along s", "the flux along t",
                                                                             "the flux along r"};
    for (int a = 0; a < m->curve.domain.dims; a++)
        FR_TRY(scheme_is_classic(m) ? stage_check_field(&s->next_velocity[a], names[a], stage, s->now.time, s->partial)
                                   : stage_check_field(&s->next_flux[a], fluxes[a], stage, s->now.time, s->partial));
    for (int i = 0; i < m->scalar_count; i++)
        FR_TRY(stage_check_field(&s->next_scalars[i], m->scalars[i].name, stage, s->now.time, s->partial));
    return FR_OK;
}

fr_result river_scheme_start(const river_model *m, river_state *s)
{
    FR_TRY(stage_river_sides_update(m, s, 0));
    FR_TRY(scheme_is_classic(m) ? river_classic_start(m, s) : river_flux_start(m, s));
    for (int i = 0; i < m->scalar_count; i++)
        FR_TRY(scheme_start_scalar(m, &m->scalars[i].initial, &s->next_scalars[i]));
    FR_TRY(scheme_check(m, s, "start"));
    river_scheme_accept(m, s);
    return stage_river_particles_seed(m, s);
}

fr_result river_move_particles(void *self)
{
    const river_step *step = self;
    return stage_river_particles_move(step->m, step->s, step->dt);
}

fr_result river_scheme_step(const river_model *m, river_state *s, double dt, timing *t)
{
    river_step step = {m, s, dt};
    FR_TRY(stages_run(scheme_is_classic(m) ? river_classic : river_flux, &step, t));
    return scheme_check(m, s, "pressure");
}

void river_scheme_accept(const river_model *m, river_state *s)
{
    for (int a = 0; a < m->curve.domain.dims; a++) {
        field_swap(&s->past_flux[a], &s->flux[a]);
        field_swap(&s->flux[a], &s->next_flux[a]);
        field_swap(&s->velocity[a], &s->next_velocity[a]);
    }
    s->past_step = s->now.end - s->now.time;
    s->past_inflow = s->begun_inflow;
    if (!scheme_is_classic(m))
        stage_river_sides_flux(m, s, s->flux);
    field_swap(&s->pressure, &s->next_pressure);
    for (int i = 0; i < m->scalar_count; i++)
        field_swap(&s->scalars[i], &s->next_scalars[i]);
    stage_river_particles_accept(s);
}
