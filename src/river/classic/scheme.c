/* Stable Fluids on a curvilinear grid (Barroso & Celes 2010, eq. 3 and 11), stage by stage:

     velocity   ∂u/∂t = f − (u·∇)u + ν∇²u − ∇p/ρ,  ∇·u = 0     forces, self-advection, viscosity, projection
     scalars    ∂q/∂t = S − (u·∇)q + κ∇²q − λq                 sources, advection by the new u, diffusion, extinction

   First order in time. The projection stops after a fixed number of sweeps, so some divergence is left. */
#include "river/parts.h"
#include "river/classic/classic.h"
#include "method/evaluate.h"
#include "river/stage/emit.h"
#include "river/stage/sides.h"

/* The initial velocity of the scene, projected as far as the sweeps go. */
fr_result river_classic_start(const river_model *m, river_state *s)
{
    const domain *d = &m->curve.domain;
    for (int row = 0; row < d->n[1] * d->n[2] && m->initial_velocity; row++)
        for (int i = 0; i < d->n[0]; i++) {
            double world[3], u[3];
            river_position(m, FR_AT_CELL, i, row % d->n[1], row / d->n[1], world);
            FR_TRY(evaluate_vector(m->initial_velocity, world, 0, u));
            for (int a = 0; a < d->dims; a++)
                field_row(&s->next_velocity[a], row % d->n[1], row / d->n[1])[i] = (float)u[a];
        }
    FR_TRY(stage_river_force_cells(m, s, 0, 0, s->next_velocity)); /* dt = 0: only measures their strength */
    stage_classic_project(m, s, 1);
    field_fill(&s->next_pressure, 0);   /* the pressure of that projection is not the pressure of the flow */
    return FR_OK;
}

/* Sides are taken at the end of the step, forces in its middle. */
static fr_result classic_force(void *self)
{
    const river_step *step = self;
    const river_model *m = step->m;
    river_state *s = step->s;
    FR_TRY(stage_river_sides_update(m, s, s->now.end));
    for (int a = 0; a < m->curve.domain.dims; a++)
        field_copy(&s->forced_velocity[a], &s->velocity[a]);
    FR_TRY(stage_river_force_cells(m, s, step->dt, s->now.time + step->dt / 2, s->forced_velocity));
    stage_classic_border(m, s, s->forced_velocity);
    return FR_OK;
}

static fr_result classic_advect(void *self)
{
    const river_step *step = self;
    river_state *s = step->s;
    const int dims = step->m->curve.domain.dims;
    classic_load loads[3];
    for (int a = 0; a < dims; a++)
        loads[a] = (classic_load){&s->forced_velocity[a], &s->next_velocity[a]};
    stage_classic_advect(step->m, s->forced_velocity, step->dt, loads, dims);
    return FR_OK;
}

static fr_result classic_viscosity(void *self)
{
    const river_step *step = self;
    stage_classic_viscosity(step->m, step->s, step->dt);
    return FR_OK;
}

static fr_result classic_project(void *self)
{
    const river_step *step = self;
    stage_classic_project(step->m, step->s, step->dt);
    return FR_OK;
}

/* Adds the sources to some scalars and advects them together along the same traces. */
static fr_result classic_carry(const river_step *step, int first, int count)
{
    const river_model *m = step->m;
    river_state *s = step->s;
    field held[CLASSIC_SCRATCH];
    classic_load loads[CLASSIC_SCRATCH] = {{0}};
    for (int n = 0; n < count; n++) {
        held[n] = river_scratch(m, s, n, FR_AT_CELL);
        field_copy(&held[n], &s->scalars[first + n]);
        FR_TRY(stage_river_emit(m, s, first + n, &held[n]));
        stage_river_sides_upwind(m, s, first + n, &held[n]);
        loads[n] = (classic_load){&held[n], &s->next_scalars[first + n]};
    }
    stage_classic_advect(m, s->next_velocity, step->dt, loads, count);
    return FR_OK;
}

static fr_result classic_advect_scalars(void *self)
{
    const river_step *step = self;
    for (int first = 0; first < step->m->scalar_count; first += CLASSIC_SCRATCH) {
        int left = step->m->scalar_count - first;
        FR_TRY(classic_carry(step, first, left < CLASSIC_SCRATCH ? left : CLASSIC_SCRATCH));
    }
    return FR_OK;
}

static fr_result classic_diffuse_scalars(void *self)
{
    const river_step *step = self;
    for (int i = 0; i < step->m->scalar_count; i++)
        stage_classic_spread(step->m, step->s, i, step->dt);
    return FR_OK;
}

const stage river_classic[] = {
    {.name = "particles", .run = river_move_particles},
    {.name = "force", .run = classic_force},
    {.name = "advect velocity", .run = classic_advect},
    {.name = "viscosity", .run = classic_viscosity},
    {.name = "pressure", .run = classic_project},
    {.name = "advect scalars", .run = classic_advect_scalars},
    {.name = "diffuse scalars", .run = classic_diffuse_scalars},
    {0}};
