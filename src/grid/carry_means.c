/* Where points come from, and what they read there: the first pass of balanced transport.

   A point whose samples all lie in the liquid reads φ as it is interpolated between them. One that has some of them
   beyond the surface stands for the mean of the others, which is the value at their centre, and goes on from there to
   where it is with the mean of their slopes: a linear φ is read exactly. */
#include <math.h>
#include <string.h>

#include "base/wide.h"
#include "grid/carry_balanced.h"
#include "grid/extend.h"

/* Where a point lies: the lowest of the samples around it, and how far it is from that along each axis, in cells. */
typedef struct means_place {
    int low[3];
    float past[3];
} means_place;

static means_place means_place_of(const carry *c, const sample_points *p, int i)
{
    const float *const moves[3] = {p->dx, p->dy, p->dz};
    means_place place = {.low = {p->i + i, p->j, p->k}};
    for (int a = 0; a < c->d->dims; a++) {
        const float whole = floorf(moves[a][i]);
        place.low[a] += (int)whole;
        place.past[a] = moves[a][i] - whole;
    }
    return place;
}

/* Eight samples, the corners of a cube: lane q has the upper one along axis a where bit a of q is set. */
typedef struct means_cube {
    wide value;
    wide_mask known;
} means_cube;

static const wide MEANS_UP[3] = {{0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}};

/* Block offset of a sample. Along periodic axes it wraps around; beyond other sides there are ghosts, which the map
   does not call known. */
static ptrdiff_t means_at(const carry *c, const int low[3], int corner)
{
    const field *f = c->loads[0].from;
    int at[3] = {low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2)};
    for (int a = 0; a < c->d->dims; a++)
        at[a] = c->d->periodic[a] ? balanced_wrap(c, a, at[a]) : at[a];
    return field_row(f, at[1], at[2]) + at[0] - f->block;
}

/* Whether some of the corners wrap around. */
static bool means_wraps(const carry *c, const int low[3])
{
    bool wraps = false;
    for (int a = 0; a < c->d->dims; a++)
        wraps = wraps || (c->d->periodic[a] && (low[a] < 0 || low[a] + 1 >= c->d->n[a]));
    return wraps;
}

static means_cube means_cube_at(const carry *c, const int low[3])
{
    const field *f = c->loads[0].from;
    const bool wraps = means_wraps(c, low);
    const ptrdiff_t first = wraps ? 0 : means_at(c, low, 0);
    float value[WIDE];
    uint8_t map[WIDE];
    for (int q = 0; q < WIDE; q++) {
        const ptrdiff_t to = first + (q & 1) + (q >> 1 & 1) * f->stride[1] + (q >> 2) * f->stride[2];
        const ptrdiff_t at = wraps ? means_at(c, low, q) : to;
        value[q] = f->block[at];
        map[q] = c->where[at];
    }
    return (means_cube){wide_load(value), wide_load_bytes(map) == EXTEND_KNOWN};
}

/* The slopes along an axis at the corners, per cell. */
static wide means_slopes(const carry *c, const means_cube *cube, const int low[3], int axis)
{
    int below[3] = {low[0], low[1], low[2]}, above[3] = {low[0], low[1], low[2]};
    below[axis]--;
    above[axis]++;
    const means_cube before = means_cube_at(c, below), behind = means_cube_at(c, above);
    return balanced_slope(cube->value, before.value, before.known, behind.value, behind.known);
}

/* What a point reads that has some of its samples in the liquid. */
static float means_of_some(const carry *c, means_place place)
{
    const means_cube cube = means_cube_at(c, place.low);
    wide share = wide_all(1);
    for (int a = 0; a < 3; a++)
        share *= place.past[a] * MEANS_UP[a] + (1 - place.past[a]) * (1 - MEANS_UP[a]);
    share = wide_keep(cube.known, share);
    if (__builtin_popcount(wide_bits(share > 0)) < 2)
        return NAN; /* it is that sample, and has blurred nothing */
    share /= wide_sum(share);
    float mean = wide_sum(share * cube.value);
    for (int a = 0; a < c->d->dims; a++) {
        const float past = place.past[a] - wide_sum(share * MEANS_UP[a]);
        if (fabsf(past) > 1e-6f)
            mean += past * wide_sum(share * means_slopes(c, &cube, place.low, a));
    }
    return mean;
}

/* How many of some samples are in the liquid. */
typedef enum means_wet { MEANS_NONE, MEANS_ALL, MEANS_SOME } means_wet;

/* Whether one of eight bytes is EXTEND_KNOWN, which is 0. */
static inline bool means_any(uint64_t bytes)
{
    return (bytes - 0x0101010101010101u) & ~bytes & 0x8080808080808080u;
}

/* Those of a box between 8 and 16 samples long; both ends belong to it. */
static means_wet means_look(const carry *c, const int low[3], const int high[3])
{
    const field *f = c->loads[0].from;
    uint64_t unknown = 0;
    bool any = false;
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++) {
            const uint8_t *map = c->where + (field_row(f, j, k) - f->block);
            uint64_t first, last;
            memcpy(&first, map + low[0], sizeof first);
            memcpy(&last, map + high[0] + 1 - WIDE, sizeof last);
            unknown |= first | last;
            any = any || means_any(first) || means_any(last);
        }
    return !unknown ? MEANS_ALL : any ? MEANS_SOME : MEANS_NONE;
}

/* The eight samples around a point, by the place of the lowest in the map. */
static inline means_wet means_around(const field *f, const uint8_t *low)
{
    uint16_t pair[4];
    uint64_t eight;
    for (int row = 0; row < 4; row++)
        memcpy(&pair[row], low + (row & 1) * f->stride[1] + (row >> 1) * f->stride[2], sizeof pair[row]);
    memcpy(&eight, pair, sizeof eight);
    return !eight ? MEANS_ALL : means_any(eight) ? MEANS_SOME : MEANS_NONE;
}

/* What points read that may have samples both in the liquid and beyond it. `mean`: the interpolated values. */
static void means_of_points(const carry *c, const sample_points *p, int i, float *mean)
{
    const field *f = c->loads[0].from;
    const float *const moves[3] = {p->dx, p->dy, p->dz};
    const uint8_t *map = c->where + (field_row(f, p->j, p->k) + p->i + i - f->block);
    const bool periodic = c->d->periodic[0] || c->d->periodic[1] || c->d->periodic[2];
    wide_mask at = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int a = 0; a < c->d->dims; a++)
        at += __builtin_convertvector(wide_floor(wide_load(moves[a] + i)), wide_mask) * (int)f->stride[a];
    for (int l = 0; l < WIDE && i + l < p->n; l++) {
        const bool wraps = periodic && means_wraps(c, means_place_of(c, p, i + l).low);
        switch (wraps ? MEANS_SOME : means_around(f, map + at[l])) {
        case MEANS_NONE: mean[i + l] = NAN; break;
        case MEANS_ALL: break;
        default: mean[i + l] = means_of_some(c, means_place_of(c, p, i + l));
        }
    }
}

/* How many of the samples around eight points are in the liquid; some, if they are too far apart. */
static means_wet means_of_eight(const carry *c, const sample_points *p, int i)
{
    const int start[3] = {p->i + i, p->j, p->k}, lanes[3] = {WIDE, 1, 1};
    const float *const moves[3] = {p->dx, p->dy, p->dz};
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < c->d->dims; a++) {
        const wide whole = wide_floor(wide_load(moves[a] + i));
        const float least = wide_least(whole), most = wide_greatest(whole);
        low[a] = start[a] + (int)least;
        high[a] = start[a] + (int)most + lanes[a];
        if (most - least > 2 || (c->d->periodic[a] && (low[a] < 0 || high[a] >= c->d->n[a])))
            return MEANS_SOME;
    }
    return means_look(c, low, high);
}

/* Keeps the ways of a piece. Along periodic axes they go the short way around. */
static void means_keep_ways(const carry *c, sample_points *p, int axis)
{
    float *const moves[3] = {p->dx, p->dy, p->dz}, n = (float)c->d->n[axis];
    for (int i = 0; i < p->n && c->d->periodic[axis]; i++)
        moves[axis][i] -= n * floorf(moves[axis][i] / n + 0.5f);
    memcpy(c->ways[axis] + balanced_ways(c->loads[0].from, p->j, p->k) + p->i, moves[axis],
           (size_t)p->n * sizeof(float));
}

/* Widens the row's range by the ways of those points of a piece that read. */
static void means_note_range(const carry *c, const sample_points *p, int row, int axis, const float *mean)
{
    const int rows = field_rows(c->loads[0].from);
    const float *const moves[3] = {p->dx, p->dy, p->dz};
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    double *most = c->partial + balanced_range(axis, rows) + row;
    wide back = wide_all(-INFINITY), on = back;
    for (int i = 0; i < p->n; i += WIDE) {
        const wide way = wide_load(moves[axis] + i), read = wide_load(mean + i);
        const wide_mask reads = (read == read) & (lane < p->n - i);
        back = wide_max(wide_choose(reads, -way, back), back);
        on = wide_max(wide_choose(reads, way, on), on);
    }
    most[0] = fmax(most[0], wide_greatest(back));
    most[rows] = fmax(most[rows], wide_greatest(on));
}

void balanced_recall(const carry *c, sample_points *p)
{
    float *const moves[3] = {p->dx, p->dy, p->dz};
    bool around = false;
    for (int a = 0; a < c->d->dims; a++) {
        memcpy(moves[a], c->ways[a] + balanced_ways(c->loads[0].from, p->j, p->k) + p->i, (size_t)p->n * sizeof(float));
        around = around || c->d->periodic[a];
    }
    if (around)
        sample_confine(p, c->d);
}

static void means_piece(const carry *c, sample_points *p, int row)
{
    float mean[SAMPLE_ROW];
    carry_trace(c, p, -1);
    sample_values_rounded(c->loads[0].from, c->d, p, mean);
    for (int i = 0; i < p->n; i += WIDE) {
        const means_wet wet = i + WIDE <= p->n ? means_of_eight(c, p, i) : MEANS_SOME;
        if (wet == MEANS_SOME)
            means_of_points(c, p, i, mean);
        for (int l = i; l < i + WIDE && wet == MEANS_NONE; l++)
            mean[l] = NAN;
    }
    carry_copy_row(mean, c->loads[0].to, p);
    for (int a = 0; a < c->d->dims; a++) {
        means_keep_ways(c, p, a);
        means_note_range(c, p, row, a, mean);
    }
}

static void means_leave_piece(const carry *c, sample_points *p, int row)
{
    (void)row;
    float *to = field_row(c->loads[0].to, p->j, p->k) + p->i;
    for (int i = 0; i < p->n; i++)
        to[i] = NAN;
}

void balanced_mean_rows(void *context, int begin, int end)
{
    const carry *c = context;
    const int rows = field_rows(c->loads[0].from);
    for (int row = begin; row < end; row++)
        for (int n = 0; n < 2 * c->d->dims; n++)
            c->partial[n * rows + row] = -INFINITY;
    carry_pieces(c, begin, end, means_piece, means_leave_piece);
}
