#include "hybrid/level_set.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "hybrid/near_surface.h"
#include "hybrid/place.h"
#include "hybrid/slabs.h"
#include "hybrid/sums.h"
#include "hybrid/tent.h"

typedef float four __attribute__((vector_size(16)));
typedef float four_anywhere __attribute__((vector_size(16), aligned(4)));

enum { EACH = 4 }; /* Σ w and Σ w (x_p − x) along each axis */

static const float FAR = 3;             /* cells */
static const float SPARSE = 1.25f;      /* how much less dense than n₀ parcels may be and still fill a region */
static const float DROP_OUT = 0.25f;    /* a parcel so far out in the air, in cells, is a drop of its own … */
static const float DROP_RADIUS = 0.31f; /* … of the volume of an eighth of a cell, */
static const float DROP_LEAST = 0.1f;   /* and its cell's centre at least so deep inside */

typedef struct level_set {
    const parcels *p;
    const level_set_from *from;
    field *phi;
    const near_surface *near;
    sums moments, drops; /* one after the other in the same memory */
    tent_inverse inverse;
    float smallest; /* m: smallest edge of a cell */
} level_set;

static void level_set_clear(const void *context, int begin, int end)
{
    const level_set *s = context;
    sums_clear(&s->moments, s->p->slow, begin, end);
}

/* The lanes of parcels that the surface's cells need. */
static unsigned level_set_needed(const level_set *s, const slabs_group *group)
{
    unsigned needed = 0;
    for (unsigned lanes = group->lanes; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        bool near = near_surface_feeds(s->near, (int)group->x[0][l], (int)group->x[1][l], (int)group->x[2][l]);
        needed |= (unsigned)near << l;
    }
    return needed;
}

/* Adds one parcel to the eight centres around it. */
static inline void level_set_add_one(const sums *m, const float x[3])
{
    float f[3];
    ptrdiff_t at = 0;
    for (int a = 0; a < 3; a++) {
        float low = floorf(x[a] - 0.5f);
        f[a] = x[a] - 0.5f - low;
        at += (ptrdiff_t)low * m->layout.stride[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        float weight = (i ? f[0] : 1 - f[0]) * (j ? f[1] : 1 - f[1]) * (k ? f[2] : 1 - f[2]);
        four moment = {1, f[0] - (float)i, f[1] - (float)j, f[2] - (float)k};
        four_anywhere *to =
            (four_anywhere *)(m->data + EACH * (at + i + j * m->layout.stride[1] + k * m->layout.stride[2]));
        *to += weight * moment;
    }
}

static void level_set_add(const void *context, const slabs_group *group)
{
    const level_set *s = context;
    for (unsigned lanes = level_set_needed(s, group); lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        level_set_add_one(&s->moments, (float[3]){group->x[0][l], group->x[1][l], group->x[2][l]});
    }
}

/* The mean over the samples ±1 along y and z, with weights ¼, ½, ¼, of moments about the row's own centre. */
static four level_set_across(const level_set *s, int i, int j, int k)
{
    four sum = {0};
    int deep = s->p->d.dims == 3;
    for (int dk = -deep; dk <= deep; dk++)
        for (int dj = -1; dj <= 1; dj++) {
            four moment = *(const four_anywhere *)(sums_row(&s->moments, j + dj, k + dk) + EACH * i);
            four shift = {0, 0, (float)dj, (float)dk};
            float weight = (dj ? 0.25f : 0.5f) * (!deep ? 1 : dk ? 0.25f : 0.5f);
            sum += weight * (moment + moment[0] * shift);
        }
    return sum;
}

/* Takes out of a vector what points away from a near obstacle: behind its surface there would be as much liquid.
   Returns the share of the tent outside of it. */
static double level_set_mirror(const level_set *s, const float *solid, double to[3])
{
    const field *f = s->from->solid;
    const domain *d = &s->p->d;
    double slope[3], squares = 1e-20, away = 0;
    for (int a = 0; a < 3; a++) {
        slope[a] = 0.5 * ((double)solid[f->stride[a]] - (double)solid[-f->stride[a]]);
        squares += slope[a] * slope[a];
    }
    for (int a = 0; a < d->dims; a++)
        away += to[a] * slope[a] / sqrt(squares);
    for (int a = 0; a < d->dims && away > 0; a++)
        to[a] -= away * slope[a] / sqrt(squares);
    return tent_share(-(double)*solid / s->smallest);
}

/* The distance, m, from the moments of the parcels around a centre. */
static float level_set_distance(const level_set *s, four moment, const float *solid)
{
    const domain *d = &s->p->d;
    double to[3] = {0, 0, 0}, square = 0, stretch = 0, share = moment[0] / s->from->per_cell, sparse = SPARSE;
    if (!(moment[0] > 0))
        return FAR * s->smallest;
    for (int a = 0; a < d->dims; a++)
        to[a] = (double)moment[a + 1] / (double)moment[0];
    if (solid && (double)*solid < 2 * s->smallest) {
        share /= fmax(0.02, level_set_mirror(s, solid, to));
        sparse = (double)*solid < s->smallest ? 1 : sparse;
    }
    for (int a = 0; a < d->dims; a++) {
        square += to[a] * to[a];
        stretch += to[a] * to[a] / (d->h[a] * d->h[a]);
    }
    float cells = fmaxf(tent_look(s->inverse.centroid, (float)sqrt(square) / 2),
                        tent_look(s->inverse.share, (float)(sparse * share)));
    /* the plane at the distance `cells` in a lattice of unit cells, seen in space */
    return stretch > 0 ? cells * (float)sqrt(square / stretch) : cells * s->smallest;
}

static void level_set_cells(const level_set *s, int i, int j, int k, int count)
{
    four across[NEAR_SURFACE_GROUP + 2];
    float *phi = field_row(s->phi, j, k) + i;
    const float *solid = s->from->solid ? field_row(s->from->solid, j, k) + i : NULL;
    for (int n = 0; n < count + 2; n++)
        across[n] = level_set_across(s, i + n - 1, j, k);
    for (int n = 0; n < count; n++) {
        four low = across[n], high = across[n + 2], one = {0, 1, 0, 0};
        four moment = 0.5f * across[n + 1] + 0.25f * ((low - low[0] * one) + (high + high[0] * one));
        phi[n] = level_set_distance(s, moment, solid ? solid + n : NULL);
    }
}

static void level_set_rows(void *context, int begin, int end)
{
    const level_set *s = context;
    const domain *d = &s->p->d;
    for (int r = begin; r < end; r++) {
        int j = r % d->n[1], k = r / d->n[1];
        for (int i = 0; i < d->n[0]; i += NEAR_SURFACE_GROUP) {
            int count = d->n[0] - i < NEAR_SURFACE_GROUP ? d->n[0] - i : NEAR_SURFACE_GROUP;
            near_surface_kind kind = near_surface_at(s->near, i, j, k);
            for (int n = 0; n < count && kind != NEAR_SURFACE; n++)
                field_row(s->phi, j, k)[i + n] = (kind == DEEP_INSIDE ? -FAR : FAR) * s->smallest;
            if (kind == NEAR_SURFACE)
                level_set_cells(s, i, j, k, count);
        }
    }
}

static void level_set_clear_drops(const void *context, int begin, int end)
{
    const level_set *s = context;
    sums_clear(&s->drops, s->p->slow, begin, end);
}

/* Notes parcels out in the air: how deep their cell's centre is inside of the drop. */
static void level_set_add_drops(const void *context, const slabs_group *group)
{
    const level_set *s = context;
    for (unsigned lanes = level_set_needed(s, group); lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes), cell[3];
        float x[3] = {group->x[0][l], group->x[1][l], group->x[2][l]}, square = 0;
        if (place_value(s->phi, -1, x) < DROP_OUT * s->smallest)
            continue;
        for (int a = 0; a < 3; a++) {
            cell[a] = (int)x[a] < s->p->d.n[a] ? (int)x[a] : s->p->d.n[a] - 1;
            square += (x[a] - (float)cell[a] - 0.5f) * (x[a] - (float)cell[a] - 0.5f);
        }
        float *drop = sums_row(&s->drops, cell[1], cell[2]) + cell[0];
        *drop = fmaxf(*drop, fmaxf(DROP_LEAST, DROP_RADIUS - sqrtf(square)) * s->smallest);
    }
}

static void level_set_join_rows(void *context, int begin, int end)
{
    const level_set *s = context;
    for (int r = begin; r < end; r++) {
        int j = r % s->phi->size[1], k = r / s->phi->size[1];
        float *phi = field_row(s->phi, j, k);
        const float *drop = sums_row(&s->drops, j, k);
        for (int i = 0; i < s->phi->size[0]; i++)
            phi[i] = drop[i] > 0 ? fminf(phi[i], -drop[i]) : phi[i];
    }
}

int64_t level_set_make(transfer *t, const parcels *p, const level_set_from *from, field *phi)
{
    level_set s = {.p = p, .from = from, .phi = phi, .near = &t->near, .smallest = (float)domain_min_h(&p->d)};
    s.moments = sums_over(t->block, &p->d, FR_AT_CELL, EACH);
    s.drops = sums_over(t->block, &p->d, FR_AT_CELL, 1);
    tent_invert(&s.inverse);
    int64_t strays = near_surface_find(&t->near, p);
    slabs_run(&(slabs_job){p, level_set_clear, level_set_add, &s});
    for (int a = 0; a < p->d.dims; a++)
        sums_fold(&s.moments, a, p->d.periodic[a], a + 1);
    field_for_rows(phi, level_set_rows, &s);
    halo_fill_even(phi, &p->d);
    slabs_run(&(slabs_job){p, level_set_clear_drops, level_set_add_drops, &s});
    field_for_rows(phi, level_set_join_rows, &s);
    halo_fill_even(phi, &p->d);
    return strays;
}
