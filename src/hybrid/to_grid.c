/* Sums of weights and momenta lie side by side at each face, so that a parcel adds to the two faces of a row along x at
   once: four floats (w, w v, w, w v). Faces across x and centres of cells have the same rows and take turns along them;
   they are added to together, eight floats from a centre on: (w, w, w v, w, w, w v, w, 0). The rows of faces across x,
   y and z with the same (j, k) follow each other, and have as many samples: the way to the next row and plane is the
   same for all, and stays in registers. */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "grid/extend.h"
#include "hybrid/gather.h"
#include "hybrid/slabs.h"
#include "hybrid/splat.h"
#include "hybrid/transfer.h"

/* Floats of a sample: weight and momentum of a face, and for those across x the weight of the centre behind it. */
enum { EACH = 2, EACH_X = 3 };

/* Faces with less than this weight are left to the extension from their neighbours. The nearest faces of a lone parcel
   have 1/8 or more. */
static const float LEAST_WEIGHT = 1e-3f;

/* Faces along an axis with ghosts, of any component. */
static int transfer_faces_along(const domain *d, int axis)
{
    return axis < d->dims ? d->n[axis] + 1 + 2 * GHOST : 1;
}

/* Floats of the rows with the same (j, k). */
static size_t transfer_row(const domain *d)
{
    return (size_t)(EACH * d->dims + EACH_X - EACH) * (size_t)transfer_faces_along(d, 0);
}

/* Of the largest component. */
static size_t transfer_component(const domain *d)
{
    size_t most = 0;
    for (int a = 0; a < d->dims; a++) {
        const size_t count = field_bytes(d, field_face(a)) / sizeof(float);
        most = most > count ? most : count;
    }
    return most;
}

/* Room for the sums, and for two staggered fields, with room for one component to spare (pairs.c). */
static size_t transfer_floats(const domain *d)
{
    const size_t sums = transfer_row(d) * (size_t)transfer_faces_along(d, 1) * (size_t)transfer_faces_along(d, 2);
    const size_t fields = transfer_component(d) * (size_t)(2 * d->dims + (d->dims == 3));
    return sums > fields ? sums : fields;
}

/* Rows along x of the faces of any axis, at the most. */
static size_t transfer_rows(const domain *d)
{
    return (size_t)(d->n[1] + 1) * (size_t)(d->n[2] + 1);
}

/* The same with the first ghosts. */
static size_t transfer_ready(const domain *d)
{
    return (size_t)(d->n[1] + 2) * (size_t)(d->n[2] + 2);
}

size_t transfer_bytes(const domain *d)
{
    return sizeof(float) * transfer_floats(d) + 2 * sizeof(double) * transfer_rows(d) + transfer_ready(d) +
           near_surface_bytes(d);
}

fr_result transfer_create(const domain *d, transfer *out)
{
    if (transfer_floats(d) > UINT32_MAX)
        return fr_fail(FR_ERROR_INPUT, "parcels of liquid need a box of less than 600 million cells");
    *out = (transfer){.d = *d, .block = MEMORY_NEW(float, transfer_floats(d))};
    for (int i = 0; i < 2; i++)
        out->rows[i] = MEMORY_NEW(double, transfer_rows(d));
    out->ready = MEMORY_NEW(uint8_t, transfer_ready(d));
    bool room = out->block && out->rows[0] && out->rows[1] && out->ready;
    fr_result result = room ? near_surface_create(d, &out->near) : FR_ERROR_MEMORY;
    if (result != FR_OK) {
        transfer_destroy(out);
        return result;
    }
    const size_t component = transfer_component(d);
    for (int a = 0; a < d->dims; a++) {
        field_over(out->block + (size_t)a * component, d, field_face(a), &out->before[a]);
        field_over(out->block + (size_t)(d->dims + a) * component, d, field_face(a), &out->faces[a]);
    }
    return FR_OK;
}

void transfer_destroy(transfer *t)
{
    memory_free(t->block);
    memory_free(t->rows[0]);
    memory_free(t->rows[1]);
    memory_free(t->ready);
    near_surface_destroy(&t->near);
    *t = (transfer){0};
}

typedef struct to_grid {
    const parcels *p;
    const transfer_faces *to;
    float *block;
    uint32_t first[3];    /* where face (0, 0, 0) across each axis lies, in floats, */
    ptrdiff_t row, plane; /* and the way to the next */
    uint8_t *ready;       /* per row of samples along x */
} to_grid;

static inline int to_grid_each(int axis)
{
    return axis ? EACH : EACH_X;
}

static inline float *to_grid_row(const to_grid *g, int axis, int j, int k)
{
    return g->block + g->first[axis] + j * g->row + k * g->plane;
}

/* Whether a row of samples has been set to zero; rows of the first ghosts are counted too. */
static uint8_t *to_grid_ready(const to_grid *g, int j, int k)
{
    return g->ready + (j + 1) + (size_t)(g->p->d.n[1] + 2) * (size_t)(k + 1);
}

/* Whether a row holds sums. */
static bool to_grid_holds(const to_grid *g, int j, int k)
{
    const int *n = g->p->d.n;
    return j >= -1 && j <= n[1] && k >= -1 && k <= n[2] && *to_grid_ready(g, j, k);
}

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
    const int planes = transfer_faces_along(d, 2), ghosts = d->dims == 3 ? 2 * GHOST : 0;
    memset(g.ready, all, transfer_ready(d));
    int64_t strays = slabs_run(&(slabs_job){p, to_grid_clear, to_grid_add, &g, all ? NULL : to_grid_open});
    if (to->density)
        threads_for_cost(d->n[2] + ghosts, (int64_t)d->n[0] * d->n[1] / 2, to_grid_density_planes, &g);
    for (int a = 0; a < d->dims && all; a++)
        to_grid_fold(&g, a);
    threads_for_cost(planes, (int64_t)d->n[0] * d->n[1] * d->dims, to_grid_finish_planes, &g);
    return strays;
}
