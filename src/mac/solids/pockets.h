/* Tiny parts of the fluid that an obstacle cuts off. */
#ifndef FR_MAC_SOLIDS_POCKETS_H
#define FR_MAC_SOLIDS_POCKETS_H

#include "mac/solids/solids.h"

/* Closes what the cut leaves at the surface of an obstacle and where no real flow is possible: cut cells with one open
   face, and connected parts of the open cells whose volume is less than `least` whole cells. Only cells of the region
   are closed. Cells with one open face stay where a rigid body is nearest. What was open of the faces of a part goes to
   the rigid body that is nearest to the face, which then covers it; where another obstacle is, that closes it. */
void pockets_close(solids *s, const region *r, double least);

#endif
