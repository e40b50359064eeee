/* Tiny parts of the fluid that an obstacle cuts off. */
#ifndef FR_MAC_SOLIDS_POCKETS_H
#define FR_MAC_SOLIDS_POCKETS_H

#include "mac/solids/region.h"

/* Closes what the cut leaves at the surface of an obstacle and where no real flow is possible: cut cells with one open
   face, and connected parts of the open cells whose volume is less than `least` whole cells. Only cells of the region
   are closed. `distance` is that of solids.h. */
void pockets_close(const region *r, const field *distance, field open[3], double least);

#endif
