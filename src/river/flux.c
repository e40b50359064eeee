/* Volume fluxes on the faces, one projection a step, second order in time. Along the paths of the water pressure acts
   half where they start and half where they end, and the flow that carries is the one in the middle of the step, from
   the last two:

     c    = Uⁿ + ½ Δt/Δt' (Uⁿ − Uⁿ⁻¹)                        Δt' the last step
     Û    = Uⁿ − ½ Δt/ρ F(p)                                 p of the last step
     Uⁿ⁺¹ = A(Û; c, Δt) + Δt f − ½ Δt/ρ F(q),   what flows into a cell flows out
     p   := ½ (p + q)

   p stands for the middle of a step; the mean keeps it from swinging (Xiu & Karniadakis 2001). Without it a flow that
   turns a corner, or round a ring, would lose ½ Δt (u/r)² of its speed per second. */
#include <math.h>

#include "base/clock.h"
#include "river/parts.h"
#include "method/evaluate.h"
#include "river/stage/advect.h"
#include "river/stage/diffuse.h"
#include "river/stage/emit.h"
#include "river/stage/pressure.h"
#include "river/stage/sides.h"

/* Fluxes of the velocity that the scene starts with. */
static fr_result flux_set(const river_model *m, int k, field *flux)
{
    for (int r = 0; r < field_rows(flux); r++)
        for (int i = 0; i < flux->size[0]; i++) {
            int row[2] = {r % flux->size[1], r / flux->size[1]};
            double world[3], u[3], through = 0;
            river_position(m, flux->at, i, row[0], row[1], world);
            FR_TRY(evaluate_vector(&m->def->initial_velocity, world, 0, u));
            for (int a = 0; a < m->curve.domain.dims; a++)
                through += u[a] * field_row(&m->curve.face[k][a], row[0], row[1])[i];
            field_row(flux, row[0], row[1])[i] = (float)through;
        }
    return FR_OK;
}

fr_result river_start_flux(const river_model *m, river_state *s)
{
    for (int k = 0; k < m->curve.domain.dims && m->def->has_initial_velocity; k++)
        FR_TRY(flux_set(m, k, &s->next_flux[k]));
    FR_TRY(stage_river_force_fluxes(m, s, 0, 0, s->next_flux));   /* only to know how strong they are */
    FR_TRY(
        stage_river_pressure(m, s, 1)); /* the pressure of this projection is not that of the flow: none of it stays */
    field_fill(&s->next_pressure, 0);
    return FR_OK;
}

/* How far the flow may be taken to go on as it changed in the last step. Where the inflows are turned up or down, it
   follows them: not beyond what they let in in the middle of the step. */
static fr_result flux_reach_of(const river_model *m, const river_state *s, double dt, double *reach)
{
    double middle, changed = s->inflow - s->past_inflow;
    *reach = s->past_step > 0 ? 0.5 * dt / s->past_step : 0;
    FR_TRY(stage_river_sides_inflow(m, s->now.time + dt / 2, &middle));
    if (changed != 0)
        *reach = fmin(*reach, fmax(0, (middle - s->inflow) / changed));
    return FR_OK;
}

/* c into the memory of Uⁿ⁻¹; a step that fails can be tried again from there. */
static fr_result flux_reach(const river_model *m, river_state *s, double dt)
{
    double reach;
    s->begun_inflow = s->inflow;
    FR_TRY(flux_reach_of(m, s, dt, &reach));
    double factor = s->past_reach != 0 ? reach / s->past_reach : 0;
    for (int k = 0; k < m->curve.domain.dims; k++)
        field_blend(&s->past_flux[k], (float)factor, &s->past_flux[k], (float)(1 - factor), &s->flux[k]);
    s->past_reach = reach;
    stage_river_sides_flux(m, s, s->past_flux);
    return FR_OK;
}

static void flux_push(const river_model *m, river_state *s, double dt)
{
    for (int k = 0; k < m->curve.domain.dims; k++)
        field_copy(&s->pushed_flux[k], &s->flux[k]);
    stage_river_pressure_push(m, s, dt / 2, s->pushed_flux);
    stage_river_sides_close(m, s, s->pushed_flux);
    stage_river_sides_flux(m, s, s->pushed_flux);
}

/* The pressure acts while viscosity does: without it a slow flow would slip along its banks by (Δt/ρ) ∇p, whatever the
 * step (van Kan 1986). */
static fr_result flux_viscosity(const river_model *m, river_state *s, double dt)
{
    stage_river_pressure_push(m, s, dt / 2, s->next_flux);
    FR_TRY(stage_river_viscosity(m, s, dt));
    stage_river_pressure_push(m, s, -dt / 2, s->next_flux);
    return FR_OK;
}

fr_result river_step_flux(const river_model *m, river_state *s, double dt, timing *t)
{
    double start = clock_now();
    FR_TRY(flux_reach(m, s, dt));
    flux_push(m, s, dt);
    stage_river_advect_flow(m, s, dt);
    start = timing_add(t, "advect", start);
    stage_river_advect_scalars(m, s, dt);
    for (int i = 0; i < m->scalar_count; i++)
        FR_TRY(stage_river_emit(m, s, i, &s->next_scalars[i]));
    FR_TRY(stage_river_diffuse(m, s, dt));
    stage_river_fade(m, s, dt);
    start = timing_add(t, "inks", start);
    FR_TRY(stage_river_sides_update(m, s, s->now.end));
    FR_TRY(stage_river_force_fluxes(m, s, dt, s->now.time + dt / 2, s->next_flux));
    start = timing_add(t, "force", start);
    if (m->viscous)
        FR_TRY(flux_viscosity(m, s, dt));
    start = timing_add(t, "viscosity", start);
    FR_TRY(stage_river_pressure(m, s, dt / 2));
    field_blend(&s->next_pressure, 0.5f, &s->next_pressure, 0.5f, &s->pressure);
    timing_add(t, "pressure", start);
    return FR_OK;
}
