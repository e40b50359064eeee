/* Crumbs of fluid that the cut of an obstacle leaves behind. */
#ifndef FR_MAC_SOLIDS_POCKETS_H
#define FR_MAC_SOLIDS_POCKETS_H

#include "mac/solids/region.h"

/* Closes slivers in an obstacle's skin, where flow would mean nothing and still be computed and shown: cut cells with
   one open face, through which nothing can flow, and connected parts of the open cells that hold less than `least`
   whole cells. Only cells of the region are closed. `distance` is that of solids.h. */
void pockets_close(const region *r, const field *distance, field open[3], double least);

#endif
