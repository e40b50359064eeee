/* Which solids are near enough to touch: boxes, sorted along x. Pairs are visited in an order that depends on the
   places of the solids alone. */
#include "rigid/parts.h"

/* Insertion: from one call to the next the order hardly changes. */
static void near_sort(rigid *r, int count)
{
    int *order = r->order;
    const solid *s = r->solids;
    for (int i = 1; i < count; i++) {
        const int moved = order[i];
        int at = i;
        for (; at > 0; at--) {
            const double low = s[order[at - 1]].bounds.min[0], own = s[moved].bounds.min[0];
            if (low < own || (low == own && order[at - 1] < moved))
                break;
            order[at] = order[at - 1];
        }
        order[at] = moved;
    }
}

static void near_bound(rigid *r, int index)
{
    solid *s = &r->solids[index];
    shape_bounds(s->shape, s->bounds.min, s->bounds.max);
    s->bounds = box_grow(s->bounds, s->room + 0.5 * rigid_slop(r));
}

static bool near_there(const rigid *r, int solid)
{
    return solid >= r->setup.body_count || r->states[solid].present != 0;
}

static bool near_apart(const rigid *r, int a, int b)
{
    const box *p = &r->solids[a].bounds, *q = &r->solids[b].bounds;
    for (int k = 1; k < r->setup.dims; k++)
        if (p->min[k] > q->max[k] || q->min[k] > p->max[k])
            return true;
    return false;
}

/* A pair whose boxes meet: the first is a body that moves. */
static fr_result near_pair(rigid *r, int a, int b, near_visit visit)
{
    const int bodies = r->setup.body_count, low = a < b ? a : b, high = a < b ? b : a;
    const bool first = low < bodies && rigid_moves(r, low), second = high < bodies && rigid_moves(r, high);
    if (!first && !second)
        return FR_OK;
    if (!near_there(r, a) || !near_there(r, b) || near_apart(r, a, b) || joints_connect(r, a, b))
        return FR_OK;
    return first ? visit(r, low, high) : visit(r, high, low);
}

static fr_result near_walls(rigid *r, int body, near_visit visit)
{
    const solid *s = &r->solids[body];
    for (int w = r->setup.body_count + r->setup.obstacle_count; w < r->solid_count; w++) {
        const int axis = r->solids[w].side / 2;
        const bool low = r->solids[w].side % 2 == 0;
        if (low ? s->bounds.min[axis] < r->solids[w].place : s->bounds.max[axis] > r->solids[w].place)
            FR_TRY(visit(r, body, w));
    }
    return FR_OK;
}

fr_result near_pairs(rigid *r, near_visit visit)
{
    const int count = r->setup.body_count + r->setup.obstacle_count;
    for (int i = 0; i < count; i++)
        near_bound(r, i);
    near_sort(r, count);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            if (r->solids[r->order[j]].bounds.min[0] > r->solids[r->order[i]].bounds.max[0])
                break;
            FR_TRY(near_pair(r, r->order[i], r->order[j], visit));
        }
    for (int b = 0; b < r->setup.body_count; b++)
        if (rigid_moves(r, b))
            FR_TRY(near_walls(r, b, visit));
    return FR_OK;
}

static fr_result near_touch(rigid *r, int body, int other)
{
    return touch_find(r, body, other, r->solids[body].room + r->solids[other].room + rigid_slop(r));
}

fr_result near_find(rigid *r)
{
    r->contacts.count = 0;
    return near_pairs(r, near_touch);
}
