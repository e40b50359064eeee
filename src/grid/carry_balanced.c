/* Semi-Lagrangian transport of second order that gains no energy, for the velocity of liquids.

   Interpolation at the departure points X_f is (Aφ)_f = Σ_j a_fj φ_j. It blurs, and what it takes from the energy is
   known exactly:

     Σ_f (Aφ)_f² = Σ_j c_j φ_j² − <φ, Lφ>,   (Lφ)_j = Σ_f a_fj (φ_j − (Aφ)_f),   c_j = Σ_f a_fj

   L is symmetric and has no negative eigenvalue; c_j is 1 up to the square of the step where the flow is free of
   divergence. So AᵀA = 1 − L, and what has been blurred is given back before it is carried,

     φⁿ⁺¹ = A (φ + ½ Lφ):   energy (1 − λ)(1 + λ/2)² = 1 − ¾λ² − ¼λ³ ≤ 1 for every eigenvalue λ of L.

   This is MacCormack's correction, or BFECC's (Dupont & Liu 2003), with the transpose of A in place of a second trace,
   and one step of the iteration of Newton and Schulz towards the orthogonal matrix next to A. For a smooth φ along one
   axis, a point being w of a cell from a sample, κ = w (1 − w): interpolation adds ½κφ″, and Lφ is −(κφ′)′. The part
   −κ′φ′ of that is no blur but comes from reading points that lie unevenly around a sample, and would be an error of
   first order beside stagnation points. It is what L makes of a linear field, L x, and is taken out with the slope of
   φ: a linear φ is carried exactly. This part alone can gain energy, where c_j is not 1: a wave in steady eddies 16, 32
   and 64 cells wide gains 9, 0.3 and 0.01 % while they turn once or twice (MacCormack: 15, 1.0 and 0.07 %).

   Only samples in the liquid count (those that the map calls known): a point that has some of its samples beyond the
   surface stands for the mean of the others, at their centre. So nothing is fed by what the velocity has been extended
   to beyond the surface. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"
#include "grid/carry_parts.h"
#include "grid/extend.h"

/* Numbers at a sample: Σ_f a_fj (φ_j − φ_f), Σ_f a_fj, and Σ_f a_fj (X_f − x_j) along each axis, in cells. They are
   added to at once, eight wide. */
enum { SUM, WEIGHT, MOMENT, EACH = WIDE };

size_t carry_sums(const domain *d)
{
    size_t most = 0;
    for (int a = 0; a < d->dims; a++) {
        size_t count = field_bytes(d, field_face(a)) / sizeof(float);
        most = count > most ? count : most;
    }
    return EACH * most;
}

/* A row of samples, and those of them in the liquid, from the first to the last. */
typedef struct balanced_row {
    int j, k;
    ptrdiff_t start; /* block offset of the row */
    int begin, end;
} balanced_row;

static balanced_row balanced_row_of(const carry *c, int row)
{
    const field *f = c->loads[0].from;
    balanced_row r = {.j = row % f->size[1], .k = row / f->size[1], .end = f->size[0]};
    r.start = field_row(f, r.j, r.k) - f->block;
    const uint8_t *map = c->where + r.start, *first = memchr(map, EXTEND_KNOWN, (size_t)r.end);
    r.begin = first ? (int)(first - map) : r.end;
    while (r.end > r.begin && map[r.end - 1] != EXTEND_KNOWN)
        r.end--;
    return r;
}

/* Where a point lies: the lowest of the samples around it, and how far it is from that along each axis, in cells. */
typedef struct balanced_place {
    int low[3];
    float past[3];
} balanced_place;

/* The samples in the liquid that a point lies between. */
typedef struct balanced_spot {
    int count;
    ptrdiff_t at[8];             /* block offsets */
    float weight[8], high[8][3]; /* high: 1 where it is the upper one along an axis */
    float whole;                 /* sum of the weights */
} balanced_spot;

/* Block offset of a sample; negative where it is beyond a side. */
static ptrdiff_t balanced_at(const carry *c, const int sample[3])
{
    const field *f = c->loads[0].from;
    int at[3] = {sample[0], sample[1], sample[2]};
    for (int a = 0; a < c->d->dims; a++) {
        const int n = c->d->n[a];
        if (c->d->periodic[a])
            at[a] = at[a] < 0 ? at[a] + n : at[a] >= n ? at[a] - n : at[a];
        if (at[a] < 0 || at[a] >= f->size[a])
            return -1;
    }
    return field_row(f, at[1], at[2]) + at[0] - f->block;
}

static bool balanced_is_known(const carry *c, ptrdiff_t at)
{
    return at >= 0 && c->where[at] == EXTEND_KNOWN;
}

static inline balanced_place balanced_place_of(const sample_points *p, int i, int dims)
{
    const float move[3] = {p->dx[i], p->dy[i], dims == 3 ? p->dz[i] : 0};
    balanced_place place = {.low = {p->i + i, p->j, p->k}};
    for (int a = 0; a < 3; a++) {
        const float whole = floorf(move[a]);
        place.low[a] += (int)whole;
        place.past[a] = move[a] - whole;
    }
    return place;
}

static inline float balanced_weight(const balanced_place *place, int corner)
{
    float weight = 1;
    for (int a = 0; a < 3; a++)
        weight *= corner >> a & 1 ? place->past[a] : 1 - place->past[a];
    return weight;
}

/* How many of the samples around a point are in the liquid. */
typedef enum balanced_wet { BALANCED_NONE, BALANCED_ALL, BALANCED_SOME } balanced_wet;

/* Finds the block offset of the lowest sample too. Beside sides there may be some, or none. */
static inline balanced_wet balanced_look(const carry *c, const balanced_place *place, ptrdiff_t *low)
{
    const field *f = c->loads[0].from;
    bool inside = true, any = false, all = true;
    for (int a = 0; a < c->d->dims; a++)
        inside = inside && place->low[a] >= 0 && place->low[a] + 1 < (c->d->periodic[a] ? c->d->n[a] : f->size[a]);
    if (!inside)
        return BALANCED_SOME;
    const uint8_t *map = c->where + (field_row(f, place->low[1], place->low[2]) + place->low[0] - f->block);
    for (int row = 0; row < 1 << (c->d->dims - 1); row++) {
        const uint8_t *at = map + (row & 1) * f->stride[1] + (row >> 1) * f->stride[2];
        const bool one = at[0] == EXTEND_KNOWN, other = at[1] == EXTEND_KNOWN;
        any |= one | other;
        all &= one & other;
    }
    *low = map - c->where;
    return all ? BALANCED_ALL : any ? BALANCED_SOME : BALANCED_NONE;
}

/* Adds to the samples what the point has read from them, where all of them count. */
static inline void balanced_add_inside(const carry *c, const balanced_place *place, ptrdiff_t low)
{
    const field *f = c->loads[0].from;
    const int corners = 1 << c->d->dims;
    float weight[8], value[8], mean = 0, *sums[8];
    for (int q = 0; q < corners; q++) {
        const ptrdiff_t at = low + (q & 1) + (q >> 1 & 1) * f->stride[1] + (q >> 2) * f->stride[2];
        weight[q] = balanced_weight(place, q);
        value[q] = f->block[at];
        sums[q] = c->sums + EACH * at;
        mean += weight[q] * value[q];
    }
    const wide common = {-mean, 1, place->past[0], place->past[1], place->past[2]};
    for (int q = 0; q < corners; q++) {
        const wide own = {value[q], 0, -(float)(q & 1), -(float)(q >> 1 & 1), -(float)(q >> 2)};
        wide_store(sums[q], wide_load(sums[q]) + weight[q] * (common + own));
    }
}

static void balanced_find(const carry *c, const balanced_place *place, balanced_spot *spot)
{
    spot->count = 0;
    spot->whole = 0;
    for (int corner = 0; corner < 1 << c->d->dims; corner++) {
        const int up[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        const float weight = balanced_weight(place, corner);
        const int sample[3] = {place->low[0] + up[0], place->low[1] + up[1], place->low[2] + up[2]};
        const ptrdiff_t at = balanced_at(c, sample);
        if (weight == 0 || !balanced_is_known(c, at))
            continue;
        spot->at[spot->count] = at;
        spot->weight[spot->count] = weight;
        for (int a = 0; a < 3; a++)
            spot->high[spot->count][a] = (float)up[a];
        spot->whole += weight;
        spot->count++;
    }
}

/* The same where some do not. */
static void balanced_add(const carry *c, const balanced_spot *spot)
{
    const float *from = c->loads[0].from->block;
    float mean = 0, centre[3] = {0, 0, 0};
    for (int q = 0; q < spot->count; q++) {
        const float share = spot->weight[q] / spot->whole;
        mean += share * from[spot->at[q]];
        for (int a = 0; a < 3; a++)
            centre[a] += share * spot->high[q][a];
    }
    for (int q = 0; q < spot->count; q++) {
        float *sums = c->sums + EACH * spot->at[q];
        sums[SUM] += spot->weight[q] * (from[spot->at[q]] - mean);
        sums[WEIGHT] += spot->weight[q];
        for (int a = 0; a < 3; a++)
            sums[MOMENT + a] += spot->weight[q] * (centre[a] - spot->high[q][a]);
    }
}

static inline void balanced_scatter_point(const carry *c, const sample_points *p, int i)
{
    const balanced_place place = balanced_place_of(p, i, c->d->dims);
    ptrdiff_t low = 0;
    balanced_spot spot;
    switch (balanced_look(c, &place, &low)) {
    case BALANCED_NONE: return;
    case BALANCED_ALL: balanced_add_inside(c, &place, low); return;
    default: balanced_find(c, &place, &spot);
    }
    if (spot.count > 1)
        balanced_add(c, &spot);
}

/* Along periodic axes the upper of two faces that are one is left out. */
static void balanced_scatter_piece(const carry *c, sample_points *p, int row)
{
    (void)row;
    const int own = field_axis(c->loads[0].from), at[3] = {p->i, p->j, p->k};
    const bool twice = own >= 0 && c->d->periodic[own];
    if (twice && own > 0 && at[own] == c->d->n[own])
        return;
    carry_trace(c, p, -1);
    for (int i = 0; i < p->n; i++)
        if (!twice || own != 0 || p->i + i < c->d->n[0])
            balanced_scatter_point(c, p, i);
}

/* Points are taken in slabs along the slowest axis, at least twice as thick as a point reads away from itself: all that
   have an even number at once, then the others. So each sum is in the same order for any number of threads. */
typedef struct balanced_slabs {
    const carry *c;
    int count, layers, rows; /* slabs, layers in all, rows in a layer */
    int odd;
} balanced_slabs;

static void balanced_slabs_run(void *context, int begin, int end)
{
    const balanced_slabs *slabs = context;
    for (int n = begin; n < end; n++) {
        const int64_t slab = 2 * n + slabs->odd, layers = slabs->layers;
        const int first = (int)(slab * layers / slabs->count), stop = (int)((slab + 1) * layers / slabs->count);
        carry_pieces(slabs->c, first * slabs->rows, stop * slabs->rows, balanced_scatter_piece, carry_leave_piece);
    }
}

static void balanced_scatter(const carry *c)
{
    const field *f = c->loads[0].from;
    const int slow = c->d->dims - 1, layers = f->size[slow], rows = slow == 2 ? f->size[1] : 1;
    const double reach = field_largest(&c->velocity[slow], 0, c->partial) * (double)c->scale[slow] + 2;
    const int pairs = reach < layers ? layers / (4 * (int)reach) : 0;
    balanced_slabs slabs = {.c = c, .count = pairs ? 2 * pairs : 1, .layers = layers, .rows = rows};
    const int64_t cost = (int64_t)f->size[0] * rows * layers / slabs.count;
    for (slabs.odd = 0; slabs.odd < 2; slabs.odd++)
        threads_for_cost(pairs ? pairs : 1 - slabs.odd, cost, balanced_slabs_run, &slabs);
}

/* Block offset of the neighbour of a sample at `at`; negative where that is beyond a side. */
static inline ptrdiff_t balanced_beside(const carry *c, ptrdiff_t at, const int sample[3], int axis, int way)
{
    const field *f = c->loads[0].from;
    const int to = sample[axis] + way;
    if (to >= 0 && to < f->size[axis] && !c->d->periodic[axis])
        return at + way * f->stride[axis];
    int beside[3] = {sample[0], sample[1], sample[2]};
    beside[axis] = to;
    return balanced_at(c, beside);
}

/* The slope of φ at a sample in the liquid, per cell, by its neighbours there. */
static inline float balanced_slope(const carry *c, ptrdiff_t at, const int sample[3], int axis)
{
    const float *from = c->loads[0].from->block;
    const ptrdiff_t below = balanced_beside(c, at, sample, axis, -1), above = balanced_beside(c, at, sample, axis, 1);
    const bool has_below = balanced_is_known(c, below), has_above = balanced_is_known(c, above);
    if (has_below && has_above)
        return 0.5f * (from[above] - from[below]);
    return has_below ? from[at] - from[below] : has_above ? from[above] - from[at] : 0;
}

/* φ + ½Lφ. Where the liquid spreads, a sample may be read more than once in all: what is given back is no more for
   that. */
static void balanced_give_rows(void *context, int begin, int end)
{
    const carry *c = context;
    const field *f = c->loads[0].from, *to = &c->loads[0].forward;
    for (int row = begin; row < end; row++) {
        const balanced_row r = balanced_row_of(c, row);
        memcpy(to->block + r.start, f->block + r.start, (size_t)f->size[0] * sizeof(float));
        for (int i = r.begin; i < r.end; i++) {
            const float *sums = c->sums + EACH * (r.start + i);
            float blurred = sums[SUM];
            if (c->where[r.start + i] != EXTEND_KNOWN || sums[WEIGHT] == 0)
                continue;
            for (int a = 0; a < c->d->dims; a++)
                blurred += sums[MOMENT + a] * balanced_slope(c, r.start + i, (int[3]){i, r.j, r.k}, a);
            to->block[r.start + i] += 0.5f * blurred / fmaxf(sums[WEIGHT], 1);
        }
    }
}

/* Clamped to the samples that φ itself would be interpolated from. */
static void balanced_carry_piece(const carry *c, sample_points *p, int row)
{
    const carry_load *load = &c->loads[0];
    float plain[SAMPLE_ROW], low[SAMPLE_ROW], high[SAMPLE_ROW], value[SAMPLE_ROW];
    carry_trace(c, p, -1);
    sample_values_bounds(load->from, c->d, p, plain, low, high);
    sample_values(&load->forward, c->d, p, value);
    for (int i = 0; i < p->n; i++) {
        const float free = value[i], up = free < low[i] ? low[i] : free;
        value[i] = up > high[i] ? high[i] : up;
        c->clamps[row] += value[i] != free;
    }
    carry_copy_row(value, load->to, p);
}

static void balanced_carry_rows(void *context, int begin, int end)
{
    carry_pieces(context, begin, end, balanced_carry_piece, carry_clear_piece);
}

static void balanced_clear_rows(void *context, int begin, int end)
{
    const carry *c = context;
    for (int row = begin; row < end; row++) {
        const balanced_row r = balanced_row_of(c, row);
        memset(c->sums + EACH * (r.start + r.begin), 0, EACH * (size_t)(r.end - r.begin) * sizeof(float));
        c->clamps[row] = 0;
    }
}

void carry_run_balanced(carry *c)
{
    carry_load *load = &c->loads[0];
    const field *f = load->from;
    field_for_rows(f, balanced_clear_rows, c);
    balanced_scatter(c);
    field_for_rows(f, balanced_give_rows, c);
    c->fill_ghosts(c->context, 0, &load->forward);
    field_for_rows(f, balanced_carry_rows, c);
    for (int r = 0; r < field_rows(f); r++)
        c->clamped += c->clamps[r];
}
