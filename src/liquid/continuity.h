/* Continuity in the cells at the surface (Carlson 3.2.3.4): the flow through their faces to the air follows from that
   through the others, so that nothing is made or lost inside. */
#ifndef FR_LIQUID_CONTINUITY_H
#define FR_LIQUID_CONTINUITY_H

#include "mac/solids/solids.h"

/* Where the liquid and the obstacles are. */
typedef struct continuity {
    const domain *d;
    const field *phi;     /* cells: negative in the liquid, ghosts filled where periodic */
    const solids *solids; /* `any` is false: there are none */
} continuity;

/* Whether a cell of the liquid has a face to the air: with a cell of air beyond, and at least half open. */
bool continuity_at_surface(const continuity *c, const int cell[3]);

/* Sets the flow through those faces, in all such cells. Each face belongs to one of them. Ghosts are not filled. */
void continuity_enforce(const continuity *c, field velocity[3]);

#endif
