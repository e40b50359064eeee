/* The true residual, in double: for a smooth solution the differences are far smaller than the values. */
#include <math.h>

#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_chain.h"
#include "grid/poisson/lattice_lanes.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/components.h"
#include "grid/poisson/parts.h"

typedef struct residual_work {
    poisson *s;
    const double *mean;
} residual_work;

/* The solution around the cells of one colour and parity, as in lattice_stencil.h. */
typedef struct residual_view {
    double c[3], base;
    bool deep;
    const double *own, *low[3], *high[3];
    stencil_view weights;
} residual_view;

static residual_view residual_view_of(const poisson *s, int colour, int parity)
{
    const lattice *l = &s->level[0];
    stencil st = stencil_of(l);
    st.fetch[colour] = stencil_fetches(l) ? st.e[colour] : NULL;
    const double *x = s->x[1 - colour];
    return (residual_view){
        .c = {l->c[0], l->c[1], l->c[2]},
        .base = l->base,
        .deep = l->deep,
        .own = s->x[colour],
        .low = {x + parity - 1, x - l->row, x - l->plane},
        .high = {x + parity, x + l->row, x + l->plane},
        .weights = stencil_view_of(&st, &l->b, colour, parity),
    };
}

/* Sums and norms over a strip. */
typedef struct residual_measure {
    lanes_size right, rest;       /* of b and of r */
    lanes_d sum;                  /* of x */
    lanes_d carry[4];             /* rounding errors, by quarters of a block */
} residual_measure;

/* Four lanes of a mask of a block, from slot h on. */
LATTICE_INLINE void residual_mask(const wide_mask mask[2], ptrdiff_t h, lanes_l *to)
{
    lanes_widen_mask((const int32_t *)mask + h % LANES, to);
}

/* w (x − x_j) over both faces across an axis. */
LATTICE_INLINE lanes_d residual_differ(const residual_view *v, lanes_d x, ptrdiff_t h, const int a,
                                       const lattice_code code)
{
    lanes_d low = x - *(const lanes_d *)(v->low[a] + h), high = x - *(const lanes_d *)(v->high[a] + h);
    if (code == BLOCK_FIRST && a == 0) {
        const lattice_end *end = stencil_end(&v->weights, h);
        lanes_l open[2];
        residual_mask(end->open[0], h, &open[0]);
        residual_mask(end->open[1], h, &open[1]);
        lanes_keep(&open[0], &low);
        lanes_keep(&open[1], &high);
    } else if (code == BLOCK_EDGE) {
        lanes_l open[2];
        lanes_have(v->weights.flags + h, 2 * a, &open[0]);
        lanes_have(v->weights.flags + h, 2 * a + 1, &open[1]);
        lanes_keep(&open[0], &low);
        lanes_keep(&open[1], &high);
    } else if (code == BLOCK_GENERAL) {
        lanes_d w[2];
        lanes_widen(v->weights.w_low[a] + h, &w[0]);
        lanes_widen(v->weights.w_high[a] + h, &w[1]);
        low *= w[0];
        high *= w[1];
    }
    return low + high;
}

/* A x. */
LATTICE_INLINE lanes_d residual_product(const residual_view *v, ptrdiff_t h, const lattice_code code)
{
    lanes_d x = *(const lanes_d *)(v->own + h), extra = v->base - (lanes_d){0};
    lanes_d sum = v->c[0] * residual_differ(v, x, h, 0, code) + v->c[1] * residual_differ(v, x, h, 1, code);
    if (v->deep)
        sum += v->c[2] * residual_differ(v, x, h, 2, code);
    if (code == BLOCK_GENERAL || code == BLOCK_EDGE) {
        lanes_widen(v->weights.e + h, &extra);
        lanes_l tied = extra > 0; /* lattice_tie */
        lanes_keep(&tied, &extra);
    }
    return sum + extra * x;
}

/* b minus its mean counts as 0 below this share of b: it is rounding error. */
static const double ROUNDING = 1e-12;

/* b minus the mean of its component. */
LATTICE_INLINE lanes_d residual_centre(const float *b, const double *off)
{
    lanes_d right, rest, size, scale;
    lanes_widen(b, &right);
    rest = right - *(const lanes_d *)off;
    size = (lanes_d)((lanes_l)rest & INT64_MAX);
    scale = (lanes_d)((lanes_l)right & INT64_MAX);
    lanes_l none = size <= ROUNDING * scale, some = ~none;
    lanes_keep(&some, &rest);
    return rest;
}

/* Rounds to float and passes each lane's rounding error on to its next active cell, so that the sum stays zero. On a
   closed component a mean of 1e-8 would grow a thousandfold on the coarse levels and spoil the last digits. */
LATTICE_INLINE void residual_round(lanes_d v, const lanes_l *live, lanes_d *carry, float *to)
{
    lanes_d rest = v + *carry;
    lanes_keep(live, &rest);
    lanes_narrow(&rest, to);
    *carry = (lanes_d)((*live & (lanes_l)rest) | (~*live & (lanes_l)*carry));
}

/* What all blocks of a solve have in common. */
typedef struct residual_terms {
    bool started, fresh;     /* x is not 0; b is not measured yet */
    bool tied;               /* liquid without closed components: b has no mean to lose, r no sum to keep; a
                                compile-time constant in the kernels */
    double scale;
} residual_terms;

/* The residual of four cells of a block, see residual_block. Inactive cells may hold any values. */
LATTICE_INLINE void residual_quarter(const residual_terms *t, const residual_view *v, const float *b, const double *off,
                                     ptrdiff_t h, float *to, residual_measure *m, const int quarter,
                                     const lattice_code code)
{
    lanes_l live = ~(lanes_l){0};
    if (code == BLOCK_FIRST)
        residual_mask(stencil_end(&v->weights, h)->live, h, &live);
    else if (code != BLOCK_INTERIOR)
        lanes_have(v->weights.flags + h, 6, &live);
    lanes_d r;
    if (t->tied)
        lanes_widen(b, &r);
    else
        r = residual_centre(b, off);
    lanes_keep(&live, &r);
    if (t->fresh)
        lanes_size_add(&m->right, &r);
    if (t->started) {
        lanes_d product = residual_product(v, h, code), x = *(const lanes_d *)(v->own + h);
        lanes_keep(&live, &product);
        lanes_keep(&live, &x);
        r -= product;
        m->sum += x;
    }
    lanes_size_add(&m->rest, &r);
    r *= t->scale;
    if (t->tied)
        lanes_narrow(&r, to);
    else
        residual_round(r, &live, &m->carry[quarter], to);
}

/* The residual of one block; b, `off` and `to` point to its first slot, which is slot `at` of the level. */
LATTICE_INLINE void residual_block(const residual_terms *t, const residual_view *v, const float *b, const double *off,
                                   ptrdiff_t at, float *to, residual_measure *m, const lattice_code code)
{
    residual_quarter(t, v, b, off, at, to, m, 0, code);
    residual_quarter(t, v, b + 4, off + 4, at + 4, to + 4, m, 1, code);
    residual_quarter(t, v, b + 8, off + 8, at + 8, to + 8, m, 2, code);
    residual_quarter(t, v, b + 12, off + 12, at + 12, to + 12, m, 3, code);
}

/* The means of the components that the cells of a block belong to. */
static void residual_offs(const residual_work *w, const float *e, double off[LANES])
{
    for (int h = 0; h < LANES; h++) {
        int number = components_of(e[h]);
        off[h] = number >= 0 ? w->mean[number] : 0;
    }
}

LATTICE_INLINE void residual_do_part(const residual_work *w, const residual_view *v, const poisson_part *part,
                                     residual_measure *m, const bool tied)
{
    const lattice *l = &w->s->level[0];
    const residual_terms terms = {w->s->started, !w->s->measured, tied, w->s->scale};
    float b[POISSON_PART], *to = l->b.of[part->colour] + part->at;
    const float *e = l->e.of[part->colour] + part->at;
    double off[LANES];
    /* With one closed component and nothing else, all active cells are in it. */
    bool same = w->s->closed.number == 0 || (w->s->closed.number == 1 && l->closed);
    for (int h = 0; h < LANES; h++)
        off[h] = w->s->closed.number ? w->mean[0] : 0;
    poisson_part_take(l, part, w->s->right, b);
    if (v->weights.fetch)
        stencil_fetch(&v->weights, part->at + STENCIL_AHEAD * l->row, part->slots / LANES);
    for (int h = 0; h < part->slots; h += LANES) {
        lattice_code code = l->code[part->colour][(part->at + h) >> LANES_SHIFT];
        if (!same)
            residual_offs(w, e + h, off);
        if (code == BLOCK_INTERIOR)
            residual_block(&terms, v, b + h, off, part->at + h, to + h, m, BLOCK_INTERIOR);
        else if (code == BLOCK_FIRST || code == BLOCK_LAST)
            residual_block(&terms, v, b + h, off, part->at + h, to + h, m, BLOCK_FIRST);
        else if (code == BLOCK_EMPTY)
            memset(to + h, 0, LANES * sizeof(float));
        else if (code == BLOCK_EDGE)
            residual_block(&terms, v, b + h, off, part->at + h, to + h, m, BLOCK_EDGE);
        else /* use the stored weights */
            residual_block(&terms, v, b + h, off, part->at + h, to + h, m, BLOCK_GENERAL);
    }
}

LATTICE_INLINE void residual_do_rows(const residual_work *w, const lattice_strip *strip, const bool tied)
{
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    residual_measure m = {0};
    residual_view view[2][2];
    for (int v = 0; v < 4; v++)
        view[v >> 1][v & 1] = residual_view_of(s, v >> 1, v & 1);
    for (int j = strip->j0; j < strip->j1; j++) {
        lattice_span span = lattice_span_of(l, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            for (int first = span.begin * LANES; first < span.end * LANES; first += POISSON_PART) {
                poisson_part part = poisson_part_of(l, colour, (int[2]){j, strip->k}, first);
                residual_do_part(w, &view[colour][part.parity], &part, &m, tied);
            }
        }
    }
    double norms[4] = {0};
    lanes_size_take(&m.right, norms);
    lanes_size_take(&m.rest, norms + 2);
    for (int i = 0; i < 4; i++)
        s->partial[i][strip->item] = norms[i];
    s->partial[4][strip->item] = (m.sum[0] + m.sum[1]) + (m.sum[2] + m.sum[3]);
}

static void residual_do_strip(void *context, const lattice_strip *strip)
{
    const residual_work *w = context;
    if (w->s->level[0].surface && w->s->closed.number == 0)
        residual_do_rows(w, strip, true);
    else
        residual_do_rows(w, strip, false);
}

static void residual_advance_strip(void *context, const lattice_strip *strip)
{
    const residual_work *w = context;
    const lattice *l = &w->s->level[0];
    const double pending = w->s->pending;
    for (int j = strip->j0; j < strip->j1; j++) {
        lattice_run run = lattice_run_of(l, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            double *x = w->s->x[colour] + run.at;
            const float *p = w->s->p.of[colour] + run.at;
            for (ptrdiff_t h = 0; h < run.count; h++)
                x[h] += pending * (double)p[h];
        }
    }
}

void poisson_advance(poisson *s)
{
    if (s->pending != 0)
        lattice_for(&s->level[0], residual_advance_strip, &(residual_work){.s = s});
    s->pending = 0;
}

static void residual_renew(void *context)
{
    const residual_work *w = context;
    for (int colour = 0; colour < 2 && w->s->started; colour++)
        lattice_wrap(&w->s->level[0], (void *const[2]){w->s->x[0], w->s->x[1]}, sizeof(double), colour);
}

pcg_norms poisson_norms(const poisson *s, int square, int largest)
{
    int items = lattice_items(&s->level[0]);
    return (pcg_norms){sqrt(threads_sum(s->partial[square], items)), threads_max(s->partial[largest], items)};
}

pcg_norms poisson_residual(void *context)
{
    poisson *s = context;
    residual_work w = {.s = s, .mean = poisson_means(s)};
    /* The residual follows the pending update of x one slice behind. */
    lattice_pass passes[2];
    int count = 0;
    if (s->pending != 0)
        passes[count++] = (lattice_pass){residual_advance_strip, &w, 0, NULL, 0};
    passes[count] = (lattice_pass){residual_do_strip, &w, count, residual_renew, 0};
    lattice_chain(&s->level[0], passes, count + 1);
    s->pending = 0;
    s->swept = false;
    const bool fresh = !s->measured;
    if (fresh)
        s->right_norms = poisson_norms(s, 0, 1);
    s->measured = true;
    s->sum = threads_sum(s->partial[4], lattice_items(&s->level[0]));
    pcg_norms norms = movers_present(s->movers) ? movers_residual(s, w.mean, fresh) : poisson_norms(s, 2, 3);
    poisson_clear_means(s);
    return norms;
}
