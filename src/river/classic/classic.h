/* Barroso & Celes's scheme for rivers, "classic", as published: velocities in world components at the cell centres, a
   Jacobian per cell, border cells, Jacobi sweeps. The flux scheme is better physics; this one reproduces the paper's
   pictures. */
#ifndef FR_RIVER_CLASSIC_CLASSIC_H
#define FR_RIVER_CLASSIC_CLASSIC_H

#include "river/state.h"

/* Sets the border cells of a velocity (4.6): banks by their roughness and speed, inflows and the parts of banks where
   water enters by their speed; outflows get a uniform speed such that as much leaves as comes in. Along a bank the grid
   component along the bank is kept and the one across is dropped (grid/border_cells.h). This is an oblique projection:
   a border cell can be up to 1/sin θ times as fast as the cell inside, θ the angle between the grid lines. In strongly
   skewed cells this is one of the ways in which the scheme gains energy; too few sweeps are another (docs/rivers.md).
   */
void stage_classic_border(const river_model *m, const river_state *s, field velocity[3]);

/* The speeds of the sides that stage_classic_border sets, m/s. */
void stage_classic_speeds(const river_model *m, const river_state *s, border_speeds *speeds);

/* Advects fields along a velocity (4.2): to[n] gets the value of from[n], border cells included, at the end of the
   back-trace. Traces stop at the centres of border cells. The second ghosts have weight 0 there, but must be finite:
   those of velocities are never written and stay 0. */
typedef struct classic_load {
    const field *from;
    field *to;
} classic_load;
void stage_classic_advect(const river_model *m, const field velocity[3], double dt, const classic_load *loads,
                          int count);

/* Largest Courant number of a flow per second, in cells. */
double stage_classic_rate(const river_model *m, river_state *s, const field velocity[3]);

/* On next_velocity: ν∇²u by a fixed number of sweeps of (18). */
void stage_classic_viscosity(const river_model *m, river_state *s, double dt);

/* On next_scalars: diffusion in the same way, extinction by (12). Fills the border cells too. */
void stage_classic_spread(const river_model *m, river_state *s, int index, double dt);

/* Projects next_velocity (4.4): subtracts the pressure gradient that removes its divergence, as far as the fixed number
   of sweeps goes. The last pressure is the first guess. Writes next_pressure, Pa. */
void stage_classic_project(const river_model *m, river_state *s, double dt);

#endif
