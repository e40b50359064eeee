/* The schemes of the SPH method. Each leaves velocity, density and pressure of the step's end in `next`; see sph.c. */
#ifndef FR_SPH_PARTS_H
#define FR_SPH_PARTS_H

#include "method/timing.h"
#include "sph/state.h"
#include "sph/pressure/solve.h"

fr_result sph_step_dfsph(const sph_model *m, sph_state *s, double dt, timing *t);
fr_result sph_step_pcisph(const sph_model *m, sph_state *s, double dt, timing *t);
fr_result sph_step_wcsph(const sph_model *m, sph_state *s, double dt, timing *t);

/* next.velocity is the present one: where every scheme begins. */
void sph_keep_velocity(sph_state *s);

/* How much of a density that is not that at rest a step takes back: see sph_dfsph.c. */
sph_recovery sph_recovery_of(const sph_model *m, const sph_state *s, double dt);

/* The unknowns of a solve from the pressures of the last step; and back, those of walls. */
void sph_pressure_begin(const sph_model *m, sph_state *s, double dt, const float *last);
void sph_pressure_keep_walls(const sph_model *m, sph_state *s, double dt);
/* What a solve does: its pressures to `keep`, its shifts to next.velocity, and its push on the bodies to the loads. */
void sph_pressure_finish(const sph_model *m, sph_state *s, double dt, float *keep);
/* The report of the density solve; fails when the density is far from what is asked for. */
fr_result sph_pressure_report(const sph_model *m, sph_state *s, const sph_solve *solve);

/* All that pushes the liquid but pressure, over dt, on next.velocity; and without friction. */
fr_result sph_step_forces(const sph_model *m, sph_state *s, double dt, timing *t);
fr_result sph_step_smooth_forces(const sph_model *m, sph_state *s, double dt, timing *t);

#endif
