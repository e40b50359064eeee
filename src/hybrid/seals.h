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

/* Whether some of the cells whose centres lie around a place are on another side of a wall than its own. */
static inline bool seals_around(const seals *s, const int cell[3], const float x[3], int dims)
{
    bool up[3] = {x[0] > (float)cell[0] + 0.5f, x[1] > (float)cell[1] + 0.5f, x[2] > (float)cell[2] + 0.5f};
    for (int a = 0; a < dims; a++)
        if (seals_closed(s, cell, a, false) || seals_closed(s, cell, a, true))
            return true;
    for (int corner = 1; corner < 1 << dims; corner++) {
        int at[3] = {cell[0], cell[1], cell[2]};
        for (int a = 0; a < dims; a++)
            at[a] += corner >> a & 1 ? (up[a] ? 1 : -1) : 0;
        for (int b = 0; b < dims; b++)
            if (!(corner >> b & 1) && seals_closed(s, at, b, up[b]))
                return true;
    }
    return false;
}

/* Whether a neighbour of a cell is on its side of a wall, and in the domain: what is beyond its sides is extrapolated,
   across the wall too. */
static inline bool seals_joined(const seals *s, const int cell[3], int axis, bool up)
{
    const int to = cell[axis] + (up ? 1 : -1);
    return to >= 0 && to < s->layout->size[axis] && !seals_closed(s, cell, axis, up);
}

/* Distances in the cells around a place: its own, that of its cell, first, and others along the axes that are bits of
   their number, up or down. */
typedef struct seals_cells {
    int cell[3], dims;
    bool up[3];
    float value[8];
} seals_cells;

/* Change of the distance along an axis towards the neighbour that the place lies at: as it is there, or on the other
   side of the cell, but it does not grow towards a wall: in the corner of a vessel that turns parcels were let half a
   cell into it. Where neither is joined it falls towards a wall, as much as it must to change by one a metre. */
static inline void seals_slopes(const seals *s, const seals_cells *c, const float edge[3], float slope[3])
{
    const field *f = s->layout;
    const float *at = f->data + c->cell[0] + c->cell[1] * f->stride[1] + c->cell[2] * f->stride[2];
    float rest = 1;
    unsigned unknown = 0;
    for (int a = 0; a < c->dims; a++) {
        const ptrdiff_t ahead = c->up[a] ? f->stride[a] : -f->stride[a];
        bool there = seals_joined(s, c->cell, a, c->up[a]), behind = seals_joined(s, c->cell, a, !c->up[a]);
        slope[a] = there ? at[ahead] - *at : behind ? fminf(*at - at[-ahead], 0) : 0;
        unknown |= there || behind ? 0 : 1u << a;
        rest -= slope[a] * slope[a] / (edge[a] * edge[a]);
    }
    for (int a = 0; a < c->dims && rest > 0; a++)
        if (unknown >> a & 1)
            slope[a] = sqrtf(rest) * edge[a] *
                       (float)(seals_closed(s, c->cell, a, !c->up[a]) - seals_closed(s, c->cell, a, c->up[a]));
}

/* Cells to which ways of joined ones lead have their own distance, others go on as the slopes say. */
static inline void seals_values(const seals *s, const float slope[3], seals_cells *c)
{
    const field *f = s->layout;
    unsigned reached = 1;
    for (int n = 0; n < 1 << c->dims; n++) {
        int at[3];
        c->value[n] = f->data[c->cell[0] + c->cell[1] * f->stride[1] + c->cell[2] * f->stride[2]];
        for (int a = 0; a < 3; a++) {
            at[a] = c->cell[a] + (n >> a & 1 ? (c->up[a] ? 1 : -1) : 0);
            c->value[n] += n >> a & 1 ? slope[a] : 0;
        }
        for (int a = 0; a < c->dims; a++) {
            int from[3] = {at[0], at[1], at[2]};
            from[a] = c->cell[a];
            if (n >> a & 1 && reached >> (n ^ 1 << a) & 1 && seals_joined(s, from, a, c->up[a]))
                reached |= 1u << n;
        }
        if (reached >> n & 1)
            c->value[n] = f->data[at[0] + at[1] * f->stride[1] + at[2] * f->stride[2]];
    }
}

/* The distance to obstacles at a place beside sealed faces, from the cells on its own side alone: interpolated
   distances make a wall of a cell too thin, since beyond its middle they grow again. `edge` is that of a cell, m, and
   `slope` per cell; false: the place is beside none. */
static inline bool seals_distance(const seals *s, const float x[3], const float edge[3], float *distance,
                                  float slope[3])
{
    seals_cells c = {.dims = s->layout->stride[2] ? 3 : 2};
    float share[3] = {0, 0, 0};
    for (int a = 0; a < c.dims; a++) {
        c.cell[a] = seals_cell(x[a], s->layout->size[a]);
        c.up[a] = x[a] > (float)c.cell[a] + 0.5f;
        share[a] = fabsf(x[a] - (float)c.cell[a] - 0.5f);
    }
    if (!seals_around(s, c.cell, x, c.dims))
        return false;
    seals_slopes(s, &c, edge, slope);
    seals_values(s, slope, &c);
    *distance = slope[0] = slope[1] = slope[2] = 0;
    for (int n = 0; n < 1 << c.dims; n++) {
        float part[3] = {1, 1, 1};
        for (int a = 0; a < c.dims; a++)
            part[a] = n >> a & 1 ? share[a] : 1 - share[a];
        *distance += part[0] * part[1] * part[2] * c.value[n];
        for (int a = 0; a < c.dims; a++)
            slope[a] += part[a == 0 ? 1 : 0] * part[a == 2 ? 1 : 2] * (n >> a & 1 ? c.value[n] : -c.value[n]) *
                        (c.up[a] ? 1 : -1);
    }
    return true;
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
