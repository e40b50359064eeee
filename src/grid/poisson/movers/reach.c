/* The cells in which the field of a body lies: those that it pushes, layers around them through open faces, and one
   layer more, in which A W is not 0. */
#include <math.h>

#include "grid/poisson/movers/movers.h"

/* Layers around what a body pushes: about a third of a ball's radius that pushes as many. Thin plates of a hundredth of
   the fluid's density at 128³ take 24, 20 and 17 iterations with 2, 3 and 4 layers, small bodies at 64³ as many. */
enum { REACH_LEAST = 2, REACH_MOST = 4 };

int movers_layers(int pushes)
{
    const int layers = (int)(sqrt(pushes / 20.0) / 3 + 0.3);
    return layers < REACH_LEAST ? REACH_LEAST : layers > REACH_MOST ? REACH_MOST : layers;
}

typedef struct reach {
    const lattice *l;
    movers *b;
    movers_one *one;
    int *mark;             /* slots: an entry that is this cell, if one is; else anything */
    int quota;
} reach;

float movers_weight(const lattice *l, const movers_place *p, int face)
{
    const int axis = face / 2, parity = p->at[0] & 1;
    const ptrdiff_t high = axis == 0 ? parity : axis == 1 ? l->row : l->plane;
    return face % 2 ? lattice_high(l, axis, p->colour, parity)[p->slot + high]
                    : lattice_low(l, axis, p->colour, parity)[p->slot];
}

int movers_beyond(const lattice *l, const movers_place *p, int face)
{
    const int axis = face / 2, high = face % 2;
    if (p->at[axis] != (high ? l->n[axis] - 1 : 0)) {
        const ptrdiff_t step = axis == 1 ? l->row : l->plane, along = (p->at[0] & 1) - 1 + high;
        return (int)((1 - p->colour) * l->slots + p->slot + (axis == 0 ? along : high ? step : -step));
    }
    int at[3] = {p->at[0], p->at[1], p->at[2]}; /* around a periodic axis */
    at[axis] = high ? 0 : l->n[axis] - 1;
    return (int)(lattice_colour(at[0], at[1], at[2]) * l->slots + lattice_slot(l, at[0], at[1], at[2]));
}

/* The entry of this body that is the cell, counted from its first; −1: none. */
static int reach_find(const reach *r, int slot)
{
    const int at = r->mark[slot] - r->one->first;
    return at >= 0 && at < r->one->count && r->b->slot[r->one->first + at] == slot ? at : -1;
}

/* The same, with a new entry if need be; −1: there is no room. */
static int reach_add(reach *r, int slot)
{
    int at = reach_find(r, slot);
    if (at >= 0 || r->one->count == r->quota)
        return at;
    at = r->one->count++;
    r->b->slot[r->one->first + at] = slot;
    return r->mark[slot] = r->one->first + at, at;
}

/* The stencil of an entry; `grow`: with new entries beside it. False if there is no room for them. */
static bool reach_stencil(reach *r, int entry, bool grow)
{
    const lattice *l = r->l;
    const int own = r->b->slot[r->one->first + entry];
    const movers_place p = movers_place_of(l, own);
    movers_stencil st = {.extra = lattice_tie(l->e.of[p.colour][p.slot])};
    float diagonal = st.extra;
    for (int face = 0; face < 4 + 2 * l->deep; face++) {
        st.weight[face] = (float)l->c[face / 2] * movers_weight(l, &p, face);
        diagonal += st.weight[face];
        const int slot = st.weight[face] > 0 ? movers_beyond(l, &p, face) : own;
        const int beside = grow ? reach_add(r, slot) : reach_find(r, slot);
        if (beside < 0 && grow)
            return false;
        st.near[face] = beside < 0 ? entry : beside;
    }
    st.over = 1 / diagonal;
    r->b->stencil[r->one->first + entry] = st;
    return true;
}

static bool reach_grow(reach *r, int begin, int end)
{
    for (int entry = begin; entry < end; entry++)
        if (!reach_stencil(r, entry, true))
            return false;
    return true;
}

static void reach_body(reach *r)
{
    movers_one *one = r->one;
    for (int n = 0; n < one->pushes; n++)
        r->mark[r->b->slot[one->first + n]] = one->first + n;
    int begin = 0;
    for (int layer = 0; layer <= movers_layers(one->pushes) && begin < one->count; layer++) {
        const int end = one->count;
        if (!reach_grow(r, begin, end)) {
            one->count = end;
            break;
        }
        one->inner = begin = end;
    }
    for (int entry = one->inner; entry < one->count; entry++)
        reach_stencil(r, entry, false);
}

/* What a disc that sweeps as much carries along broadside, and when it turns about a diameter; in 2D a plate (Lamb,
   articles 71 and 114). A ball carries ¾ of it. `sweep`: the sum of a body's pushes, regardless of sign. */
static double reach_carried(const lattice *l, bool spin, double sweep)
{
    const double pi = 3.14159265358979323846;
    if (l->deep)
        return spin ? 16 / 45.0 * pow(3 * sweep / 8, 5 / 3.0) : 8 / 3.0 * pow(sweep / (2 * pi), 1.5);
    return spin ? pi * sweep * sweep / 32 : pi * sweep * sweep / 16;
}

/* Whether what it carries along may count beside its own mass; then it is measured. */
static bool reach_matters(const lattice *l, const movers *b, const movers_one *one)
{
    const float *push = movers_lanes(b, MOVERS_PUSH, one);
    double most = 0;
    for (int d = 0; d < one->dofs; d++) {
        double sweep = 0;
        for (int n = 0; n < one->pushes; n++)
            sweep += fabs((double)push[(ptrdiff_t)one->lanes * n + d]);
        most = fmax(most, one->inverse[d][d] * reach_carried(l, one->dof[d] >= 3, sweep));
    }
    return most >= MOVERS_LEAST;
}

void movers_reach(poisson *s)
{
    movers *b = s->movers;
    for (int n = 0; n < b->used.bodies; n++) {
        movers_one *one = &b->one[n];
        /* p is made anew before it is read */
        reach r = {&s->level[0], b, one, (int *)(void *)s->p.of[0], movers_quota(one->pushes)};
        if (reach_matters(r.l, b, one))
            reach_body(&r);
    }
}
