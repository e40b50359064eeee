/* Passes over the cells of bodies. Sums are taken per piece and added in their order. Where bodies share cells, the
   first entry of each cell is written in parallel, and the others one after the other. */
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_stencil.h"

/* What a pass reads and writes: entries of a body, in pieces. */
typedef struct passes_work {
    movers *b;
    movers_kind kind;
    const float *v, *w;
    const double *x, *factor;
    float *to;
    double *to_double;
} passes_work;

/* Entries of a piece that have something of a kind. */
static int passes_end(const movers_piece *piece, int entries) { return piece->end < entries ? piece->end : entries; }

/* Σ of·v in double: every so many in float. */
enum { PASSES_BATCH = 32 };

LATTICE_INLINE void passes_sum(const float *of, const int *slot, const float *v, int count, double *to, const int lanes)
{
    movers_double sum = {0};
    for (int from = 0; from < count; from += PASSES_BATCH) {
        const int end = from + PASSES_BATCH < count ? from + PASSES_BATCH : count;
        wide part = {0};
        for (int n = from; n < end; n++)
            part += v[slot[n]] * movers_load(of + (ptrdiff_t)lanes * n, lanes);
        sum += __builtin_convertvector(part, movers_double);
    }
    for (int d = 0; d < lanes; d++)
        to[d] = sum[d];
}

/* The sum over a piece of what is of a kind. */
static void passes_sum_piece(const movers *b, const movers_piece *piece, movers_kind kind, const float *v, double *to)
{
    const movers_one *one = &b->one[piece->body];
    const int count = passes_end(piece, movers_entries(kind, one)) - piece->begin;
    const float *of = movers_lanes(b, kind, one) + (ptrdiff_t)one->lanes * piece->begin;
    const int *slot = b->slot + one->first + piece->begin;
    if (one->lanes == MOVERS_LANES)
        passes_sum(of, slot, v, count, to, MOVERS_LANES);
    else
        passes_sum(of, slot, v, count, to, MOVERS_LANES / 2);
}

/* Adds up the pieces of each body; `which` of the two sums. */
static void passes_total(const movers *b, int which, double *to)
{
    memset(to, 0, (size_t)b->used.bodies * MOVERS_LANES * sizeof *to);
    for (int n = 0; n < b->used.pieces; n++)
        for (int d = 0; d < b->one[b->piece[n].body].lanes; d++)
            to[b->piece[n].body * MOVERS_LANES + d] += b->partial[(2 * n + which) * MOVERS_LANES + d];
}

static void passes_pushes_share(void *context, int begin, int end)
{
    const passes_work *w = context;
    for (int n = begin; n < end; n++)
        passes_sum_piece(w->b, &w->b->piece[n], MOVERS_PUSH, w->v, w->b->partial + (ptrdiff_t)2 * MOVERS_LANES * n);
}

void movers_gather_pushes(movers *b, const float *v, double *to)
{
    passes_work w = {.b = b, .v = v};
    threads_for_cost(b->used.pieces, MOVERS_PIECE, passes_pushes_share, &w);
    passes_total(b, 0, to);
}

static void passes_fields_share(void *context, int begin, int end)
{
    const passes_work *w = context;
    for (int n = begin; n < end; n++) {
        double *to = w->b->partial + (ptrdiff_t)2 * MOVERS_LANES * n;
        passes_sum_piece(w->b, &w->b->piece[n], MOVERS_FIELD, w->v, to);
        passes_sum_piece(w->b, &w->b->piece[n], MOVERS_PRODUCT, w->w, to + MOVERS_LANES);
    }
}

void movers_gather_fields(movers *b, const movers_views *v, double *field, double *product)
{
    passes_work w = {.b = b, .v = v->field, .w = v->product};
    threads_for_cost(b->used.pieces, 4 * MOVERS_PIECE, passes_fields_share, &w);
    passes_total(b, 0, field);
    passes_total(b, 1, product);
}

LATTICE_INLINE void passes_add(const passes_work *w, const movers_piece *piece, const int lanes)
{
    const movers *b = w->b;
    const movers_one *one = &b->one[piece->body];
    const float *of = movers_lanes(b, w->kind, one);
    const wide factor = wide_load(b->factor + (ptrdiff_t)MOVERS_LANES * piece->body);
    const int *slot = b->slot + one->first, *before = b->before + one->first;
    const int end = passes_end(piece, movers_entries(w->kind, one));
    for (int n = piece->begin; n < end; n++)
        if (before[n] < 0)
            w->to[slot[n]] += wide_sum(factor * movers_load(of + (ptrdiff_t)lanes * n, lanes));
}

static void passes_add_share(void *context, int begin, int end)
{
    const passes_work *w = context;
    for (int n = begin; n < end; n++) {
        const movers_piece *piece = &w->b->piece[n];
        if (w->b->one[piece->body].lanes == MOVERS_LANES)
            passes_add(w, piece, MOVERS_LANES);
        else
            passes_add(w, piece, MOVERS_LANES / 2);
    }
}

/* Entries in cells that other bodies have as well. */
static void passes_add_again(const passes_work *w, int body)
{
    const movers *b = w->b;
    const movers_one *one = &b->one[body];
    const float *of = movers_lanes(b, w->kind, one), *factor = b->factor + (ptrdiff_t)MOVERS_LANES * body;
    for (const int *n = b->again + one->again; n < b->again + one->again + one->agains; n++)
        for (int d = 0; d < one->dofs && *n < movers_entries(w->kind, one); d++)
            w->to[b->slot[one->first + *n]] += of[(ptrdiff_t)one->lanes * *n + d] * factor[d];
}

void movers_add(movers *b, movers_kind kind, const double *factor, float *to)
{
    passes_work w = {.b = b, .kind = kind, .to = to};
    for (int n = 0; n < b->used.bodies * MOVERS_LANES; n++)
        b->factor[n] = (float)factor[n];
    threads_for_cost(b->used.pieces, 2 * MOVERS_PIECE, passes_add_share, &w);
    for (int body = 0; body < b->used.bodies; body++)
        passes_add_again(&w, body);
}

/* The same in double. */
static double passes_dot(const float *of, const double *factor, const int lanes)
{
    const movers_double products = movers_load_double(of, lanes) * *(const movers_double *)factor;
    return ((products[0] + products[1]) + (products[2] + products[3])) +
           ((products[4] + products[5]) + (products[6] + products[7]));
}

static void passes_solution_share(void *context, int begin, int end)
{
    const passes_work *w = context;
    for (const movers_piece *piece = w->b->piece + begin; piece < w->b->piece + end; piece++) {
        const movers_one *one = &w->b->one[piece->body];
        const float *push = movers_lanes(w->b, MOVERS_PUSH, one);
        const int *slot = w->b->slot + one->first;
        movers_double sum = {0};
        for (int n = piece->begin; n < passes_end(piece, one->pushes); n++)
            sum += w->x[slot[n]] * movers_load_double(push + (ptrdiff_t)one->lanes * n, one->lanes);
        memcpy(w->b->partial + 2 * MOVERS_LANES * (piece - w->b->piece), &sum, sizeof sum);
    }
}

void movers_gather_solution(movers *b, const double *x, double *to)
{
    passes_work w = {.b = b, .x = x};
    threads_for_cost(b->used.pieces, MOVERS_PIECE, passes_solution_share, &w);
    passes_total(b, 0, to);
}

static void passes_advance_share(void *context, int begin, int end)
{
    const passes_work *w = context;
    for (const movers_piece *piece = w->b->piece + begin; piece < w->b->piece + end; piece++) {
        const movers_one *one = &w->b->one[piece->body];
        const float *field = movers_lanes(w->b, MOVERS_FIELD, one);
        const int *slot = w->b->slot + one->first, *before = w->b->before + one->first;
        for (int n = piece->begin; n < passes_end(piece, one->inner); n++)
            if (before[n] < 0)
                w->to_double[slot[n]] += passes_dot(field + (ptrdiff_t)one->lanes * n,
                                                    w->factor + (ptrdiff_t)MOVERS_LANES * piece->body, one->lanes);
    }
}

void movers_add_solution(movers *b, const double *factor, double *x)
{
    passes_work w = {.b = b, .factor = factor, .to_double = x};
    threads_for_cost(b->used.pieces, 2 * MOVERS_PIECE, passes_advance_share, &w);
    for (int body = 0; body < b->used.bodies; body++) {
        const movers_one *one = &b->one[body];
        const float *field = movers_lanes(b, MOVERS_FIELD, one);
        for (const int *n = b->again + one->again; n < b->again + one->again + one->agains; n++)
            if (*n < one->inner)
                x[b->slot[one->first + *n]] += passes_dot(field + (ptrdiff_t)one->lanes * *n,
                                                          factor + (ptrdiff_t)MOVERS_LANES * body, one->lanes);
    }
}

static void passes_load_share(void *context, int begin, int end)
{
    const passes_work *w = context;
    for (const movers_piece *piece = w->b->piece + begin; piece < w->b->piece + end; piece++) {
        const movers_one *one = &w->b->one[piece->body];
        const float *push = movers_lanes(w->b, MOVERS_PUSH, one);
        for (int n = piece->begin; n < passes_end(piece, one->pushes); n++)
            if (w->b->leader[one->pushed + n] == one->pushed + n)
                w->b->load[one->pushed + n] = passes_dot(push + (ptrdiff_t)one->lanes * n,
                                                         w->factor + (ptrdiff_t)MOVERS_LANES * piece->body, one->lanes);
    }
}

void movers_make_load(movers *b, const double *factor)
{
    passes_work w = {.b = b, .factor = factor};
    threads_for_cost(b->used.pieces, MOVERS_PIECE, passes_load_share, &w);
    for (int body = 0; body < b->used.bodies; body++) {
        const movers_one *one = &b->one[body];
        const float *push = movers_lanes(b, MOVERS_PUSH, one);
        for (const int *n = b->again + one->again; n < b->again + one->again + one->agains; n++)
            if (*n < one->pushes && b->leader[one->pushed + *n] != one->pushed + *n)
                b->load[b->leader[one->pushed + *n]] += passes_dot(
                    push + (ptrdiff_t)one->lanes * *n, factor + (ptrdiff_t)MOVERS_LANES * body, one->lanes);
    }
}
