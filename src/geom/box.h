/* Axis-aligned boxes; sides may be infinite. */
#ifndef FR_GEOM_BOX_H
#define FR_GEOM_BOX_H

#include <math.h>

typedef struct box {
    double min[3], max[3];
} box;

static inline box box_endless(void)
{
    return (box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

/* Contains no point; the neutral element of box_add and box_hull. */
static inline box box_empty(void)
{
    return (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* Centred at the origin. */
static inline box box_centred(double hx, double hy, double hz)
{
    return (box){{-hx, -hy, -hz}, {hx, hy, hz}};
}

/* Centred at the origin, with half-side `along` on one axis and `across` on the other two. */
static inline box box_about(int axis, double along, double across)
{
    box b = box_centred(across, across, across);
    b.min[axis] = -along;
    b.max[axis] = along;
    return b;
}

static inline void box_add(box *b, const double p[3])
{
    for (int a = 0; a < 3; a++) {
        b->min[a] = fmin(b->min[a], p[a]);
        b->max[a] = fmax(b->max[a], p[a]);
    }
}

static inline box box_hull(box a, box b)
{
    box_add(&a, b.min);
    box_add(&a, b.max);
    return a;
}

/* The intersection; a box of zero volume where the two do not meet. */
static inline box box_common(box a, box b)
{
    for (int k = 0; k < 3; k++) {
        a.min[k] = fmax(a.min[k], b.min[k]);
        a.max[k] = fmax(fmin(a.max[k], b.max[k]), a.min[k]);
    }
    return a;
}

static inline box box_grow(box b, double by)
{
    for (int a = 0; a < 3; a++) {
        b.min[a] -= by;
        b.max[a] += by;
    }
    return b;
}

static inline box box_scale(box b, double by)
{
    for (int a = 0; a < 3; a++) {
        b.min[a] *= by;
        b.max[a] *= by;
    }
    return b;
}

/* Sum of the sides: a measure of size that can be compared even when a side is infinite. */
static inline double box_girth(const box *b)
{
    return b->max[0] - b->min[0] + b->max[1] - b->min[1] + b->max[2] - b->min[2];
}

#endif
