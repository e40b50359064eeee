#include <string.h>

#include "base/threads.h"
#include "grid/extend.h"
#include "hybrid/sums.h"
#include "hybrid/to_grid_parts.h"

/* Faces with less than this weight are left to the extension from their neighbours. The nearest faces of a lone parcel
   have 1/8 or more. */
static const float LEAST_WEIGHT = 1e-3f;

/* Whether a row holds sums. */
static bool to_grid_holds(const to_grid *g, int j, int k)
{
    const int *n = g->p->d.n;
    return j >= -1 && j <= n[1] && k >= -1 && k <= n[2] && *to_grid_ready(g, j, k);
}

/* A row that no parcel reaches. */
static void to_grid_no_mean(const transfer_faces *to, int axis, int j, int k)
{
    float *u = field_row(&to->velocity[axis], j, k);
    const size_t count = (size_t)to->velocity[axis].size[0];
    memset(u, 0, count * sizeof *u);
    if (to->weight)
        memset(field_row(&to->weight[axis], j, k), 0, count * sizeof *u);
    if (to->map[axis])
        memset(to->map[axis] + (u - to->velocity[axis].block), EXTEND_FAR, count);
}

WIDE_INLINE void to_grid_mean_row(const to_grid *g, int axis, int j, int k)
{
    const transfer_faces *to = g->to;
    const int each = to_grid_each(axis), count = to->velocity[axis].size[0];
    const float *restrict row = to_grid_row(g, axis, j, k);
    float *restrict u = field_row(&to->velocity[axis], j, k);
    uint8_t *restrict map = to->map[axis] ? to->map[axis] + (u - to->velocity[axis].block) : NULL;
    for (int i = 0; i < count; i++) {
        float momentum = row[each * i + 1] / row[each * i];
        u[i] = row[each * i] > LEAST_WEIGHT ? momentum : 0;
    }
    for (int i = 0; i < count && to->weight; i++)
        field_row(&to->weight[axis], j, k)[i] = row[each * i];
    for (int i = 0; i < count && map; i++)
        map[i] = row[each * i] > LEAST_WEIGHT ? EXTEND_KNOWN : EXTEND_FAR;
}

/* The ghosts of a row of the map, or all of it. */
static void to_grid_map_ghosts(const to_grid *g, int axis, int j, int k, bool all)
{
    const field *u = &g->to->velocity[axis];
    const int beyond = GHOST + u->size[0];
    uint8_t *map = g->to->map[axis] + (field_row(u, j, k) - GHOST - u->block);
    memset(map, EXTEND_OUTSIDE, (size_t)(all ? beyond : GHOST));
    memset(map + beyond, EXTEND_OUTSIDE, (size_t)(u->stride[1] - beyond));
}

static void to_grid_finish_row(const to_grid *g, int axis, int j, int k)
{
    const field *u = &g->to->velocity[axis];
    const bool inside = j >= 0 && j < u->size[1] && k >= 0 && k < u->size[2];
    if (g->to->map[axis])
        to_grid_map_ghosts(g, axis, j, k, !inside);
    if (!inside)
        return;
    if (!*to_grid_ready(g, j, k))
        to_grid_no_mean(g->to, axis, j, k);
    else if (axis)
        to_grid_mean_row(g, axis, j, k);
    else
        to_grid_mean_row(g, 0, j, k);
}

/* Planes of rows, with ghosts. */
static void to_grid_finish_planes(void *context, int begin, int end)
{
    const to_grid *g = context;
    const domain *d = &g->p->d;
    for (int a = 0; a < d->dims; a++) {
        const field *u = &g->to->velocity[a];
        const int deep = d->dims == 3 ? GHOST : 0, last = u->size[2] + 2 * deep;
        for (int k = begin; k < end && k < last; k++)
            for (int j = -GHOST; j < u->size[1] + GHOST; j++)
                to_grid_finish_row(g, a, j, k - deep);
    }
}

/* The density is read everywhere, ghosts as well. */
static void to_grid_density_planes(void *context, int begin, int end)
{
    const to_grid *g = context;
    const domain *d = &g->p->d;
    const sums density = sums_over(g->to->density, d, FR_AT_CELL, 1);
    const int deep = d->dims == 3 ? GHOST : 0;
    for (int k = begin - deep; k < end - deep; k++)
        for (int j = -GHOST; j < d->n[1] + GHOST; j++) {
            float *restrict to = sums_row(&density, j, k);
            const float *restrict from = to_grid_row(g, 0, j, k) + EACH;
            if (!to_grid_holds(g, j, k))
                sums_clear_row(&density, j, k);
            else
                for (int i = -GHOST; i < d->n[0] + GHOST; i++)
                    to[i] = from[EACH_X * i];
        }
}

/* What lies beyond the ends of periodic axes is added at the other end. */
static void to_grid_fold(const to_grid *g, int axis)
{
    const domain *d = &g->p->d;
    for (int part = 0; part < EACH; part++) {
        sums s = sums_over(g->block, d, field_face(axis), 1);
        s.layout.stride[0] = to_grid_each(axis);
        s.layout.stride[1] = g->row;
        s.layout.stride[2] = g->plane;
        s.data = to_grid_row(g, axis, 0, 0) + part;
        for (int b = 0; b < d->dims; b++)
            if (d->periodic[b])
                sums_fold(&s, b, true, -1);
    }
}

void to_grid_finish(const to_grid *g, bool periodic)
{
    const domain *d = &g->p->d;
    const int planes = transfer_faces_along(d, 2), ghosts = d->dims == 3 ? 2 * GHOST : 0;
    const int64_t plane = (int64_t)d->n[0] * d->n[1];
    if (g->to->density)
        threads_for_cost(d->n[2] + ghosts, plane / 2, to_grid_density_planes, (void *)g);
    for (int a = 0; a < d->dims && periodic; a++)
        to_grid_fold(g, a);
    threads_for_cost(planes, plane * d->dims, to_grid_finish_planes, (void *)g);
}
