/* Volume fluxes on the faces. A step: inks and flow are carried, by the flow as it is; inks come, spread and fade; forces; viscosity, with the present
   pressure acting meanwhile; and what divergence there is then is taken away, which gives the pressure. */
#include "base/clock.h"
#include "method/river_parts.h"
#include "stage/evaluate.h"
#include "stage/river_advect.h"
#include "stage/river_diffuse.h"
#include "stage/river_emit.h"
#include "stage/river_pressure.h"
#include "stage/river_sides.h"

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
    FR_TRY(stage_river_pressure(m, s, 1));   /* the pressure of this projection is not that of the flow: none of it stays */
    field_fill(&s->next_pressure, 0);
    return FR_OK;
}

fr_result river_step_flux(const river_model *m, river_state *s, double dt, timing *t)
{
    double start = clock_now();
    stage_river_advect_scalars(m, s, dt);
    FR_TRY(stage_river_emit(m, s));
    FR_TRY(stage_river_diffuse(m, s, dt));
    stage_river_fade(m, s, dt);
    start = timing_add(t, "inks", start);
    stage_river_advect_flow(m, s, dt);
    start = timing_add(t, "advect", start);
    FR_TRY(stage_river_sides_update(m, s, s->now.end));
    FR_TRY(stage_river_force_fluxes(m, dt, s->now.time + dt / 2, s->next_flux));
    start = timing_add(t, "force", start);
    if (m->viscous) {
        stage_river_pressure_push(m, s, dt, -1);
        FR_TRY(stage_river_viscosity(m, s, dt));
        stage_river_pressure_push(m, s, dt, 1);
        start = timing_add(t, "viscosity", start);
    }
    FR_TRY(stage_river_pressure(m, s, dt));
    timing_add(t, "pressure", start);
    return FR_OK;
}
