/* How much liquid a scene will have, before it runs. */
#ifndef FR_LIQUID_AMOUNT_H
#define FR_LIQUID_AMOUNT_H

#include "grid/domain.h"
#include <freshet/defs.h>

typedef struct liquid_amount {
    double volume; /* m³ (in 2D of a sheet one metre deep), with all that will have come in at the end */
    double area;   /* m², the surface when it is at its roughest */
} liquid_amount;

/* From coarse samples of the shapes. What leaves through sides and sinks is not known, and counts as if it stayed. */
fr_result liquid_amount_find(const fr_scene_def *def, const domain *d, liquid_amount *out);

#endif
