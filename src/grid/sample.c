#include "grid/sample.h"

#include <math.h>

#include "base/wide.h"

/* Position of a location's samples in their cell, in cells. */
static float sample_offset(fr_location at, int axis)
{
    return at == field_face(axis) ? 0.0f : 0.5f;
}

/* Always inlined, so that the sample_kind is a compile-time constant. */
#define SAMPLE_INLINE static inline __attribute__((always_inline))

/* The comparisons are ordered so that a NaN displacement also ends inside the block: no read out of bounds. */
SAMPLE_INLINE float sample_inside(float move, float place, float cells, bool periodic)
{
    if (periodic)
        move -= cells * floorf((move + place) * (1.0f / cells));
    float low = -place, high = cells + low, v = move > low ? move : low;
    return v < high ? v : high;
}

/* The row runs along x: only there does each point start at its own coordinate. */
void sample_move(sample_points *p, const domain *d, int axis, const float *restrict flow, float scale)
{
    const int start[3] = {p->i, p->j, p->k}, n = p->n;
    float *const moves[3] = {p->dx, p->dy, p->dz}, *restrict to = moves[axis];
    const float first = (float)start[axis] + sample_offset(p->at, axis), cells = (float)d->n[axis];
    if (d->periodic[axis])
        for (int i = 0; i < n; i++)
            to[i] = sample_inside(scale * flow[i], first + (axis == 0 ? (float)i : 0), cells, true);
    else if (axis == 0)
        for (int i = 0; i < n; i++)
            to[i] = sample_inside(scale * flow[i], first + (float)i, cells, false);
    else
        for (int i = 0; i < n; i++)
            to[i] = sample_inside(scale * flow[i], first, cells, false);
}

void sample_confine(sample_points *p, const domain *d)
{
    float *const moves[3] = {p->dx, p->dy, p->dz};
    for (int a = 0; a < d->dims; a++) {
        float asked[SAMPLE_ROW];
        memcpy(asked, moves[a], (size_t)p->n * sizeof *asked);
        sample_move(p, d, a, asked, 1);
    }
}

/* A field relative to a row of points. */
typedef struct sample_frame {
    const float *origin;       /* the field's sample (i, j, k), where the row starts */
    ptrdiff_t first, last;     /* offsets from there of the first and last sample in memory, including ghosts */
    int row, plane;            /* strides */
    float shift[3];            /* from the points' location to the field's, cells */
} sample_frame;

static sample_frame sample_frame_of(const field *f, const sample_points *p)
{
    sample_frame s = {.origin = field_row(f, p->j, p->k) + p->i, .row = (int)f->stride[1], .plane = (int)f->stride[2]};
    s.first = f->block - s.origin;
    s.last = s.first + (ptrdiff_t)f->count - 1;
    for (int a = 0; a < 3; a++)
        s.shift[a] = sample_offset(p->at, a) - sample_offset(f->at, a);
    return s;
}

/* The kind of interpolation. The functions below are compiled once for each kind, in 2D and in 3D. */
typedef struct sample_kind {
    int taps;       /* stencil width along each axis: 2 or 4 */
    bool bounds;    /* clamp to the minimum and maximum of the nearest 2 × 2 × 2 samples */
    bool flat;
} sample_kind;

/* Eight points: the offset of the sample below each, relative to its starting sample, and the interpolation weights. */
typedef struct sample_spot {
    wide_mask at;
    wide weight[3][4];
} sample_spot;

typedef struct sample_result {
    wide value, low, high;
} sample_result;

/* Weights for a point at t = −½ … ½ between two samples: linear, or cubic Lagrange through four. t is relative to the
   midpoint, so that a mirrored point gives mirrored bits. On a sample the weights are exactly 1 and 0. */
SAMPLE_INLINE void sample_weights(wide t, int taps, wide weight[4])
{
    wide low = 0.5f - t, high = 0.5f + t;
    if (taps == 2) {
        weight[0] = low;
        weight[1] = high;
        return;
    }
    wide q = 0.5f * (t * t - 0.25f), third = t * (1.0f / 3);
    weight[0] = q * (0.5f - third);
    weight[1] = (1 - q) * low;
    weight[2] = (1 - q) * high;
    weight[3] = q * (0.5f + third);
}

/* Eight displacements. In a row of fewer points the other lanes have that of the first: beyond the row there may be any
   bits. */
SAMPLE_INLINE wide sample_load(const sample_points *p, const float *moves, int i)
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const wide move = wide_load(moves + i);
    return p->n < WIDE ? wide_choose(lane < p->n, move, wide_all(move[0])) : move;
}

SAMPLE_INLINE sample_spot sample_locate(const sample_frame *s, const sample_points *p, int i, const sample_kind kind)
{
    const float *const moves[3] = {p->dx, p->dy, p->dz};
    const int stride[3] = {1, s->row, s->plane};
    sample_spot spot = {.at = {0}};
    for (int a = 0; a < (kind.flat ? 2 : 3); a++) {
        wide move = sample_load(p, moves[a], i), whole = wide_floor(move + s->shift[a]);
        spot.at += __builtin_convertvector(whole, wide_mask) * stride[a];
        sample_weights(move - (whole + (0.5f - s->shift[a])), kind.taps, spot.weight[a]);
    }
    return spot;
}

/* How the samples of eight points lie in memory. */
typedef enum sample_order {
    SAMPLE_TOGETHER,     /* contiguous from `data` */
    SAMPLE_TWO,          /* lanes in the mask contiguous from `data`, the others contiguous from `data` + `other` */
    SAMPLE_APART         /* scattered, at `at`: gathered one by one */
} sample_order;

typedef struct sample_reader {
    sample_order order;
    const float *data;
    ptrdiff_t other;
    wide_mask mask;
    const int32_t *at;
} sample_reader;

SAMPLE_INLINE wide_group sample_read(const sample_reader *r, ptrdiff_t offset, int taps)
{
    const float *data = r->data + offset - (taps / 2 - 1);
    if (r->order == SAMPLE_APART)
        return taps == 2 ? wide_pick_pairs(data, r->at) : wide_pick_fours(data, r->at);
    wide_group g = {{{0}}};
    for (int s = 0; s < taps; s++) {
        g.v[s] = wide_load(data + s);
        if (r->order == SAMPLE_TWO)
            g.v[s] = wide_choose(r->mask, g.v[s], wide_load(data + r->other + s));
    }
    return g;
}

/* Sums pairs from the outside in, so that the mirrored sum has the same bits. */
SAMPLE_INLINE wide sample_weigh(const wide v[4], const wide weight[4], int taps)
{
    if (taps == 2)
        return v[0] * weight[0] + v[1] * weight[1];
    return (v[0] * weight[0] + v[3] * weight[3]) + (v[1] * weight[1] + v[2] * weight[2]);
}

/* Extends the bounds by those of the next sample, row or layer, unless its weight is 0: a point exactly on a sample is
   bounded by that sample alone. */
SAMPLE_INLINE void sample_widen(sample_result *bounds, wide low, wide high, wide weight)
{
    bounds->low = wide_choose(weight != 0, wide_min(bounds->low, low), bounds->low);
    bounds->high = wide_choose(weight != 0, wide_max(bounds->high, high), bounds->high);
}

/* One layer of samples at `offset` from the samples below the points. */
SAMPLE_INLINE sample_result sample_layer(const sample_reader *r, ptrdiff_t offset, int row, const sample_spot *spot,
                                         const sample_kind kind)
{
    const int taps = kind.taps, near = taps / 2 - 1;   /* index of the lower of the nearest two */
    sample_result layer = {.value = {0}};
    wide rows[4];
    for (int y = 0; y < taps; y++) {
        wide_group g = sample_read(r, offset + (y - near) * (ptrdiff_t)row, taps);
        rows[y] = sample_weigh(g.v, spot->weight[0], taps);
        sample_result line = {.low = g.v[near], .high = g.v[near]};
        sample_widen(&line, g.v[near + 1], g.v[near + 1], spot->weight[0][near + 1]);
        if (y == near) {
            layer.low = line.low;
            layer.high = line.high;
        } else if (y == near + 1) {
            sample_widen(&layer, line.low, line.high, spot->weight[1][near + 1]);
        }
    }
    layer.value = sample_weigh(rows, spot->weight[1], taps);
    return layer;
}

SAMPLE_INLINE sample_result sample_evaluate(const sample_frame *s, const sample_reader *r, const sample_spot *spot,
                                            const sample_kind kind)
{
    const int near = kind.taps / 2 - 1;
    sample_result result;
    if (kind.flat) {
        result = sample_layer(r, 0, s->row, spot, kind);
    } else {
        sample_result layers[4];
        wide values[4];
        for (int z = 0; z < kind.taps; z++) {
            layers[z] = sample_layer(r, (z - near) * (ptrdiff_t)s->plane, s->row, spot, kind);
            values[z] = layers[z].value;
        }
        result = layers[near];
        sample_widen(&result, layers[near + 1].low, layers[near + 1].high, spot->weight[2][near + 1]);
        result.value = sample_weigh(values, spot->weight[2], kind.taps);
    }
    if (kind.bounds)
        result.value = wide_min(wide_max(result.value, result.low), result.high);
    return result;
}

/* Whether the stencils of eight consecutive samples from `start` lie inside the field's memory. With SAMPLE_TWO some
   lanes read where no point is. */
SAMPLE_INLINE bool sample_readable(const sample_frame *s, ptrdiff_t start, const sample_kind kind)
{
    const ptrdiff_t corner = 1 + s->row + s->plane;
    return start >= s->first + (kind.taps / 2 - 1) * corner && start + WIDE - 1 <= s->last - kind.taps / 2 * corner;
}

/* Neighbouring points mostly have the same displacement in whole cells. Their samples are then contiguous and loaded at
   once; where the displacement crosses a sample there are two such sets. Only with more sets is each point gathered by
   itself. */
SAMPLE_INLINE sample_result sample_lanes(const sample_frame *s, const sample_points *p, int i, const sample_kind kind)
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    sample_spot spot = sample_locate(s, p, i, kind);
    if (p->n < WIDE)   /* lanes without a point use the first one's samples */
        spot.at = (spot.at & (lane < p->n)) | ((spot.at[0] - lane) & (lane >= p->n));
    const wide_mask like_first = spot.at == spot.at[0], like_last = spot.at == spot.at[WIDE - 1];
    const ptrdiff_t first = i + spot.at[0], last = i + spot.at[WIDE - 1];
    if (wide_every(like_first))
        return sample_evaluate(s, &(sample_reader){.order = SAMPLE_TOGETHER, .data = s->origin + first}, &spot, kind);
    if (wide_every(like_first | like_last) && sample_readable(s, first, kind) && sample_readable(s, last, kind))
        return sample_evaluate(s, &(sample_reader){SAMPLE_TWO, s->origin + first, last - first, like_first, NULL},
                               &spot, kind);
    int32_t at[WIDE];
    spot.at += lane;
    memcpy(at, &spot.at, sizeof at);
    return sample_evaluate(s, &(sample_reader){.order = SAMPLE_APART, .data = s->origin + i, .at = at}, &spot, kind);
}

/* The last group of eight points may overlap the one before it. */
SAMPLE_INLINE void sample_row(const field *f, const sample_points *p, const sample_kind kind, float *out, float *low,
                              float *high)
{
    sample_frame s = sample_frame_of(f, p);
    for (int next = 0; next < p->n; next += WIDE) {
        int i = next > p->n - WIDE && p->n >= WIDE ? p->n - WIDE : next;
        sample_result r = sample_lanes(&s, p, i, kind);
        wide_store_first(out + i, r.value, p->n);
        if (low) {
            wide_store_first(low + i, r.low, p->n);
            wide_store_first(high + i, r.high, p->n);
        }
    }
}

void sample_values(const field *f, const domain *d, const sample_points *p, float *out)
{
    if (d->dims == 2)
        sample_row(f, p, (sample_kind){.taps = 2, .bounds = true, .flat = true}, out, NULL, NULL);
    else
        sample_row(f, p, (sample_kind){.taps = 2, .bounds = true}, out, NULL, NULL);
}

void sample_values_rounded(const field *f, const domain *d, const sample_points *p, float *out)
{
    if (d->dims == 2)
        sample_row(f, p, (sample_kind){.taps = 2, .flat = true}, out, NULL, NULL);
    else
        sample_row(f, p, (sample_kind){.taps = 2}, out, NULL, NULL);
}

void sample_values_bounds(const field *f, const domain *d, const sample_points *p, float *out, float *low, float *high)
{
    if (d->dims == 2)
        sample_row(f, p, (sample_kind){.taps = 2, .bounds = true, .flat = true}, out, low, high);
    else
        sample_row(f, p, (sample_kind){.taps = 2, .bounds = true}, out, low, high);
}

void sample_values_cubic(const field *f, const domain *d, const sample_points *p, float *out)
{
    if (d->dims == 2)
        sample_row(f, p, (sample_kind){.taps = 4, .bounds = true, .flat = true}, out, NULL, NULL);
    else
        sample_row(f, p, (sample_kind){.taps = 4, .bounds = true}, out, NULL, NULL);
}

void sample_values_cubic_free(const field *f, const domain *d, const sample_points *p, float *out)
{
    if (d->dims == 2)
        sample_row(f, p, (sample_kind){.taps = 4, .flat = true}, out, NULL, NULL);
    else
        sample_row(f, p, (sample_kind){.taps = 4}, out, NULL, NULL);
}

double sample_at(const field *f, const domain *d, const double at[3])
{
    sample_points p = {.at = FR_AT_CELL, .n = 1};
    float *moves[3] = {p.dx, p.dy, p.dz};
    for (int a = 0; a < d->dims; a++)
        moves[a][0] = (float)((at[a] - d->origin[a]) / d->h[a] - 0.5);
    sample_confine(&p, d);
    float value[WIDE];
    sample_values(f, d, &p, value);
    return value[0];
}
