/* Sums of weights and momenta lie side by side at each face, so that a parcel adds to the two faces of a row along x at
   once: four floats (w, w v, w, w v). */
#include <math.h>

#include "base/memory.h"
#include "grid/extend.h"
#include "hybrid/density.h"
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

size_t transfer_bytes(const domain *d)
{
    return sizeof(float) * transfer_floats(d) + 2 * sizeof(double) * transfer_rows(d) + near_surface_bytes(d);
}

fr_result transfer_create(const domain *d, transfer *out)
{
    *out = (transfer){.d = *d, .block = MEMORY_NEW(float, transfer_floats(d))};
    for (int i = 0; i < 2; i++)
        out->rows[i] = MEMORY_NEW(double, transfer_rows(d));
    bool room = out->block && out->rows[0] && out->rows[1];
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
    near_surface_destroy(&t->near);
    *t = (transfer){0};
}

typedef struct to_grid {
    const parcels *p;
    const transfer_faces *to;
    sums faces[3];
    sums density;
} to_grid;

static void to_grid_clear(const void *context, int begin, int end)
{
    const to_grid *g = context;
    for (int a = 0; a < g->p->d.dims; a++)
        sums_clear(&g->faces[a], g->p->slow, begin, end);
    if (g->to->density)
        sums_clear(&g->density, g->p->slow, begin, end);
}

/* What a group adds across one axis: rows of two faces along x. */
typedef struct to_grid_rows {
    int32_t at[WIDE];
    splat_row row[4];
} to_grid_rows;

/* A parcel's velocity at the faces around it is its own, or changes with the gradient it carries. `affine` is known
   when this is compiled. */
static inline __attribute__((always_inline)) void to_grid_rows_of(const to_grid *g, int axis, bool affine,
                                                                  const slabs_group *group, to_grid_rows *rows)
{
    const parcels *p = g->p;
    splat_place place = splat_find(&g->faces[axis].layout, axis, group->x);
    wide v = slabs_load(group, p->v[axis]), slope[3] = {{0}, {0}, {0}};
    memcpy(rows->at, &place.at, sizeof rows->at);
    for (int b = 0; b < p->d.dims && affine; b++) {
        slope[b] = slabs_load(group, p->c[axis][b]);
        v -= slope[b] * place.share[b][1];
    }
    for (int r = 0; r < 4; r++) {
        int j = r & 1, k = r >> 1;
        wide weight = place.share[1][j] * place.share[2][k], low = v;
        low = affine && j ? low + slope[1] : low;
        low = affine && k ? low + slope[2] : low;
        wide share[2] = {weight * place.share[0][0], weight * place.share[0][1]};
        splat_turn((wide[4]){share[0], share[0] * low, share[1], share[1] * (affine ? low + slope[0] : low)},
                   &rows->row[r]);
    }
}

static inline void to_grid_add_rows(const sums *s, const to_grid_rows *rows, int lane)
{
    ptrdiff_t row = EACH * s->layout.stride[1], plane = EACH * s->layout.stride[2];
    float *at = s->data + EACH * (ptrdiff_t)rows->at[lane];
    splat_add(at, &rows->row[0], lane);
    splat_add(at + row, &rows->row[1], lane);
    splat_add(at + plane, &rows->row[2], lane);
    splat_add(at + row + plane, &rows->row[3], lane);
}

/* Parcel by parcel: the next one often adds to the same faces, and would have to wait for them if it came row by row.
 */
static void to_grid_add(const void *context, const slabs_group *group)
{
    const to_grid *g = context;
    to_grid_rows rows[3];
    density_layers layers;
    if (g->to->density)
        density_of(&g->density, group, &layers);
    for (int a = 0; a < g->p->d.dims; a++)
        if (g->p->kind == PARCELS_APIC)
            to_grid_rows_of(g, a, true, group, &rows[a]);
        else
            to_grid_rows_of(g, a, false, group, &rows[a]);
    for (unsigned lanes = group->lanes; lanes; lanes &= lanes - 1) {
        const int l = __builtin_ctz(lanes);
        for (int a = 0; a < g->p->d.dims; a++)
            to_grid_add_rows(&g->faces[a], &rows[a], l);
        if (g->to->density)
            density_add(&g->density, &layers, l);
    }
}

typedef struct to_grid_mean {
    const to_grid *g;
    int axis;
} to_grid_mean;

static void to_grid_mean_row(const to_grid_mean *mean, int j, int k)
{
    const transfer_faces *to = mean->g->to;
    const sums *s = &mean->g->faces[mean->axis];
    const float *restrict row = sums_row(s, j, k);
    float *restrict u = field_row(&to->velocity[mean->axis], j, k);
    uint8_t *restrict map = to->map[mean->axis] ? to->map[mean->axis] + (u - to->velocity[mean->axis].block) : NULL;
    int count = s->layout.size[0];
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

int64_t transfer_to_grid(transfer *t, const parcels *p, const transfer_faces *to)
{
    to_grid g = {.p = p, .to = to};
    float *block = t->block;
    for (int a = 0; a < p->d.dims; a++) {
        g.faces[a] = sums_over(block, &p->d, field_face(a), EACH);
        block += EACH * g.faces[a].layout.count;
    }
    if (to->density)
        g.density = sums_over(to->density, &p->d, FR_AT_CELL, 1);
    int64_t strays = slabs_run(&(slabs_job){p, to_grid_clear, to_grid_add, &g});
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
