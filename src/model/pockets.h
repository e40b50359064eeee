/* Crumbs of fluid that the cut of an obstacle leaves behind. */
#ifndef FR_MODEL_POCKETS_H
#define FR_MODEL_POCKETS_H

#include "grid/field.h"

/* Closes slivers in an obstacle's skin, where flow would mean nothing and still be computed and shown: cut cells with one
   open face, through which nothing can flow, and connected parts of the open cells that hold less than one whole cell.
   `distance` is that of solids.h. */
fr_result pockets_close(const domain *d, const field *distance, field open[3]);

#endif
