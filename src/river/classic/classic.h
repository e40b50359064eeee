/* Barroso & Celes's scheme for rivers, "classic", to the letter: velocities in world components at the centres of
   cells, a Jacobian per cell, border cells, Jacobi sweeps. The flux scheme is better physics; this one is what the
   paper's pictures come from. */
#ifndef FR_RIVER_CLASSIC_CLASSIC_H
#define FR_RIVER_CLASSIC_CLASSIC_H

#include "river/state.h"

/* Sets the border cells of a velocity (4.6): banks by their roughness and speed, inflows by their speed; through
   outflows goes, at one speed, as much as comes in. Along a bank it keeps the grid component along the bank and drops
   the one across (grid/border_cells.h): an oblique projection, by which a border cell can be up to 1/sin θ times as
   fast as the cell inside, θ the angle between the lines. In strongly leaning cells that is one of the ways in which
   the scheme gains motion; too few sweeps are another (docs/rivers.md). */
void stage_classic_border(const river_model *m, const river_state *s, field velocity[3]);

/* The speeds of the sides for it, m/s. */
void stage_classic_speeds(const river_model *m, const river_state *s, double speed[6]);

/* Carries fields along a velocity (4.2): to[n] has what from[n], with its border cells, holds where the flow comes
   from. Points stop at the centres of border cells; there the second ghosts have no weight, but must be numbers: those
   of velocities, which nobody writes, stay 0. */
typedef struct classic_load {
    const field *from;
    field *to;
} classic_load;
void stage_classic_advect(const river_model *m, const field velocity[3], double dt, const classic_load *loads,
                          int count);

/* Greatest Courant number per second of a flow, in cells. */
double stage_classic_rate(const river_model *m, river_state *s, const field velocity[3]);

/* On next_velocity: ν∇²u by a fixed number of sweeps of (18). */
void stage_classic_viscosity(const river_model *m, river_state *s, double dt);

/* On next_scalars: diffusion alike, extinction by (12). Fills its border cells too. */
void stage_classic_spread(const river_model *m, river_state *s, int index, double dt);

/* Takes the gradient of a pressure from next_velocity that removes its divergence (4.4), as far as the number of sweeps
   goes; from the last pressure on. Writes next_pressure, Pa. */
void stage_classic_project(const river_model *m, river_state *s, double dt);

#endif
