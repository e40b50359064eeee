/* The seven-point stencil on one block of LANES slots: the kernels under every sweep. Each exists once and is
   specialised by the compiler for the block's code and for flat or deep levels; plain loops over the lanes, which
   the compiler turns into vector code. */
#ifndef FR_GRID_LATTICE_STENCIL_H
#define FR_GRID_LATTICE_STENCIL_H

#include <string.h>

#include "grid/lattice_level.h"

#if defined(__GNUC__)
#define LATTICE_INLINE static inline __attribute__((always_inline))
#else
#define LATTICE_INLINE static inline
#endif

/* What the kernels read of a level, kept in registers. */
typedef struct stencil {
    ptrdiff_t row, plane;
    float cx, cy, cz;
    float base;          /* extra of an ordinary cell */
    float inverse;       /* 1 / diagonal of an interior cell */
    bool deep;
    const float *wx[2], *wy[2], *wz[2], *e[2];
    const uint16_t *flags[2];
    const uint8_t *code[2];
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
        s.flags[colour] = l->flags[colour];
        s.code[colour] = l->code[colour];
    }
    return s;
}

/* A block: its colour, its first slot and the parity of its row. */
typedef struct stencil_site {
    int colour, parity;
    ptrdiff_t at;
} stencil_site;

/* Where a block's neighbours, weights and flags stand; the axes x, y, z, and z left out on flat levels. */
typedef struct stencil_view {
    const float *low[3], *high[3], *w_low[3], *w_high[3];
    const float *e;
    const uint16_t *flags;
    bool deep;           /* a constant to the compiler */
} stencil_view;

LATTICE_INLINE stencil_view stencil_view_of(const stencil *s, stencil_site site, const lattice_vector *v,
                                            const bool deep)
{
    const int own = site.colour, other = 1 - own;
    const ptrdiff_t at = site.at, side = at + site.parity;
    const float *x = v->of[other];
    stencil_view view = {
        .low = {x + side - 1, x + at - s->row, deep ? x + at - s->plane : x},
        .high = {x + side, x + at + s->row, deep ? x + at + s->plane : x},
        .w_low = {s->wx[site.parity] + at, s->wy[own] + at, deep ? s->wz[own] + at : x},
        .w_high = {s->wx[1 - site.parity] + side, s->wy[other] + at + s->row, deep ? s->wz[other] + at + s->plane : x},
        .e = s->e[own] + at,
        .flags = s->flags[own] + at,
        .deep = deep,
    };
    return view;
}

/* The weight of one face of lane h; `face` as in the flags. */
LATTICE_INLINE float stencil_weight(const stencil_view *v, int h, const lattice_code code, const int face)
{
    if (code == BLOCK_GENERAL)
        return face % 2 ? v->w_high[face / 2][h] : v->w_low[face / 2][h];
    return (float)(v->flags[h] >> face & 1);
}

LATTICE_INLINE float stencil_extra(const stencil_view *v, float base, int h, const lattice_code code)
{
    return code == BLOCK_GENERAL ? lattice_tie(v->e[h]) : base;
}

/* D = Σ c w + e. */
LATTICE_INLINE float stencil_diagonal(const stencil *s, const stencil_view *v, int h, const lattice_code code)
{
    float sum = s->cx * (stencil_weight(v, h, code, 0) + stencil_weight(v, h, code, 1)) +
                s->cy * (stencil_weight(v, h, code, 2) + stencil_weight(v, h, code, 3));
    if (v->deep)
        sum += s->cz * (stencil_weight(v, h, code, 4) + stencil_weight(v, h, code, 5));
    return sum + stencil_extra(v, s->base, h, code);
}

/* w x_j over both faces across an axis. */
LATTICE_INLINE float stencil_pull(const stencil_view *v, int h, const lattice_code code, const int axis)
{
    if (code == BLOCK_INTERIOR)
        return v->low[axis][h] + v->high[axis][h];
    return stencil_weight(v, h, code, 2 * axis) * v->low[axis][h] +
           stencil_weight(v, h, code, 2 * axis + 1) * v->high[axis][h];
}

/* w (x − x_j) over both faces across an axis. */
LATTICE_INLINE float stencil_differ(const stencil_view *v, float x, int h, const lattice_code code, const int axis)
{
    if (code == BLOCK_INTERIOR)
        return (x - v->low[axis][h]) + (x - v->high[axis][h]);
    return stencil_weight(v, h, code, 2 * axis) * (x - v->low[axis][h]) +
           stencil_weight(v, h, code, 2 * axis + 1) * (x - v->high[axis][h]);
}

/* out = (rhs + Σ c w x_j) / D: one Gauss–Seidel step. Inactive lanes are computed too and dropped at the end: a branch
   would end the vector code. */
LATTICE_INLINE void stencil_relax_lanes(const stencil *s, const stencil_view *v, const float *rhs, float out[LANES],
                                        const lattice_code code)
{
    for (int h = 0; h < LANES; h++) {
        float sum = s->cx * stencil_pull(v, h, code, 0) + s->cy * stencil_pull(v, h, code, 1);
        if (v->deep)
            sum += s->cz * stencil_pull(v, h, code, 2);
        float quotient = code == BLOCK_INTERIOR ? (rhs[h] + sum) * s->inverse
                                                : (rhs[h] + sum) / stencil_diagonal(s, v, h, code);
        out[h] = code == BLOCK_INTERIOR || v->flags[h] & FLAG_LIVE ? quotient : 0;
    }
}

/* out = Σ c w (x_i − x_j) + e x_i. As differences: D x_i − Σ c w x_j would stall at a residual of 1e-5. */
LATTICE_INLINE void stencil_apply_lanes(const stencil *s, const stencil_view *v, const float *x, float out[LANES],
                                        const lattice_code code)
{
    for (int h = 0; h < LANES; h++) {
        float sum = s->cx * stencil_differ(v, x[h], h, code, 0) + s->cy * stencil_differ(v, x[h], h, code, 1);
        if (v->deep)
            sum += s->cz * stencil_differ(v, x[h], h, code, 2);
        sum += stencil_extra(v, s->base, h, code) * x[h];
        out[h] = code == BLOCK_INTERIOR || v->flags[h] & FLAG_LIVE ? sum : 0;
    }
}

/* out = rhs / D: a Gauss–Seidel step from zero, and the diagonal preconditioner. */
LATTICE_INLINE void stencil_divide_lanes(const stencil *s, const stencil_view *v, const float *rhs, float out[LANES],
                                         const lattice_code code)
{
    for (int h = 0; h < LANES; h++) {
        float quotient = code == BLOCK_INTERIOR ? rhs[h] * s->inverse : rhs[h] / stencil_diagonal(s, v, h, code);
        out[h] = code == BLOCK_INTERIOR || v->flags[h] & FLAG_LIVE ? quotient : 0;
    }
}

/* Calls a kernel with constants for the block's code and the level's depth. */
#define STENCIL_DISPATCH(kernel, s, site, vector, input, out)                                                          \
    switch ((s)->code[(site).colour][(site).at / LANES]) {                                                             \
    case BLOCK_INTERIOR: STENCIL_DEPTH(kernel, s, site, vector, input, out, BLOCK_INTERIOR) break;                     \
    case BLOCK_BINARY: STENCIL_DEPTH(kernel, s, site, vector, input, out, BLOCK_BINARY) break;                         \
    case BLOCK_GENERAL: STENCIL_DEPTH(kernel, s, site, vector, input, out, BLOCK_GENERAL) break;                       \
    default: memset(out, 0, LANES * sizeof(float));                                                                    \
    }
#define STENCIL_DEPTH(kernel, s, site, vector, input, out, code)                                                       \
    {                                                                                                                  \
        if ((s)->deep) {                                                                                               \
            const stencil_view view = stencil_view_of(s, site, vector, true);                                          \
            kernel(s, &view, input, out, code);                                                                        \
        } else {                                                                                                       \
            const stencil_view view = stencil_view_of(s, site, vector, false);                                         \
            kernel(s, &view, input, out, code);                                                                        \
        }                                                                                                              \
    }

/* The kernels for one block; `rhs` at its first slot. `out` must not overlap what is read. */
LATTICE_INLINE void stencil_relax(const stencil *s, stencil_site site, const lattice_vector *v, const float *rhs,
                                  float out[LANES])
{
    STENCIL_DISPATCH(stencil_relax_lanes, s, site, v, rhs, out)
}

LATTICE_INLINE void stencil_apply(const stencil *s, stencil_site site, const lattice_vector *v, float out[LANES])
{
    STENCIL_DISPATCH(stencil_apply_lanes, s, site, v, v->of[site.colour] + site.at, out)
}

LATTICE_INLINE void stencil_divide(const stencil *s, stencil_site site, const lattice_vector *v, float out[LANES])
{
    STENCIL_DISPATCH(stencil_divide_lanes, s, site, v, v->of[site.colour] + site.at, out)
}

#endif
