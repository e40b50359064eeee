/* The particles of a liquid as a source of surfaces. */
#ifndef FR_SURFACE_DROPS_H
#define FR_SURFACE_DROPS_H

#include "surface/sampler.h"
#include "surface/source.h"

typedef struct drops {
    const fr_frame *frame;
    const sampler *sampler;
    double cell;                 /* m, between nodes; less between the last two of an axis */
    float overlap;               /* m: how far liquid goes on into obstacles */
} drops;

/* `cell` and `overlap` in particle spacings. Sets *empty when no particle is near the domain: then there is no
   source. */
fr_result drops_source(drops *d, double cell, double overlap, source *out, bool *empty);

#endif
