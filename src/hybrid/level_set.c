#include "hybrid/level_set.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "hybrid/near_surface.h"
#include "hybrid/parcels_parts.h"
#include "hybrid/slabs.h"
#include "hybrid/splat.h"
#include "hybrid/tent.h"

enum { EACH = 4 }; /* Σ w and Σ w (x_p − x) along each axis */

static const float FAR = 3;             /* cells */
static const float SPARSE = 1.25f;      /* how much less dense than n₀ parcels may be and still fill a region */
static const float DROP_OUT = 0.25f;    /* a parcel so far out in the air, in cells, is a drop of its own … */
static const float DROP_MAY = -0.62f;   /* … if its cell's centre is so far out: half a diagonal less */
static const float DROP_RADIUS = 0.31f; /* … of the volume of an eighth of a cell, */
static const float DROP_LEAST = 0.1f;   /* and its cell's centre at least so deep inside */

typedef struct level_set {
    const parcels *p;
    const level_set_from *from;
    field *phi;
    const near_surface *near;
    sums moments;
    tent_inverse inverse;
    float smallest; /* m: smallest edge of a cell */
} level_set;

/* Parcels that are out in the air. */
typedef struct level_set_drops {
    const parcels *p;
    const slabs_packet *packets;
    const field *judge;
    field *phi;
    int fine;       /* cells of φ along an edge of a cell */
    float smallest; /* m: smallest edge of a cell of the parcels */
} level_set_drops;

/* What is read lies where parcels are felt, or beyond the walls. */
static bool level_set_reads(const void *context, int j, int k, int span[2])
{
    const level_set *s = context;
    bool inside = j >= 0 && j < s->p->d.n[1] && k >= 0 && k < s->p->d.n[2];
    return !inside || near_surface_felt(s->near, j, k, span);
}

static void level_set_clear(const void *context, int begin, int end)
{
    const level_set *s = context;
    sums_clear_rows(&s->moments, s->p->slow, (int[2]){begin, end}, level_set_reads, s);
}

/* Adds the moments of parcels to the eight centres around them. */
static void level_set_add(const void *context, const slabs_group *group)
{
    const level_set *s = context;
    const field *layout = &s->moments.layout;
    unsigned lanes = near_surface_lanes(s->near, group);
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

/* Some cells of a group, side by side. */
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
            const int count = d->n[0] - i < NEAR_SURFACE_GROUP ? d->n[0] - i : NEAR_SURFACE_GROUP;
            const unsigned near = near_surface_near(s->near, i, j, k) & ((1u << count) - 1),
                           deep = near_surface_deep(s->near, i, j, k);
            const wide_mask bit = {1, 2, 4, 8, 16, 32, 64, 128}, inside = ((int32_t)deep & bit) != 0;
            const wide far = wide_all(FAR * s->smallest);
            wide_store_first(field_row(s->phi, j, k) + i, wide_choose(inside, -far, far), count);
            for (unsigned left = near; left;) { /* runs of cells */
                const int n = __builtin_ctz(left), run = __builtin_ctz(~(left >> n));
                level_set_cells(s, i + n, j, k, run);
                left &= ~(((1u << run) - 1) << n);
            }
        }
    }
}

/* φ at eight parcels, between the centres of cells. */
static wide level_set_between(const field *f, const wide x[3])
{
    const splat_place place = splat_find(f, -1, x);
    const int deep = f->stride[2] > 0;
    wide sum = {0};
    for (int k = 0; k <= deep; k++)
        for (int j = 0; j < 2; j++) {
            const wide_mask row = place.at + (int32_t)(j * f->stride[1] + k * f->stride[2]);
            int32_t at[WIDE];
            memcpy(at, &row, sizeof at);
            const wide_group pair = wide_pick_pairs(f->data, at);
            const wide value = place.share[0][0] * pair.v[0] + place.share[0][1] * pair.v[1];
            sum += place.share[1][j] * (deep ? place.share[2][k] : wide_all(1)) * value;
        }
    return sum;
}

/* Those of eight parcels that are out in the air. φ changes by a cell's half diagonal at most between a parcel and its
   cell's centre. */
static unsigned level_set_outer(const level_set_drops *s, int64_t n)
{
    const eight e = eight_from(s->p, n);
    const wide_mask bit = {1, 2, 4, 8, 16, 32, 64, 128}, there = ((int32_t)e.there & bit) != 0;
    if (!wide_any((eight_values(&e, s->judge) >= DROP_MAY * s->smallest) & there))
        return 0;
    wide x[3];
    for (int a = 0; a < 3; a++)
        x[a] = wide_choose(there, wide_load(s->p->x[a] + n), wide_all(0.5f));
    return wide_bits((level_set_between(s->judge, x) >= DROP_OUT * s->smallest) & there);
}

/* Lists the parcels of each chunk that are out in the air. */
static void level_set_list_drops(void *context, int begin, int end)
{
    const level_set_drops *s = context;
    const parcels *p = s->p;
    for (int chunk = begin; chunk < end; chunk++) {
        int64_t first = parcels_chunk_begin(chunk);
        int32_t count = 0;
        for (int64_t n = first; n < parcels_chunk_end(p, chunk); n += WIDE) {
            const slabs_packet *packet = &s->packets[n / SLABS_PACKET];
            if (n % SLABS_PACKET == 0 &&
                (packet->silent || !eight_box_holds(s->judge, packet->low, packet->high, DROP_MAY * s->smallest))) {
                n += SLABS_PACKET - WIDE;
                continue;
            }
            for (unsigned lanes = level_set_outer(s, n); lanes; lanes &= lanes - 1)
                p->list[first + count++] = (int32_t)(n + __builtin_ctz(lanes));
        }
        p->tally[chunk] = count;
    }
}

/* Several threads may have drops in one cell: it takes the least. */
static void level_set_lower(float *phi, float value)
{
    float now;
    __atomic_load(phi, &now, __ATOMIC_RELAXED);
    while (value < now && !__atomic_compare_exchange(phi, &now, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* A cell that a drop reaches is as deep inside of it as its centre is; the drop's own cell is never dry. */
static void level_set_wet(const level_set_drops *s, int64_t n, const int cell[3], bool own)
{
    const float edge = 1 / (float)s->fine;
    float square = 0;
    for (int a = 0; a < 3; a++) {
        float away = edge * ((float)s->fine * s->p->x[a][n] - (float)cell[a] - 0.5f);
        square += a < s->p->d.dims ? away * away : 0;
    }
    float depth = DROP_RADIUS - sqrtf(square), least = own ? DROP_LEAST * edge : 0;
    if (depth > least || own)
        level_set_lower(field_row(s->phi, cell[1], cell[2]) + cell[0], -fmaxf(least, depth) * s->smallest);
}

static void level_set_add_drop(const level_set_drops *s, int64_t n)
{
    const int reach = (int)(DROP_RADIUS * (float)s->fine + 0.5f), deep = s->p->d.dims == 3 ? reach : 0;
    const int *size = s->phi->size;
    int own[3], cell[3];
    for (int a = 0; a < 3; a++) {
        own[a] = (int)((float)s->fine * s->p->x[a][n]);
        own[a] = own[a] < size[a] ? own[a] : size[a] - 1;
    }
    for (cell[2] = own[2] - deep; cell[2] <= own[2] + deep; cell[2]++)
        for (cell[1] = own[1] - reach; cell[1] <= own[1] + reach; cell[1]++)
            for (cell[0] = own[0] - reach; cell[0] <= own[0] + reach; cell[0]++) {
                bool inside = true;
                for (int a = 0; a < 3; a++)
                    inside = inside && cell[a] >= 0 && cell[a] < size[a];
                if (inside)
                    level_set_wet(s, n, cell, !memcmp(cell, own, sizeof own));
            }
}

static void level_set_add_listed(void *context, int begin, int end)
{
    const level_set_drops *s = context;
    for (int chunk = begin; chunk < end; chunk++)
        for (int32_t i = 0; i < s->p->tally[chunk]; i++)
            level_set_add_drop(s, s->p->list[parcels_chunk_begin(chunk) + i]);
}

/* Adds the drops once all are found by φ without them. */
void level_set_add_drops(const transfer *t, const parcels *p, int fine, const field *judge, field *phi)
{
    level_set_drops s = {.p = p, .packets = t->near.packets, .judge = judge, .phi = phi, .fine = fine};
    s.smallest = (float)domain_min_h(&p->d);
    threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, level_set_list_drops, &s);
    threads_for_cost(parcels_chunks(p->count), 1, level_set_add_listed, &s);
}

int64_t level_set_make(transfer *t, const parcels *p, const level_set_from *from, field *phi)
{
    level_set s = {.p = p, .from = from, .phi = phi, .near = &t->near, .smallest = (float)domain_min_h(&p->d)};
    s.moments = sums_over(t->block, &p->d, FR_AT_CELL, EACH);
    tent_invert(&s.inverse);
    near_surface_find(&t->near, p);
    const slabs_job job = {.p = p, .clear = level_set_clear, .add = level_set_add, .context = &s};
    int64_t strays = slabs_run_packets(&job, t->near.packets);
    for (int a = 0; a < p->d.dims; a++)
        sums_fold(&s.moments, a, p->d.periodic[a], a + 1);
    field_for_rows(phi, level_set_rows, &s);
    halo_fill_even(phi, &p->d);
    if (from->no_drops)
        return strays;
    level_set_add_drops(t, p, 1, phi, phi);
    halo_fill_even(phi, &p->d);
    return strays;
}
