#include "hybrid/gather.h"
#include "hybrid/records.h"
#include "hybrid/splat.h"

typedef struct to_grid {
    const parcels *p;
    records sums;
} to_grid;

static void to_grid_clear(const void *context, int begin, int end)
{
    const to_grid *g = context;
    records_clear(&g->sums, g->p->slow, begin, end);
}

static void to_grid_open(const void *context, int j, int k, uint32_t bits)
{
    const to_grid *g = context;
    records_open(&g->sums, j, k, bits);
}

/* What eight parcels add: to two records of faces in the planes k and k + 1 `z` times eight floats, which for an affine
   velocity are others in the second one; to two rows of two centres in either plane `z` of the faces across x times
   four. */
typedef struct to_grid_eight {
    uint32_t at[4][WIDE]; /* the lowest face across each axis and the lowest centre, from the first of the layout */
    float z[2][2][WIDE];  /* faces across z, others; planes */
    wide faces[3][2][WIDE];
    splat_row centres;
} to_grid_eight;

WIDE_INLINE void to_grid_find(const to_grid *g, int dims, const gather_grid *grid, to_grid_eight *to)
{
    for (int a = 0; a < 4; a++) {
        if (a < 3 && a >= dims)
            continue;
        const field *layout = a < 3 ? &g->sums.faces[a].layout : &g->sums.centres.layout;
        wide_mask at = grid->low[0][a != 0] + (int32_t)field_first(layout);
        at += grid->low[1][a != 1] * (int32_t)layout->stride[1] + grid->low[2][a != 2] * (int32_t)layout->stride[2];
        memcpy(to->at[a], &at, sizeof at);
    }
    for (int centre = 0; centre < 2; centre++) {
        wide_store(to->z[centre][0], 1 - grid->f[2][centre]);
        wide_store(to->z[centre][1], grid->f[2][centre]);
    }
}

/* Eight parcels. `dims` and `affine` are known when this is compiled. */
typedef struct to_grid_from {
    const parcels *p;
    const slabs_group *group;
    gather_grid grid;
    int dims;
    bool affine;
} to_grid_from;

/* `v`: velocities at the four faces in a plane, numbered x + 2 y. */
WIDE_INLINE void to_grid_plane(const wide x[2], const wide y[2], const wide v[4], wide to[WIDE])
{
    wide records[WIDE];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            records[4 * i + 2 * j] = x[i] * y[j];
            records[4 * i + 2 * j + 1] = x[i] * y[j] * v[i + 2 * j];
        }
    splat_turn_eight(records, to);
}

/* A parcel's velocity at the faces around it changes with the gradient it carries; `own` is its own. */
WIDE_INLINE void to_grid_affine(const to_grid_from *from, int axis, const wide own, const wide weights[4],
                                to_grid_eight *to)
{
    const wide *x = weights, *y = weights + 2;
    wide low = own, slope[3] = {{0}, {0}, {0}};
    for (int b = 0; b < from->dims; b++) {
        slope[b] = slabs_load(from->group, from->p->c[axis][b]);
        low -= slope[b] * from->grid.f[b][b != axis];
    }
    for (int k = 0; k < 2; k++) {
        const wide first = k ? low + slope[2] : low, second = first + slope[1];
        to_grid_plane(x, y, (wide[4]){first, first + slope[0], second, second + slope[0]}, to->faces[axis][k]);
    }
}

WIDE_INLINE void to_grid_faces(const to_grid_from *from, int axis, to_grid_eight *to)
{
    const wide fx = from->grid.f[0][axis != 0], fy = from->grid.f[1][axis != 1];
    const wide_mask used = from->group->used;
    const wide weights[4] = {wide_keep(used, 1 - fx), wide_keep(used, fx), 1 - fy, fy}; /* two of x, two of y */
    const wide v = slabs_load(from->group, from->p->v[axis]);
    if (from->affine)
        to_grid_affine(from, axis, v, weights, to);
    else
        to_grid_plane(weights, weights + 2, (wide[4]){v, v, v, v}, to->faces[axis][0]);
}

WIDE_INLINE void to_grid_centres(const to_grid_from *from, to_grid_eight *to)
{
    const wide fx = from->grid.f[0][1], fy = from->grid.f[1][1];
    const wide x[2] = {wide_keep(from->group->used, 1 - fx), wide_keep(from->group->used, fx)};
    splat_turn((wide[4]){x[0] * (1 - fy), x[1] * (1 - fy), x[0] * fy, x[1] * fy}, &to->centres);
}

WIDE_INLINE void to_grid_add_faces(const sums *s, int axis, bool affine, const to_grid_eight *from, int lane)
{
    const float *z[2] = {from->z[axis != 2][0], from->z[axis != 2][1]};
    const wide low = from->faces[axis][0][lane], high = affine ? from->faces[axis][1][lane] : low;
    float *at = s->block + RECORDS_EACH * (size_t)from->at[axis][lane];
    *(wide_anywhere *)at += z[0][lane] * low;
    *(wide_anywhere *)(at + RECORDS_EACH * s->layout.stride[2]) += z[1][lane] * high;
}

WIDE_INLINE void to_grid_add_centres(const sums *s, const to_grid_eight *from, int lane)
{
    const four add = splat_of(&from->centres, lane);
    float *at = s->block + from->at[3][lane];
    splat_add_pairs(at, s->layout.stride[1], from->z[1][0][lane] * add);
    splat_add_pairs(at + s->layout.stride[2], s->layout.stride[1], from->z[1][1][lane] * add);
}

WIDE_INLINE void to_grid_add_lane(const to_grid *g, int dims, bool affine, const to_grid_eight *from, int lane)
{
    to_grid_add_faces(&g->sums.faces[0], 0, affine, from, lane);
    to_grid_add_faces(&g->sums.faces[1], 1, affine, from, lane);
    if (dims == 3)
        to_grid_add_faces(&g->sums.faces[2], 2, affine, from, lane);
    if (g->sums.centres.block)
        to_grid_add_centres(&g->sums.centres, from, lane);
}

/* All eight without a branch: those that are not used weigh nothing. */
WIDE_INLINE void to_grid_add_group(const to_grid *g, int dims, bool affine, const slabs_group *group)
{
    to_grid_eight all;
    to_grid_from from = {.p = g->p, .group = group, .dims = dims, .affine = affine};
    gather_grid_of(group->x, &from.grid);
    to_grid_find(g, dims, &from.grid, &all);
    to_grid_faces(&from, 0, &all);
    to_grid_faces(&from, 1, &all);
    if (dims == 3)
        to_grid_faces(&from, 2, &all);
    to_grid_centres(&from, &all);
    WIDE_TO_MEMORY(all);
    to_grid_add_lane(g, dims, affine, &all, 0);
    to_grid_add_lane(g, dims, affine, &all, 1);
    to_grid_add_lane(g, dims, affine, &all, 2);
    to_grid_add_lane(g, dims, affine, &all, 3);
    to_grid_add_lane(g, dims, affine, &all, 4);
    to_grid_add_lane(g, dims, affine, &all, 5);
    to_grid_add_lane(g, dims, affine, &all, 6);
    to_grid_add_lane(g, dims, affine, &all, 7);
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

int64_t transfer_to_grid(transfer *t, const parcels *p, const transfer_faces *to)
{
    const records_memory memory = {t->block, to->density, t->ready};
    const to_grid g = {p, records_over(&memory, &p->d)};
    slabs_job job = {.p = p, .add = to_grid_add, .context = &g};
    if (g.sums.periodic)
        job.clear = to_grid_clear;
    else
        job.open = to_grid_open;
    int64_t strays = slabs_run(&job);
    records_clear_rest(&g.sums);
    records_mean(&g.sums, to);
    return strays;
}
