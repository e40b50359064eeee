/* Sums of weights and momenta lie side by side at each face, so that a parcel adds to the two faces of a row along x at
   once: four floats (w, w v, w, w v). */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "grid/extend.h"
#include "hybrid/gather.h"
#include "hybrid/slabs.h"
#include "hybrid/splat.h"
#include "hybrid/transfer.h"

enum { EACH = 2 };

/* Faces with less than this weight are left to the extension from their neighbours. The nearest faces of a lone parcel
   have 1/8 or more. */
static const float LEAST_WEIGHT = 1e-3f;

static size_t transfer_floats(const domain *d)
{
    size_t count = 0;
    for (int a = 0; a < d->dims; a++)
        count += EACH * field_bytes(d, field_face(a)) / sizeof(float);
    return count;
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
    float *first = out->block, *second = out->block + transfer_floats(d) / 2;
    for (int a = 0; a < d->dims; a++) {
        field_over(first, d, field_face(a), &out->before[a]);
        field_over(second, d, field_face(a), &out->faces[a]);
        first += out->before[a].count;
        second += out->faces[a].count;
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
    sums faces[3];
    sums density;
    uint8_t *ready; /* per row of samples along x */
} to_grid;

static void to_grid_clear(const void *context, int begin, int end)
{
    const to_grid *g = context;
    for (int a = 0; a < g->p->d.dims; a++)
        sums_clear(&g->faces[a], g->p->slow, begin, end);
    if (g->to->density)
        sums_clear(&g->density, g->p->slow, begin, end);
}

/* Whether a row of samples has been set to zero; rows of the first ghosts are counted too. */
static uint8_t *to_grid_ready(const to_grid *g, int j, int k)
{
    return g->ready + (j + 1) + (size_t)(g->p->d.n[1] + 2) * (size_t)(k + 1);
}

static void to_grid_clear_row(const to_grid *g, int j, int k)
{
    for (int a = 0; a < g->p->d.dims; a++)
        sums_clear_row(&g->faces[a], j, k);
    if (g->to->density)
        sums_clear_row(&g->density, j, k);
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
   an affine velocity changes by `slope` from row to row; to a row of two centres yz of the faces across x times
   (x₀, x₁). */
typedef struct to_grid_eight {
    uint32_t at[4][WIDE]; /* the lowest face across each axis and the lowest centre, from the first of the layout */
    float yz[3][4][WIDE];
    splat_row pair[3], slope[3][2];
    splat_pair centres;
} to_grid_eight;

WIDE_INLINE void to_grid_find(const to_grid *g, int dims, const gather_grid *grid, to_grid_eight *to)
{
    for (int a = 0; a < 4; a++) {
        if (a < 3 && a >= dims)
            continue;
        const field *layout = a < 3 ? &g->faces[a].layout : &g->density.layout;
        wide_mask at = grid->low[0][a != 0] + (int32_t)field_first(layout);
        at += grid->low[1][a != 1] * (int32_t)layout->stride[1] + grid->low[2][a != 2] * (int32_t)layout->stride[2];
        memcpy(to->at[a], &at, sizeof at);
    }
    for (int a = 0; a < dims; a++) {
        const wide y = grid->f[1][a != 1], z = grid->f[2][a != 2];
        wide_store(to->yz[a][0], (1 - y) * (1 - z));
        wide_store(to->yz[a][1], y * (1 - z));
        wide_store(to->yz[a][2], (1 - y) * z);
        wide_store(to->yz[a][3], y * z);
    }
}

/* A parcel's velocity at the faces around it is its own, or changes with the gradient it carries. */
WIDE_INLINE void to_grid_affine(const to_grid *g, int axis, const gather_grid *grid, const slabs_group *group,
                                to_grid_eight *to)
{
    const parcels *p = g->p;
    const wide f = grid->f[0][axis != 0], x[2] = {wide_keep(group->used, 1 - f), wide_keep(group->used, f)};
    wide low = slabs_load(group, p->v[axis]), slope[3] = {{0}, {0}, {0}};
    for (int b = 0; b < p->d.dims; b++) {
        slope[b] = slabs_load(group, p->c[axis][b]);
        low -= slope[b] * grid->f[b][b != axis];
    }
    splat_turn((wide[4]){x[0], x[0] * low, x[1], x[1] * (low + slope[0])}, &to->pair[axis]);
    for (int b = 0; b < 2; b++)
        splat_turn((wide[4]){{0}, x[0] * slope[b + 1], {0}, x[1] * slope[b + 1]}, &to->slope[axis][b]);
}

WIDE_INLINE void to_grid_own(const to_grid *g, int axis, const gather_grid *grid, const slabs_group *group,
                             to_grid_eight *to)
{
    const wide f = grid->f[0][axis != 0], x[2] = {wide_keep(group->used, 1 - f), wide_keep(group->used, f)};
    const wide v = slabs_load(group, g->p->v[axis]);
    splat_turn((wide[4]){x[0], x[0] * v, x[1], x[1] * v}, &to->pair[axis]);
}

WIDE_INLINE void to_grid_add_row(float *to, float weight, four pair)
{
    *(four_anywhere *)to += weight * pair;
}

WIDE_INLINE void to_grid_add_faces(const sums *s, int axis, bool affine, const to_grid_eight *from, int lane)
{
    const ptrdiff_t row = EACH * s->layout.stride[1], plane = EACH * s->layout.stride[2];
    float *at = s->block + EACH * (size_t)from->at[axis][lane];
    const four pair = splat_of(&from->pair[axis], lane);
    const four y = affine ? splat_of(&from->slope[axis][0], lane) : (four){0};
    const four z = affine ? splat_of(&from->slope[axis][1], lane) : (four){0};
    to_grid_add_row(at, from->yz[axis][0][lane], pair);
    to_grid_add_row(at + row, from->yz[axis][1][lane], affine ? pair + y : pair);
    to_grid_add_row(at + plane, from->yz[axis][2][lane], affine ? pair + z : pair);
    to_grid_add_row(at + row + plane, from->yz[axis][3][lane], affine ? pair + y + z : pair);
}

WIDE_INLINE void to_grid_add_centres(const sums *s, const to_grid_eight *from, int lane)
{
    const ptrdiff_t row = s->layout.stride[1], plane = s->layout.stride[2];
    float *at = s->block + from->at[3][lane];
    const two pair = splat_pair_of(&from->centres, lane);
    *(two_anywhere *)at += from->yz[0][0][lane] * pair;
    *(two_anywhere *)(at + row) += from->yz[0][1][lane] * pair;
    *(two_anywhere *)(at + plane) += from->yz[0][2][lane] * pair;
    *(two_anywhere *)(at + row + plane) += from->yz[0][3][lane] * pair;
}

WIDE_INLINE void to_grid_add_lane(const to_grid *g, int dims, bool affine, const to_grid_eight *from, int lane)
{
    to_grid_add_faces(&g->faces[0], 0, affine, from, lane);
    to_grid_add_faces(&g->faces[1], 1, affine, from, lane);
    if (dims == 3)
        to_grid_add_faces(&g->faces[2], 2, affine, from, lane);
    if (g->to->density)
        to_grid_add_centres(&g->density, from, lane);
}

/* Parcel by parcel: the next one often adds to the same faces, and would have to wait for them if it came row by row.
   All eight without a branch: those that are not used weigh nothing. `dims` and `affine` are known when this is
   compiled. */
WIDE_INLINE void to_grid_add_group(const to_grid *g, int dims, bool affine, const slabs_group *group)
{
    to_grid_eight all;
    gather_grid grid;
    gather_grid_of(group->x, &grid);
    to_grid_find(g, dims, &grid, &all);
    for (int a = 0; a < dims; a++)
        if (affine)
            to_grid_affine(g, a, &grid, group, &all);
        else
            to_grid_own(g, a, &grid, group, &all);
    splat_turn_pair(wide_keep(group->used, 1 - grid.f[0][1]), wide_keep(group->used, grid.f[0][1]), &all.centres);
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

typedef struct to_grid_mean {
    const to_grid *g;
    int axis;
} to_grid_mean;

/* A row that no parcel reaches. */
static void to_grid_no_mean(const to_grid_mean *mean, int j, int k)
{
    const transfer_faces *to = mean->g->to;
    const int axis = mean->axis;
    float *u = field_row(&to->velocity[axis], j, k);
    const size_t count = (size_t)to->velocity[axis].size[0];
    memset(u, 0, count * sizeof *u);
    if (to->weight)
        memset(field_row(&to->weight[axis], j, k), 0, count * sizeof *u);
    if (to->map[axis])
        memset(to->map[axis] + (u - to->velocity[axis].block), EXTEND_FAR, count);
}

static void to_grid_mean_row(const to_grid_mean *mean, int j, int k)
{
    const transfer_faces *to = mean->g->to;
    const sums *s = &mean->g->faces[mean->axis];
    const float *restrict row = sums_row(s, j, k);
    float *restrict u = field_row(&to->velocity[mean->axis], j, k);
    uint8_t *restrict map = to->map[mean->axis] ? to->map[mean->axis] + (u - to->velocity[mean->axis].block) : NULL;
    int count = s->layout.size[0];
    if (!*to_grid_ready(mean->g, j, k)) {
        to_grid_no_mean(mean, j, k);
        return;
    }
    for (int i = 0; i < count; i++) {
        float momentum = row[EACH * i + 1] / row[EACH * i];
        u[i] = row[EACH * i] > LEAST_WEIGHT ? momentum : 0;
    }
    for (int i = 0; i < count && to->weight; i++)
        field_row(&to->weight[mean->axis], j, k)[i] = row[EACH * i];
    for (int i = 0; i < count && map; i++)
        map[i] = row[EACH * i] > LEAST_WEIGHT ? EXTEND_KNOWN : EXTEND_FAR;
}

static void to_grid_mean_rows(void *context, int begin, int end)
{
    const to_grid_mean *mean = context;
    const field *layout = &mean->g->faces[mean->axis].layout;
    for (int r = begin; r < end; r++)
        to_grid_mean_row(mean, r % layout->size[1], r / layout->size[1]);
}

/* The density is read everywhere: planes of rows, from the first ghost on. */
static void to_grid_clear_rest(void *context, int begin, int end)
{
    const to_grid *g = context;
    const domain *d = &g->p->d;
    const int first = d->dims == 3 ? -GHOST : 0;
    for (int k = begin + first; k < end + first; k++)
        for (int j = -GHOST; j < d->n[1] + GHOST; j++) {
            bool counted = j >= -1 && j <= d->n[1] && k >= -1 && k <= d->n[2];
            if (!counted || !*to_grid_ready(g, j, k))
                sums_clear_row(&g->density, j, k);
        }
}

static bool to_grid_is_periodic(const domain *d)
{
    return d->periodic[0] || d->periodic[1] || (d->dims == 3 && d->periodic[2]);
}

int64_t transfer_to_grid(transfer *t, const parcels *p, const transfer_faces *to)
{
    to_grid g = {.p = p, .to = to, .ready = t->ready};
    float *block = t->block;
    for (int a = 0; a < p->d.dims; a++) {
        g.faces[a] = sums_over(block, &p->d, field_face(a), EACH);
        block += EACH * g.faces[a].layout.count;
    }
    if (to->density)
        g.density = sums_over(to->density, &p->d, FR_AT_CELL, 1);
    const bool all = to_grid_is_periodic(&p->d); /* what lies beyond one end counts at the other */
    memset(g.ready, all, transfer_ready(&p->d));
    int64_t strays = slabs_run(&(slabs_job){p, to_grid_clear, to_grid_add, &g, all ? NULL : to_grid_open});
    if (to->density && !all)
        threads_for_cost(p->d.dims == 3 ? p->d.n[2] + 2 * GHOST : 1, (int64_t)p->d.n[0] * p->d.n[1] / 8,
                         to_grid_clear_rest, &g);
    for (int a = 0; a < p->d.dims; a++) {
        for (int b = 0; b < p->d.dims; b++)
            if (p->d.periodic[b])
                sums_fold(&g.faces[a], b, true, -1);
        if (to->map[a])
            memset(to->map[a], EXTEND_OUTSIDE, g.faces[a].layout.count);
        field_for_rows(&g.faces[a].layout, to_grid_mean_rows, &(to_grid_mean){&g, a});
    }
    return strays;
}
