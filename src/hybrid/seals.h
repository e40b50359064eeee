/* Faces that nothing may pass: those between two sides of a wall. The way of one place, in cells, over them. */
#ifndef FR_HYBRID_SEALS_H
#define FR_HYBRID_SEALS_H

#include <math.h>

#include "grid/field.h"

typedef struct seals {
    const uint8_t *marks; /* of cells by offset from the layout's data: bit a where the face below the cell along axis a
                             is sealed */
    const field *layout;
} seals;

/* Where a way stands. */
typedef struct seals_way {
    int cell[3];
    float at[3];
} seals_way;

static inline int seals_cell(float x, int n)
{
    int cell = (int)floorf(x);
    return cell < 0 ? 0 : cell < n ? cell : n - 1;
}

static inline bool seals_closed(const seals *s, const int cell[3], int axis, bool up)
{
    const field *f = s->layout;
    ptrdiff_t at = cell[0] + cell[1] * f->stride[1] + cell[2] * f->stride[2] + (up ? f->stride[axis] : 0);
    return s->marks[at] >> axis & 1;
}

/* The axis along which a straight way to `to` leaves its cell next, and at what share of the way; −1: it does not. */
static inline int seals_next(const seals_way *way, const float to[3], int dims, float *share)
{
    int axis = -1;
    *share = 1;
    for (int a = 0; a < dims; a++) {
        float face = (float)(way->cell[a] + (to[a] > way->at[a])), whole = to[a] - way->at[a];
        bool leaves = to[a] > way->at[a] ? to[a] >= face : to[a] < face;
        float part = leaves && whole != 0 ? (face - way->at[a]) / whole : 2;
        if (part < *share || (part <= 1 && axis < 0 && leaves)) {
            *share = part > 0 ? part : 0;
            axis = a;
        }
    }
    return axis;
}

/* Goes from one place to another and slides along sealed faces, `skin` cells before them. Returns the bits of the axes
   along which it was held; `to` is where it ends. */
static inline unsigned seals_trace(const seals *s, const float from[3], float skin, float to[3])
{
    enum { MOST_FACES = 64 };
    const field *f = s->layout;
    const int dims = f->stride[2] ? 3 : 2;
    seals_way way = {{0, 0, 0}, {from[0], from[1], from[2]}};
    unsigned held = 0;
    float share;
    for (int a = 0; a < dims; a++)
        way.cell[a] = seals_cell(from[a], f->size[a]);
    for (int n = 0; n < MOST_FACES; n++) {
        int axis = seals_next(&way, to, dims, &share);
        if (axis < 0)
            return held;
        bool up = to[axis] > way.at[axis];
        int face = way.cell[axis] + up;
        if (face <= 0 || face >= f->size[axis])
            return held;
        for (int a = 0; a < dims; a++)
            way.at[a] += share * (to[a] - way.at[a]);
        if (seals_closed(s, way.cell, axis, up)) {
            way.at[axis] = to[axis] = (float)face + (up ? -skin : skin);
            held |= 1u << axis;
        } else {
            way.at[axis] = (float)face;
            way.cell[axis] += up ? 1 : -1;
        }
    }
    for (int a = 0; a < dims; a++)
        to[a] = way.at[a];
    return held;
}

#endif
