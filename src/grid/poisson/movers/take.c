/* What bodies push: the cells that take part, and the closed parts of the fluid that they are in. */
#include <assert.h>

#include "grid/poisson/movers/movers.h"
#include "grid/poisson/components.h"

/* A body inside a closed part sweeps nothing out of it, however it moves. Up to this share of what it sweeps in and out
   the rest is taken for rounding: kept, it would hold the body in its place. */
static const double LEAK = 0.05;

/* The slot of a cell, or −1 if it is inactive. */
static int take_slot(const lattice *l, int32_t cell)
{
    const int i = cell % l->n[0], j = cell / l->n[0] % l->n[1], k = cell / l->n[0] / l->n[1];
    const int colour = lattice_colour(i, j, k);
    const ptrdiff_t slot = lattice_slot(l, i, j, k);
    return l->flags[colour][slot] & FLAG_LIVE ? (int)(colour * l->slots + slot) : -1;
}

static void take_freedom(movers_one *one, const poisson_body *from)
{
    for (int d = 0; d < 6; d++)
        if (from->push[d])
            one->dof[one->dofs++] = d;
    one->lanes = one->dofs > MOVERS_LANES / 2 ? MOVERS_LANES : MOVERS_LANES / 2;
    for (int a = 0; a < one->dofs; a++)
        for (int c = 0; c < one->dofs; c++)
            one->inverse[a][c] = from->inverse[one->dof[a]][one->dof[c]];
}

/* The number of the closed component that an entry is in; −1: it is in none. */
static int take_component(const poisson *s, int slot)
{
    return s->closed.number ? components_of(s->level[0].e.of[0][slot]) : -1;
}

/* The pocket with that number, a new one if need be; −1: there is no room. */
static int take_pocket(movers_pockets *p, int number)
{
    for (int at = 0; at < p->count; at++)
        if (p->number[at] == number)
            return at;
    if (p->count == MOVERS_POCKETS)
        return -1;
    p->number[p->count] = number;
    return p->count++;
}

/* How a body touches a pocket; NULL: there is no room. */
static movers_touch *take_touch(movers *b, movers_one *one, int number)
{
    const int pocket = take_pocket(&b->pockets, number);
    for (int at = one->touch; at >= 0; at = b->touch[at].next)
        if (b->touch[at].pocket == pocket)
            return &b->touch[at];
    if (pocket < 0 || b->used.touches == b->most.touches)
        return NULL;
    b->touch[b->used.touches] = (movers_touch){.pocket = pocket, .next = one->touch};
    one->touch = b->used.touches++;
    return &b->touch[one->touch];
}

static movers_cell take_equation(const lattice *l, int slot, int number, int pocket)
{
    const movers_place p = movers_place_of(l, slot);
    movers_cell c = {.extra = lattice_tie(l->e.of[p.colour][p.slot]), .number = number, .pocket = pocket};
    for (int face = 0; face < 6; face++) {
        c.weight[face] = face < 4 + 2 * l->deep ? movers_weight(l, &p, face) : 0;
        c.near[face] = c.weight[face] > 0 ? movers_beyond(l, &p, face) : slot;
    }
    return c;
}

static void take_cells(poisson *s, movers_one *one, const poisson_body *from)
{
    movers *b = s->movers;
    const lattice *l = &s->level[0];
    const int axis = l->n[0] >= l->n[1] && l->n[0] >= l->n[2] ? 0 : l->n[1] >= l->n[2] ? 1 : 2;
    const int stride = axis == 0 ? 1 : axis == 1 ? l->n[0] : l->n[0] * l->n[1];
    for (int n = 0; n < from->count; n++) {
        const int slot = take_slot(l, from->cell[n]), number = slot < 0 ? -1 : take_component(s, slot);
        movers_touch *touch = number < 0 ? NULL : take_touch(b, one, number);
        if (slot < 0 || (number >= 0 && !touch))
            continue;
        float *push = b->push + (ptrdiff_t)MOVERS_LANES * one->pushed + (ptrdiff_t)one->lanes * one->pushes;
        memset(push, 0, (size_t)one->lanes * sizeof *push);
        for (int d = 0; d < one->dofs; d++)
            push[d] = from->push[one->dof[d]][n];
        for (int d = 0; d < one->dofs && touch; d++)
            touch->sum[d] += (double)push[d];
        b->slot[one->first + one->pushes] = slot;
        b->cell[one->pushed + one->pushes++] = take_equation(l, slot, from->cell[n], touch ? touch->pocket : -1);
        one->middle += from->cell[n] / stride % l->n[axis];
    }
    one->middle /= one->pushes ? one->pushes : 1;
    one->count = one->pushes;
}

/* Takes rounding off the sum of the pushes into a pocket: by `sum` of them, in proportion to their sizes. */
static void take_leaks_off(movers *b, const movers_one *one, movers_touch *touch)
{
    const movers_cell *cell = b->cell + one->pushed;
    float *push = b->push + (ptrdiff_t)MOVERS_LANES * one->pushed;
    double size[6] = {0};
    for (int n = 0; n < one->pushes; n++)
        for (int d = 0; d < one->dofs && cell[n].pocket == touch->pocket; d++)
            size[d] += fabs((double)push[n * one->lanes + d]);
    for (int d = 0; d < one->dofs; d++) {
        if (!(fabs(touch->sum[d]) <= LEAK * size[d]))
            continue;
        const double share = size[d] > 0 ? touch->sum[d] / size[d] : 0;
        for (int n = 0; n < one->pushes && share != 0; n++) {
            float *own = &push[n * one->lanes + d];
            if (cell[n].pocket == touch->pocket)
                *own = (float)((double)*own - share * fabs((double)*own));
        }
        touch->sum[d] = 0;
    }
}

void movers_take(poisson *s, const poisson_body *from, int count)
{
    movers *b = s->movers;
    b->used = (movers_room){.bodies = count};
    b->pockets.count = 0;
    for (int n = 0; n < count; n++) {
        movers_one *one = &b->one[n];
        assert(b->used.pushed + from[n].count <= b->most.pushed);
        *one = (movers_one){.first = b->used.entries, .pushed = b->used.pushed, .pair = -1, .touch = -1, .row = -1};
        take_freedom(one, &from[n]);
        take_cells(s, one, &from[n]);
        for (int at = one->touch; at >= 0; at = b->touch[at].next)
            take_leaks_off(b, one, &b->touch[at]);
        b->used.pushed += one->pushes;
        b->used.entries += movers_quota(one->pushes);
    }
}
