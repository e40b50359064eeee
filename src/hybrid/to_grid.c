/* Sums of weights and momenta lie side by side at each face, so that the two samples of a row along x are four floats
   (w, w v, w, w v) that are added to at once. */
#include <math.h>

#include "base/memory.h"
#include "grid/extend.h"
#include "hybrid/slabs.h"
#include "hybrid/sums.h"
#include "hybrid/transfer.h"

typedef float four __attribute__((vector_size(16)));
typedef float four_anywhere __attribute__((vector_size(16), aligned(4)));

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

size_t transfer_bytes(const domain *d)
{
    return sizeof(float) * transfer_floats(d) + near_surface_bytes(d);
}

fr_result transfer_create(const domain *d, transfer *out)
{
    *out = (transfer){.d = *d, .block = MEMORY_NEW(float, transfer_floats(d))};
    fr_result result = out->block ? near_surface_create(d, &out->near) : FR_ERROR_MEMORY;
    if (result != FR_OK)
        transfer_destroy(out);
    return result;
}

void transfer_destroy(transfer *t)
{
    memory_free(t->block);
    near_surface_destroy(&t->near);
    *t = (transfer){0};
}

typedef struct to_grid {
    const parcels *p;
    const transfer_faces *to;
    sums faces[3];
} to_grid;

static void to_grid_clear(const void *context, int begin, int end)
{
    const to_grid *g = context;
    for (int a = 0; a < g->p->d.dims; a++)
        sums_clear(&g->faces[a], g->p->slow, begin, end);
}

/* Where the parcels of a group lie between the samples along each axis. */
typedef struct to_grid_place {
    int32_t low[3][WIDE];
    float f[3][WIDE];
} to_grid_place;

static void to_grid_find(const wide x[3], float shift, to_grid_place *place)
{
    for (int a = 0; a < 3; a++) {
        wide along = x[a] - shift, low = wide_floor(along);
        wide_mask whole = __builtin_convertvector(low, wide_mask);
        wide_store(place->f[a], along - low);
        memcpy(place->low[a], &whole, sizeof whole);
    }
}

/* A parcel's velocity across one axis, at the lowest sample, and its change per cell. */
typedef struct to_grid_value {
    float v, slope[3];
} to_grid_value;

static inline void to_grid_add_one(const sums *s, ptrdiff_t at, const float f[3], const to_grid_value *value)
{
    float y[2] = {1 - f[1], f[1]}, z[2] = {1 - f[2], f[2]};
    four x = {1 - f[0], 1 - f[0], f[0], f[0]};
    four low = {1, value->v, 1, value->v + value->slope[0]};
    four along_y = {0, value->slope[1], 0, value->slope[1]}, along_z = {0, value->slope[2], 0, value->slope[2]};
    for (int k = 0; k < 2; k++, low += along_z) {
        four here = low;
        for (int j = 0; j < 2; j++, here += along_y) {
            four_anywhere *row =
                (four_anywhere *)(s->data + EACH * (at + j * s->layout.stride[1] + k * s->layout.stride[2]));
            *row += y[j] * z[k] * (x * here);
        }
    }
}

static inline to_grid_value to_grid_value_of(float v[WIDE], float slope[3][WIDE], const float f[3], int l)
{
    to_grid_value value = {.v = v[l]};
    for (int b = 0; b < 3; b++) {
        value.slope[b] = slope[b][l];
        value.v -= slope[b][l] * f[b];
    }
    return value;
}

/* Adds a group's momentum across one axis. */
static void to_grid_add_axis(const to_grid *g, int axis, const slabs_group *group, const to_grid_place place[2])
{
    const sums *s = &g->faces[axis];
    const parcels *p = g->p;
    const to_grid_place *along[3] = {&place[axis != 0], &place[axis != 1], &place[axis != 2]};
    float v[WIDE], slope[3][WIDE] = {{0}};
    wide_store(v, slabs_load(group, p->v[axis]));
    for (int b = 0; b < p->d.dims && p->kind == PARCELS_APIC; b++)
        wide_store(slope[b], slabs_load(group, p->c[axis][b]));
    for (unsigned lanes = group->lanes; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        float f[3] = {along[0]->f[0][l], along[1]->f[1][l], along[2]->f[2][l]};
        ptrdiff_t at =
            along[0]->low[0][l] + along[1]->low[1][l] * s->layout.stride[1] + along[2]->low[2][l] * s->layout.stride[2];
        to_grid_value value = to_grid_value_of(v, slope, f, l);
        to_grid_add_one(s, at, f, &value);
    }
}

static void to_grid_add(const void *context, const slabs_group *group)
{
    const to_grid *g = context;
    to_grid_place place[2]; /* between faces, between centres */
    to_grid_find(group->x, 0, &place[0]);
    to_grid_find(group->x, 0.5f, &place[1]);
    for (int a = 0; a < g->p->d.dims; a++)
        to_grid_add_axis(g, a, group, place);
}

typedef struct to_grid_mean {
    const to_grid *g;
    int axis;
} to_grid_mean;

static void to_grid_mean_row(const to_grid_mean *mean, int j, int k)
{
    const transfer_faces *to = mean->g->to;
    const sums *s = &mean->g->faces[mean->axis];
    const float *row = sums_row(s, j, k);
    float *u = field_row(&to->velocity[mean->axis], j, k);
    for (int i = 0; i < s->layout.size[0]; i++)
        u[i] = row[2 * i] > LEAST_WEIGHT ? row[2 * i + 1] / row[2 * i] : 0;
    if (to->weight)
        for (int i = 0; i < s->layout.size[0]; i++)
            field_row(&to->weight[mean->axis], j, k)[i] = row[2 * i];
    if (to->map[mean->axis]) {
        uint8_t *map = to->map[mean->axis] + (u - to->velocity[mean->axis].block);
        for (int i = 0; i < s->layout.size[0]; i++)
            map[i] = row[2 * i] > LEAST_WEIGHT ? EXTEND_KNOWN : EXTEND_FAR;
    }
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
