/* Heat between bodies and the fluid.

   In a step of conduction a body holds its temperature on its surface, as an obstacle does. What has come through each
   link from the fluid to it is then known, and the body has it, to the last bit: nothing is made. A body so light that
   it would be hotter than all that is around it takes only as much as makes it as hot, and the rest later. */
#ifndef FR_MAC_COUPLING_WARMTH_H
#define FR_MAC_COUPLING_WARMTH_H

#include "mac/state.h"

/* The conduction that has been solved for. */
typedef struct warmth_task {
    const field *temperature;          /* cells, K: after it */
    const uint8_t *marks;              /* of cells, diffusion_mark */
    double number;                     /* κ Δt, m² */
    const field *const *conductance;   /* κ of each face over that of `number`; NULL: 1 */
    double capacity;                   /* J/(kg K), of the fluid */
} warmth_task;

/* The next temperatures of bodies that have a capacity. */
void coupling_warm(const model *m, state *s, const warmth_task *task);

#endif
