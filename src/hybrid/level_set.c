#include "hybrid/level_set.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "hybrid/near_surface.h"
#include "hybrid/place.h"
#include "hybrid/slabs.h"
#include "hybrid/splat.h"
#include "hybrid/tent.h"

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

/* Adds the moments of parcels to the eight centres around them. */
static void level_set_add(const void *context, const slabs_group *group)
{
    const level_set *s = context;
    const field *layout = &s->moments.layout;
    unsigned lanes = near_surface_lanes(s->near, s->near->feeds, group);
    int32_t at[WIDE];
    if (!lanes)
        return;
    splat_row row[8];
    ptrdiff_t from[8];
    splat_place place = splat_find(layout, -1, group->x);
    memcpy(at, &place.at, sizeof at);
    for (int corner = 0; corner < 8; corner++) {
        int high[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        wide sum[4] = {place.share[0][high[0]] * place.share[1][high[1]] * place.share[2][high[2]]};
        for (int a = 0; a < 3; a++)
            sum[a + 1] = sum[0] * (place.share[a][1] - (float)high[a]);
        from[corner] = high[0] + high[1] * layout->stride[1] + high[2] * layout->stride[2];
        splat_turn(sum, &row[corner]);
    }
    for (; lanes; lanes &= lanes - 1)
        for (int corner = 0; corner < 8; corner++) {
            int l = __builtin_ctz(lanes);
            splat_add(s->moments.data + EACH * (at[l] + from[corner]), &row[corner], l);
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

/* Notes a parcel out in the air: how deep its cell's centre is inside of the drop. */
static void level_set_add_drop(const level_set *s, const float x[3], const int cell[3])
{
    /* φ changes by a cell's half diagonal at most between the parcel and its cell's centre */
    if (field_row(s->phi, cell[1], cell[2])[cell[0]] < (DROP_OUT - 0.87f) * s->smallest ||
        place_value(s->phi, -1, x) < DROP_OUT * s->smallest)
        return;
    float square = 0, *drop = sums_row(&s->drops, cell[1], cell[2]) + cell[0];
    for (int a = 0; a < 3; a++)
        square += (x[a] - (float)cell[a] - 0.5f) * (x[a] - (float)cell[a] - 0.5f);
    *drop = fmaxf(*drop, fmaxf(DROP_LEAST, DROP_RADIUS - sqrtf(square)) * s->smallest);
}

static void level_set_add_drops(const void *context, const slabs_group *group)
{
    const level_set *s = context;
    wide_mask cell[3];
    unsigned lanes = near_surface_lanes(s->near, s->near->kind, group);
    if (!lanes)
        return;
    slabs_cells(group, &s->p->d, cell);
    for (; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        level_set_add_drop(s, (float[3]){group->x[0][l], group->x[1][l], group->x[2][l]},
                           (int[3]){cell[0][l], cell[1][l], cell[2][l]});
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
