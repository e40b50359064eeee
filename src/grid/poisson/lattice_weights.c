#include "grid/poisson/lattice_weights.h"

#include "grid/poisson/lattice_chain.h"
#include "grid/poisson/lattice_spans.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/lattice_weights_parts.h"

/* An axis whose coefficient is below this share of the largest is not halved: the smoother would not damp the errors
   that the coarse grid could no longer represent. */
static const double COARSEN_SHARE = 0.4;
enum { COARSEST_CELLS = 4 };

bool lattice_weights_choose(lattice *l)
{
    double strongest = 0;
    for (int a = 0; a < 3; a++)
        if (l->n[a] > 1 && l->c[a] > strongest)
            strongest = l->c[a];
    for (int a = 0; a < 3; a++)
        l->coarsen[a] = l->n[a] > 1 && l->c[a] >= COARSEN_SHARE * strongest;
    return (int64_t)l->n[0] * l->n[1] * l->n[2] > COARSEST_CELLS;
}

/* Where numbers of a row come from: `from`, or `usual` where that is NULL; 0 for cells that are outside and all their
   faces. */
typedef struct weights_source {
    const float *from;
    float usual;
    const float *outside, *below;  /* of the cells and their low neighbours; NULL: none is */
    float *to[2];                  /* by i mod 2 */
} weights_source;

/* A sample in the order of i. */
static float weights_take_one(const weights_source *s, int i)
{
    bool in = !s->outside || (s->outside[i] < 0 && s->below[i] < 0);
    return !in ? 0 : s->from ? s->from[i] : s->usual;
}

static wide weights_take_eight(const weights_source *s, int i)
{
    wide value = s->from ? wide_load(s->from + i) : wide_all(s->usual);
    return s->outside ? wide_keep((wide_load(s->outside + i) < 0) & (wide_load(s->below + i) < 0), value) : value;
}

/* Takes the cells from `first` on, an even number, up to n. */
static void weights_take_cells(const weights_source *s, int first, int n)
{
    int i = first;
    for (; i + 2 * WIDE <= n; i += 2 * WIDE) {
        wide a = weights_take_eight(s, i), b = weights_take_eight(s, i + WIDE);
        wide_store(s->to[0] + i / 2, __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
        wide_store(s->to[1] + i / 2, __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
    }
    for (; i < n; i++)
        s->to[i & 1][i / 2] = weights_take_one(s, i);
}

/* The low faces across one axis of a row of the finest level, or (axis −1) its extras. */
static void weights_take_row(const weights_work *w, int axis, const int row[2])
{
    const lattice *l = w->l;
    const field *from = axis < 0 ? w->op->extra : w->op->weight[axis], *outside = w->op->outside;
    const lattice_span span = lattice_span_of(l, row[0], row[1]);
    bool side = axis > 0 && row[axis - 1] == 0 && !l->wrap[axis];
    weights_source s = {.from = from && !side ? field_row(from, row[0], row[1]) : NULL,
                        .usual = axis < 0 || side ? 0 : 1};
    if (outside && !side) {
        s.outside = field_row(outside, row[0], row[1]);
        s.below = axis < 0 ? s.outside : s.outside - outside->stride[axis];
    }
    for (int parity = 0; parity < 2; parity++) {
        int colour = lattice_colour(parity, row[0], row[1]);
        s.to[parity] = (axis < 0 ? l->e.of[colour] : lattice_low(l, axis, colour, parity)) +
                       lattice_at(l, row[0], row[1]);
    }
    weights_take_cells(&s, 2 * LANES * span.begin, 2 * LANES * span.end < l->n[0] ? 2 * LANES * span.end : l->n[0]);
    if (axis == 0 && !l->wrap[0])
        s.to[0][0] = 0;
}

static void weights_take_strip(void *context, const lattice_strip *strip)
{
    const weights_work *w = context;
    for (int j = strip->j0; j < strip->j1; j++)
        for (int a = -1; a < 2 + w->l->deep; a++)
            weights_take_row(w, a, (int[2]){j, strip->k});
}

/* A block whose flags are computed. */
typedef struct weights_block {
    lattice_site site;
    int number, cells;   /* cells to the end of the row: slots behind them may hold ghosts of weights */
    float constant;      /* added to the extras: the constant part on the finest level */
} weights_block;

/* Properties of the block, gathered over its lanes. */
typedef struct weights_found {
    bool interior, end, live, uneven, tied; /* uneven: some weight is neither 0 nor 1; tied: some extra is not `base` */
} weights_found;

/* Flags and extras of one half of a block; `end`: the flags expected at the end of a row. */
LATTICE_INLINE void weights_flag_lanes(const stencil *s, const stencil_view *v, const lattice *l,
                                       const weights_block *b, const int half, const lattice_end *end,
                                       weights_found *found)
{
    const wide_mask order = {0, 1, 2, 3, 4, 5, 6, 7};
    const wide coefficient[3] = {wide_all(s->cx), wide_all(s->cy), wide_all(s->cz)};
    const ptrdiff_t at = b->site.at + half * WIDE;
    float *e = l->e.of[b->site.colour] + at;
    wide sum = wide_load(e);
    wide_mask flags = {0}, uneven = {0};
    for (int face = 0; face < 4 + 2 * s->deep; face++) {
        const int bit = 1 << face;
        wide w = wide_load((face % 2 ? v->w_high : v->w_low)[face / 2] + at);
        sum += coefficient[face / 2] * w;
        flags |= (w == 1) & bit;
        uneven |= (w != 0) & (w != 1);
    }
    if (!s->deep)
        flags |= FLAG_FACES ^ (FLAG_FACES >> 2);
    wide_mask live = (sum > 0) & (order < b->cells - half * WIDE);
    wide tie = wide_keep(live, wide_load(e) + b->constant);
    wide_mask tied = live & (tie != s->base);
    flags = live & (flags | FLAG_LIVE);
    wide_store(e, tie);
    wide_store_small(l->flags[b->site.colour] + at, flags);
    found->interior = found->interior && wide_every(flags == (FLAG_FACES | FLAG_LIVE));
    found->end = found->end && wide_every(flags == end->flags[half]);
    found->live = found->live || wide_any(live);
    found->uneven = found->uneven || wide_any(live & uneven);
    found->tied = found->tied || wide_any(tied);
}

LATTICE_INLINE lattice_code weights_flag_block(const stencil *s, const stencil_view *v, const lattice *l,
                                               const weights_block *b)
{
    bool first = b->number == 0, last = b->number == l->blocks - 1;
    const lattice_end *end = &l->end[b->site.parity][!first];
    weights_found found = {.interior = true, .end = first || last};
    weights_flag_lanes(s, v, l, b, 0, end, &found);
    weights_flag_lanes(s, v, l, b, 1, end, &found);
    if (!found.live)
        return BLOCK_EMPTY;
    if (found.uneven)
        return BLOCK_GENERAL;
    if (found.tied) /* BLOCK_EDGE, if weights_edge says so of its neighbours */
        return l->surface ? BLOCK_EDGE : BLOCK_GENERAL;
    if (found.interior)
        return BLOCK_INTERIOR;
    return !found.end ? BLOCK_BINARY : first ? BLOCK_FIRST : BLOCK_LAST;
}

typedef struct flag_work {
    lattice *l;
    float constant;
} flag_work;

static void weights_flag_strip(void *context, const lattice_strip *strip)
{
    const flag_work *w = context;
    lattice *l = w->l;
    const stencil s = stencil_of(l);
    stencil fixed = s; /* makes `deep` a constant in either call */
    stencil_view views[2][2];
    for (int v = 0; v < 4; v++)
        views[v >> 1][v & 1] = stencil_view_of(&s, &l->e, v >> 1, v & 1);
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            int parity = lattice_parity(colour, j, strip->k);
            const stencil_view *view = &views[colour][parity];
            lattice_run run = lattice_run_of(l, j, strip->k);
            int end = (int)(run.first + run.count) / LANES;
            weights_block b = {{colour, parity, run.at}, (int)run.first / LANES,
                               lattice_half(l->n[0], parity) - (int)run.first, w->constant};
            for (; b.number < end; b.number++, b.site.at += LANES, b.cells -= LANES) {
                uint8_t *code = &l->code[colour][b.site.at / LANES];
                fixed.deep = true;
                if (s.deep)
                    *code = (uint8_t)weights_flag_block(&fixed, view, l, &b);
                fixed.deep = false;
                if (!s.deep)
                    *code = (uint8_t)weights_flag_block(&fixed, view, l, &b);
            }
        }
    }
}

/* The first or last block of a row that is interior except for the row's end. */
static lattice_end weights_end(const lattice *l, int parity, int block)
{
    const double inside = 2 * (l->c[0] + l->c[1] + (l->deep ? l->c[2] : 0)) + l->base;
    lattice_end end = {0};
    for (int h = 0; h < LANES; h++) {
        int i = 2 * (block * LANES + h) + parity, half = h / WIDE, lane = h % WIDE, lacks = 0;
        if (i >= l->n[0])
            break;
        for (int side = 0; side < 2; side++) {
            bool open = l->wrap[0] || i != (side ? l->n[0] - 1 : 0);
            end.open[side][half][lane] = -open;
            lacks |= open ? 0 : 1 << side;
        }
        double diagonal = inside - (double)((lacks & 1) + (lacks >> 1)) * l->c[0];
        end.live[half][lane] = -1;
        end.flags[half][lane] = (FLAG_FACES ^ lacks) | FLAG_LIVE;
        end.inverse[half][lane] = diagonal > 0 ? (float)(1 / diagonal) : 0;
    }
    return end;
}

/* Eight cells whose parents may be others, from slot `at` on. */
typedef struct weights_eight {
    const lattice *l;
    lattice_site site;
    int axis;
} weights_eight;

static wide_mask weights_live(const weights_eight *e, ptrdiff_t at)
{
    return (wide_load_small(e->l->flags[1 - e->site.colour] + at) & FLAG_LIVE) != 0;
}

/* Whether cells are moved to the left along an axis: a wall parts them from their siblings, but not from what is left
   of them. */
static wide_mask weights_moves(const weights_eight *e)
{
    const lattice *l = e->l;
    const ptrdiff_t at = e->site.at, sibling = at + (e->axis == 0 ? 0 : e->axis == 1 ? l->row : l->plane);
    const float *inner = lattice_high(l, e->axis, e->site.colour, e->site.parity);
    const float *outer = lattice_low(l, e->axis, e->site.colour, e->site.parity);
    return weights_live(e, sibling) & ~(wide_load(inner + sibling) > 0) & (wide_load(outer + at) > 0);
}

/* Whether cells are moved to the right: a wall parts them from their siblings, another one these from what is left of
   them (a layer of one cell between plates, or along a side of the block), and there are cells to the right that
   stay. */
static wide_mask weights_moves_on(const weights_eight *e)
{
    const lattice *l = e->l;
    const ptrdiff_t at = e->site.at, step = e->axis == 1 ? l->row : l->plane;
    const ptrdiff_t left = at - (e->axis == 0 ? 0 : step), right = at + (e->axis == 0 ? 1 : step);
    const float *low = lattice_low(l, e->axis, e->site.colour, e->site.parity);
    const float *of_sibling = lattice_low(l, e->axis, 1 - e->site.colour, 1 - e->site.parity);
    const float *outer = lattice_high(l, e->axis, e->site.colour, e->site.parity);
    return weights_live(e, left) & ~(wide_load(low + at) > 0) & ~(wide_load(of_sibling + left) > 0) &
           (wide_load(outer + right) > 0) & (wide_load(low + at + (e->axis == 0 ? 1 : 2 * step)) > 0);
}

static bool weights_move_block(lattice *l, lattice_site site, const int row[2])
{
    bool even[3] = {l->coarsen[0] && site.parity == 0, l->coarsen[1] && row[0] % 2 == 0 && row[0] + 1 < l->n[1],
                    l->coarsen[2] && row[1] % 2 == 0 && row[1] + 1 < l->n[2]};
    bool odd[3] = {site.parity == 1, row[0] % 2 == 1 && row[0] + 2 < l->n[1], row[1] % 2 == 1 && row[1] + 2 < l->n[2]};
    bool any = false;
    for (int a = 0; a < 3; a++) {
        const bool on = l->surface && l->coarsen[a] && !l->wrap[a] && odd[a];
        for (int half = 0; half < LANES && (even[a] || on); half += WIDE) {
            const weights_eight e = {l, {site.colour, site.parity, site.at + half}, a};
            uint16_t *to = l->flags[site.colour] + e.site.at;
            wide_mask flags = wide_load_small(to), moves = on ? weights_moves_on(&e) : weights_moves(&e);
            moves &= (flags & FLAG_LIVE) != 0;
            if (!wide_any(moves))
                continue;
            wide_store_small(to, flags | (moves & (on ? FLAG_MOVED_ON : FLAG_MOVED) << a));
            any = true;
        }
    }
    return any;
}

/* Whether x = 0 beyond all closed faces of a block's active cells. Ghosts of periodic axes are not looked at, and what
   lies before or behind a row may be the end of another. */
static bool weights_edge(const lattice *l, lattice_site site, const int row[2])
{
    const uint16_t *flags = l->flags[site.colour] + site.at, *other = l->flags[1 - site.colour] + site.at;
    bool inside = true;
    const ptrdiff_t step[6] = {site.parity - 1, site.parity, -l->row, l->row, -l->plane, l->plane};
    for (int a = 0; a < 3; a++)
        inside = inside && (!l->wrap[a] || (a > 0 && row[a - 1] > 0 && row[a - 1] < l->n[a] - 1));
    for (int face = 0; face < 4 + 2 * l->deep && inside; face++)
        for (int half = 0; half < LANES; half += WIDE) {
            wide_mask closed = (wide_load_small(flags + half) & (FLAG_LIVE | 1 << face)) == FLAG_LIVE;
            wide_mask beyond = wide_load_small(other + half + step[face]);
            inside = inside && !wide_any(closed & ((beyond & FLAG_LIVE) != 0));
        }
    return inside;
}

/* The final code of a block from BLOCK_BINARY on of a level with a surface, and 1 / D. */
static void weights_finish_block(lattice *l, const stencil *s, const stencil_view *v, lattice_site site,
                                 const int row[2])
{
    uint8_t *code = &l->code[site.colour][site.at / LANES];
    if (*code != BLOCK_GENERAL)
        *code = weights_edge(l, site, row) ? BLOCK_EDGE : BLOCK_GENERAL;
    for (ptrdiff_t h = site.at; h < site.at + LANES; h += WIDE) {
        wide diagonal = stencil_diagonal(s, v, h, BLOCK_GENERAL);
        wide_mask live = stencil_have(v, h, FLAG_LIVE);
        wide_mask tied = wide_load(v->e + h) > s->base;
        wide_store(l->over.of[site.colour] + h, wide_keep(live, wide_choose(tied, -1 / diagonal, 1 / diagonal)));
    }
}

static void weights_move_strip(void *context, const lattice_strip *strip)
{
    lattice *l = context;
    const stencil s = stencil_of(l);
    for (int j = strip->j0; j < strip->j1; j++) {
        bool any = false;
        for (int colour = 0; colour < 2; colour++) {
            lattice_run run = lattice_run_of(l, j, strip->k);
            lattice_site site = {colour, lattice_parity(colour, j, strip->k), run.at};
            const stencil_view view = stencil_view_of(&s, &l->e, colour, site.parity);
            for (; site.at < run.at + run.count; site.at += LANES) {
                if (l->code[colour][site.at / LANES] < BLOCK_BINARY) /* no closed face between siblings */
                    continue;
                if (l->surface)
                    weights_finish_block(l, &s, &view, site, (int[2]){j, strip->k});
                any |= weights_move_block(l, site, (int[2]){j, strip->k});
            }
        }
        l->moved_rows[strip->k * l->n[1] + j] = any;
    }
}

/* Updates the periodic ghosts of the weights. */
static void weights_flag_renew(void *context)
{
    lattice *l = ((flag_work *)context)->l;
    for (int a = 1; a < 2 + l->deep; a++)
        for (int colour = 0; colour < 2; colour++)
            lattice_wrap_vector(l, &l->w[a], colour);
    for (int k = 0; k < l->n[2] && l->wrap[0]; k++)
        for (int j = 0; j < l->n[1]; j++)
            l->w[0].of[l->n[0] & 1][lattice_slot(l, l->n[0], j, k)] = l->w[0].of[0][lattice_at(l, j, k)];
}

void weights_fill(lattice *l, lattice_work weights, const weights_work *w, float constant)
{
    flag_work flags = {.l = l, .constant = constant};
    for (int v = 0; v < 4; v++)
        l->end[v >> 1][v & 1] = weights_end(l, v >> 1, v & 1 ? l->blocks - 1 : 0);
    weights_work copy = *w;
    const lattice_pass passes[] = {{weights, &copy, 0, NULL, w->fine ? lattice_children(w->fine) : 0},
                                   {weights_flag_strip, &flags, 1, weights_flag_renew, 0},
                                   {weights_move_strip, l, 2, NULL, 0}};
    lattice_chain(l, passes, 3);
    l->moved = memchr(l->moved_rows, true, (size_t)l->n[1] * (size_t)l->n[2]);
}

/* The blocks with cells that are not outside. */
static lattice_span weights_reach_finest(const void *context, const int row[2])
{
    const weights_work *w = context;
    if (!w->op->outside)
        return (lattice_span){0, w->l->blocks};
    int cells[2];
    field_negative_span(w->op->outside, row[0], row[1], cells);
    if (cells[0] == cells[1])
        return (lattice_span){0};
    return (lattice_span){cells[0] / (2 * LANES), (cells[1] + 2 * LANES - 1) / (2 * LANES)};
}

void lattice_weights_take(lattice *finest, const poisson_operator *op)
{
    weights_work w = {.l = finest, .op = op};
    finest->base = op->extra_constant;
    finest->unobstructed = !op->weight[0] && !op->weight[1] && !op->weight[2];
    lattice_spans_widen(finest, weights_reach_finest, &w);
    weights_fill(finest, weights_take_strip, &w, (float)op->extra_constant);
}
