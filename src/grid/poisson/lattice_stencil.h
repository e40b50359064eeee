/* The seven-point stencil on rows, in blocks of LANES slots: the kernels of every sweep. Each is written once; the
   compiler specialises it for the block code and for flat or deep levels. */
#ifndef FR_GRID_POISSON_LATTICE_STENCIL_H
#define FR_GRID_POISSON_LATTICE_STENCIL_H

#include <string.h>

#include "grid/poisson/lattice_level.h"

#if defined(__GNUC__)
#define LATTICE_INLINE static inline __attribute__((always_inline))
#else
#define LATTICE_INLINE static inline
#endif

/* By how much a sweep is overdone: docs/liquids.md has iterations with other numbers. */
static const float STENCIL_OVERDO = 0.3f;

/* What the kernels need of a level, kept in registers. */
typedef struct stencil {
    ptrdiff_t row, plane;
    float cx, cy, cz;
    float base;          /* extra of an ordinary cell */
    float inverse;       /* 1 / diagonal of an interior cell */
    bool deep;           /* a compile-time constant in the kernels */
    const float *wx[2], *wy[2], *wz[2], *e[2], *over[2];   /* `over` is NULL without a surface */
    const float *fetch[2]; /* what to ask for ahead of the rows: `over`, or `e` and with it the flags; NULL: nothing */
    const uint16_t *flags[2];
    const uint8_t *code[2];
    const lattice_end *end[2];
} stencil;

static inline stencil stencil_of(const lattice *l)
{
    double diagonal = 2 * (l->c[0] + l->c[1] + (l->deep ? l->c[2] : 0)) + l->base;
    stencil s = {.row = l->row, .plane = l->plane, .deep = l->deep,
                 .cx = (float)l->c[0], .cy = (float)l->c[1], .cz = (float)l->c[2],
                 .base = (float)l->base, .inverse = (float)(1 / diagonal)};
    for (int colour = 0; colour < 2; colour++) {
        s.wx[colour] = l->w[0].of[colour];
        s.wy[colour] = l->w[1].of[colour];
        s.wz[colour] = l->w[2].of[colour];
        s.e[colour] = l->e.of[colour];
        s.over[colour] = l->surface ? l->over.of[colour] : NULL;
        s.flags[colour] = l->flags[colour];
        s.code[colour] = l->code[colour];
        s.end[colour] = l->end[colour];
    }
    return s;
}

/* The cells of one colour and parity (i mod 2), relative to slot 0 of the level: their values, neighbours, weights and
   flags, for the axes x, y, z; z is left out on flat levels. */
typedef struct stencil_view {
    const float *own, *low[3], *high[3], *w_low[3], *w_high[3];
    const float *e, *over, *fetch;
    const uint16_t *flags;
    const uint8_t *code;    /* per block */
    const lattice_end *end; /* first and last block of a row */
} stencil_view;

static inline stencil_view stencil_view_of(const stencil *s, const lattice_vector *v, int colour, int parity)
{
    const int other = 1 - colour;
    const float *x = v->of[other];
    return (stencil_view){
        .own = v->of[colour],
        .low = {x + parity - 1, x - s->row, x - s->plane},
        .high = {x + parity, x + s->row, x + s->plane},
        .w_low = {s->wx[parity], s->wy[colour], s->wz[colour]},
        .w_high = {s->wx[1 - parity] + parity, s->wy[other] + s->row, s->deep ? s->wz[other] + s->plane : NULL},
        .e = s->e[colour],
        .over = s->over[colour],
        .fetch = s->fetch[colour],
        .flags = s->flags[colour],
        .code = s->code[colour],
        .end = s->end[parity],
    };
}

/* The lattice_end of the block with slot h, and which half of its lanes starts at h. */
LATTICE_INLINE const lattice_end *stencil_end(const stencil_view *v, ptrdiff_t h)
{
    return v->end + (v->code[h >> LANES_SHIFT] == BLOCK_LAST);
}
LATTICE_INLINE int stencil_half(ptrdiff_t h) { return h & WIDE ? 1 : 0; }

/* Mask of the lanes whose flags have all of `bits`. */
LATTICE_INLINE wide_mask stencil_have(const stencil_view *v, ptrdiff_t h, const int bits)
{
    return (wide_load_small(v->flags + h) & bits) == bits;
}

/* Mask of the active cells. */
LATTICE_INLINE wide_mask stencil_live(const stencil_view *v, ptrdiff_t h, const lattice_code code)
{
    return code == BLOCK_FIRST ? stencil_end(v, h)->live[stencil_half(h)] : stencil_have(v, h, FLAG_LIVE);
}

/* The weight of a face times a value; `face` as in the flags. */
LATTICE_INLINE wide stencil_weigh(const stencil_view *v, wide value, ptrdiff_t h, const lattice_code code,
                                  const int face)
{
    if (code == BLOCK_GENERAL)
        return wide_load((face % 2 ? v->w_high : v->w_low)[face / 2] + h) * value;
    if (code == BLOCK_FIRST && face < 2)
        return wide_keep(stencil_end(v, h)->open[face][stencil_half(h)], value);
    return code == BLOCK_BINARY || code == BLOCK_EDGE ? wide_keep(stencil_have(v, h, 1 << face), value) : value;
}

LATTICE_INLINE wide stencil_extra(const stencil *s, const stencil_view *v, ptrdiff_t h, const lattice_code code)
{
    if (code != BLOCK_GENERAL && code != BLOCK_EDGE)
        return wide_all(s->base);
    wide e = wide_load(v->e + h);
    return wide_keep(e > 0, e); /* lattice_tie */
}

/* Σ c w. */
LATTICE_INLINE wide stencil_open(const stencil *s, const stencil_view *v, ptrdiff_t h, const lattice_code code)
{
    const wide cx = wide_all(s->cx), cy = wide_all(s->cy), cz = wide_all(s->cz);
    wide sum = stencil_weigh(v, cx, h, code, 0) + stencil_weigh(v, cx, h, code, 1) + stencil_weigh(v, cy, h, code, 2) +
               stencil_weigh(v, cy, h, code, 3);
    if (s->deep)
        sum += stencil_weigh(v, cz, h, code, 4) + stencil_weigh(v, cz, h, code, 5);
    return sum;
}

/* D = Σ c w + e. */
LATTICE_INLINE wide stencil_diagonal(const stencil *s, const stencil_view *v, ptrdiff_t h, const lattice_code code)
{
    return stencil_open(s, v, h, code) + stencil_extra(s, v, h, code);
}

/* 1 / D where it is stored. */
LATTICE_INLINE wide stencil_inverse(const stencil_view *v, ptrdiff_t h)
{
    return (wide)((wide_mask)wide_load(v->over + h) & INT32_MAX);
}

/* value / D; 0 in inactive cells. */
LATTICE_INLINE wide stencil_over_diagonal(const stencil *s, const stencil_view *v, wide value, ptrdiff_t h,
                                          const lattice_code code)
{
    if (code == BLOCK_INTERIOR)
        return value * s->inverse;
    if (code == BLOCK_FIRST)
        return value * stencil_end(v, h)->inverse[stencil_half(h)];
    if (code == BLOCK_EDGE || v->over)
        return value * stencil_inverse(v, h);
    return wide_keep(stencil_have(v, h, FLAG_LIVE), value / stencil_diagonal(s, v, h, code));
}

/* w x_j over both faces across an axis. */
LATTICE_INLINE wide stencil_pull(const stencil_view *v, ptrdiff_t h, const lattice_code code, const int axis)
{
    if (code == BLOCK_EDGE)
        return wide_load(v->low[axis] + h) + wide_load(v->high[axis] + h);
    return stencil_weigh(v, wide_load(v->low[axis] + h), h, code, 2 * axis) +
           stencil_weigh(v, wide_load(v->high[axis] + h), h, code, 2 * axis + 1);
}

/* w (x − x_j) over both faces across an axis. */
LATTICE_INLINE wide stencil_differ(const stencil_view *v, wide x, ptrdiff_t h, const lattice_code code, const int axis)
{
    return stencil_weigh(v, x - wide_load(v->low[axis] + h), h, code, 2 * axis) +
           stencil_weigh(v, x - wide_load(v->high[axis] + h), h, code, 2 * axis + 1);
}

/* Σ c w (x_i − x_j) + e x_i. Differences first: D x_i − Σ c w x_j would stall at a residual of 1e-5 by cancellation. */
LATTICE_INLINE wide stencil_product(const stencil *s, const stencil_view *v, wide x, ptrdiff_t h,
                                    const lattice_code code)
{
    wide sum = s->cx * stencil_differ(v, x, h, code, 0) + s->cy * stencil_differ(v, x, h, code, 1);
    if (s->deep)
        sum += s->cz * stencil_differ(v, x, h, code, 2);
    sum += stencil_extra(s, v, h, code) * x;
    return code == BLOCK_INTERIOR ? sum : wide_keep(stencil_live(v, h, code), sum);
}

/* Σ c w x_j. */
LATTICE_INLINE wide stencil_pulls(const stencil *s, const stencil_view *v, ptrdiff_t h, const lattice_code code)
{
    wide sum = s->cx * stencil_pull(v, h, code, 0) + s->cy * stencil_pull(v, h, code, 1);
    if (s->deep)
        sum += s->cz * stencil_pull(v, h, code, 2);
    return sum;
}

/* The kernels for eight lanes from slot h on.

   One Gauss–Seidel step: (rhs + Σ c w x_j) / D. */
LATTICE_INLINE wide stencil_relax_lanes(const stencil *s, const stencil_view *v, wide rhs, ptrdiff_t h,
                                        const lattice_code code)
{
    return stencil_over_diagonal(s, v, rhs + stencil_pulls(s, v, h, code), h, code);
}

/* The same for liquids, overdone (Yavneh 1996) in cells that nothing ties to a known value: where the surface is close
   to a cell's centre it would leave residuals of D. */
LATTICE_INLINE wide stencil_overdo_lanes(const stencil *s, const stencil_view *v, wide rhs, ptrdiff_t h,
                                         const lattice_code code)
{
    const wide x = stencil_relax_lanes(s, v, rhs, h, code), more = STENCIL_OVERDO * (x - wide_load(v->own + h));
    return x + (code < BLOCK_BINARY ? more : wide_keep(wide_load(v->over + h) > 0, more));
}

/* A x. */
LATTICE_INLINE wide stencil_apply_lanes(const stencil *s, const stencil_view *v, wide rhs, ptrdiff_t h,
                                        const lattice_code code)
{
    (void)rhs;
    return stencil_product(s, v, wide_load(v->own + h), h, code);
}

/* rhs − A x, of an x that a few sweeps from zero have made: D x is not much more than rhs, so with a surface the
   stored 1 / D serves, and neither flags nor extras are read. */
LATTICE_INLINE wide stencil_residual_lanes(const stencil *s, const stencil_view *v, wide rhs, ptrdiff_t h,
                                           const lattice_code code)
{
    if (code == BLOCK_EDGE || (code == BLOCK_GENERAL && v->over)) {
        const wide over = stencil_inverse(v, h), x = wide_load(v->own + h);
        return wide_keep(over > 0, rhs + stencil_pulls(s, v, h, code) - x / over);
    }
    return rhs - stencil_product(s, v, wide_load(v->own + h), h, code);
}

/* rhs / D: a Gauss–Seidel step from zero, also the diagonal preconditioner. */
LATTICE_INLINE wide stencil_divide_lanes(const stencil *s, const stencil_view *v, wide rhs, ptrdiff_t h,
                                         const lattice_code code)
{
    return stencil_over_diagonal(s, v, rhs, h, code);
}

/* Consecutive rows of one colour. They share one kernel set-up, and are few enough that their data stay in the
   first-level cache. */
typedef struct stencil_rows {
    ptrdiff_t at;        /* first slot of the first row */
    int parity, count;   /* i mod 2 of the first row; it alternates from row to row */
    const lattice_span *span;
} stencil_rows;

enum { STENCIL_ROWS_MOST = 16 };

static inline stencil_rows stencil_rows_of(const lattice *l, int colour, const lattice_strip *strip, int j)
{
    int rest = strip->j1 - j, count = rest < STENCIL_ROWS_MOST ? rest : STENCIL_ROWS_MOST;
    return (stencil_rows){lattice_at(l, j, strip->k), lattice_parity(colour, j, strip->k), count,
                          l->span + strip->k * l->n[1] + j};
}

/* With large planes, of which little stays in the first-level cache from one pass to the next, what is stored of blocks
   beside the surface is asked for ahead: it is read here and there, so the processor does not see it coming. At 128³
   half sweeps of a column take 0.83 to 0.92 of the time, products 0.79; at 64³ it would cost 0.1 of it, and so would
   asking for whole vectors of smoke. */
enum { STENCIL_FETCH_SLOTS = 4096, STENCIL_AHEAD = 2 };

static inline bool stencil_fetches(const lattice *l) { return l->surface && l->plane > STENCIL_FETCH_SLOTS; }

/* For blocks of a row to come, STENCIL_AHEAD rows later: most likely they are where this row's are. */
LATTICE_INLINE void stencil_fetch(const stencil_view *v, ptrdiff_t at, int blocks)
{
    for (ptrdiff_t h = at; h < at + blocks * LANES; h += LANES)
        if (v->code[h >> LANES_SHIFT] >= BLOCK_BINARY) {
            __builtin_prefetch(v->fetch + h);
            if (v->fetch == v->e)
                __builtin_prefetch(v->flags + h);
        }
}

/* Runs a kernel over rows of a level: `view` by i mod 2, `rhs` and `out` relative to slot 0 of the level. `deep` is a
   compile-time constant in the kernel. */
#define STENCIL_ROWS(kernel, s, view, rows, rhs, out)                                                                  \
    {                                                                                                                  \
        stencil fixed_ = *(s);                                                                                         \
        fixed_.deep = true;                                                                                            \
        for (int row_ = 0; row_ < (rows)->count && (s)->deep; row_++)                                                  \
            STENCIL_NEXT_ROW(kernel, &fixed_, view, rows, rhs, out)                                                    \
        fixed_.deep = false;                                                                                           \
        for (int row_ = 0; row_ < (rows)->count && !(s)->deep; row_++)                                                 \
            STENCIL_NEXT_ROW(kernel, &fixed_, view, rows, rhs, out)                                                    \
    }
#define STENCIL_NEXT_ROW(kernel, s, view, rows, rhs, out)                                                              \
    {                                                                                                                  \
        const stencil_view *const v_ = (view) + (((rows)->parity + row_) & 1);                                         \
        const lattice_span span_ = (rows)->span[row_];                                                                 \
        const ptrdiff_t start_ = (rows)->at + row_ * fixed_.row + span_.begin * LANES;                                 \
        if (v_->fetch)                                                                                                 \
            stencil_fetch(v_, start_ + STENCIL_AHEAD * fixed_.row, span_.end - span_.begin);                           \
        STENCIL_CODES(kernel, s, v_, start_, (rhs) + start_, (out) + start_, span_.end - span_.begin)                  \
    }

/* Runs a kernel over `blocks` blocks of a row from slot `at` on; `rhs` and `out` point to that slot. The block code is
   a compile-time constant in the kernel. Both ends of a row use the code BLOCK_FIRST, which saves one kernel. */
#define STENCIL_CODES(kernel, s, v, at, rhs, out, blocks)                                                              \
    {                                                                                                                  \
        const ptrdiff_t at_ = (at), end_ = at_ + (ptrdiff_t)(blocks) * LANES;                                          \
        for (ptrdiff_t h_ = at_; h_ < end_;)                                                                           \
            switch ((v)->code[h_ >> LANES_SHIFT]) {                                                                    \
            case BLOCK_INTERIOR: STENCIL_RUN(kernel, s, v, rhs, out, BLOCK_INTERIOR) break;                            \
            case BLOCK_FIRST:                                                                                          \
            case BLOCK_LAST: STENCIL_RUN(kernel, s, v, rhs, out, BLOCK_FIRST) break;                                   \
            case BLOCK_BINARY: STENCIL_RUN(kernel, s, v, rhs, out, BLOCK_BINARY) break;                                \
            case BLOCK_EDGE: STENCIL_RUN(kernel, s, v, rhs, out, BLOCK_EDGE) break;                                    \
            case BLOCK_GENERAL: STENCIL_RUN(kernel, s, v, rhs, out, BLOCK_GENERAL) break;                              \
            default: memset((out) + (h_ - at_), 0, LANES * sizeof(float)); h_ += LANES;                                \
            }                                                                                                          \
    }
#define STENCIL_RUN(kernel, s, v, rhs, out, code_of_run)                                                               \
    do {                                                                                                               \
        wide_store((out) + (h_ - at_), kernel(s, v, wide_load((rhs) + (h_ - at_)), h_, code_of_run));                  \
        h_ += WIDE;                                                                                                    \
        wide_store((out) + (h_ - at_), kernel(s, v, wide_load((rhs) + (h_ - at_)), h_, code_of_run));                  \
        h_ += WIDE;                                                                                                    \
    } while (h_ < end_ && (v)->code[h_ >> LANES_SHIFT] == (code_of_run));

/* The kernels over rows of the views' colour. */
LATTICE_INLINE void stencil_relax(const stencil *s, const stencil_view view[2], const stencil_rows *rows,
                                  const float *rhs,
                                  float *out){STENCIL_ROWS(stencil_relax_lanes, s, view, rows, rhs, out)}

LATTICE_INLINE void stencil_overdo(const stencil *s, const stencil_view view[2], const stencil_rows *rows,
                                   const float *rhs,
                                   float *out){STENCIL_ROWS(stencil_overdo_lanes, s, view, rows, rhs, out)}

LATTICE_INLINE void stencil_apply(const stencil *s, const stencil_view view[2], const stencil_rows *rows,
                                  float *out){STENCIL_ROWS(stencil_apply_lanes, s, view, rows, out, out)}

LATTICE_INLINE
    void stencil_divide(const stencil *s, const stencil_view view[2], const stencil_rows *rows, const float *rhs,
                        float *out){STENCIL_ROWS(stencil_divide_lanes, s, view, rows, rhs, out)}

/* rhs − A x over part of a row; `rhs` and `out` point to its first slot, which is slot `at` of the level. */
LATTICE_INLINE void stencil_residual(const stencil *s, const stencil_view *v, ptrdiff_t at, const float *rhs,
                                     float *out, int blocks)
{
    stencil fixed = *s; /* makes `deep` a constant in either loop */
    fixed.deep = true;
    if (s->deep)
        STENCIL_CODES(stencil_residual_lanes, &fixed, v, at, rhs, out, blocks)
    fixed.deep = false;
    if (!s->deep)
        STENCIL_CODES(stencil_residual_lanes, &fixed, v, at, rhs, out, blocks)
}

#endif
