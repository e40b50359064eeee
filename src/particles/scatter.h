/* Positions spread evenly over a shape, without clumps or rows, for any number of them. */
#ifndef FR_PARTICLES_SCATTER_H
#define FR_PARTICLES_SCATTER_H

#include "geom/shape.h"

/* A box and the part of it that a shape covers. */
typedef struct scatter {
    const shape *shape;       /* NULL: all of the box */
    int dims;
    double low[3], high[3];   /* m */
    uint64_t seed;
    double blur;              /* share of the box by which places are moved at random at the least (0) */
} scatter;

/* Place `index` of an endless even sequence over the box. */
void scatter_place(const scatter *s, uint64_t index, double place[3]);

/* Whether the shape covers it. A failure can come from a user's function only. */
fr_result scatter_covers(const scatter *s, const double place[3], bool *covered);

#endif
