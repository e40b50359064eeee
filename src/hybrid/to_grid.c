/* Sums of weights and momenta lie side by side at each face, so that a parcel adds to the two faces of a row along x at
   once: four floats (w, w v, w, w v). Faces across x and centres of cells have the same rows and take turns along them;
   they are added to together, eight floats from a centre on: (w, w, w v, w, w, w v, w, 0). The rows of faces across x,
   y and z with the same (j, k) follow each other, and have as many samples: the way to the next row and plane is the
   same for all, and stays in registers. */
#include <string.h>

#include "base/memory.h"
#include "hybrid/gather.h"
#include "hybrid/slabs.h"
#include "hybrid/splat.h"
#include "hybrid/to_grid_parts.h"

/* All components. */
static void to_grid_clear_row(const to_grid *g, int j, int k)
{
    memset(to_grid_row(g, 0, j, k) - EACH_X * GHOST, 0, sizeof(float) * (size_t)g->row);
}

/* Samples with ghosts along an axis: [span[0], span[1]). */
static void to_grid_span(const domain *d, int axis, int span[2])
{
    span[0] = axis < d->dims ? -GHOST : 0;
    span[1] = span[0] + transfer_faces_along(d, axis);
}

static void to_grid_clear(const void *context, int begin, int end)
{
    const to_grid *g = context;
    int span[3][2];
    for (int a = 1; a < 3; a++)
        to_grid_span(&g->p->d, a, span[a]);
    int *slow = span[g->p->slow];
    slow[0] = slow[0] > begin ? slow[0] : begin;
    slow[1] = slow[1] < end ? slow[1] : end;
    for (int k = span[2][0]; k < span[2][1]; k++)
        for (int j = span[1][0]; j < span[1][1]; j++)
            to_grid_clear_row(g, j, k);
}

static void to_grid_open(const void *context, int j, int k)
{
    const to_grid *g = context;
    const int deep = g->p->d.dims == 3;
    for (int m = k - deep; m <= k + deep; m++)
        for (int l = j - 1; l <= j + 1; l++) {
            uint8_t *ready = to_grid_ready(g, l, m);
            if (!*ready)
                to_grid_clear_row(g, l, m);
            *ready = 1;
        }
}

/* What eight parcels add. To a row (j, k) of two faces along x it is yz[j + 2 k] times (x₀, x₀ v, x₁, x₁ v), which for
   an affine velocity changes by `slope` from row to row. Faces across x have those of the centres beside them. */
typedef struct to_grid_eight {
    uint32_t at[3][WIDE]; /* floats from the first of the block */
    float yz[3][4][WIDE];
    wide x[WIDE], x_slope[2][WIDE]; /* across x, per parcel */
    splat_row pair[3], slope[3][2]; /* across y and z */
} to_grid_eight;

WIDE_INLINE void to_grid_find(const to_grid *g, int dims, const gather_grid *grid, to_grid_eight *to)
{
    for (int a = 0; a < dims; a++) {
        wide_mask at =
            grid->low[0][a != 0] * to_grid_each(a) + (int32_t)g->first[a] - (a == 0); /* from the centre on */
        at += grid->low[1][a != 1] * (int32_t)g->row + grid->low[2][a != 2] * (int32_t)g->plane;
        memcpy(to->at[a], &at, sizeof at);
        const wide y = grid->f[1][a != 1], z = grid->f[2][a != 2];
        wide_store(to->yz[a][0], (1 - y) * (1 - z));
        wide_store(to->yz[a][1], y * (1 - z));
        wide_store(to->yz[a][2], (1 - y) * z);
        wide_store(to->yz[a][3], y * z);
    }
}

/* The velocity of parcels at their lowest faces across an axis, and its change to the next along each axis: it is their
   own, or changes with the gradient that they carry. */
WIDE_INLINE wide to_grid_velocity(const to_grid *g, int axis, bool affine, const gather_grid *grid,
                                  const slabs_group *group, wide slope[3])
{
    const parcels *p = g->p;
    wide low = slabs_load(group, p->v[axis]);
    fetch(p->v[axis] + group->first + SLABS_AHEAD, FETCH_LINE);
    if (g->to->stopped)
        low = gather_stopped(&p->d, axis, group->x[axis], low);
    for (int b = 0; b < p->d.dims && affine; b++) {
        slope[b] = slabs_load(group, p->c[axis][b]);
        low -= slope[b] * grid->f[b][b != axis];
    }
    return low;
}

/* Faces across x. A parcel in the lower half of its cell reaches the centre behind it, another that ahead. */
WIDE_INLINE void to_grid_take_x(const to_grid *g, bool affine, const gather_grid *grid, const slabs_group *group,
                                to_grid_eight *to)
{
    const wide f = grid->f[0][0], high = wide_keep(group->used, f), low = wide_keep(group->used, 1 - f);
    const wide c = wide_keep(group->used, grid->f[0][1]), less = wide_keep(group->used, 1 - grid->f[0][1]);
    const wide_mask behind = grid->low[0][1] < grid->low[0][0];
    wide slope[3] = {{0}, {0}, {0}};
    const wide v = to_grid_velocity(g, 0, affine, grid, group, slope);
    splat_turn_eight((wide[WIDE]){wide_keep(behind, less),
                                  low,
                                  low * v,
                                  wide_choose(behind, c, less),
                                  high,
                                  high * (affine ? v + slope[0] : v),
                                  wide_keep(~behind, c),
                                  {0}},
                     to->x);
    for (int b = 0; b < 2 && affine; b++)
        splat_turn_eight((wide[WIDE]){{0}, {0}, low * slope[b + 1], {0}, {0}, high * slope[b + 1], {0}, {0}},
                         to->x_slope[b]);
}

WIDE_INLINE void to_grid_take(const to_grid *g, int axis, bool affine, const gather_grid *grid,
                              const slabs_group *group, to_grid_eight *to)
{
    const wide f = grid->f[0][1], high = wide_keep(group->used, f), low = wide_keep(group->used, 1 - f);
    wide slope[3] = {{0}, {0}, {0}};
    const wide v = to_grid_velocity(g, axis, affine, grid, group, slope);
    splat_turn((wide[4]){low, low * v, high, high * (affine ? v + slope[0] : v)}, &to->pair[axis]);
    for (int b = 0; b < 2 && affine; b++)
        splat_turn((wide[4]){{0}, low * slope[b + 1], {0}, high * slope[b + 1]}, &to->slope[axis][b]);
}

/* Where the sums are, and the way to the next row and plane. */
typedef struct to_grid_rows {
    float *block;
    ptrdiff_t row, plane, both;
} to_grid_rows;

WIDE_INLINE void to_grid_add_x(to_grid_rows to, bool affine, const to_grid_eight *from, int lane)
{
    float *at = to.block + from->at[0][lane];
    const wide low = from->x[lane], y = affine ? from->x_slope[0][lane] : low,
               z = affine ? from->x_slope[1][lane] : low;
    wide_store(at, wide_load(at) + from->yz[0][0][lane] * low);
    at += to.row;
    wide_store(at, wide_load(at) + from->yz[0][1][lane] * (affine ? low + y : low));
    at += to.plane;
    wide_store(at, wide_load(at) + from->yz[0][3][lane] * (affine ? low + y + z : low));
    at -= to.row;
    wide_store(at, wide_load(at) + from->yz[0][2][lane] * (affine ? low + z : low));
}

WIDE_INLINE void to_grid_add_row(float *to, float weight, four pair)
{
    *(four_anywhere *)to += weight * pair;
}

WIDE_INLINE void to_grid_add_axis(to_grid_rows to, int axis, bool affine, const to_grid_eight *from, int lane)
{
    float *at = to.block + from->at[axis][lane];
    const four pair = splat_of(&from->pair[axis], lane);
    const four y = affine ? splat_of(&from->slope[axis][0], lane) : pair;
    const four z = affine ? splat_of(&from->slope[axis][1], lane) : pair;
    to_grid_add_row(at, from->yz[axis][0][lane], pair);
    to_grid_add_row(at + to.row, from->yz[axis][1][lane], affine ? pair + y : pair);
    to_grid_add_row(at + to.plane, from->yz[axis][2][lane], affine ? pair + z : pair);
    to_grid_add_row(at + to.both, from->yz[axis][3][lane], affine ? pair + y + z : pair);
}

/* Parcel by parcel: the next one often adds to the same faces, and would have to wait for them if it came row by row.
   All eight without a branch: those that are not used weigh nothing. `dims` and `affine` are known when this is
   compiled. */
WIDE_INLINE void to_grid_add_group(const to_grid *g, int dims, bool affine, const slabs_group *group)
{
    to_grid_eight all;
    const to_grid_eight *from = &all;
    const to_grid_rows to = {g->block, g->row, g->plane, g->row + g->plane};
    gather_grid grid;
    gather_grid_of(group->x, &grid);
    to_grid_find(g, dims, &grid, &all);
    to_grid_take_x(g, affine, &grid, group, &all);
    for (int a = 1; a < dims; a++)
        to_grid_take(g, a, affine, &grid, group, &all);
    __asm__("" : "+r"(from) : : "memory"); /* read back one by one: taking lanes out of registers is slower */
#pragma GCC unroll 8
    for (int lane = 0; lane < WIDE; lane++) {
        to_grid_add_x(to, affine, from, lane);
        to_grid_add_axis(to, 1, affine, from, lane);
        if (dims == 3)
            to_grid_add_axis(to, 2, affine, from, lane);
    }
}

static void to_grid_add(const void *context, const slabs_group *group)
{
    const to_grid *g = context;
    const bool affine = g->p->kind == PARCELS_APIC;
    if (g->p->d.dims == 3 && affine)
        to_grid_add_group(g, 3, true, group);
    else if (g->p->d.dims == 3)
        to_grid_add_group(g, 3, false, group);
    else if (affine)
        to_grid_add_group(g, 2, true, group);
    else
        to_grid_add_group(g, 2, false, group);
}

static bool to_grid_is_periodic(const domain *d)
{
    return d->periodic[0] || d->periodic[1] || (d->dims == 3 && d->periodic[2]);
}

static to_grid to_grid_over(const transfer *t, const parcels *p, const transfer_faces *to)
{
    const domain *d = &p->d;
    to_grid g = {.p = p, .to = to, .block = t->block, .row = (ptrdiff_t)transfer_row(d), .ready = t->ready};
    g.plane = d->dims == 3 ? g.row * transfer_faces_along(d, 1) : 0;
    uint32_t before = 0;
    for (int a = 0; a < d->dims; a++) {
        g.first[a] = before + (uint32_t)(GHOST * (to_grid_each(a) + g.row + g.plane));
        before += (uint32_t)(to_grid_each(a) * transfer_faces_along(d, 0));
    }
    return g;
}

int64_t transfer_to_grid(transfer *t, const parcels *p, const transfer_faces *to)
{
    const domain *d = &p->d;
    to_grid g = to_grid_over(t, p, to);
    const bool all = to_grid_is_periodic(d); /* what lies beyond one end counts at the other */
    memset(g.ready, all, transfer_ready(d));
    int64_t strays = slabs_run(&(slabs_job){p, to_grid_clear, to_grid_add, &g, all ? NULL : to_grid_open});
    to_grid_finish(&g, all);
    return strays;
}
