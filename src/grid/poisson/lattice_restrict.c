/* The restriction in two passes. The first sums the residuals of the children of every coarse cell: of all of them, and
   of the low ones along each axis. The second, one slice behind, exchanges ¼ w of the sums on the facing sides between
   neighbours. */
#include <string.h>

#include "grid/poisson/lattice_chain.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/lattice_transfer.h"

/* Blocks and slots of a coarse row per part: enough for efficient loops, few enough for the stack. */
enum { PART_BLOCKS = 4, PART = PART_BLOCKS * LANES };

typedef struct restrict_work {
    lattice_pair pair;
    bool slopes[3];          /* lattice_slopes */
    bool paired; /* x, y and (in 3D) z are all halved and no seam clashes: the usual case */
    stencil s;               /* of the fine level */
    stencil_view view[2][2]; /* by colour and parity */
} restrict_work;

/* The number of colours whose residual may differ from 0. */
static int restrict_colours(const restrict_work *w) { return w->pair.fine->clash ? 2 : 1; }

/* A part of a coarse row. */
typedef struct restrict_part {
    int J, K, block, blocks;
} restrict_part;

/* The residuals of the children under part of a coarse row, by fine row and colour. There are at most two rows along y
   and two along z: index (j mod 2) + 2 (k mod 2) + 4·colour. Where x is halved, a child is stored at the i of its
   parent, else at its parent's slot. */
enum { ROWS = 8 };
typedef struct restrict_rows {
    unsigned present;        /* one bit per row */
    int parity[ROWS];
    float of[ROWS][2 * PART];
} restrict_rows;

static void restrict_drop_moved(const uint16_t *flags, float *values, int count)
{
    for (int h = 0; h < count; h++)
        values[h] = flags[h] & FLAG_ANY_MOVED ? 0 : values[h];
}

static void restrict_take_row(const restrict_work *w, const restrict_part *part, int colour, const int row[2],
                              restrict_rows *rows)
{
    const lattice *fine = w->pair.fine;
    int j = row[0], k = row[1], place = (j & 1) + 2 * (k & 1) + 4 * colour, share = fine->coarsen[0] ? 2 : 1;
    if (lattice_span_of(fine, j, k).begin == lattice_span_of(fine, j, k).end)
        return;
    int wanted = share * part->blocks, rest = fine->blocks - share * part->block,
        blocks = rest < wanted ? rest : wanted;
    ptrdiff_t at = lattice_at(fine, j, k) + (ptrdiff_t)share * part->block * LANES;
    float *values = rows->of[place];
    rows->present |= 1u << place;
    rows->parity[place] = lattice_parity(colour, j, k);
    const stencil_view *view = &w->view[colour][rows->parity[place]];
    if (view->fetch)
        stencil_fetch(view, at + STENCIL_AHEAD * fine->row, blocks);
    stencil_residual(&w->s, view, at, fine->b.of[colour] + at, values, blocks);
    for (int h = blocks * LANES; h < wanted * LANES; h++)
        values[h] = 0;
    if (fine->moved_rows[k * fine->n[1] + j]) /* moved cells have other parents */
        restrict_drop_moved(fine->flags[colour] + at, values, blocks * LANES);
}

static void restrict_take_rows(const restrict_work *w, const restrict_part *part, restrict_rows *rows)
{
    const lattice *fine = w->pair.fine;
    int ry = fine->coarsen[1] ? 2 : 1, rz = fine->coarsen[2] ? 2 : 1, J = part->J, K = part->K;
    rows->present = 0;
    for (int k = rz * K; k < rz * K + rz && k < fine->n[2]; k++)
        for (int j = ry * J; j < ry * J + ry && j < fine->n[1]; j++)
            for (int colour = 0; colour < restrict_colours(w); colour++)
                restrict_take_row(w, part, colour, (int[2]){j, k}, rows);
}

/* Where sums go: part of a coarse row, by i mod 2. */
typedef struct restrict_target {
    float *even, *odd;
} restrict_target;

static restrict_target restrict_target_of(const lattice *coarse, const lattice_vector *v, const restrict_part *part)
{
    ptrdiff_t at = lattice_at(coarse, part->J, part->K) + (ptrdiff_t)part->block * LANES;
    int colour = lattice_colour(0, part->J, part->K);
    return (restrict_target){v->of[colour] + at, v->of[1 - colour] + at};
}

/* Splits values in the order of i by parity. */
LATTICE_INLINE void restrict_split(const restrict_target *to, int h, wide a, wide b)
{
    wide_store(to->even + h, __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
    wide_store(to->odd + h, __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
}

/* All sums at once in the paired case. Of colour 0, rows 0 and 3 hold the low children along x, rows 0 and 2 those
   along y, rows 0 and 1 those along z. */
static void restrict_write_paired(const restrict_work *w, const restrict_rows *rows, const restrict_part *part)
{
    static const float none[2 * PART];
    const lattice *coarse = w->pair.coarse;
    const float *row[4];
    restrict_target to[4] = {restrict_target_of(coarse, &coarse->x, part)};
    for (int place = 0; place < 4; place++)
        row[place] = rows->present >> place & 1 ? rows->of[place] : none;
    for (int a = 0; a < 3; a++)
        if (w->slopes[a])
            to[1 + a] = restrict_target_of(coarse, &coarse->side[a], part);
    for (int h = 0; h < part->blocks * LANES; h += WIDE) {
        wide v[4][2], sum[4][2];
        for (int half = 0; half < 2; half++) {
            for (int place = 0; place < 4; place++)
                v[place][half] = wide_load(row[place] + 2 * h + half * WIDE);
            sum[1][half] = v[0][half] + v[3][half];
            sum[2][half] = v[0][half] + v[2][half];
            sum[3][half] = v[0][half] + v[1][half];
            sum[0][half] = sum[1][half] + (v[1][half] + v[2][half]);
        }
        for (int s = 0; s < 4; s++)
            if (to[s].even)
                restrict_split(&to[s], h, sum[s][0], sum[s][1]);
    }
}

/* The sums over the low children along an axis (−1: over all children), whichever axes are halved. */
static void restrict_write_any(const restrict_work *w, const restrict_rows *rows, int axis, const restrict_part *part)
{
    const lattice *coarse = w->pair.coarse;
    restrict_target to = restrict_target_of(coarse, axis < 0 ? &coarse->x : &coarse->side[axis], part);
    size_t bytes = (size_t)part->blocks * LANES * sizeof(float);
    memset(to.even, 0, bytes);
    memset(to.odd, 0, bytes);
    for (int place = 0; place < ROWS; place++) {
        const float *from = rows->of[place];
        bool high = axis == 0 ? rows->parity[place] : axis > 0 && place >> (axis - 1) & 1;
        for (int h = 0; h < part->blocks * LANES && rows->present >> place & 1 && !high; h++) {
            if (w->pair.fine->coarsen[0]) {
                to.even[h] += from[2 * h];
                to.odd[h] += from[2 * h + 1];
            } else {
                (rows->parity[place] ? to.odd : to.even)[h] += from[h];
            }
        }
    }
}

static void restrict_sum_part(const restrict_work *w, const restrict_part *part)
{
    restrict_rows rows;
    restrict_take_rows(w, part, &rows);
    if (w->paired) {
        restrict_write_paired(w, &rows, part);
        return;
    }
    for (int a = -1; a < 3; a++)
        if (a < 0 || w->slopes[a])
            restrict_write_any(w, &rows, a, part);
}

static void restrict_sum_strip(void *context, const lattice_strip *strip)
{
    const restrict_work *w = context;
    const lattice *coarse = w->pair.coarse;
    for (int J = strip->j0; J < strip->j1; J++) {
        lattice_span span = lattice_span_of(coarse, J, strip->k);
        for (int block = span.begin; block < span.end; block += PART_BLOCKS) {
            int rest = span.end - block;
            restrict_sum_part(w, &(restrict_part){J, strip->k, block, rest < PART_BLOCKS ? rest : PART_BLOCKS});
        }
    }
}

/* The sums of a coarse cell and of its neighbours across each axis, relative to slot 0 of the level. */
typedef struct restrict_view {
    bool slopes[3];
    const float *all_left[3], *low[3], *low_left[3], *low_right[3];
    stencil_view weights;    /* of the coarse level; its own values are the sums over all children */
} restrict_view;

static restrict_view restrict_view_of(const restrict_work *w, const stencil *s, int colour, int parity)
{
    const lattice *coarse = w->pair.coarse;
    restrict_view v = {.weights = stencil_view_of(s, &coarse->x, colour, parity)};
    for (int a = 0; a < 3; a++) {
        v.slopes[a] = w->slopes[a];
        if (!v.slopes[a])
            continue;
        stencil_view side = stencil_view_of(s, &coarse->side[a], colour, parity);
        v.all_left[a] = v.weights.low[a];
        v.low[a] = side.own;
        v.low_left[a] = side.low[a];
        v.low_right[a] = side.high[a];
    }
    return v;
}

/* A kernel as in lattice_stencil.h: all + ¼ Σ w (theirs − ours) over the faces. The part of a child's residual that
   goes to the parent's neighbour is taken from the parent. */
LATTICE_INLINE wide restrict_exchange(const restrict_view *v, const stencil_view *weights, wide all, ptrdiff_t h,
                                      const lattice_code code, const bool every)
{
    wide sum = {0};
    for (int a = 0; a < 3; a++) {
        if (!every && !v->slopes[a])
            continue;
        wide low = wide_load(v->low[a] + h);
        wide left = (wide_load(v->all_left[a] + h) - wide_load(v->low_left[a] + h)) - low;
        wide right = wide_load(v->low_right[a] + h) - (all - low);
        sum += stencil_weigh(weights, left, h, code, 2 * a) + stencil_weigh(weights, right, h, code, 2 * a + 1);
    }
    sum = all + 0.25f * sum;
    return code == BLOCK_INTERIOR ? sum : wide_keep(stencil_live(weights, h, code), sum);
}

LATTICE_INLINE wide restrict_exchange_some(const restrict_view *v, const stencil_view *weights, wide all, ptrdiff_t h,
                                           const lattice_code code)
{
    return restrict_exchange(v, weights, all, h, code, false);
}

LATTICE_INLINE wide restrict_exchange_every(const restrict_view *v, const stencil_view *weights, wide all, ptrdiff_t h,
                                            const lattice_code code)
{
    return restrict_exchange(v, weights, all, h, code, true);
}

static void restrict_exchange_row(const lattice *coarse, const restrict_view *v, int colour, const lattice_run *run)
{
    const ptrdiff_t at = run->at, blocks = run->count / LANES;
    const float *all = coarse->x.of[colour] + at;
    float *to = coarse->b.of[colour] + at;
    if (v->slopes[0] && v->slopes[1] && v->slopes[2])
        STENCIL_CODES(restrict_exchange_every, v, &v->weights, at, all, to, blocks)
    else
        STENCIL_CODES(restrict_exchange_some, v, &v->weights, at, all, to, blocks)
}

/* Moved cells are often in the same block: the residuals of the last block are kept. */
typedef struct restrict_moved {
    const restrict_work *w;
    int colour;              /* −1: none yet */
    ptrdiff_t at;
    float rest[LANES];
} restrict_moved;

static void restrict_add_moved(void *context, const lattice_moved *cell)
{
    restrict_moved *m = context;
    const restrict_work *w = m->w;
    const lattice *fine = w->pair.fine, *coarse = w->pair.coarse;
    ptrdiff_t lane = cell->slot & (LANES - 1), at = cell->slot - lane;
    if (cell->colour != m->colour || at != m->at) {
        int parity = lattice_parity(cell->colour, cell->j, cell->k);
        stencil_residual(&w->s, &w->view[cell->colour][parity], at, fine->b.of[cell->colour] + at, m->rest, 1);
        m->colour = cell->colour;
        m->at = at;
    }
    unsigned flags = fine->flags[cell->colour][cell->slot];
    int J = lattice_parent(&w->pair, 1, cell->j, flags), K = lattice_parent(&w->pair, 2, cell->k, flags);
    int colour = lattice_colour(cell->parent, J, K);
    ptrdiff_t to = lattice_slot(coarse, cell->parent, J, K);
    if (coarse->flags[colour][to] & FLAG_LIVE)
        coarse->b.of[colour][to] += m->rest[lane];
}

static void restrict_exchange_strip(void *context, const lattice_strip *strip)
{
    const restrict_work *w = context;
    const lattice *coarse = w->pair.coarse;
    const stencil s = stencil_of(coarse);
    restrict_view view[2][2];
    restrict_moved moved = {.w = w, .colour = -1};
    for (int v = 0; v < 4; v++)
        view[v >> 1][v & 1] = restrict_view_of(w, &s, v >> 1, v & 1);
    for (int J = strip->j0; J < strip->j1; J++) {
        lattice_run run = lattice_run_of(coarse, J, strip->k);
        for (int colour = 0; colour < 2; colour++)
            restrict_exchange_row(coarse, &view[colour][lattice_parity(colour, J, strip->k)], colour, &run);
        lattice_visit_moved(&w->pair, (int[2]){J, strip->k}, restrict_colours(w), restrict_add_moved, &moved);
    }
}

static void restrict_exchange_renew(void *context)
{
    const restrict_work *w = context;
    const lattice *coarse = w->pair.coarse;
    for (int colour = 0; colour < 2; colour++) {
        lattice_wrap_vector(coarse, &coarse->x, colour);
        for (int a = 0; a < 3; a++)
            if (w->slopes[a])
                lattice_wrap_vector(coarse, &coarse->side[a], colour);
    }
}

void lattice_restrict(const lattice *fine, const lattice *coarse)
{
    restrict_work w = {.pair = {fine, coarse}, .s = stencil_of(fine)};
    w.paired = fine->coarsen[0] && fine->coarsen[1] && (fine->coarsen[2] || !fine->deep) && !fine->clash;
    for (int a = 0; a < 3; a++)
        w.slopes[a] = lattice_slopes(&w.pair, a);
    for (int colour = 0; colour < 2 && stencil_fetches(fine); colour++)
        w.s.fetch[colour] = w.s.over[colour];
    for (int v = 0; v < 4; v++)
        w.view[v >> 1][v & 1] = stencil_view_of(&w.s, &fine->x, v >> 1, v & 1);
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap_vector(fine, &fine->x, colour);
    const lattice_pass passes[] = {{restrict_sum_strip, &w, 0, NULL, lattice_children(fine) / 2},
                                   {restrict_exchange_strip, &w, 1, restrict_exchange_renew, 0}};
    lattice_chain(coarse, passes, 2);
}
