/* Volume fluxes U on the faces, one projection per step, second order in time. Along the path of the water the pressure
   acts half at the start and half at the end. The advecting flow is that of the middle of the step, extrapolated from
   the last two:

     c    = Uⁿ + ½ Δt/Δt' (Uⁿ − Uⁿ⁻¹)                        Δt': the previous step
     Û    = Uⁿ − ½ Δt/ρ F(p)                                 p: pressure of the previous step
     Uⁿ⁺¹ = A(Û; c, Δt) + Δt f + Δt ν∇²u − ½ Δt/ρ F(q),      q such that Uⁿ⁺¹ has no divergence
     p   := ½ (p + q)

   A advects Û along c; F(p) are the fluxes of ∇p. p belongs to the middle of a step; the averaging keeps it from
   oscillating (Xiu & Karniadakis 2001). If all of the pressure acted at the end of the path, a flow round a corner or a
   ring would lose ½ Δt (u/r)² of its speed per second. */
#include <math.h>

#include "river/parts.h"
#include "method/evaluate.h"
#include "river/stage/advect.h"
#include "river/stage/diffuse.h"
#include "river/stage/emit.h"
#include "river/stage/pressure.h"
#include "river/stage/sides.h"

/* Fluxes of the scene's initial velocity. */
static fr_result flux_set(const river_model *m, int k, field *flux)
{
    for (int r = 0; r < field_rows(flux); r++)
        for (int i = 0; i < flux->size[0]; i++) {
            int row[2] = {r % flux->size[1], r / flux->size[1]};
            double world[3], u[3], through = 0;
            river_position(m, flux->at, i, row[0], row[1], world);
            FR_TRY(evaluate_vector(m->initial_velocity, world, 0, u));
            for (int a = 0; a < m->curve.domain.dims; a++)
                through += u[a] * field_row(&m->curve.face[k][a], row[0], row[1])[i];
            field_row(flux, row[0], row[1])[i] = (float)through;
        }
    return FR_OK;
}

fr_result river_flux_start(const river_model *m, river_state *s)
{
    for (int k = 0; k < m->curve.domain.dims && m->initial_velocity; k++)
        FR_TRY(flux_set(m, k, &s->next_flux[k]));
    FR_TRY(stage_river_force_fluxes(m, s, 0, 0, s->next_flux));   /* dt = 0: only measures their strength */
    FR_TRY(stage_river_pressure(m, s, 1));
    field_fill(&s->next_pressure, 0);     /* the pressure of that projection is not the pressure of the flow */
    return FR_OK;
}

/* How far to extrapolate, in units of the last step's change: ½ Δt/Δt'. Where inflows change, the flow follows them:
   the extrapolation must not overshoot their discharge at the middle of the step. */
static fr_result flux_reach(const river_step *step, double *reach)
{
    const river_state *s = step->s;
    const double half = s->now.time + step->dt / 2;
    double middle, changed = s->inflow - s->past_inflow;
    *reach = s->past_step > 0 ? 0.5 * step->dt / s->past_step : 0;
    FR_TRY(stage_river_sides_inflow(step->m, s, half, &middle));
    if (changed != 0)
        *reach = fmin(*reach, fmax(0, (middle - s->inflow) / changed));
    return stage_river_sides_reach(step->m, s, half, reach);
}

/* c. */
static fr_result flux_carrier(void *self)
{
    const river_step *step = self;
    river_state *s = step->s;
    double reach;
    s->begun_inflow = s->inflow;
    FR_TRY(flux_reach(step, &reach));
    for (int k = 0; k < step->m->curve.domain.dims; k++)
        field_blend(&s->carrying_flux[k], (float)-reach, &s->past_flux[k], (float)(1 + reach), &s->flux[k]);
    stage_river_sides_flux(step->m, s, s->carrying_flux);
    return FR_OK;
}

/* Û. */
static fr_result flux_push(void *self)
{
    const river_step *step = self;
    river_state *s = step->s;
    for (int k = 0; k < step->m->curve.domain.dims; k++)
        field_copy(&s->pushed_flux[k], &s->flux[k]);
    stage_river_pressure_push(step->m, s, step->dt / 2, s->pushed_flux);
    stage_river_sides_close(step->m, s, s->pushed_flux);
    stage_river_sides_flux(step->m, s, s->pushed_flux);
    return FR_OK;
}

/* A(Û; c, Δt). */
static fr_result flux_advect(void *self)
{
    const river_step *step = self;
    stage_river_advect_flow(step->m, step->s, step->dt);
    return FR_OK;
}

static fr_result flux_advect_inks(void *self)
{
    const river_step *step = self;
    stage_river_advect_scalars(step->m, step->s, step->dt);
    return FR_OK;
}

static fr_result flux_emit_inks(void *self)
{
    const river_step *step = self;
    for (int i = 0; i < step->m->scalar_count; i++)
        FR_TRY(stage_river_emit(step->m, step->s, i, &step->s->next_scalars[i]));
    return FR_OK;
}

static fr_result flux_spread_inks(void *self)
{
    const river_step *step = self;
    FR_TRY(stage_river_diffuse(step->m, step->s, step->dt));
    stage_river_fade(step->m, step->s, step->dt);
    return FR_OK;
}

/* Sides are taken at the end of the step, forces in its middle. */
static fr_result flux_force(void *self)
{
    const river_step *step = self;
    river_state *s = step->s;
    FR_TRY(stage_river_sides_update(step->m, s, s->now.end));
    return stage_river_force_fluxes(step->m, s, step->dt, s->now.time + step->dt / 2, s->next_flux);
}

/* The pressure acts during the viscous step: without it a slow flow would slip along its banks by (Δt/ρ) ∇p, however
   small the step (van Kan 1986). */
static fr_result flux_viscosity(void *self)
{
    const river_step *step = self;
    river_state *s = step->s;
    if (!step->m->viscous)
        return FR_OK;
    stage_river_pressure_push(step->m, s, step->dt / 2, s->next_flux);
    FR_TRY(stage_river_viscosity(step->m, s, step->dt));
    stage_river_pressure_push(step->m, s, -step->dt / 2, s->next_flux);
    return FR_OK;
}

/* Solves for q, then averages it with the previous pressure. */
static fr_result flux_project(void *self)
{
    const river_step *step = self;
    river_state *s = step->s;
    FR_TRY(stage_river_pressure(step->m, s, step->dt / 2));
    field_blend(&s->next_pressure, 0.5f, &s->next_pressure, 0.5f, &s->pressure);
    return FR_OK;
}

const stage river_flux[] = {
    {.name = "particles", .run = river_move_particles},
    {.name = "advect", .run = flux_carrier},
    {.name = "advect", .run = flux_push},
    {.name = "advect", .run = flux_advect},
    {.name = "inks", .run = flux_advect_inks},
    {.name = "inks", .run = flux_emit_inks},
    {.name = "inks", .run = flux_spread_inks},
    {.name = "force", .run = flux_force},
    {.name = "viscosity", .run = flux_viscosity},
    {.name = "pressure", .run = flux_project},
    {0}};
