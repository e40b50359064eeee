/* Viscosity and the diffusion of scalars, implicit. */
#ifndef FR_MAC_STAGE_DIFFUSE_H
#define FR_MAC_STAGE_DIFFUSE_H

#include "mac/state.h"

/* Sets the faces of next_velocity whose centre lies inside a no-slip obstacle to the obstacle's velocity, partly open
   ones included. What the next projection moves through these is as small as the change of the pressure. Part of
   stage_viscosity; a flow that is extrapolated from its result needs it again. */
void stage_stick(const model *m, state *s);

/* What the viscosity over dt on next_velocity is built from (grid/stress), with the rules of the sides: one viscosity
   everywhere, the full stress, and rigid bodies that stick. Sticks faces first. */
fr_result stage_stress_problem(const model *m, state *s, double dt, halo_side sides[3][6], stress_problem *out);

/* Viscosity over dt on next_velocity, in a gas. With one viscosity everywhere and no divergence the full stress is
 * ν∇²u. */
fr_result stage_viscosity(const model *m, state *s, double dt);

/* Diffusion over dt of next_scalars, but for the one of that number; −1: of all. */
fr_result stage_diffuse_scalars(const model *m, state *s, double dt, int except);

/* The same of one, whose samples may have capacities of their own (grid/diffusion.h; NULL: none has). `warm`: warm
   obstacles hold it. */
typedef struct diffuse_task {
    int scalar;
    double dt;             /* s */
    double diffusivity;    /* m²/s */
    const field *capacity;
    const field *const *conductance; /* of faces, over that of `diffusivity` (grid/diffusion.h); NULL: 1 */
    const uint8_t *marks;  /* of cells, diffusion_mark */
    bool warm, gains;      /* it gains or loses elsewhere too: its total is not to be kept */
    bool split;            /* along `axis` alone */
    int axis;
} diffuse_task;

fr_result stage_diffuse_scalar(const model *m, state *s, const diffuse_task *task);

#endif
