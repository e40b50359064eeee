/* What the schemes of smoke share. Their stages take a smoke_step. */
#ifndef FR_SMOKE_PARTS_H
#define FR_SMOKE_PARTS_H

#include "mac/step.h"

/* A step under way. */
typedef struct smoke_step {
    mac_step flow; /* first: stages of mac/ take it */
    const fr_smoke_def *settings;
} smoke_step;

/* The schemes, each a whole step. */
extern const stage smoke_prescribed[], smoke_single[], smoke_second[], smoke_reflection[], smoke_central[];

/* What acts on next_velocity over step->span besides buoyancy and fans; then the flow held by sources and sides. */
extern const stage smoke_forces[];

/* The viscosity of a viscous flow over `dt` on next_velocity, which first feels the last step's pressure over `push`:
   see stage_pressure_push. The projection then seeks only the change of it. */
fr_result smoke_viscosity(const mac_step *step, double push, double dt);

/* What a projection seeks after that: the change of the pressure, or without viscosity the whole of it. */
pressure_kind smoke_sought(const model *m);

#endif
