/* Stable Fluids on a bent grid (Barroso & Celes, eq. 3 and 11):

     velocity   force, advect along itself, diffuse, project
     scalars    source, advect along the new velocity, diffuse, extinguish */
#include "base/clock.h"
#include "river/parts.h"
#include "river/classic/classic.h"
#include "method/evaluate.h"
#include "river/stage/emit.h"
#include "river/stage/sides.h"

/* The velocity that the scene starts with, without its divergence as far as sweeps can take it away. */
fr_result river_start_classic(const river_model *m, river_state *s)
{
    const domain *d = &m->curve.domain;
    for (int row = 0; row < d->n[1] * d->n[2] && m->def->has_initial_velocity; row++)
        for (int i = 0; i < d->n[0]; i++) {
            double world[3], u[3];
            river_position(m, FR_AT_CELL, i, row % d->n[1], row / d->n[1], world);
            FR_TRY(evaluate_vector(&m->def->initial_velocity, world, 0, u));
            for (int a = 0; a < d->dims; a++)
                field_row(&s->next_velocity[a], row % d->n[1], row / d->n[1])[i] = (float)u[a];
        }
    FR_TRY(stage_river_force_cells(m, s, 0, 0, s->next_velocity));   /* only to know how strong they are */
    stage_classic_project(m, s, 1);
    field_fill(&s->next_pressure, 0);   /* that of the projection is not that of the flow */
    return FR_OK;
}

static fr_result classic_flow(const river_model *m, river_state *s, double dt, timing *t)
{
    double start = clock_now();
    int dims = m->curve.domain.dims;
    field forced[3];
    classic_load loads[3];
    FR_TRY(stage_river_sides_update(m, s, s->now.end));
    for (int a = 0; a < dims; a++) {
        forced[a] = river_scratch(m, s, a, FR_AT_CELL);
        field_copy(&forced[a], &s->velocity[a]);
        loads[a] = (classic_load){&forced[a], &s->next_velocity[a]};
    }
    FR_TRY(stage_river_force_cells(m, s, dt, s->now.time + dt / 2, forced));
    stage_classic_border(m, s, forced);
    start = timing_add(t, "force", start);
    stage_classic_advect(m, forced, dt, loads, dims);
    start = timing_add(t, "advect velocity", start);
    stage_classic_viscosity(m, s, dt);
    start = timing_add(t, "viscosity", start);
    stage_classic_project(m, s, dt);
    timing_add(t, "pressure", start);
    return FR_OK;
}

/* Some scalars, with what their sources add, share the way along which they are carried. */
static fr_result classic_carry(const river_model *m, river_state *s, int first, int count, double dt)
{
    field held[RIVER_SCRATCH];
    classic_load loads[RIVER_SCRATCH] = {{0}};
    for (int n = 0; n < count; n++) {
        held[n] = river_scratch(m, s, n, FR_AT_CELL);
        field_copy(&held[n], &s->scalars[first + n]);
        FR_TRY(stage_river_emit(m, s, first + n, &held[n]));
        stage_river_sides_upwind(m, s, first + n, &held[n]);
        loads[n] = (classic_load){&held[n], &s->next_scalars[first + n]};
    }
    stage_classic_advect(m, s->next_velocity, dt, loads, count);
    return FR_OK;
}

static fr_result classic_scalars(const river_model *m, river_state *s, double dt, timing *t)
{
    double start = clock_now();
    for (int i = 0; i < m->scalar_count; i += RIVER_SCRATCH)
        FR_TRY(classic_carry(m, s, i, m->scalar_count - i < RIVER_SCRATCH ? m->scalar_count - i : RIVER_SCRATCH, dt));
    start = timing_add(t, "advect scalars", start);
    for (int i = 0; i < m->scalar_count; i++)
        stage_classic_spread(m, s, i, dt);
    timing_add(t, "diffuse scalars", start);
    return FR_OK;
}

fr_result river_step_classic(const river_model *m, river_state *s, double dt, timing *t)
{
    FR_TRY(classic_flow(m, s, dt, t));
    return classic_scalars(m, s, dt, t);
}
