/* Vorticity confinement: gives back the small swirls that a coarse grid loses. */
#ifndef FR_SMOKE_VORTICITY_H
#define FR_SMOKE_VORTICITY_H

#include "mac/state.h"

/* From the present velocity (ghosts filled) onto next_velocity, over dt; `strength` is ε, 0 for none. */
void smoke_vorticity(const model *m, state *s, double strength, double dt);

#endif
