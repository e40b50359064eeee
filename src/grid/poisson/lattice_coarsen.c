/* The operator on coarser levels: see lattice_weights.h. */
#include <string.h>

#include "grid/poisson/lattice_moved.h"
#include "grid/poisson/lattice_spans.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/lattice_weights_parts.h"

/* The cells of one parity in the span of a row: slots [first, end) of the row. */
typedef struct weights_slots {
    int first, end;
} weights_slots;

static weights_slots weights_slots_of(const lattice *l, int parity, const int row[2])
{
    lattice_span span = lattice_span_of(l, row[0], row[1]);
    int cells = lattice_half(l->n[0], parity), end = span.end * LANES;
    return (weights_slots){span.begin * LANES, end < cells ? end : cells};
}

/* Adds a row of fine values to the coarse row above it, both split by i mod 2. */
typedef struct weights_row {
    float *to[2];
    const float *from[2];
    const uint16_t *skip[2];   /* flags: cells with any of `bits` are left out; NULL: none */
    const uint16_t *below[2];  /* flags of the cells beyond the low faces; the same with `bits_below` */
    unsigned bits, bits_below;
    weights_slots slots[2];    /* of the fine row */
    bool halved;               /* along x */
    bool low_only;             /* of two children along x, only the low one */
} weights_row;

static float weights_value(const weights_row *r, int parity, int h)
{
    bool skip = r->skip[parity] && ((r->skip[parity][h] & r->bits) | (r->below[parity][h] & r->bits_below));
    return skip ? 0 : lattice_tie(r->from[parity][h]);
}

/* lattice_tie of eight. */
static wide weights_tie_eight(wide stored) { return wide_keep(stored > 0, stored); }

static void weights_add_sixteen(const float *from, float *even, float *odd)
{
    wide a = weights_tie_eight(wide_load(from)), b = weights_tie_eight(wide_load(from + WIDE));
    wide_store(even, wide_load(even) + __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
    wide_store(odd, wide_load(odd) + __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
}

static void weights_add_row(const weights_row *r)
{
    for (int parity = 0; parity < 2; parity++) {
        const weights_slots s = r->slots[parity];
        if (parity == 1 && r->halved && r->low_only)
            continue;
        if (!r->halved) {
            for (int h = s.first; h < s.end; h++)
                r->to[parity][h] += weights_value(r, parity, h);
        } else if (r->skip[0]) {
            for (int h = s.first; h < s.end; h++)
                r->to[h & 1][h >> 1] += weights_value(r, parity, h);
        } else {
            const float *from = r->from[parity];
            int h = s.first;
            for (; h + 2 * WIDE <= s.end; h += 2 * WIDE)
                weights_add_sixteen(from + h, r->to[0] + h / 2, r->to[1] + h / 2);
            for (; h < s.end; h++)
                r->to[h & 1][h >> 1] += lattice_tie(from[h]);
        }
    }
}

/* Whether cells of a row, or beyond its low faces across an axis, are moved. */
static bool weights_moved(const lattice *l, int axis, int j, int k)
{
    const uint8_t *row = l->moved_rows + k * l->n[1] + j;
    return row[0] || (axis == 1 && j > 0 && row[-1]) || (axis == 2 && k > 0 && row[-l->n[1]]);
}

/* Sums of fine values under a coarse row: of the low faces across `axis`, or (axis −1) of the extras. Closed levels
   have no extras. */
static void weights_sum_row(const lattice *fine, const lattice *coarse, int axis, const int row[2])
{
    int ry = fine->coarsen[1] ? 2 : 1, rz = fine->coarsen[2] ? 2 : 1;
    int ny = axis == 1 ? 1 : ry, nz = axis == 2 ? 1 : rz;
    weights_row r = {.halved = fine->coarsen[0], .low_only = axis == 0};
    r.bits = axis < 0 ? FLAG_ANY_MOVED : (unsigned)FLAG_MOVED << axis;
    r.bits_below = axis < 0 ? 0 : (unsigned)FLAG_MOVED_ON << axis;
    for (int parity = 0; parity < 2; parity++) {
        int colour = lattice_colour(parity, row[0], row[1]);
        float *to = axis < 0 ? coarse->e.of[colour] : lattice_low(coarse, axis, colour, parity);
        lattice_run run = lattice_run_of(coarse, row[0], row[1]);
        r.to[parity] = to + lattice_at(coarse, row[0], row[1]);
        memset(to + run.at, 0, (size_t)run.count * sizeof(float));
    }
    if (axis < 0 && (fine->closed || fine->surface))
        return;
    for (int k = rz * row[1]; k < rz * row[1] + nz && k < fine->n[2]; k++) {
        for (int j = ry * row[0]; j < ry * row[0] + ny && j < fine->n[1]; j++) {
            bool moved = weights_moved(fine, axis, j, k);
            for (int parity = 0; parity < 2; parity++) {
                int colour = lattice_colour(parity, j, k);
                ptrdiff_t at = lattice_at(fine, j, k);
                r.from[parity] = (axis < 0 ? fine->e.of[colour] : lattice_low(fine, axis, colour, parity)) + at;
                r.skip[parity] = moved ? fine->flags[colour] + at : NULL;
                r.below[parity] = fine->flags[1 - colour] + at +
                                  (axis == 1 ? -fine->row : axis == 2 ? -fine->plane : parity - 1);
                r.slots[parity] = weights_slots_of(fine, parity, (int[2]){j, k});
            }
            weights_add_row(&r);
        }
    }
}

/* The faces between a cell and its siblings: per axis 0 or 1 as in the flags, or −1 where the axis is not halved. */
typedef struct weights_inner {
    int face[3];
} weights_inner;

static weights_inner weights_inner_of(const lattice *fine, int parity, const int row[2])
{
    const int index[3] = {parity, row[0], row[1]};
    weights_inner inner;
    for (int a = 0; a < 3; a++)
        inner.face[a] = fine->coarsen[a] ? 1 - (index[a] & 1) : -1;
    return inner;
}

/* What ties eight cells of a level with a surface to p = 0, as the next level shall see it. The tie is taken to lead
   through their closed faces, by c (1 − w). Beyond outer faces of the parent the surface is half a cell further from
   the parent's centre than from the cell's, so e counts in series with 2 c; for a flat surface that is what the
   parent's own distance would give. Where the sibling is air the parent's centre is nearer to the surface, or beyond
   it, and e counts as it is. A surface that is close to a cell's centre then holds that cell, however large e is, but
   its siblings no more than others do; drops of a single cell hold nothing, the smoother solves them. */
static wide weights_hold_eight(const stencil *s, const stencil_view *v, ptrdiff_t h, const weights_inner *inner)
{
    const float c[3] = {s->cx, s->cy, s->cz};
    const wide e = wide_load(v->e + h), tie = e - s->base;
    wide closed[2] = {0}, open = {0}; /* outer and inner faces */
    for (int face = 0; face < 4 + 2 * s->deep; face++) {
        const wide w = wide_load((face % 2 ? v->w_high : v->w_low)[face / 2] + h);
        closed[face % 2 == inner->face[face / 2]] += c[face / 2] * (1 - w);
        open += w;
    }
    const wide all = closed[0] + closed[1];
    const wide inward = wide_choose(all > 0, tie * (closed[1] / all), tie), outward = tie - inward;
    const wide way = 2 * closed[0], behind = wide_keep(outward > 0, way * (outward / (outward + way)));
    return wide_keep(e > 0, s->base + wide_keep((tie > 0) & (open > 0), inward + behind));
}

/* Adds what ties a block of a fine row to the coarse row above it. */
static void weights_hold_block(const lattice *fine, const stencil *s, lattice_site site, const int row[2],
                               float *const to[2])
{
    const stencil_view view = stencil_view_of(s, &fine->e, site.colour, site.parity);
    const weights_inner inner = weights_inner_of(fine, site.parity, row);
    const int first = (int)(site.at - lattice_at(fine, row[0], row[1]));
    const uint16_t *flags = fine->flags[site.colour] + site.at;
    float held[LANES];
    for (int h = 0; h < LANES; h += WIDE)
        wide_store(held + h, wide_keep((wide_load_small(flags + h) & FLAG_ANY_MOVED) == 0,
                                       weights_hold_eight(s, &view, site.at + h, &inner)));
    if (fine->coarsen[0])
        weights_add_sixteen(held, to[0] + first / 2, to[1] + first / 2);
    for (int h = 0; h < LANES && !fine->coarsen[0]; h++)
        to[site.parity][first + h] += held[h];
}

/* The extras of a coarse row of a level with a surface. */
static void weights_hold_row(const lattice *fine, const lattice *coarse, const int row[2])
{
    const stencil s = stencil_of(fine);
    const int ry = fine->coarsen[1] ? 2 : 1, rz = fine->coarsen[2] ? 2 : 1;
    float *to[2];
    for (int parity = 0; parity < 2; parity++)
        to[parity] = coarse->e.of[lattice_colour(parity, row[0], row[1])] + lattice_at(coarse, row[0], row[1]);
    for (int k = rz * row[1]; k < rz * row[1] + rz && k < fine->n[2]; k++)
        for (int j = ry * row[0]; j < ry * row[0] + ry && j < fine->n[1]; j++)
            for (int colour = 0; colour < 2; colour++) {
                const lattice_run run = lattice_run_of(fine, j, k);
                lattice_site site = {colour, lattice_parity(colour, j, k), run.at};
                for (; site.at < run.at + run.count; site.at += LANES)
                    if (fine->code[colour][site.at / LANES] >= BLOCK_BINARY || s.base > 0)
                        weights_hold_block(fine, &s, site, (int[2]){j, k}, to);
            }
}

/* Turns sums into means, and closes the faces on the sides of the block. */
static void weights_mean_row(const lattice *fine, const lattice *coarse, int axis, const int row[2])
{
    int faces = 1;
    for (int a = 0; a < 3; a++)
        faces *= a != axis && fine->coarsen[a] ? 2 : 1;
    bool shut = !coarse->wrap[axis] && axis > 0 && row[axis - 1] == 0;
    float share = shut ? 0 : 1 / (float)faces;
    for (int parity = 0; parity < 2; parity++) {
        float *w = lattice_low(coarse, axis, lattice_colour(parity, row[0], row[1]), parity) +
                   lattice_at(coarse, row[0], row[1]);
        lattice_run run = lattice_run_of(coarse, row[0], row[1]);
        for (ptrdiff_t h = run.first; h < run.first + run.count; h++)
            w[h] *= share;
        if (axis == 0 && parity == 0 && !coarse->wrap[0])
            w[0] = 0;
    }
}

typedef struct moved_extra {
    const lattice *fine;
    lattice *coarse;
    int row[2];
} moved_extra;

static void weights_add_moved(void *context, const lattice_moved *cell)
{
    const moved_extra *w = context;
    int colour = lattice_colour(cell->parent, w->row[0], w->row[1]);
    float extra = lattice_tie(w->fine->e.of[cell->colour][cell->slot]);
    if (w->fine->surface) {
        const stencil s = stencil_of(w->fine);
        const stencil_view view =
            stencil_view_of(&s, &w->fine->e, cell->colour, lattice_parity(cell->colour, cell->j, cell->k));
        const weights_inner none = {{-1, -1, -1}}; /* its parent is another */
        extra = weights_hold_eight(&s, &view, cell->slot, &none)[0];
    }
    w->coarse->e.of[colour][lattice_slot(w->coarse, cell->parent, w->row[0], w->row[1])] += extra;
}

static void weights_coarsen_strip(void *context, const lattice_strip *strip)
{
    const weights_work *w = context;
    lattice *l = w->l;
    for (int j = strip->j0; j < strip->j1; j++) {
        moved_extra moved = {w->fine, l, {j, strip->k}};
        for (int a = 0; a < 2 + l->deep; a++) {
            weights_sum_row(w->fine, l, a, moved.row);
            weights_mean_row(w->fine, l, a, moved.row);
        }
        weights_sum_row(w->fine, l, -1, moved.row);
        if (w->fine->surface && !w->fine->closed)
            weights_hold_row(w->fine, l, moved.row);
        if (!w->fine->closed)
            lattice_visit_moved(&(lattice_pair){w->fine, l}, moved.row, 2, weights_add_moved, &moved);
    }
}

/* The blocks of a coarse row with the parents of active cells, moved ones too. */
static lattice_span weights_reach_coarse(const void *context, const int row[2])
{
    const weights_work *w = context;
    const lattice_pair pair = {w->fine, w->l};
    lattice_span span = {0};
    for (int dz = w->fine->coarsen[2] ? -1 : 0; dz < (w->fine->coarsen[2] ? 3 : 1); dz++)
        for (int dy = w->fine->coarsen[1] ? -1 : 0; dy < (w->fine->coarsen[1] ? 3 : 1); dy++) {
            int j = lattice_child(&pair, 1, row[0], dy), k = lattice_child(&pair, 2, row[1], dz);
            if (j < w->fine->n[1] && k < w->fine->n[2])
                span = lattice_span_join(span, lattice_span_of(w->fine, j, k));
        }
    if (lattice_span_empty(span) || !w->fine->coarsen[0])
        return span;
    if (w->l->wrap[0]) /* cells of block 0 may be moved to the other end of the row */
        return (lattice_span){0, w->l->blocks};
    int begin = span.begin * LANES / 2 - 1, end = (span.end * LANES / 2 + LANES) / LANES;
    return (lattice_span){begin < 0 ? 0 : begin / LANES, end < w->l->blocks ? end : w->l->blocks};
}

void lattice_weights_coarsen(const lattice *fine, lattice *coarse)
{
    weights_work w = {.l = coarse, .fine = fine};
    int r[3];
    for (int a = 0; a < 3; a++)
        r[a] = fine->coarsen[a] ? 2 : 1;
    for (int a = 0; a < 3; a++)
        coarse->c[a] = fine->c[a] * r[0] * r[1] * r[2] / (r[a] * r[a]);
    coarse->base = fine->base * r[0] * r[1] * r[2];
    coarse->closed = fine->closed;
    lattice_spans_widen(coarse, weights_reach_coarse, &w);
    weights_fill(coarse, weights_coarsen_strip, &w, 0);
    lattice_spans_shrink(coarse, NULL, 0);
}
