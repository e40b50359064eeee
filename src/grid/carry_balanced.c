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

   Only samples in the liquid count (those that the map calls known): what a point reads where some of its samples lie
   beyond the surface is in carry_means.c. So nothing is fed by what the velocity has been extended to beyond the
   surface.

   Sums over the points that read a sample are taken at the sample: every point's way and mean are known by then, and
   only those as many cells away as the longest way can have read it. */
#include "grid/carry_balanced.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"
#include "grid/extend.h"

#define BALANCED_INLINE static inline __attribute__((always_inline))

/* How many cells away along each axis a point may be that reads a sample. */
typedef struct balanced_reach {
    const carry *c;
    int cells[3];
} balanced_reach;

static balanced_reach balanced_reach_of(const carry *c)
{
    const int rows = field_rows(c->loads[0].from);
    balanced_reach reach = {.c = c};
    for (int a = 0; a < c->d->dims; a++) {
        const double *most = c->partial + balanced_range(a, rows);
        const double longest = fmax(threads_max(most, rows), threads_max(most + rows, rows));
        reach.cells[a] = (int)fmin(ceil(fmax(longest, 0)), c->d->n[a]);
    }
    return reach;
}

/* A piece of a row of samples: φ, its slopes per cell, and sums over the points that read them: Σ_f a_fj, and
   Σ_f a_fj (φ_j − φ_f + (X_f − x_j)·slope). There is room for eight samples more at each end, where points add in vain.
 */
enum { BALANCED_ROOM = SAMPLE_ROW + 2 * WIDE };
typedef struct balanced_piece {
    int i, j, k, n;
    ptrdiff_t start; /* block offset of the first */
    float value[BALANCED_ROOM], slope[3][BALANCED_ROOM], weight[BALANCED_ROOM], blurred[BALANCED_ROOM];
} balanced_piece;

/* How far in memory the neighbour of a sample is along an axis, and whether it is in the liquid. */
static bool balanced_beside(const carry *c, const int sample[3], int axis, int way, ptrdiff_t *step)
{
    const field *f = c->loads[0].from;
    const int to = balanced_wrap(c, axis, sample[axis] + way);
    *step = to < 0 ? 0 : (to - sample[axis]) * f->stride[axis];
    return to >= 0 && c->where[field_row(f, sample[1], sample[2]) + sample[0] + *step - f->block] == EXTEND_KNOWN;
}

/* Neighbours of eight samples where some of them wrap around. */
static void balanced_wrapped(const carry *c, const balanced_piece *p, int i, int axis, int way, wide *value,
                             wide_mask *known)
{
    for (int l = 0; l < WIDE && i + l < p->n; l++) {
        ptrdiff_t step;
        (*known)[l] = -balanced_beside(c, (int[3]){p->i + i + l, p->j, p->k}, axis, way, &step);
        (*value)[l] = c->loads[0].from->block[p->start + i + l + step];
    }
}

/* The slopes of eight samples, per cell. */
static void balanced_slopes(const carry *c, balanced_piece *p, int i)
{
    const field *f = c->loads[0].from;
    const ptrdiff_t at = p->start + i;
    for (int a = 0; a < c->d->dims; a++) {
        const int first = (int[3]){p->i + i, p->j, p->k}[a], last = a == 0 ? first + WIDE - 1 : first;
        wide beside[2];
        wide_mask known[2];
        for (int side = 0; side < 2; side++) {
            const ptrdiff_t to = at + (side ? f->stride[a] : -f->stride[a]);
            beside[side] = wide_load(f->block + to);
            known[side] = wide_load_bytes(c->where + to) == EXTEND_KNOWN;
            if (c->d->periodic[a] && (first < 1 || last > c->d->n[a] - 2))
                balanced_wrapped(c, p, i, a, side ? 1 : -1, &beside[side], &known[side]);
        }
        wide_store(p->slope[a] + WIDE + i,
                   balanced_slope(wide_load(f->block + at), beside[0], known[0], beside[1], known[1]));
    }
}

/* The room at one end of a piece. */
static void balanced_clear(balanced_piece *p, int at)
{
    float *const all[] = {p->value, p->slope[0], p->slope[1], p->slope[2], p->weight, p->blurred};
    for (int n = 0; n < 6; n++)
        wide_store(all[n] + at, wide_all(0));
}

static void balanced_begin(const carry *c, balanced_piece *p)
{
    const field *f = c->loads[0].from;
    p->start = field_row(f, p->j, p->k) + p->i - f->block;
    balanced_clear(p, 0);
    balanced_clear(p, WIDE + wide_round(p->n));
    for (int i = 0; i < p->n; i += WIDE) {
        wide_store(p->weight + WIDE + i, wide_all(0));
        wide_store(p->blurred + WIDE + i, wide_all(0));
        wide_store(p->value + WIDE + i, wide_load(f->block + p->start + i));
        balanced_slopes(c, p, i);
    }
}

/* Eight points or more of a row: their ways and means, and how many cells the row is from a piece of samples. */
typedef struct balanced_readers {
    const float *ways[3], *means;
    float step[3]; /* along y and z */
} balanced_readers;

BALANCED_INLINE wide balanced_hat(wide away)
{
    return wide_max(1 - wide_max(away, -away), wide_all(0));
}

/* Adds to the samples that eight points read, those of number `at` on: mostly each has its own as far before and behind
   it. `first`: the place in the piece of the sample that point `at` would be. */
BALANCED_INLINE void balanced_add(const balanced_readers *from, int at, int first, balanced_piece *p, int dims)
{
    const wide mean = wide_load(from->means + at), way = wide_load(from->ways[0] + at), low = wide_floor(way);
    wide across = wide_all(1), away[3];
    for (int a = dims - 1; a > 0; a--) {
        away[a] = wide_load(from->ways[a] + at) + from->step[a];
        across *= balanced_hat(away[a]);
    }
    const wide_mask reads = (mean == mean) & (across > 0);
    if (!wide_any(reads))
        return;
    const float least = wide_least(wide_choose(reads, low, wide_all(INT16_MAX)));
    const bool alike = wide_every((low == least) | ~reads);
    const float most = alike ? least : wide_greatest(wide_choose(reads, low, wide_all(INT16_MIN)));
    for (int step = (int)least; step <= (int)most + 1; step++) {
        const int to = first + step + WIDE;
        if (to <= 0 || to >= p->n + WIDE)
            continue;
        away[0] = way - (float)step;
        wide weight = across * balanced_hat(away[0]), blurred = wide_load(p->value + to) - mean;
        for (int a = 0; a < dims; a++)
            blurred += away[a] * wide_load(p->slope[a] + to);
        wide_store(p->weight + to, wide_load(p->weight + to) + wide_keep(reads, weight));
        wide_store(p->blurred + to, wide_load(p->blurred + to) + wide_keep(reads, weight * blurred));
    }
}

/* The same where the points pass an end of the row: they wrap around, or there are none. */
static void balanced_add_end(const carry *c, const balanced_readers *from, int at, balanced_piece *p)
{
    const bool periodic = c->d->periodic[0];
    const int n = c->d->n[0], count = periodic ? n : c->loads[0].from->size[0];
    float ways[3][WIDE], means[WIDE];
    balanced_readers eight = {{ways[0], ways[1], ways[2]}, means, {0, from->step[1], from->step[2]}};
    for (int l = 0; l < WIDE; l++) {
        const int to = periodic ? ((at + l) % n + n) % n : at + l;
        const bool there = to >= 0 && to < count;
        for (int a = 0; a < c->d->dims; a++)
            ways[a][l] = there ? from->ways[a][to] : 0;
        means[l] = there ? from->means[to] : NAN;
    }
    if (c->d->dims == 3)
        balanced_add(&eight, 0, at - p->i, p, 3);
    else
        balanced_add(&eight, 0, at - p->i, p, 2);
}

/* How many cells along an axis a row of points can lie from samples that they read: more than `low`, fewer than `high`.
 */
typedef struct balanced_reads {
    double low, high;
} balanced_reads;

static balanced_reads balanced_reads_of(const carry *c, int axis, int row)
{
    const int rows = field_rows(c->loads[0].from);
    const double *most = c->partial + balanced_range(axis, rows) + row;
    return (balanced_reads){-most[rows] - 1, most[0] + 1};
}

/* Adds what a row of points has read. */
BALANCED_INLINE void balanced_add_row(const carry *c, balanced_readers *from, int j, int k, int dims, balanced_piece *p)
{
    const field *f = c->loads[0].from;
    const int row = k * f->size[1] + j;
    for (int a = 1; a < dims; a++) {
        const balanced_reads reads = balanced_reads_of(c, a, row);
        if ((double)from->step[a] <= reads.low || (double)from->step[a] >= reads.high)
            return;
    }
    for (int a = 0; a < dims; a++)
        from->ways[a] = c->ways[a] + balanced_ways(f, j, k);
    from->means = field_row(c->loads[0].to, j, k);
    const balanced_reads reads = balanced_reads_of(c, 0, row);
    const bool periodic = c->d->periodic[0];
    const int count = periodic ? c->d->n[0] : f->size[0], begin = p->i + (int)floor(reads.low) + 1;
    const int end = p->i + p->n + (int)ceil(reads.high) - 1;
    for (int at = begin < 0 && !periodic ? 0 : begin; at < (end < count || periodic ? end : count); at += WIDE)
        if (at >= 0 && at + WIDE <= count)
            balanced_add(from, at, at - p->i, p, dims);
        else
            balanced_add_end(c, from, at, p);
}

BALANCED_INLINE void balanced_gather(const balanced_reach *reach, int dims, balanced_piece *p)
{
    const int *cells = reach->cells;
    balanced_readers from;
    for (int z = -cells[2]; z <= cells[2]; z++)
        for (int y = -cells[1]; y <= cells[1]; y++) {
            const int j = balanced_wrap(reach->c, 1, p->j + y);
            const int k = dims == 3 ? balanced_wrap(reach->c, 2, p->k + z) : 0;
            from.step[1] = (float)y;
            from.step[2] = (float)z;
            if (j >= 0 && k >= 0)
                balanced_add_row(reach->c, &from, j, k, dims, p);
        }
}

/* φ + ½Lφ. Where the liquid spreads, a sample may be read more than once in all: what is given back is no more for
   that. */
static void balanced_give(const balanced_reach *reach, balanced_piece *p)
{
    const carry *c = reach->c;
    balanced_begin(c, p);
    if (c->d->dims == 3)
        balanced_gather(reach, 3, p);
    else
        balanced_gather(reach, 2, p);
    for (int i = 0; i < p->n; i += WIDE) {
        const wide_mask known = wide_load_bytes(c->where + p->start + i) == EXTEND_KNOWN;
        const wide weight = wide_load(p->weight + WIDE + i), value = wide_load(p->value + WIDE + i);
        const wide given = 0.5f * wide_load(p->blurred + WIDE + i) / wide_max(weight, wide_all(1));
        wide_store_first(c->loads[0].forward.block + p->start + i, value + wide_keep(known, given), p->n - i);
    }
}

/* Pieces from the first to the last sample of a row that is in the liquid. */
static void balanced_give_rows(void *context, int begin, int end)
{
    const balanced_reach *reach = context;
    const field *f = reach->c->loads[0].from, *to = &reach->c->loads[0].forward;
    balanced_piece p;
    for (int row = begin; row < end; row++) {
        p.j = row % f->size[1];
        p.k = row / f->size[1];
        const ptrdiff_t start = field_row(f, p.j, p.k) - f->block;
        const uint8_t *map = reach->c->where + start, *first = memchr(map, EXTEND_KNOWN, (size_t)f->size[0]);
        int stop = first ? f->size[0] : 0;
        memcpy(to->block + start, f->block + start, (size_t)f->size[0] * sizeof(float));
        while (stop > 0 && map[stop - 1] != EXTEND_KNOWN)
            stop--;
        for (p.i = first ? (int)(first - map) : 0; p.i < stop; p.i += p.n) {
            p.n = stop - p.i < SAMPLE_ROW ? stop - p.i : SAMPLE_ROW;
            balanced_give(reach, &p);
        }
    }
}

/* Clamped to the samples that φ itself would be interpolated from. */
static void balanced_carry_piece(const carry *c, sample_points *p, int row)
{
    const carry_load *load = &c->loads[0];
    float plain[SAMPLE_ROW], low[SAMPLE_ROW], high[SAMPLE_ROW], value[SAMPLE_ROW];
    balanced_recall(c, p);
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
    const carry *c = context;
    for (int row = begin; row < end; row++)
        c->clamps[row] = 0;
    carry_pieces(c, begin, end, balanced_carry_piece, carry_clear_piece);
}

void carry_run_balanced(carry *c)
{
    carry_load *load = &c->loads[0];
    const field *f = load->from;
    field_for_rows(f, balanced_mean_rows, c);
    balanced_reach reach = balanced_reach_of(c);
    field_for_rows(f, balanced_give_rows, &reach);
    c->fill_ghosts(c->context, 0, &load->forward);
    field_for_rows(f, balanced_carry_rows, c);
    for (int r = 0; r < field_rows(f); r++)
        c->clamped += c->clamps[r];
}
