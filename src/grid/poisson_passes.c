/* The passes of conjugate gradients over the finest level. */
#include <math.h>

#include "base/threads.h"
#include "grid/lattice_sweep.h"
#include "grid/poisson_components.h"
#include "grid/poisson_parts.h"

/* The sums and counts of closed components lie in the memory of z and r, which are free when they are needed. The
   ghosts of z must be zero again afterwards. */
typedef struct passes_means {
    double *sum, *count;
} passes_means;

static passes_means passes_means_of(const poisson *s)
{
    ptrdiff_t origin = s->level[0].origin;
    passes_means m = {(double *)(void *)(s->level[0].x.of[0] - origin), (double *)(void *)(s->level[0].b.of[0] - origin)};
    return m;
}

static void passes_clear_means(const poisson *s)
{
    passes_means m = passes_means_of(s);
    memset(m.sum, 0, (size_t)s->components * sizeof(double));
    memset(m.count, 0, (size_t)s->components * sizeof(double));
}

typedef struct passes_work {
    poisson *s;
    field *to;
    double factor;
    bool solution;     /* means of x rather than of b */
} passes_work;

/* Row (j, k) of one colour: where it starts and how many cells it has. */
typedef struct passes_row {
    int colour, j, k, parity, count;
    ptrdiff_t at;
} passes_row;

static passes_row passes_row_at(const lattice *l, int colour, int j, int k)
{
    int parity = lattice_parity(colour, j, k);
    return (passes_row){colour, j, k, parity, lattice_half(l->n[0], parity), lattice_at(l, j, k)};
}

/* LANES values of x or b from slot `first` of a row on; 0 beyond its end. */
static void passes_values(const passes_work *w, const passes_row *r, int first, double out[LANES])
{
    const double *x = w->s->x[r->colour] + r->at + first;
    const float *b = field_row(w->s->right, r->j, r->k) + 2 * first + r->parity;
    int count = r->count - first;
    if (count >= LANES) {
        for (int h = 0; h < LANES; h++)
            out[h] = w->solution ? x[h] : (double)b[2 * h];
        return;
    }
    for (int h = 0; h < LANES; h++)
        out[h] = h >= count ? 0 : w->solution ? x[h] : (double)b[2 * h];
}

/* One closed component: partial sums, in parallel, in lanes that the compiler can vectorise. */
static void passes_sum_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    double sum[LANES] = {0}, count[LANES] = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            passes_row r = passes_row_at(l, colour, j, strip->k);
            for (int first = 0; first < l->row; first += LANES) {
                const float *e = l->e.of[colour] + r.at + first;
                double v[LANES];
                passes_values(w, &r, first, v);
                for (int h = 0; h < LANES; h++) {
                    double in = (double)components_inside(e[h]);
                    sum[h] += in * v[h];
                    count[h] += in;
                }
            }
        }
    }
    w->s->partial[0][strip->item] = threads_sum(sum, LANES);
    w->s->partial[1][strip->item] = threads_sum(count, LANES);
}

/* Several: one after the other. */
static void passes_sum_all(const passes_work *w, passes_means m)
{
    const lattice *l = &w->s->level[0];
    for (int k = 0; k < l->n[2]; k++) {
        for (int j = 0; j < l->n[1]; j++) {
            for (int colour = 0; colour < 2; colour++) {
                passes_row r = passes_row_at(l, colour, j, k);
                double v[LANES];
                for (int h = 0; h < r.count; h++) {
                    int number = components_of(l->e.of[colour][r.at + h]);
                    if (h % LANES == 0)
                        passes_values(w, &r, h, v);
                    if (number < 0)
                        continue;
                    m.sum[number] += v[h % LANES];
                    m.count[number] += 1;
                }
            }
        }
    }
}

/* Leaves the means where passes_means.sum says. */
static void passes_find_means(poisson *s, bool solution)
{
    passes_work w = {.s = s, .solution = solution};
    passes_means m = passes_means_of(s);
    passes_clear_means(s);
    int items = lattice_items(&s->level[0]);
    if (s->components == 1) {
        lattice_for(&s->level[0], passes_sum_strip, &w);
        m.sum[0] = threads_sum(s->partial[0], items);
        m.count[0] = threads_sum(s->partial[1], items);
    } else if (s->components > 1) {
        passes_sum_all(&w, m);
    }
    for (int number = 0; number < s->components; number++)
        m.sum[number] /= m.count[number];
}

static void passes_load_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    double largest = 0;
    for (int j = strip->j0; j < strip->j1; j++) {
        const float *from = field_row(w->to, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            passes_row r = passes_row_at(l, colour, j, strip->k);
            double *x = w->s->x[colour] + r.at;
            const uint16_t *flags = l->flags[colour] + r.at;
            for (int h = 0; h < r.count; h++) {
                x[h] = flags[h] & FLAG_LIVE ? (double)from[2 * h + r.parity] : 0;
                largest = fabs(x[h]) <= largest ? largest : 1;
            }
        }
    }
    w->s->partial[0][strip->item] = largest;
}

void poisson_load(poisson *s, const field *x)
{
    field from = *x;
    passes_work w = {.s = s, .to = &from};
    lattice_for(&s->level[0], passes_load_strip, &w);
    s->started = threads_max(s->partial[0], lattice_items(&s->level[0])) > 0;
}

static void passes_store_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    const double *mean = passes_means_of(w->s).sum;
    for (int j = strip->j0; j < strip->j1; j++) {
        float *to = field_row(w->to, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            passes_row r = passes_row_at(l, colour, j, strip->k);
            const double *x = w->s->x[colour] + r.at;
            for (int h = 0; h < r.count; h++) {
                int number = components_of(l->e.of[colour][r.at + h]);
                to[2 * h + r.parity] = (float)(number >= 0 ? x[h] - mean[number] : x[h]);
            }
        }
    }
}

void poisson_store(poisson *s, field *x)
{
    if (s->right_norms.max == 0) /* nothing drives the system: the guess is not asked for */
        memset(s->memory, 0, 2 * (size_t)s->level[0].slots * sizeof(double));
    passes_find_means(s, true);
    passes_work w = {.s = s, .to = x};
    lattice_for(&s->level[0], passes_store_strip, &w);
    passes_clear_means(s);
}

/* Adds c Σ w (x − x') over the two faces across an axis; weights 1 where `w` is NULL. */
typedef struct passes_faces {
    const double *x, *low, *high;
    const float *w_low, *w_high;
    double c;
} passes_faces;

static void passes_add_faces(passes_faces f, double out[LANES])
{
    if (!f.w_low) {
        for (int h = 0; h < LANES; h++)
            out[h] += f.c * ((f.x[h] - f.low[h]) + (f.x[h] - f.high[h]));
        return;
    }
    for (int h = 0; h < LANES; h++)
        out[h] += f.c * ((double)f.w_low[h] * (f.x[h] - f.low[h]) + (double)f.w_high[h] * (f.x[h] - f.high[h]));
}

/* A x of LANES cells in double: where the solution is smooth, its differences are far below its size. */
static void passes_apply_double(const poisson *s, const passes_row *r, int first, double out[LANES])
{
    const lattice *l = &s->level[0];
    const int own = r->colour, other = 1 - own;
    ptrdiff_t at = r->at + first;
    bool interior = l->code[own][at / LANES] == BLOCK_INTERIOR;
    const double *x = s->x[own] + at;
    const float *e = l->e.of[own] + at;
    for (int h = 0; h < LANES; h++)
        out[h] = (double)lattice_tie(e[h]) * x[h];
    for (int a = 0; a < 2 + l->deep; a++) {
        ptrdiff_t low = a == 0 ? r->parity - 1 : a == 1 ? -l->row : -l->plane;
        ptrdiff_t high = a == 0 ? r->parity : a == 1 ? l->row : l->plane;
        passes_faces f = {x, s->x[other] + at + low, s->x[other] + at + high, NULL, NULL, l->c[a]};
        if (!interior) {
            f.w_low = lattice_low(l, a, own, r->parity) + at;
            f.w_high = lattice_high(l, a, own, r->parity) + at + high;
        }
        passes_add_faces(f, out);
    }
}

/* What rounding leaves of a right-hand side that equals its mean is none. */
static const double ROUNDING = 1e-12;

/* Takes the means of the closed components off b. */
static void passes_centre(const poisson *s, const float *e, double b[LANES])
{
    const double *mean = passes_means_of(s).sum;
    const double only = mean[0];
    if (s->components > 1) {
        for (int h = 0; h < LANES; h++) {
            int number = components_of(e[h]);
            double rest = b[h] - (number >= 0 ? mean[number] : 0);
            b[h] = fabs(rest) <= ROUNDING * fabs(b[h]) ? 0 : rest;
        }
        return;
    }
    for (int h = 0; h < LANES; h++) {
        double rest = b[h] - (double)components_inside(e[h]) * only;
        b[h] = fabs(rest) <= ROUNDING * fabs(b[h]) ? 0 : rest;
    }
}

/* Squares, largest elements and what rounding left, in lanes. */
typedef struct passes_measure {
    double square[LANES], most[LANES], carry[LANES];
} passes_measure;

static void passes_measure_add(passes_measure *m, const double v[LANES])
{
    for (int h = 0; h < LANES; h++) {
        m->square[h] += v[h] * v[h];
        m->most[h] = fabs(v[h]) > m->most[h] ? fabs(v[h]) : m->most[h];
    }
}

/* Values of inactive cells are not asked for, whatever they are. False when there are none. */
static bool passes_mask(const lattice *l, int colour, ptrdiff_t at, double v[LANES])
{
    const uint16_t *flags = l->flags[colour] + at;
    unsigned all = FLAG_LIVE;
    for (int h = 0; h < LANES; h++)
        all &= flags[h];
    if (all)
        return false;
    for (int h = 0; h < LANES; h++)
        v[h] = flags[h] & FLAG_LIVE ? v[h] : 0;
    return true;
}

/* Rounds to float, handing each lane's error on to its next cell: the sum keeps its zero. On a closed component a
   mean of 1e-8 would grow a thousandfold in the coarse levels and spoil the last digits. */
static void passes_round(const double v[LANES], const uint16_t *holes, double carry[LANES], float to[LANES])
{
    double sum[LANES];
    for (int h = 0; h < LANES; h++)
        sum[h] = v[h] + carry[h];
    for (int h = 0; h < LANES && holes; h++)
        sum[h] = holes[h] & FLAG_LIVE ? sum[h] : 0;
    for (int h = 0; h < LANES; h++) {
        to[h] = (float)sum[h];
        carry[h] = sum[h] == 0 ? carry[h] : sum[h] - (double)to[h];
    }
}

static void passes_residual_block(const passes_work *w, const passes_row *r, int first, passes_measure m[2])
{
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    ptrdiff_t at = r->at + first;
    float *to = l->b.of[r->colour] + at;
    double v[LANES];
    passes_values(w, r, first, v);
    if (s->components > 0)
        passes_centre(s, l->e.of[r->colour] + at, v);
    bool holes = passes_mask(l, r->colour, at, v);
    passes_measure_add(&m[0], v);
    if (s->started) {
        double ax[LANES];
        passes_apply_double(s, r, first, ax);
        passes_mask(l, r->colour, at, ax);
        for (int h = 0; h < LANES; h++)
            v[h] -= ax[h];
        passes_measure_add(&m[1], v);
    }
    passes_round(v, holes ? l->flags[r->colour] + at : NULL, m[0].carry, to);
}

static void passes_residual_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    passes_measure m[2] = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            passes_row r = passes_row_at(l, colour, j, strip->k);
            for (int first = 0; first < l->row; first += LANES)
                passes_residual_block(w, &r, first, m);
        }
    }
    for (int i = 0; i < 2; i++) {
        const passes_measure *from = &m[s->started ? i : 0];
        s->partial[2 * i][strip->item] = threads_sum(from->square, LANES);
        s->partial[2 * i + 1][strip->item] = threads_max(from->most, LANES);
    }
}

static void passes_advance_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    const double pending = w->s->pending;
    for (int colour = 0; colour < 2; colour++) {
        ptrdiff_t at = lattice_at(l, strip->j0, strip->k), end = lattice_at(l, strip->j1, strip->k);
        double *x = w->s->x[colour];
        const float *p = w->s->p.of[colour];
        for (; at < end; at++)
            x[at] += pending * (double)p[at];
    }
}

static pcg_norms passes_norms(const poisson *s, int square, int largest)
{
    int items = lattice_items(&s->level[0]);
    return (pcg_norms){sqrt(threads_sum(s->partial[square], items)), threads_max(s->partial[largest], items)};
}

pcg_norms poisson_residual(void *context)
{
    poisson *s = context;
    const lattice *l = &s->level[0];
    passes_work w = {.s = s};
    if (s->pending != 0) {
        lattice_for(l, passes_advance_strip, &w);
        s->pending = 0;
    }
    for (int colour = 0; colour < 2 && s->started; colour++)
        lattice_wrap(l, (void *const[2]){s->x[0], s->x[1]}, sizeof(double), colour);
    passes_find_means(s, false);
    lattice_for(l, passes_residual_strip, &w);
    passes_clear_means(s);
    s->right_norms = passes_norms(s, 0, 1);
    return passes_norms(s, 2, 3);
}

static void passes_direction_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    const double pending = w->s->pending;
    const float beta = (float)w->factor;
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            ptrdiff_t at = lattice_at(l, j, strip->k);
            double *x = w->s->x[colour] + at;
            float *p = w->s->p.of[colour] + at;
            const float *z = l->x.of[colour] + at;
            for (ptrdiff_t h = 0; h < l->row && pending != 0; h++)
                x[h] += pending * (double)p[h];
            for (ptrdiff_t h = 0; h < l->row; h++)
                p[h] = beta != 0 ? z[h] + beta * p[h] : z[h];
        }
    }
}

void poisson_direction(void *context, double beta)
{
    poisson *s = context;
    passes_work w = {.s = s, .factor = beta};
    lattice_for(&s->level[0], passes_direction_strip, &w);
    s->pending = 0;
}

double poisson_apply(void *context)
{
    poisson *s = context;
    const lattice *l = &s->level[0];
    lattice_apply(l, &s->p, &l->x, s->partial[0]);
    return threads_sum(s->partial[0], lattice_items(l));
}

static void passes_step_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    const float alpha = (float)w->factor;
    double square = 0, largest = 0;
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            ptrdiff_t at = lattice_at(l, j, strip->k);
            float *r = l->b.of[colour] + at;
            const float *q = l->x.of[colour] + at;
            float squares[LANES] = {0}, most[LANES] = {0};
            for (ptrdiff_t block = 0; block < l->row; block += LANES) {
                for (int h = 0; h < LANES; h++) {
                    float v = r[block + h] - alpha * q[block + h];
                    r[block + h] = v;
                    squares[h] += v * v;
                    v = v < 0 ? -v : v;
                    most[h] = v > most[h] ? v : most[h];
                }
            }
            for (int h = 0; h < LANES; h++) {
                square += (double)squares[h];
                largest = (double)most[h] > largest ? (double)most[h] : largest;
            }
        }
    }
    w->s->partial[0][strip->item] = square;
    w->s->partial[1][strip->item] = largest;
}

pcg_norms poisson_step(void *context, double alpha)
{
    poisson *s = context;
    passes_work w = {.s = s, .factor = alpha};
    lattice_for(&s->level[0], passes_step_strip, &w);
    s->pending = alpha;
    s->started = true;
    return passes_norms(s, 0, 1);
}

double poisson_divide(void *context)
{
    poisson *s = context;
    const lattice *l = &s->level[0];
    lattice_divide(l, &l->b, &l->x, s->partial[0]);
    return threads_sum(s->partial[0], lattice_items(l));
}
