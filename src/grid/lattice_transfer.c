#include "grid/lattice_transfer.h"

#include <string.h>

#include "grid/lattice_lanes.h"
#include "grid/lattice_stencil.h"

enum { WIDE = 2 * LANES };

/* Whether children differ from their parent along an axis: it was halved and the parent has neighbours there. */
static bool transfer_slopes_along(const lattice *fine, const lattice *coarse, int axis)
{
    return fine->coarsen[axis] && coarse->n[axis] > 1;
}

/* The parent's index along an axis; `moved` where the cell was given to the left neighbour. */
static int transfer_parent(const lattice *fine, const lattice *coarse, int axis, int index, bool moved)
{
    int parent = (fine->coarsen[axis] ? index >> 1 : index) - moved;
    return parent < 0 ? coarse->n[axis] - 1 : parent;
}

/* Child number 0 or 1, or 2: the first child of the right neighbour, which for the last cell is the first one round
   the seam. n where there is none. */
static int transfer_child(const lattice *fine, const lattice *coarse, int axis, int parent, int number)
{
    if (number == 2 && parent == coarse->n[axis] - 1)
        return parent > 0 ? 0 : fine->n[axis];
    return (fine->coarsen[axis] ? 2 * parent : parent) + number;
}

static void transfer_visit_row(const lattice *fine, const lattice *coarse, const int row[4],
                               lattice_moved_visit visit, void *context)
{
    int j = row[2], k = row[3];
    for (int colour = 0; colour < 2; colour++) {
        int parity = lattice_parity(colour, j, k);
        ptrdiff_t at = lattice_at(fine, j, k);
        for (int h = 0; h < lattice_half(fine->n[0], parity); h++) {
            unsigned f = fine->flags[colour][at + h];
            if (!(f & FLAG_ANY_MOVED) || transfer_parent(fine, coarse, 1, j, f & FLAG_MOVED << 1) != row[0] ||
                transfer_parent(fine, coarse, 2, k, f & FLAG_MOVED << 2) != row[1])
                continue;
            lattice_moved cell = {colour, j, k, at + h,
                                  transfer_parent(fine, coarse, 0, 2 * h + parity, f & FLAG_MOVED)};
            visit(context, &cell);
        }
    }
}

void lattice_visit_moved(const lattice *fine, const lattice *coarse, const int row[2], lattice_moved_visit visit,
                         void *context)
{
    int reach_y = fine->coarsen[1] ? 3 : 1, reach_z = fine->coarsen[2] ? 3 : 1;
    for (int dz = 0; dz < reach_z; dz++) {
        for (int dy = 0; dy < reach_y; dy++) {
            int j = transfer_child(fine, coarse, 1, row[0], dy), k = transfer_child(fine, coarse, 2, row[1], dz);
            if (j < fine->n[1] && k < fine->n[2] && fine->moved_rows[k * fine->n[1] + j])
                transfer_visit_row(fine, coarse, (int[4]){row[0], row[1], j, k}, visit, context);
        }
    }
}

typedef struct transfer_work {
    const lattice *fine, *coarse;
    stencil s;               /* of the fine level */
} transfer_work;

/* Sums over the children of one block of coarse cells: in the order of their i where x is halved, else those of even
   i before those of odd i. */
typedef struct transfer_sums {
    float all[WIDE], low[3][WIDE];
} transfer_sums;

/* Residuals of one block of the fine level. */
static void transfer_residual(const transfer_work *w, stencil_site site, float out[LANES])
{
    const lattice *fine = w->fine;
    const float *rhs = fine->b.of[site.colour] + site.at;
    float t[LANES];
    stencil_apply(&w->s, site, &fine->x, t);
    memcpy(out, rhs, sizeof t);
    lanes_add(out, t, -1);
}

static void transfer_drop_moved(const uint16_t *flags, float out[LANES])
{
    for (int h = 0; h < LANES; h++)
        out[h] = flags[h] & FLAG_ANY_MOVED ? 0 : out[h];
}

/* Adds the residuals of one fine row and colour under block `block` of a coarse row. `low`: the row's cells are the
   low children along each axis; and, last, some of them were moved. */
static void transfer_gather(const transfer_work *w, stencil_site site, int block, const bool low[4],
                            transfer_sums *sums)
{
    const lattice *fine = w->fine;
    int wide = fine->coarsen[0] ? 2 : 1;
    /* Where x is not halved, the parents have the children's parity and slots. */
    ptrdiff_t first = fine->coarsen[0] ? 0 : site.parity * LANES;
    for (int part = 0; part < wide && wide * block + part < fine->blocks; part++, first += LANES) {
        stencil_site at = {site.colour, site.parity, site.at + (ptrdiff_t)(wide * block + part) * LANES};
        float values[LANES];
        transfer_residual(w, at, values);
        if (low[3]) /* they go elsewhere */
            transfer_drop_moved(fine->flags[at.colour] + at.at, values);
        lanes_add(sums->all + first, values, 1);
        for (int a = 0; a < 3; a++)
            if (low[a])
                lanes_add(sums->low[a] + first, values, 1);
    }
}

/* Writes sums to the coarse row, by colour. */
static void transfer_write(const transfer_work *w, const float sums[WIDE], const lattice_vector *v, const int row[3])
{
    ptrdiff_t at = lattice_at(w->coarse, row[0], row[1]) + (ptrdiff_t)row[2] * LANES;
    float half[2][LANES];
    if (w->fine->coarsen[0])
        for (int h = 0; h < LANES; h++) {
            half[0][h] = sums[2 * h];
            half[1][h] = sums[2 * h + 1];
        }
    else
        memcpy(half, sums, sizeof half);
    for (int parity = 0; parity < 2; parity++)
        memcpy(v->of[lattice_colour(parity, row[0], row[1])] + at, half[parity], sizeof half[parity]);
}

static void transfer_sum_block(const transfer_work *w, int J, int K, int block)
{
    const lattice *fine = w->fine, *coarse = w->coarse;
    transfer_sums sums = {0};
    int ry = fine->coarsen[1] ? 2 : 1, rz = fine->coarsen[2] ? 2 : 1;
    for (int k = rz * K; k < rz * K + rz && k < fine->n[2]; k++) {
        for (int j = ry * J; j < ry * J + ry && j < fine->n[1]; j++) {
            for (int colour = 0; colour <= (fine->clash ? 1 : 0); colour++) {
                int parity = lattice_parity(colour, j, k);
                bool low[4] = {fine->coarsen[0] && parity == 0, fine->coarsen[1] && j % 2 == 0,
                               fine->coarsen[2] && k % 2 == 0, fine->moved_rows[k * fine->n[1] + j] != 0};
                transfer_gather(w, (stencil_site){colour, parity, lattice_at(fine, j, k)}, block, low, &sums);
            }
        }
    }
    int row[3] = {J, K, block};
    transfer_write(w, sums.all, &coarse->x, row);
    for (int a = 0; a < 3; a++)
        if (transfer_slopes_along(fine, coarse, a))
            transfer_write(w, sums.low[a], &coarse->side[a], row);
}

static void transfer_sum_strip(void *context, const lattice_strip *strip)
{
    const transfer_work *w = context;
    for (int J = strip->j0; J < strip->j1; J++)
        for (int block = 0; block < w->coarse->blocks; block++)
            transfer_sum_block(w, J, strip->k, block);
}

/* Slots from a cell to its neighbours across an axis, in the other colour. */
static void transfer_steps(const lattice *l, int axis, int parity, ptrdiff_t step[2])
{
    step[0] = axis == 0 ? parity - 1 : axis == 1 ? -l->row : -l->plane;
    step[1] = axis == 0 ? parity : axis == 1 ? l->row : l->plane;
}

/* Adds ¼ w (theirs − ours) over both faces across one axis: what a child gives to its parent's neighbour it takes
   from its parent. */
static void transfer_exchange(const lattice *l, stencil_site site, int axis, float sum[LANES])
{
    ptrdiff_t step[2], at = site.at;
    int own = site.colour, other = 1 - own;
    transfer_steps(l, axis, site.parity, step);
    const float *all = l->x.of[own] + at, *all_low = l->x.of[other] + at + step[0];
    const float *low = l->side[axis].of[own] + at, *low_low = l->side[axis].of[other] + at + step[0];
    const float *low_high = l->side[axis].of[other] + at + step[1];
    const float *w0 = lattice_low(l, axis, own, site.parity) + at;
    const float *w1 = lattice_high(l, axis, own, site.parity) + at + step[1];
    for (int h = 0; h < LANES; h++)
        sum[h] += 0.25f * (w0[h] * ((all_low[h] - low_low[h]) - low[h]) + w1[h] * (low_high[h] - (all[h] - low[h])));
}

static void transfer_add_moved(void *context, const lattice_moved *cell)
{
    const transfer_work *w = context;
    const lattice *fine = w->fine, *coarse = w->coarse;
    if (cell->colour == 1 && !fine->clash)
        return;
    ptrdiff_t lane = cell->slot & (LANES - 1);
    stencil_site site = {cell->colour, lattice_parity(cell->colour, cell->j, cell->k), cell->slot - lane};
    float t[LANES];
    stencil_apply(&w->s, site, &fine->x, t);
    int J = transfer_parent(fine, coarse, 1, cell->j, fine->flags[cell->colour][cell->slot] & FLAG_MOVED << 1);
    int K = transfer_parent(fine, coarse, 2, cell->k, fine->flags[cell->colour][cell->slot] & FLAG_MOVED << 2);
    int colour = lattice_colour(cell->parent, J, K);
    ptrdiff_t to = lattice_slot(coarse, cell->parent, J, K);
    if (coarse->flags[colour][to] & FLAG_LIVE)
        coarse->b.of[colour][to] += fine->b.of[cell->colour][cell->slot] - t[lane];
}

static void transfer_share_strip(void *context, const lattice_strip *strip)
{
    const transfer_work *w = context;
    const lattice *coarse = w->coarse;
    for (int J = strip->j0; J < strip->j1; J++) {
        for (int colour = 0; colour < 2; colour++) {
            stencil_site site = {colour, lattice_parity(colour, J, strip->k), lattice_at(coarse, J, strip->k)};
            for (int block = 0; block < coarse->blocks; block++, site.at += LANES) {
                float sum[LANES];
                for (int h = 0; h < LANES; h++)
                    sum[h] = coarse->x.of[colour][site.at + h];
                for (int a = 0; a < 3; a++)
                    if (transfer_slopes_along(w->fine, coarse, a))
                        transfer_exchange(coarse, site, a, sum);
                for (int h = 0; h < LANES; h++)
                    coarse->b.of[colour][site.at + h] = coarse->flags[colour][site.at + h] & FLAG_LIVE ? sum[h] : 0;
            }
        }
        lattice_visit_moved(w->fine, coarse, (int[2]){J, strip->k}, transfer_add_moved, context);
    }
}

void lattice_restrict(const lattice *fine, const lattice *coarse)
{
    transfer_work w = {fine, coarse, stencil_of(fine)};
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap_vector(fine, &fine->x, colour);
    lattice_for(coarse, transfer_sum_strip, &w);
    for (int colour = 0; colour < 2; colour++) {
        lattice_wrap_vector(coarse, &coarse->x, colour);
        for (int a = 0; a < 3; a++)
            if (transfer_slopes_along(fine, coarse, a))
                lattice_wrap_vector(coarse, &coarse->side[a], colour);
    }
    lattice_for(coarse, transfer_share_strip, &w);
}

/* What the children of a block of coarse cells receive, by parity of the coarse cell and side of the child. */
typedef struct transfer_slopes {
    float value[2][LANES], slope[3][2][2][LANES]; /* [axis][parity][side] */
} transfer_slopes;

static void transfer_slopes_of(const transfer_work *w, int J, int K, int block, transfer_slopes *out)
{
    const lattice *l = w->coarse;
    ptrdiff_t at = lattice_at(l, J, K) + (ptrdiff_t)block * LANES;
    for (int parity = 0; parity < 2; parity++) {
        int own = lattice_colour(parity, J, K), other = 1 - own;
        const float *x = l->x.of[own] + at;
        for (int h = 0; h < LANES; h++)
            out->value[parity][h] = x[h];
        for (int a = 0; a < 3; a++) {
            if (!transfer_slopes_along(w->fine, l, a))
                continue;
            ptrdiff_t step[2];
            transfer_steps(l, a, parity, step);
            const float *x0 = l->x.of[other] + at + step[0], *x1 = l->x.of[other] + at + step[1];
            const float *w0 = lattice_low(l, a, own, parity) + at, *w1 = lattice_high(l, a, own, parity) + at + step[1];
            for (int h = 0; h < LANES; h++) {
                out->slope[a][parity][0][h] = 0.25f * w0[h] * (x0[h] - x[h]);
                out->slope[a][parity][1][h] = 0.25f * w1[h] * (x1[h] - x[h]);
            }
        }
    }
}

/* Values for one fine row and colour: `side` says on which side of their parents the children are. */
static void transfer_spread(const transfer_slopes *p, const int side[3], int parity, float out[WIDE])
{
    float half[2][LANES];
    for (int q = 0; q < 2; q++)
        for (int h = 0; h < LANES; h++)
            half[q][h] = p->value[q][h] + (p->slope[0][q][side[0]][h] +
                                           (p->slope[1][q][side[1]][h] + p->slope[2][q][side[2]][h]));
    for (int h = 0; h < LANES && parity < 0; h++) {
        out[2 * h] = half[0][h];
        out[2 * h + 1] = half[1][h];
    }
    for (int h = 0; h < LANES && parity >= 0; h++)
        out[h] = half[parity][h];
}

static void transfer_move(const transfer_work *w, stencil_site site, const int row[2], float *values, int count)
{
    const lattice *fine = w->fine, *coarse = w->coarse;
    for (int h = 0; h < count; h++) {
        unsigned f = fine->flags[site.colour][site.at + h];
        if (!(f & FLAG_ANY_MOVED))
            continue;
        int i = 2 * (int)(site.at + h - lattice_at(fine, row[0], row[1])) + site.parity;
        int I = transfer_parent(fine, coarse, 0, i, f & FLAG_MOVED);
        int J = transfer_parent(fine, coarse, 1, row[0], f & FLAG_MOVED << 1);
        int K = transfer_parent(fine, coarse, 2, row[1], f & FLAG_MOVED << 2);
        values[h] = coarse->x.of[lattice_colour(I, J, K)][lattice_slot(coarse, I, J, K)];
    }
}

static void transfer_scatter(const transfer_work *w, const int row[2], int colour, int block, const transfer_slopes *p)
{
    const lattice *fine = w->fine;
    int j = row[0], k = row[1], parity = lattice_parity(colour, j, k);
    int wide = fine->coarsen[0] ? WIDE : LANES;
    int count = (int)fine->row - wide * block;
    count = count < wide ? count : wide;
    float values[WIDE];
    transfer_spread(p, (int[3]){parity, j & 1, k & 1}, fine->coarsen[0] ? -1 : parity, values);
    stencil_site site = {colour, parity, lattice_at(fine, j, k) + (ptrdiff_t)wide * block};
    if (fine->moved_rows[k * fine->n[1] + j])
        transfer_move(w, site, row, values, count);
    float *x = fine->x.of[colour] + site.at;
    for (int h = 0; h < count; h++)
        x[h] += values[h];
}

static void transfer_prolong_strip(void *context, const lattice_strip *strip)
{
    const transfer_work *w = context;
    const lattice *fine = w->fine;
    int ry = fine->coarsen[1] ? 2 : 1, rz = fine->coarsen[2] ? 2 : 1, K = strip->k;
    transfer_slopes p = {0};
    for (int J = strip->j0; J < strip->j1; J++) {
        for (int block = 0; block < w->coarse->blocks; block++) {
            transfer_slopes_of(w, J, K, block, &p);
            for (int k = rz * K; k < rz * K + rz && k < fine->n[2]; k++)
                for (int j = ry * J; j < ry * J + ry && j < fine->n[1]; j++)
                    for (int colour = 0; colour <= (fine->clash ? 1 : 0); colour++)
                        transfer_scatter(w, (int[2]){j, k}, colour, block, &p);
        }
    }
}

void lattice_prolong(const lattice *fine, const lattice *coarse)
{
    transfer_work w = {.fine = fine, .coarse = coarse};
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap_vector(coarse, &coarse->x, colour);
    lattice_for(coarse, transfer_prolong_strip, &w);
}
