/* One turn of a block: its cells take their distance from their neighbours, by Godunov's upwind solution of the eikonal
   equation with differences of second order (Sethian 1999), those in other blocks as they are. They do so in the order
   of the distances that they have: φ was a distance not long ago, so that mostly those that a cell depends on have come
   before it, as in fast marching, and one sweep is enough. */
#include <string.h>

#include "surface/levelset/redistance.h"

#define SPREAD_INLINE static inline __attribute__((always_inline))

/* One axis of Σ a (u − t)² = 1: of first order t is the nearer neighbour, of second order it continues the slope behind
   that one, if the distance falls there. */
typedef struct eikonal_axis {
    wide t, a;
    wide alone; /* 1/√a: how much farther than t the cell is by this axis alone, m */
} eikonal_axis;

/* Eight cells: their values, and their places in a patch. */
typedef struct spread_eight {
    float *at[WIDE];
    uint16_t place[WIDE];
} spread_eight;

SPREAD_INLINE wide spread_pick(const spread_eight *e, ptrdiff_t away)
{
    return (wide){e->at[0][away], e->at[1][away], e->at[2][away], e->at[3][away],
                  e->at[4][away], e->at[5][away], e->at[6][away], e->at[7][away]};
}

/* The cells beside them along an axis, one and two away: distances on their own side of the surface. */
typedef struct spread_line {
    wide low, lower, high, higher;
} spread_line;

SPREAD_INLINE spread_line spread_line_at(const spread_eight *e, ptrdiff_t stride, wide sign)
{
    return (spread_line){sign * spread_pick(e, -stride), sign * spread_pick(e, -2 * stride),
                         sign * spread_pick(e, stride), sign * spread_pick(e, 2 * stride)};
}

SPREAD_INLINE eikonal_axis eikonal_axis_of(const spread_line *line, float h, float per_h)
{
    const wide_mask below = line->low < line->high;
    const wide first = wide_choose(below, line->low, line->high);
    const wide second = wide_choose(below, line->lower, line->higher);
    const wide_mask steep = second < first;
    return (eikonal_axis){wide_choose(steep, first + (first - second) * (1.0f / 3), first),
                          wide_choose(steep, wide_all(2.25f * per_h * per_h), wide_all(per_h * per_h)),
                          wide_choose(steep, wide_all((2.0f / 3) * h), wide_all(h))};
}

SPREAD_INLINE void eikonal_sort(eikonal_axis *low, eikonal_axis *high)
{
    const wide_mask swap = low->t > high->t;
    const eikonal_axis l = *low, h = *high;
    low->t = wide_min(l.t, h.t);
    high->t = wide_max(l.t, h.t);
    low->a = wide_choose(swap, h.a, l.a);
    high->a = wide_choose(swap, l.a, h.a);
    low->alone = wide_choose(swap, h.alone, l.alone);
    high->alone = wide_choose(swap, l.alone, h.alone);
}

/* The distance from the axes whose t lie below it. Values relative to the lowest t lose no digits. */
SPREAD_INLINE wide eikonal_solve(eikonal_axis axis[3], int dims)
{
    eikonal_sort(&axis[0], &axis[1]);
    if (dims == 3) {
        eikonal_sort(&axis[1], &axis[2]);
        eikonal_sort(&axis[0], &axis[1]);
    }
    wide a = axis[0].a, b = {0}, c = wide_all(-1), u = axis[0].alone;
    for (int n = 1; n < dims; n++) {
        wide t = axis[n].t - axis[0].t, more_a = a + axis[n].a, more_b = b + axis[n].a * t,
             more_c = c + axis[n].a * t * t;
        wide root = wide_sqrt(wide_max(more_b * more_b - more_a * more_c, wide_all(0)));
        u = wide_choose(u > t, (more_b + root) / more_a, u);
        a = more_a;
        b = more_b;
        c = more_c;
    }
    return axis[0].t + u;
}

/* Where a block's cells lie: in φ itself, or in a patch where what is beside them lies elsewhere. */
typedef struct spread_view {
    float *first; /* the block's first cell */
    const ptrdiff_t *stride;
} spread_view;

SPREAD_INLINE float *spread_row(const spread_view *v, int j, int k)
{
    return v->first + j * v->stride[1] + k * v->stride[2];
}

enum { SPREAD_BINS = 32 };

/* Cells that are to be found, as they come: in the block and in the view, and the bins of their distances. */
typedef struct spread_found {
    int count;
    uint16_t at[BLOCK_CELLS + 1];
    int32_t away[BLOCK_CELLS + 1];
    uint8_t bin[BLOCK_CELLS + 1];
} spread_found;

/* Those of eight cells that lie in the band or beside it. */
SPREAD_INLINE unsigned spread_near(const levelset *ls, const ptrdiff_t *stride, const float *here, wide own)
{
    wide nearest = own;
    for (int a = 0; a < ls->d.dims; a++) {
        const wide low = wide_load(here - stride[a]), high = wide_load(here + stride[a]);
        nearest = wide_min(nearest, wide_min(wide_max(low, -low), wide_max(high, -high)));
    }
    return wide_bits(nearest < ls->width);
}

static void spread_find(const levelset *ls, int m, const band_block *b, const spread_view *v, spread_found *found)
{
    const float per_bin = SPREAD_BINS / ls->width;
    found->count = 0;
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++)
            for (int i = 0; i < b->inside[0]; i += WIDE) {
                const ptrdiff_t place = band_patch_row(ls, j, k) + i;
                const size_t cell = (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k) + (size_t)i;
                const float *row = spread_row(v, j, k) + i;
                const wide value = wide_load(row), own = wide_max(value, -value);
                const wide_mask bin =
                    __builtin_convertvector(wide_min(own * per_bin, wide_all(SPREAD_BINS - 1)), wide_mask);
                int32_t bins[WIDE];
                memcpy(bins, &bin, sizeof bins);
                const unsigned wanted = spread_near(ls, v->stride, row, own) & ~(unsigned)ls->beside[cell / WIDE];
                for (int l = 0; l < WIDE && wanted; l++) { /* without a branch a cell, which nobody could foresee */
                    found->at[found->count] = (uint16_t)(place + l);
                    found->away[found->count] = (int32_t)(row - v->first) + l;
                    found->bin[found->count] = (uint8_t)bins[l];
                    found->count += (int)(wanted >> l & 1);
                }
            }
}

static void spread_sort(const levelset *ls, int m, const band_block *b, const spread_view *v, spread_order *order)
{
    spread_found found;
    int first[SPREAD_BINS + 1] = {0};
    spread_find(ls, m, b, v, &found);
    for (int n = 0; n < found.count; n++)
        first[found.bin[n] + 1]++;
    for (int bin = 0; bin < SPREAD_BINS; bin++)
        first[bin + 1] += first[bin];
    for (int n = 0; n < found.count; n++) {
        const int to = first[found.bin[n]]++;
        order->at[to] = found.at[n];
        order->away[to] = found.away[n];
    }
    order->count = found.count;
}

/* A block under way, and which of its cells see others that have changed: by their places in a patch. */
typedef struct spread_block {
    const redistance_job *job;
    spread_view view;
    uint8_t stale[PATCH_MOST];
    bool left; /* whether any is */
} spread_block;

/* Cells farther from the surface than one that has changed, as it was or is, may depend on it. */
SPREAD_INLINE void spread_spoil(spread_block *s, const spread_eight *e, wide farther, wide_mask by, ptrdiff_t away)
{
    for (unsigned bits = wide_bits((farther > 0) & by); bits; bits &= bits - 1) {
        s->stale[e->place[__builtin_ctz(bits)] + away] = 1;
        s->left = true;
    }
}

/* `value` is the lesser of before and after. Neighbours are read anew: some of them may be among the eight, and have
   taken their distance from what these were before. */
SPREAD_INLINE void spread_note(spread_block *s, const spread_eight *e, wide sign, wide value, wide_mask changed)
{
    for (int a = 0; a < s->job->ls->d.dims; a++) {
        const ptrdiff_t step = s->job->ls->stride[a];
        const spread_line line = spread_line_at(e, s->view.stride[a], sign);
        spread_spoil(s, e, line.low - value, changed, -step);
        spread_spoil(s, e, line.lower - value, changed, -2 * step);
        spread_spoil(s, e, line.high - value, changed, step);
        spread_spoil(s, e, line.higher - value, changed, 2 * step);
    }
}

/* Eight cells take their distance from their neighbours as they are now. */
SPREAD_INLINE void spread_take(spread_block *s, const spread_eight *e, int dims)
{
    const levelset *ls = s->job->ls;
    const wide old = spread_pick(e, 0), sign = wide_choose(old < 0, wide_all(-1), wide_all(1));
    eikonal_axis axis[3];
    for (int a = 0; a < dims; a++) {
        const spread_line line = spread_line_at(e, s->view.stride[a], sign);
        axis[a] = eikonal_axis_of(&line, s->job->h[a], s->job->per_h[a]);
    }
    const wide value = wide_min(eikonal_solve(axis, dims), wide_all(ls->width)), signed_value = sign * value;
    for (int l = 0; l < WIDE; l++)
        *e->at[l] = signed_value[l];
    const wide change = signed_value - old;
    const wide_mask changed = wide_max(change, -change) > s->job->settled;
    for (int l = 0; l < WIDE; l++)
        s->stale[e->place[l]] = 0;
    if (wide_any(changed))
        spread_note(s, e, sign, wide_min(value, sign * old), changed);
}

static void spread_sweep(spread_block *s, const spread_order *order)
{
    s->left = false;
    for (int n = 0; n < order->count; n += WIDE) {
        const int used = order->count - n < WIDE ? order->count - n : WIDE;
        spread_eight e;
        for (int l = 0; l < WIDE; l++) {
            e.at[l] = s->view.first + order->away[n + (l < used ? l : 0)];
            e.place[l] = order->at[n + (l < used ? l : 0)];
        }
        if (s->job->ls->d.dims == 3)
            spread_take(s, &e, 3);
        else
            spread_take(s, &e, 2);
    }
}

/* Those of the cells that see others which have changed. */
static void spread_choose(const spread_block *s, const spread_order *all, spread_order *some)
{
    int count = 0;
    for (int n = 0; n < all->count; n++) {
        some->at[count] = all->at[n];
        some->away[count] = all->away[n];
        count += s->stale[all->at[n]];
    }
    some->count = count;
}

/* Takes over which cells see others that have changed in other blocks. */
static void spread_recall(spread_block *s, const band_block *b, const spread_memory *memory)
{
    const levelset *ls = s->job->ls;
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++)
            for (unsigned left = memory->stale[k * ls->side[1] + j]; left; left &= left - 1)
                s->stale[band_patch_row(ls, j, k) + __builtin_ctz(left)] = 1;
}

/* Sweeps a block's cells as long as what they see changes, in its first turn all of them. Returns whether some still
   does. */
static bool spread_cells(const redistance_job *job, int m, const band_block *b, const spread_view *view)
{
    enum { SWEEPS = 5 };
    const levelset *ls = job->ls;
    spread_memory *memory = spread_memory_of(ls, m);
    spread_order all = {memory->count, memory->at, spread_away_of(ls, m)};
    uint16_t at[BLOCK_CELLS + 1];
    int32_t away[BLOCK_CELLS + 1];
    spread_order some = {.at = at, .away = away};
    spread_block s = {.job = job, .view = *view, .left = true};
    const bool whole = ls->colour[m] & REDISTANCE_WHOLE;
    if (whole) {
        spread_sort(ls, m, b, view, &all);
        memory->count = (uint16_t)all.count;
        spread_sweep(&s, &all);
    } else {
        spread_recall(&s, b, memory);
    }
    for (int sweep = whole; sweep < SWEEPS && s.left; sweep++) {
        spread_choose(&s, &all, &some);
        spread_sweep(&s, &some);
    }
    ls->colour[m] &= (uint8_t)~REDISTANCE_WHOLE;
    memset(memory->stale, 0, sizeof memory->stale);
    return s.left;
}

/* A block in φ itself; or in a patch, where what it sees wraps around. No two that see one another take their turns at
   once. */
static spread_view spread_see(const redistance_job *job, const band_block *b, float patch[PATCH_MOST])
{
    const levelset *ls = job->ls;
    bool wraps = false;
    for (int a = 0; a < ls->d.dims; a++)
        wraps = wraps || (ls->d.periodic[a] && (b->first[a] == 0 || b->first[a] + ls->side[a] + GHOST > ls->d.n[a]));
    if (!wraps)
        return (spread_view){field_row(job->phi, b->first[1], b->first[2]) + b->first[0], job->phi->stride};
    band_gather_cross(ls, job->phi, b, patch);
    return (spread_view){patch + ls->centre, ls->stride};
}

static void spread_keep(const levelset *ls, const band_block *b, const spread_view *view, float before[BLOCK_CELLS])
{
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++)
            for (int i = 0; i < b->inside[0]; i += WIDE)
                wide_store(before + band_block_row(ls, j, k) + i, wide_load(spread_row(view, j, k) + i));
}

/* Notes the cells that have changed. Returns whether any has, and whether the band has grown there: cells that were
   beyond it have come in, and others behind them may. */
static int spread_compare(const levelset *ls, const redistance_job *job, int m, const spread_view *view,
                          const float before[BLOCK_CELLS])
{
    const band_block b = band_block_of(ls, ls->list[m]);
    const float inner = ls->width - 0.5f * (float)domain_min_h(&ls->d);
    uint16_t *noted = spread_memory_of(ls, m)->changed;
    const unsigned inside = (1u << b.inside[0]) - 1; /* beyond it lie cells of other blocks, which may be under way */
    unsigned any = 0, grown = 0;
    for (int k = 0; k < b.inside[2]; k++)
        for (int j = 0; j < b.inside[1]; j++) {
            unsigned changed = 0, come = 0;
            for (int i = 0; i < b.inside[0]; i += WIDE) {
                const wide value = wide_load(spread_row(view, j, k) + i),
                           old = wide_load(before + band_block_row(ls, j, k) + i), change = value - old;
                come |= wide_bits((wide_max(old, -old) >= ls->width) & (wide_max(value, -value) < inner)) << i;
                changed |= wide_bits(wide_max(change, -change) > job->settled) << i;
            }
            noted[k * ls->side[1] + j] = (uint16_t)(changed & inside);
            any |= changed & inside;
            grown |= come & inside;
        }
    return (any ? REDISTANCE_CHANGED : 0) | (grown ? REDISTANCE_GROWN : 0);
}

static void spread_put(const redistance_job *job, const band_block *b, const spread_view *view)
{
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++)
            memcpy(field_row(job->phi, b->first[1] + j, b->first[2] + k) + b->first[0], spread_row(view, j, k),
                   (size_t)b->inside[0] * sizeof(float));
}

void redistance_take_turns(void *context, int begin, int end)
{
    const redistance_job *job = context;
    const levelset *ls = job->ls;
    float patch[PATCH_MOST], before[BLOCK_CELLS];
    for (int n = begin; n < end; n++) {
        const int m = ls->turn[n];
        const band_block b = band_block_of(ls, ls->list[m]);
        const spread_view view = spread_see(job, &b, patch);
        spread_keep(ls, &b, &view, before);
        const int left = spread_cells(job, m, &b, &view) ? REDISTANCE_LEFT : 0;
        ls->partial[m] = left | spread_compare(ls, job, m, &view, before);
        if (view.stride == ls->stride)
            spread_put(job, &b, &view);
    }
}
