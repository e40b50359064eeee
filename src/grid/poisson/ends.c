/* Start and end of a solve: loading b and x, storing x, and the means over closed components. */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_lanes.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/components.h"
#include "grid/poisson/parts.h"

typedef struct ends_work {
    poisson *s;
    const field *from;
    bool kept;           /* x stays */
    field *to;
} ends_work;

/* Sum and number of the cells of a closed component, per lane. */
typedef struct ends_sums {
    double sum[LANES], count[LANES];
} ends_sums;

/* Adds a block of values. All cells of an interior block belong to one component. */
static void ends_add_block(const double *v, const float *e, bool interior, ends_sums *sums)
{
    double one = (double)components_inside(e[0]);
    for (int h = 0; h < LANES && interior; h++)
        sums->sum[h] += one * v[h];
    for (int h = 0; h < LANES && !interior; h++) {
        double in = (double)components_inside(e[h]);
        sums->sum[h] += in != 0 ? v[h] : 0;
        sums->count[h] += in;
    }
    sums->count[0] += interior ? one * LANES : 0;
}

static void ends_sum_part(const poisson *s, const poisson_part *part, const double *v, ends_sums *sums)
{
    const lattice *l = &s->level[0];
    for (int h = 0; h < part->slots; h += LANES) {
        lattice_code code = l->code[part->colour][(part->at + h) >> LANES_SHIFT];
        if (code != BLOCK_EMPTY)
            ends_add_block(v + h, l->e.of[part->colour] + part->at + h, code == BLOCK_INTERIOR, sums);
    }
}

/* With one closed component: partial sums of x, in parallel. */
static void ends_sum_strip(void *context, const lattice_strip *strip)
{
    const ends_work *w = context;
    const lattice *l = &w->s->level[0];
    ends_sums sums = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        lattice_span span = lattice_span_of(l, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            for (int first = span.begin * LANES; first < span.end * LANES; first += POISSON_PART) {
                poisson_part part = poisson_part_of(l, colour, (int[2]){j, strip->k}, first);
                ends_sum_part(w->s, &part, w->s->x[colour] + part.at, &sums);
            }
        }
    }
    w->s->partial[0][strip->item] = threads_sum(sums.sum, LANES);
    w->s->partial[1][strip->item] = threads_sum(sums.count, LANES);
}

/* With several components: serial. Sums x where `from` is NULL. */
static void ends_sum_all(const ends_work *w, const poisson_closed *m)
{
    const lattice *l = &w->s->level[0];
    for (int row = 0; row < l->n[1] * l->n[2]; row++) {
        int j = row % l->n[1], k = row / l->n[1];
        for (int colour = 0; colour < 2; colour++) {
            ptrdiff_t at = lattice_at(l, j, k), begin = lattice_span_of(l, j, k).begin * LANES;
            int parity = lattice_parity(colour, j, k), cells = lattice_half(l->n[0], parity);
            for (ptrdiff_t h = begin; h < lattice_span_of(l, j, k).end * LANES && h < cells; h++) {
                int number = components_of(l->e.of[colour][at + h]);
                if (number < 0)
                    continue;
                m->sum[number] += w->from ? (double)field_row(w->from, j, k)[2 * h + parity] : w->s->x[colour][at + h];
                m->count[number] += 1;
            }
        }
    }
}

static void ends_find_means(poisson *s, const field *from)
{
    ends_work w = {.s = s, .from = from};
    const poisson_closed *m = &s->closed;
    size_t bytes = (size_t)m->number * sizeof(double);
    memset(m->sum, 0, bytes);
    memset(m->count, 0, bytes);
    ends_sum_all(&w, m);
    for (int number = 0; number < m->number; number++)
        m->sum[number] /= m->count[number];
    if (movers_present(s->movers))
        movers_keep_nulls(s->movers, m->sum, m->count);
}

const double *poisson_means(poisson *s)
{
    if (s->closed.number > 1)
        ends_find_means(s, s->right);
    else
        *s->closed.sum = s->mean;
    return s->closed.sum;
}

void poisson_clear_means(poisson *s)
{
    size_t count = s->closed.number > 1 ? (size_t)s->closed.number : 1;
    memset(s->closed.sum, 0, count * sizeof(double));
}

/* What the first pass over b and x finds. */
typedef struct ends_found {
    wide largest;        /* |b| in active cells, per lane */
    wide_mask guess;     /* where x ≠ 0 */
    ends_sums right;     /* of b */
} ends_found;

/* Eight slots of x. */
static inline void ends_set_x(wide value, double *x)
{
    float narrow[WIDE];
    wide_store(narrow, value);
    lanes_widen(narrow, (lanes_d *)x);
    lanes_widen(narrow + 4, (lanes_d *)(x + 4));
}

static void ends_load_part(const ends_work *w, const poisson_part *part, ends_found *found)
{
    const lattice *l = &w->s->level[0];
    double *x = w->s->x[part->colour] + part->at, b[POISSON_PART];
    const uint16_t *flags = l->flags[part->colour] + part->at;
    float from[POISSON_PART], right[POISSON_PART];
    if (w->from)
        poisson_part_take(l, part, w->from, from);
    else if (!w->kept)
        memset(x, 0, (size_t)part->slots * sizeof *x);
    poisson_part_take(l, part, w->s->right, right);
    for (int h = 0; h < part->slots; h += WIDE) {
        const wide_mask live = (wide_load_small(flags + h) & FLAG_LIVE) != 0;
        const wide_mask size = live & (wide_mask)wide_load(right + h) & INT32_MAX;
        found->largest = wide_max((wide)size, found->largest);
        if (w->from) {
            const wide guess = wide_keep(live, wide_load(from + h));
            found->guess |= guess != 0;
            ends_set_x(guess, x + h);
        }
    }
    for (int h = 0; h < part->slots && w->s->closed.number == 1; h++)
        b[h] = (double)right[h];
    if (w->s->closed.number == 1)
        ends_sum_part(w->s, part, b, &found->right);
}

static double ends_largest(const wide *lanes)
{
    double largest = 0;
    for (int l = 0; l < WIDE; l++)
        largest = (double)(*lanes)[l] > largest ? (double)(*lanes)[l] : largest;
    return largest;
}

static void ends_load_strip(void *context, const lattice_strip *strip)
{
    const ends_work *w = context;
    const lattice *l = &w->s->level[0];
    ends_found found = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        lattice_span span = lattice_span_of(l, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            for (int first = span.begin * LANES; first < span.end * LANES; first += POISSON_PART) {
                poisson_part part = poisson_part_of(l, colour, (int[2]){j, strip->k}, first);
                ends_load_part(w, &part, &found);
            }
        }
    }
    double *const *partial = w->s->partial;
    partial[0][strip->item] = wide_any(found.guess);
    partial[1][strip->item] = ends_largest(&found.largest);
    partial[2][strip->item] = threads_sum(found.right.sum, LANES);
    partial[3][strip->item] = threads_sum(found.right.count, LANES);
}

void poisson_load(poisson *s, const field *x, bool kept)
{
    int items = lattice_items(&s->level[0]);
    ends_work w = {.s = s, .from = x, .kept = kept};
    lattice_for(&s->level[0], ends_load_strip, &w);
    s->started = kept || threads_max(s->partial[0], items) > 0;
    if (s->started && !kept && s->level[0].surface)
        poisson_settle(s);
    /* A power of two, so that scaling does not round. */
    double right = threads_max(s->partial[1], items);
    s->scale = right > 0 && isfinite(right) ? ldexp(1, -ilogb(right)) : 1;
    s->cells = threads_sum(s->partial[3], items);
    s->mean = s->closed.number == 1 ? threads_sum(s->partial[2], items) / s->cells : 0;
    if (s->closed.number == 1 && movers_present(s->movers))
        movers_keep_nulls(s->movers, &s->mean, &s->cells);
}

/* x minus its mean. mean[−1] belongs to cells of no closed component and is not used. */
static void ends_store_part(const poisson *s, const poisson_part *part, const double *mean, float out[POISSON_PART])
{
    const lattice *l = &s->level[0];
    const double *x = s->x[part->colour] + part->at;
    const float *e = l->e.of[part->colour] + part->at;
    for (int h = 0; h < part->slots; h += LANES) {
        bool interior = l->code[part->colour][(part->at + h) >> LANES_SHIFT] == BLOCK_INTERIOR;
        double one = interior && components_of(e[h]) >= 0 ? mean[components_of(e[h])] : 0;
        for (int lane = h; lane < h + LANES && interior; lane++)
            out[lane] = (float)(x[lane] - one);
        for (int lane = h; lane < h + LANES && !interior; lane++) {
            int number = components_of(e[lane]);
            out[lane] = (float)(number >= 0 ? x[lane] - mean[number] : x[lane]);
        }
    }
}

/* Both colours of part of a row, from slot `first` on. */
static void ends_store_both(const ends_work *w, const int row[2], int first, const double *mean)
{
    const lattice *l = &w->s->level[0];
    float out[2][POISSON_PART], *to = field_row(w->to, row[0], row[1]) + 2 * first;
    int cells[2];
    for (int parity = 0; parity < 2; parity++) {
        poisson_part part = poisson_part_of(l, lattice_colour(parity, row[0], row[1]), row, first);
        cells[parity] = poisson_part_cells(l, &part);
        ends_store_part(w->s, &part, mean, out[parity]);
    }
    for (int h = 0; h < cells[1]; h++) {
        to[2 * h] = out[0][h];
        to[2 * h + 1] = out[1][h];
    }
    if (cells[0] > cells[1])
        to[2 * cells[1]] = out[0][cells[1]];
}

/* The same where no part is closed: x += pending·p on the way. */
static void ends_store_open(const ends_work *w, const int row[2], int first, int end)
{
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    const ptrdiff_t at = lattice_at(l, row[0], row[1]);
    const ptrdiff_t ahead = at + first + STENCIL_AHEAD * l->row, count = stencil_fetches(l) ? end - first : 0;
    float out[2][LANES], *to = field_row(w->to, row[0], row[1]);
    for (int colour = 0; colour < 2; colour++) {
        fetch(s->x[colour] + ahead, count * (ptrdiff_t)sizeof(double));
        fetch(s->p.of[colour] + ahead, count * (ptrdiff_t)sizeof(float));
    }
    for (int block = first; block < end; block += LANES) {
        const int cells = l->n[0] - 2 * block;
        for (int parity = 0; parity < 2; parity++) {
            const int colour = lattice_colour(parity, row[0], row[1]);
            double *restrict x = s->x[colour] + at + block;
            const float *restrict p = s->p.of[colour] + at + block;
            for (int h = 0; h < LANES && s->pending != 0; h++)
                x[h] += s->pending * (double)p[h];
            for (int h = 0; h < LANES; h++)
                out[parity][h] = (float)x[h];
        }
        for (int h = 0; h < LANES && cells >= 2 * LANES; h += WIDE)
            wide_store_pairs(to + 2 * (block + h), wide_load(out[0] + h), wide_load(out[1] + h));
        for (int i = 0; i < cells && cells < 2 * LANES; i++)
            to[2 * block + i] = out[i & 1][i >> 1];
    }
}

/* All rows of the field: what lies outside the spans is 0. */
static void ends_store_rows(void *context, int begin, int end)
{
    const ends_work *w = context;
    const lattice *l = &w->s->level[0];
    const double *mean = w->s->closed.sum;
    for (int r = begin; r < end; r++) {
        const int row[2] = {r % l->n[1], r / l->n[1]};
        lattice_span span = lattice_span_of(l, row[0], row[1]);
        float *to = field_row(w->to, row[0], row[1]);
        int from = 2 * LANES * span.begin, rest = l->n[0] - 2 * LANES * span.end;
        memset(to, 0, (size_t)(from < l->n[0] ? from : l->n[0]) * sizeof(float));
        memset(to + 2 * LANES * span.end, 0, (size_t)(rest > 0 ? rest : 0) * sizeof(float));
        if (w->s->closed.number == 0)
            ends_store_open(w, row, span.begin * LANES, span.end * LANES);
        for (int first = span.begin * LANES; first < span.end * LANES && w->s->closed.number; first += POISSON_PART)
            ends_store_both(w, row, first, mean);
    }
}

void poisson_store(poisson *s, field *x)
{
    const lattice *l = &s->level[0];
    ends_work w = {.s = s, .to = x};
    double *mean = s->closed.sum;
    if (s->closed.number > 0)
        poisson_advance(s);
    if (s->right_norms.max == 0) /* b = 0: the answer is 0, whatever the guess */
        memset(s->memory, 0, 2 * (size_t)l->slots * sizeof(double));
    const bool moved = movers_present(s->movers); /* x, since its sum was taken */
    if (s->closed.number == 1 && l->closed && s->right_norms.max > 0 && !moved) {
        *mean = s->sum / s->cells; /* all active cells are one component */
    } else if (s->closed.number == 1) {
        lattice_for(l, ends_sum_strip, &w);
        *mean = threads_sum(s->partial[0], lattice_items(l)) / threads_sum(s->partial[1], lattice_items(l));
        if (moved)
            movers_keep_nulls(s->movers, mean, &s->cells);
    } else if (s->closed.number > 1) {
        ends_find_means(s, NULL);
    }
    field_for_rows(x, ends_store_rows, &w);
    s->pending = 0;
    poisson_clear_means(s);
}
