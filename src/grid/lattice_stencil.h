/* The seven-point stencil on one block of LANES slots: the kernels under every sweep. Each exists once and is
   specialised by the compiler for the block's code and for flat or deep levels; plain loops over the lanes, which
   the compiler turns into vector code. */
#ifndef FR_GRID_LATTICE_STENCIL_H
#define FR_GRID_LATTICE_STENCIL_H

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

/* The weights of one lane, in the names that the kernels use. */
#define STENCIL_WEIGHTS(code)                                                                                          \
    unsigned f = (code) == BLOCK_INTERIOR ? FLAG_FACES | FLAG_LIVE : flags[h];                                         \
    float wl = (code) == BLOCK_GENERAL ? wx[h] : (float)(f & 1), wr = (code) == BLOCK_GENERAL ? wxr[h] : (float)(f >> 1 & 1);      \
    float wd = (code) == BLOCK_GENERAL ? wy[h] : (float)(f >> 2 & 1), wu = (code) == BLOCK_GENERAL ? wyr[h] : (float)(f >> 3 & 1); \
    float wb = !deep ? 0 : (code) == BLOCK_GENERAL ? wz[h] : (float)(f >> 4 & 1);                                      \
    float wf = !deep ? 0 : (code) == BLOCK_GENERAL ? wzr[h] : (float)(f >> 5 & 1);                                     \
    float tie = (code) == BLOCK_GENERAL ? lattice_tie(e[h]) : base;                                                    \
    float diagonal = cx * (wl + wr) + cy * (wd + wu) + (deep ? cz * (wb + wf) : 0) + tie

#define STENCIL_LOCALS(s, site)                                                                                        \
    const int own = (site).colour, other = 1 - own;                                                                    \
    const float cx = (s)->cx, cy = (s)->cy, cz = (s)->cz, base = (s)->base;                                            \
    const uint16_t *flags = (s)->flags[own] + (site).at;                                                               \
    const float *wx = (s)->wx[(site).parity] + (site).at, *wxr = (s)->wx[1 - (site).parity] + (site).at + (site).parity;                     \
    const float *wy = (s)->wy[own] + (site).at, *wyr = (s)->wy[other] + (site).at + (s)->row;                          \
    const float *wz = deep ? (s)->wz[own] + (site).at : wx, *wzr = deep ? (s)->wz[other] + (site).at + (s)->plane : wx; \
    const float *e = (s)->e[own] + (site).at

#define STENCIL_NEIGHBOURS(s, site, v)                                                                                 \
    const float *l = (v)->of[other] + (site).at + (site).parity - 1, *r = l + 1;                                       \
    const float *d = (v)->of[other] + (site).at - (s)->row, *u = (v)->of[other] + (site).at + (s)->row;                \
    const float *b = (v)->of[other] + (site).at - (s)->plane, *t = (v)->of[other] + (site).at + (s)->plane

/* out = (rhs + Σ c w x_j) / D: one Gauss–Seidel step. */
LATTICE_INLINE void stencil_relax_lanes(const stencil *s, stencil_site site, const lattice_vector *v,
                                        const float *rhs, float out[LANES], const lattice_code code, const bool deep)
{
    STENCIL_LOCALS(s, site);
    STENCIL_NEIGHBOURS(s, site, v);
    const float inverse = s->inverse;
    for (int h = 0; h < LANES; h++) {
        STENCIL_WEIGHTS(code);
        float sum = code == BLOCK_INTERIOR
                        ? rhs[h] + (cx * (l[h] + r[h]) + cy * (d[h] + u[h]) + (deep ? cz * (b[h] + t[h]) : 0))
                        : rhs[h] + (cx * (wl * l[h] + wr * r[h]) + cy * (wd * d[h] + wu * u[h]) +
                                    (deep ? cz * (wb * b[h] + wf * t[h]) : 0));
        out[h] = code == BLOCK_INTERIOR ? sum * inverse : f & FLAG_LIVE ? sum / diagonal : 0;
    }
}

/* out = Σ c w (x_i − x_j) + e x_i. As differences: D x_i − Σ c w x_j would stall at a residual of 1e-5. */
LATTICE_INLINE void stencil_apply_lanes(const stencil *s, stencil_site site, const lattice_vector *v,
                                        float out[LANES], const lattice_code code, const bool deep)
{
    STENCIL_LOCALS(s, site);
    STENCIL_NEIGHBOURS(s, site, v);
    const float *x = v->of[own] + site.at;
    for (int h = 0; h < LANES; h++) {
        STENCIL_WEIGHTS(code);
        float sum = code == BLOCK_INTERIOR
                        ? cx * ((x[h] - l[h]) + (x[h] - r[h])) + cy * ((x[h] - d[h]) + (x[h] - u[h])) +
                              (deep ? cz * ((x[h] - b[h]) + (x[h] - t[h])) : 0)
                        : cx * (wl * (x[h] - l[h]) + wr * (x[h] - r[h])) + cy * (wd * (x[h] - d[h]) + wu * (x[h] - u[h])) +
                              (deep ? cz * (wb * (x[h] - b[h]) + wf * (x[h] - t[h])) : 0);
        out[h] = code == BLOCK_INTERIOR || f & FLAG_LIVE ? sum + tie * x[h] : 0;
        (void)diagonal;
    }
}

/* out = rhs / D: a Gauss–Seidel step from zero, and the diagonal preconditioner. */
LATTICE_INLINE void stencil_divide_lanes(const stencil *s, stencil_site site, const float *rhs, float out[LANES],
                                         const lattice_code code, const bool deep)
{
    STENCIL_LOCALS(s, site);
    const float inverse = s->inverse;
    for (int h = 0; h < LANES; h++) {
        STENCIL_WEIGHTS(code);
        out[h] = code == BLOCK_INTERIOR ? rhs[h] * inverse : f & FLAG_LIVE ? rhs[h] / diagonal : 0;
    }
}

#define STENCIL_DISPATCH(s, site, out, call)                                                                           \
    switch ((s)->code[(site).colour][(site).at / LANES]) {                                                             \
    case BLOCK_INTERIOR: call(BLOCK_INTERIOR); break;                                                                  \
    case BLOCK_BINARY: call(BLOCK_BINARY); break;                                                                      \
    case BLOCK_GENERAL: call(BLOCK_GENERAL); break;                                                                    \
    default:                                                                                                           \
        for (int h = 0; h < LANES; h++)                                                                                \
            (out)[h] = 0;                                                                                              \
    }

/* `rhs` at the block's first slot; so are `out` and the rest below. */
LATTICE_INLINE void stencil_relax(const stencil *s, stencil_site site, const lattice_vector *v, const float *rhs,
                                  float out[LANES])
{
#define RELAX(code) s->deep ? stencil_relax_lanes(s, site, v, rhs, out, code, true) : stencil_relax_lanes(s, site, v, rhs, out, code, false)
    STENCIL_DISPATCH(s, site, out, RELAX)
#undef RELAX
}

LATTICE_INLINE void stencil_apply(const stencil *s, stencil_site site, const lattice_vector *v, float out[LANES])
{
#define APPLY(code) s->deep ? stencil_apply_lanes(s, site, v, out, code, true) : stencil_apply_lanes(s, site, v, out, code, false)
    STENCIL_DISPATCH(s, site, out, APPLY)
#undef APPLY
}

LATTICE_INLINE void stencil_divide(const stencil *s, stencil_site site, const float *rhs, float out[LANES])
{
#define DIVIDE(code) s->deep ? stencil_divide_lanes(s, site, rhs, out, code, true) : stencil_divide_lanes(s, site, rhs, out, code, false)
    STENCIL_DISPATCH(s, site, out, DIVIDE)
#undef DIVIDE
}

#endif
