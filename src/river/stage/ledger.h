/* Quantities of the flow for a river's ledger and frames. */
#ifndef FR_RIVER_STAGE_LEDGER_H
#define FR_RIVER_STAGE_LEDGER_H

#include "river/state.h"

/* World components at the centres, and all ghosts, in scratch memory from field 0 on. */
void stage_river_velocity(const river_model *m, river_state *s, field velocity[3]);

/* Sets velocities inside obstacles to 0: there they are ghosts of the obstacles' sides. */
void stage_river_blank(const river_model *m, field velocity[3]);

typedef struct river_ledger {
    double kinetic_energy;       /* J; in 2D per metre of depth */
    double momentum[3];          /* kg m/s */
} river_ledger;
river_ledger stage_river_ledger(const river_model *m, river_state *s, const field velocity[3]);

/* Largest speed of the present flow at the centres, m/s. */
double stage_river_max_speed(const river_model *m, river_state *s);

/* ∫ q dV over the wet cells. */
double stage_river_total(const river_model *m, river_state *s, const field *scalar);

/* Net flux through a side, m³/s; positive out of the river. */
double stage_river_through(const river_model *m, const river_state *s, int side);

/* ∇·u at the centres, 1/s: from fluxes, or from velocities at the centres and their ghosts; 0 in obstacles. */
void stage_river_divergence(const river_model *m, const field flow[3], field *out);

/* ∇×u at the centres, 1/s: along z in 2D, its length in 3D. By Gauss's theorem, Σ S × u over the faces of a cell,
 * divided by its volume. */
void stage_river_vorticity(const river_model *m, const field velocity[3], field *out);

#endif
