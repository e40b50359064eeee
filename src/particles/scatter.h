/* A quasirandom sequence of points over a shape: even, without clumps or rows, for any number of points. */
#ifndef FR_PARTICLES_SCATTER_H
#define FR_PARTICLES_SCATTER_H

#include "geom/shape.h"

/* A box and the part of it that a shape covers. */
typedef struct scatter {
    const shape *shape;       /* NULL: all of the box */
    int dims;
    double low[3], high[3];   /* m */
    uint64_t seed;
    double blur;              /* minimum random displacement, relative to the box (0) */
} scatter;

/* Point `index` of the infinite sequence over the box. */
void scatter_place(const scatter *s, uint64_t index, double place[3]);

/* Whether the point is inside the shape. Fails only if a user's function fails. */
fr_result scatter_covers(const scatter *s, const double place[3], bool *covered);

#endif
