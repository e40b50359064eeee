/* The true residual in double, the means of closed components, and the way into and out of the solver. */
#include <math.h>

#include "base/threads.h"
#include "grid/lattice_chain.h"
#include "grid/lattice_lanes.h"
#include "grid/poisson_components.h"
#include "grid/poisson_parts.h"

/* The sums and counts of closed components lie in the memory of z and r, which are free when they are needed. The
   ghosts of z must be zero again afterwards. */
typedef struct residual_means {
    double *sum, *count;
} residual_means;

static residual_means residual_means_of(const poisson *s)
{
    ptrdiff_t origin = s->level[0].origin;
    return (residual_means){(double *)(void *)(s->level[0].x.of[0] - origin),
                            (double *)(void *)(s->level[0].b.of[0] - origin)};
}

static void residual_clear_means(const poisson *s)
{
    memset(residual_means_of(s).sum, 0, (size_t)s->components * sizeof(double));
}

typedef struct residual_work {
    poisson *s;
    field *to;
    bool solution;     /* means of x rather than of b */
} residual_work;

/* A stretch of a row of one colour: where it starts and how many slots and cells it has. Its blocks are all interior, all
   edges, or all others: interior ones belong to one component and need neither weights nor flags, edges no weights; what is
   not read need not come from memory. Loops over stretches are plain loops, long enough for the compiler to vectorise. */
enum { STRETCH = 8 * LANES };

typedef struct residual_stretch {
    int colour, j, k, parity, first;
    int slots, cells;
    bool interior, edge;
    ptrdiff_t at;
} residual_stretch;

static bool residual_continues(const residual_stretch *r, uint8_t code)
{
    return (code == BLOCK_INTERIOR) == r->interior && (code == BLOCK_EDGE) == r->edge;
}

static residual_stretch residual_stretch_at(const lattice *l, int colour, int j, int k, int first)
{
    ptrdiff_t at = lattice_at(l, j, k) + first;
    const uint8_t *code = l->code[colour] + (at >> LANES_SHIFT);
    residual_stretch r = {.colour = colour, .j = j, .k = k, .parity = lattice_parity(colour, j, k), .first = first, .slots = LANES,
                          .interior = code[0] == BLOCK_INTERIOR, .edge = code[0] == BLOCK_EDGE, .at = at};
    while (r.slots < STRETCH && first + r.slots < l->row && residual_continues(&r, code[r.slots >> LANES_SHIFT]))
        r.slots += LANES;
    int cells = lattice_half(l->n[0], r.parity) - first;
    r.cells = cells < 0 ? 0 : cells < r.slots ? cells : r.slots;
    return r;
}

/* Values of x or b; 0 beyond the row's end. */
static void residual_values(const residual_work *w, const residual_stretch *r, double out[STRETCH])
{
    const double *x = w->s->x[r->colour] + r->at;
    const float *b = field_row(w->s->right, r->j, r->k) + 2 * r->first + r->parity;
    if (w->solution)
        for (int h = 0; h < r->cells; h++)
            out[h] = x[h];
    else
        for (int h = 0; h < r->cells; h++)
            out[h] = (double)b[2 * h];
    for (int h = r->cells; h < r->slots; h++)
        out[h] = 0;
}

static void residual_sum_stretch(const double *v, const float *e, const residual_stretch *r, double sums[2][LANES])
{
    double sum[LANES] = {0}, count[LANES] = {0};
    if (r->interior) {
        double in = (double)components_inside(e[0]);
        for (int first = 0; first < r->slots; first += LANES)
            for (int h = 0; h < LANES; h++)
                sum[h] += in * v[first + h];
        count[0] = in * r->slots;
    } else {
        for (int first = 0; first < r->slots; first += LANES) {
            for (int h = 0; h < LANES; h++) {
                double in = (double)components_inside(e[first + h]);
                sum[h] += in * v[first + h];
                count[h] += in;
            }
        }
    }
    for (int h = 0; h < LANES; h++) {
        sums[0][h] += sum[h];
        sums[1][h] += count[h];
    }
}

/* One closed component: partial sums, in parallel. */
static void residual_sum_strip(void *context, const lattice_strip *strip)
{
    const residual_work *w = context;
    const lattice *l = &w->s->level[0];
    double sums[2][LANES] = {0}, v[STRETCH];
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            residual_stretch r;
            for (int first = 0; first < l->row; first += r.slots) {
                r = residual_stretch_at(l, colour, j, strip->k, first);
                residual_values(w, &r, v);
                residual_sum_stretch(v, l->e.of[colour] + r.at, &r, sums);
            }
        }
    }
    w->s->partial[0][strip->item] = threads_sum(sums[0], LANES);
    w->s->partial[1][strip->item] = threads_sum(sums[1], LANES);
}

/* Several: one after the other. */
static void residual_sum_all(const residual_work *w, residual_means m)
{
    const lattice *l = &w->s->level[0];
    double v[STRETCH];
    for (int row = 0; row < l->n[1] * l->n[2]; row++) {
        for (int colour = 0; colour < 2; colour++) {
            residual_stretch r;
            for (int first = 0; first < l->row; first += r.slots) {
                r = residual_stretch_at(l, colour, row % l->n[1], row / l->n[1], first);
                residual_values(w, &r, v);
                for (int h = 0; h < r.cells; h++) {
                    int number = components_of(l->e.of[colour][r.at + h]);
                    if (number < 0)
                        continue;
                    m.sum[number] += v[h];
                    m.count[number] += 1;
                }
            }
        }
    }
}

/* Leaves the means where residual_means.sum says. */
static void residual_find_means(poisson *s, bool solution)
{
    residual_work w = {.s = s, .solution = solution};
    residual_means m = residual_means_of(s);
    residual_clear_means(s);
    memset(m.count, 0, (size_t)s->components * sizeof(double));
    int items = lattice_items(&s->level[0]);
    if (s->components == 1) {
        lattice_for(&s->level[0], residual_sum_strip, &w);
        m.sum[0] = threads_sum(s->partial[0], items);
        m.count[0] = threads_sum(s->partial[1], items);
    } else if (s->components > 1) {
        residual_sum_all(&w, m);
    }
    for (int number = 0; number < s->components; number++)
        m.sum[number] /= m.count[number];
}

static void residual_load_strip(void *context, const lattice_strip *strip)
{
    const residual_work *w = context;
    const lattice *l = &w->s->level[0];
    double largest = 0, right = 0;
    for (int j = strip->j0; j < strip->j1; j++) {
        const float *from = field_row(w->to, j, strip->k), *b = field_row(w->s->right, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            int parity = lattice_parity(colour, j, strip->k);
            ptrdiff_t at = lattice_at(l, j, strip->k);
            double *x = w->s->x[colour] + at;
            const uint16_t *flags = l->flags[colour] + at;
            for (int h = 0; h < lattice_half(l->n[0], parity); h++) {
                x[h] = flags[h] & FLAG_LIVE ? (double)from[2 * h + parity] : 0;
                largest = fabs(x[h]) <= largest ? largest : 1;
                double size = flags[h] & FLAG_LIVE ? fabs((double)b[2 * h + parity]) : 0;
                right = size > right ? size : right;
            }
        }
    }
    w->s->partial[0][strip->item] = largest;
    w->s->partial[1][strip->item] = right;
}

void poisson_load(poisson *s, const field *x)
{
    field from = *x;
    residual_work w = {.s = s, .to = &from};
    lattice_for(&s->level[0], residual_load_strip, &w);
    s->started = threads_max(s->partial[0], lattice_items(&s->level[0])) > 0;
    /* A power of two, so that nothing is rounded by it. */
    double right = threads_max(s->partial[1], lattice_items(&s->level[0]));
    s->scale = right > 0 && isfinite(right) ? ldexp(1, -ilogb(right)) : 1;
}

static void residual_store_strip(void *context, const lattice_strip *strip)
{
    const residual_work *w = context;
    const lattice *l = &w->s->level[0];
    const double *mean = residual_means_of(w->s).sum;
    for (int j = strip->j0; j < strip->j1; j++) {
        float *to = field_row(w->to, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            int parity = lattice_parity(colour, j, strip->k);
            ptrdiff_t at = lattice_at(l, j, strip->k);
            const double *x = w->s->x[colour] + at;
            for (int h = 0; h < lattice_half(l->n[0], parity); h++) {
                int number = components_of(l->e.of[colour][at + h]);
                to[2 * h + parity] = (float)(number >= 0 ? x[h] - mean[number] : x[h]);
            }
        }
    }
}

void poisson_store(poisson *s, field *x)
{
    if (s->right_norms.max == 0) /* nothing drives the system: the guess is not asked for */
        memset(s->memory, 0, 2 * (size_t)s->level[0].slots * sizeof(double));
    residual_find_means(s, true);
    residual_work w = {.s = s, .to = x};
    lattice_for(&s->level[0], residual_store_strip, &w);
    residual_clear_means(s);
}

/* A x in double: where the solution is smooth, its differences are far below its size. */
static void residual_apply_double(const poisson *s, const residual_stretch *r, double *restrict out)
{
    const lattice *l = &s->level[0];
    const double *x = s->x[r->colour] + r->at, *other = s->x[1 - r->colour] + r->at;
    const float *e = l->e.of[r->colour] + r->at;
    for (int h = 0; h < r->slots; h++)
        out[h] = (double)lattice_tie(e[h]) * x[h];
    for (int a = 0; a < 2 + l->deep; a++) {
        ptrdiff_t low = a == 0 ? r->parity - 1 : a == 1 ? -l->row : -l->plane;
        ptrdiff_t high = a == 0 ? r->parity : a == 1 ? l->row : l->plane;
        const double *x0 = other + low, *x1 = other + high, c = l->c[a];
        const float *w0 = lattice_low(l, a, r->colour, r->parity) + r->at;
        const float *w1 = lattice_high(l, a, r->colour, r->parity) + r->at + high;
        for (int h = 0; h < r->slots; h++)
            out[h] += c * ((double)w0[h] * (x[h] - x0[h]) + (double)w1[h] * (x[h] - x1[h]));
    }
}

/* v −= A x where all weights are 1 but for those of faces across x at edges, and all extras the base. On flat levels plane
   and cz are 0. */
static inline void residual_subtract_plain(const poisson *s, const residual_stretch *r, const uint16_t *flags, double *restrict v,
                                           const bool edge)
{
    const lattice *l = &s->level[0];
    const double *x = s->x[r->colour] + r->at, *other = s->x[1 - r->colour] + r->at;
    const double cx = l->c[0], cy = l->c[1], cz = l->deep ? l->c[2] : 0, base = l->base;
    const double *x0 = other + r->parity - 1, *x1 = other + r->parity;
    const double *y0 = other - l->row, *y1 = other + l->row, *z0 = other - l->plane, *z1 = other + l->plane;
    for (int h = 0; h < r->slots; h++) {
        double low = edge && !(flags[h] & 1) ? 0 : x[h] - x0[h], high = edge && !(flags[h] & 2) ? 0 : x[h] - x1[h];
        double ax = base * x[h] + cx * (low + high) + cy * ((x[h] - y0[h]) + (x[h] - y1[h])) + cz * ((x[h] - z0[h]) + (x[h] - z1[h]));
        v[h] -= edge && !(flags[h] & FLAG_LIVE) ? 0 : ax;
    }
}

static void residual_subtract(const poisson *s, const residual_stretch *r, const uint16_t *flags, double *restrict v)
{
    double ax[STRETCH];
    residual_apply_double(s, r, ax);
    for (int h = 0; h < r->slots; h++)
        v[h] -= flags[h] & FLAG_LIVE ? ax[h] : 0;
}

/* What rounding leaves of a right-hand side that equals its mean is none. */
static const double ROUNDING = 1e-12;

static void residual_take_off(const residual_stretch *r, double off, double *restrict b)
{
    for (int h = 0; h < r->slots; h++) {
        double rest = b[h] - off;
        b[h] = fabs(rest) <= ROUNDING * fabs(b[h]) ? 0 : rest;
    }
}

/* Takes the means of the closed components off b. */
static void residual_centre(const poisson *s, const residual_stretch *r, double *restrict b)
{
    const double *mean = residual_means_of(s).sum;
    const float *e = s->level[0].e.of[r->colour] + r->at;
    if (s->components == 1 && s->level[0].closed) { /* all active cells belong to it */
        residual_take_off(r, mean[0], b);
        return;
    }
    if (r->interior) {
        residual_take_off(r, components_of(e[0]) >= 0 ? mean[components_of(e[0])] : 0, b);
        return;
    }
    for (int h = 0; h < r->slots; h++) {
        int number = components_of(e[h]);
        double rest = b[h] - (number >= 0 ? mean[number] : 0);
        b[h] = fabs(rest) <= ROUNDING * fabs(b[h]) ? 0 : rest;
    }
}

/* Square and largest element of b and of r; what rounding left, in lanes. */
typedef struct residual_measure {
    double right[2], rest[2], carry[LANES];
} residual_measure;

/* Values of inactive cells are not asked for, whatever they are. */
static void residual_mask(const residual_stretch *r, const uint16_t *flags, double *restrict v)
{
    for (int h = 0; h < r->slots && !r->interior; h++)
        v[h] = flags[h] & FLAG_LIVE ? v[h] : 0;
}

/* Rounds to float, handing each lane's error on to its next cell: the sum keeps its zero. On a closed component a
   mean of 1e-8 would grow a thousandfold in the coarse levels and spoil the last digits. */
static void residual_round(const double *v, double scale, double *restrict carry, float *restrict to)
{
    for (int h = 0; h < LANES; h++) {
        double sum = v[h] * scale + carry[h];
        to[h] = (float)sum;
        carry[h] = sum - (double)to[h];
    }
}

/* The same where some cells are inactive: they take part in nothing. */
static void residual_round_some(const double *v, double scale, const uint16_t *flags, double *restrict carry, float *restrict to)
{
    for (int h = 0; h < LANES; h++) {
        double sum = v[h] * scale + carry[h];
        float rounded = (float)sum;
        bool live = flags[h] & FLAG_LIVE;
        to[h] = live ? rounded : 0;
        carry[h] = live ? sum - (double)rounded : carry[h];
    }
}

static void residual_do_stretch(const residual_work *w, const residual_stretch *r, residual_measure *m)
{
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    const uint16_t *flags = l->flags[r->colour] + r->at;
    float *to = l->b.of[r->colour] + r->at;
    double v[STRETCH];
    residual_values(w, r, v);
    if (s->components > 0)
        residual_centre(s, r, v);
    residual_mask(r, flags, v);
    if (!s->measured)
        lanes_measure(v, r->slots, m->right);
    if (s->started && r->interior)
        residual_subtract_plain(s, r, flags, v, false);
    else if (s->started && r->edge)
        residual_subtract_plain(s, r, flags, v, true);
    else if (s->started)
        residual_subtract(s, r, flags, v);
    lanes_measure(v, r->slots, m->rest);
    for (int h = 0; h < r->slots; h += LANES) {
        if (r->interior)
            residual_round(v + h, s->scale, m->carry, to + h);
        else
            residual_round_some(v + h, s->scale, flags + h, m->carry, to + h);
    }
}

static void residual_do_strip(void *context, const lattice_strip *strip)
{
    const residual_work *w = context;
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    residual_measure m = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            residual_stretch r;
            for (int first = 0; first < l->row; first += r.slots) {
                r = residual_stretch_at(l, colour, j, strip->k, first);
                residual_do_stretch(w, &r, &m);
            }
        }
    }
    for (int i = 0; i < 2; i++) {
        s->partial[i][strip->item] = m.right[i];
        s->partial[2 + i][strip->item] = m.rest[i];
    }
}

static void residual_advance_strip(void *context, const lattice_strip *strip)
{
    const residual_work *w = context;
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
    const lattice *l = &s->level[0];
    residual_work w = {.s = s};
    /* The residual follows the last step of x a slice behind. */
    lattice_pass passes[2];
    int count = 0;
    if (s->pending != 0)
        passes[count++] = (lattice_pass){residual_advance_strip, &w, 0, NULL};
    passes[count] = (lattice_pass){residual_do_strip, &w, count, residual_renew};
    if (s->measured && s->components == 1)
        *residual_means_of(s).sum = s->mean;
    else
        residual_find_means(s, false);
    s->mean = *residual_means_of(s).sum;
    lattice_chain(l, passes, count + 1);
    s->pending = 0;
    s->swept = false;
    residual_clear_means(s);
    if (!s->measured)
        s->right_norms = poisson_norms(s, 0, 1);
    s->measured = true;
    return poisson_norms(s, 2, 3);
}
