#include "grid/lattice_transfer.h"

#include <string.h>

#include "grid/lattice_chain.h"
#include "grid/lattice_stencil.h"

/* Blocks and slots of a coarse row that are treated together: enough to work in plain loops, few enough for the stack. */
enum { PART_BLOCKS = 4, PART = PART_BLOCKS * LANES };

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
    stencil_view view[2][2]; /* by colour and parity */
} transfer_work;

/* A part of a coarse row. */
typedef struct transfer_part {
    int J, K, block, blocks;
} transfer_part;

/* Sums over the children of a part of a coarse row: in the order of their i where x is halved, else those of even
   i before those of odd i. */
typedef struct transfer_sums {
    float all[2 * PART], low[3][2 * PART];
} transfer_sums;

static void transfer_drop_moved(const uint16_t *flags, float *values, int count)
{
    for (int h = 0; h < count; h++)
        values[h] = flags[h] & FLAG_ANY_MOVED ? 0 : values[h];
}

static void transfer_add(float *restrict to, const float *restrict values, int count)
{
    for (int h = 0; h < count; h++)
        to[h] += values[h];
}

/* Adds the residuals of one fine row and colour under a part of a coarse row. `low`: the row's cells are the low children
   along each axis; and, last, some of them were moved. */
static void transfer_gather(const transfer_work *w, lattice_site site, const transfer_part *part, const bool low[4],
                            transfer_sums *sums)
{
    const lattice *fine = w->fine;
    int wide = fine->coarsen[0] ? 2 : 1, blocks = fine->blocks - wide * part->block;
    blocks = blocks < wide * part->blocks ? blocks : wide * part->blocks;
    /* Where x is not halved, the parents have the children's parity and slots. */
    ptrdiff_t first = fine->coarsen[0] ? 0 : site.parity * PART;
    float values[2 * PART];
    site.at += (ptrdiff_t)wide * part->block * LANES;
    stencil_residual(&w->s, &w->view[site.colour][site.parity], site.at, fine->b.of[site.colour] + site.at, values, blocks);
    if (low[3]) /* they go elsewhere */
        transfer_drop_moved(fine->flags[site.colour] + site.at, values, blocks * LANES);
    transfer_add(sums->all + first, values, blocks * LANES);
    for (int a = 0; a < 3; a++)
        if (low[a])
            transfer_add(sums->low[a] + first, values, blocks * LANES);
}

/* Writes sums to the coarse row, by colour. */
static void transfer_write(const transfer_work *w, const float sums[2 * PART], const lattice_vector *v,
                           const transfer_part *part)
{
    ptrdiff_t at = lattice_at(w->coarse, part->J, part->K) + (ptrdiff_t)part->block * LANES;
    int colour = lattice_colour(0, part->J, part->K), slots = part->blocks * LANES;
    float *restrict even = v->of[colour] + at, *restrict odd = v->of[1 - colour] + at;
    if (w->fine->coarsen[0]) {
        for (int h = 0; h < slots; h++) {
            even[h] = sums[2 * h];
            odd[h] = sums[2 * h + 1];
        }
    } else {
        memcpy(even, sums, (size_t)slots * sizeof(float));
        memcpy(odd, sums + PART, (size_t)slots * sizeof(float));
    }
}

static void transfer_sum_part(const transfer_work *w, const transfer_part *part)
{
    const lattice *fine = w->fine, *coarse = w->coarse;
    transfer_sums sums;
    int ry = fine->coarsen[1] ? 2 : 1, rz = fine->coarsen[2] ? 2 : 1, J = part->J, K = part->K;
    memset(&sums, 0, sizeof sums);
    for (int k = rz * K; k < rz * K + rz && k < fine->n[2]; k++) {
        for (int j = ry * J; j < ry * J + ry && j < fine->n[1]; j++) {
            for (int colour = 0; colour <= (fine->clash ? 1 : 0); colour++) {
                int parity = lattice_parity(colour, j, k);
                bool low[4] = {fine->coarsen[0] && parity == 0, fine->coarsen[1] && j % 2 == 0,
                               fine->coarsen[2] && k % 2 == 0, fine->moved_rows[k * fine->n[1] + j] != 0};
                transfer_gather(w, (lattice_site){colour, parity, lattice_at(fine, j, k)}, part, low, &sums);
            }
        }
    }
    transfer_write(w, sums.all, &coarse->x, part);
    for (int a = 0; a < 3; a++)
        if (transfer_slopes_along(fine, coarse, a))
            transfer_write(w, sums.low[a], &coarse->side[a], part);
}

static void transfer_sum_strip(void *context, const lattice_strip *strip)
{
    const transfer_work *w = context;
    for (int J = strip->j0; J < strip->j1; J++) {
        for (int block = 0; block < w->coarse->blocks; block += PART_BLOCKS) {
            int rest = w->coarse->blocks - block;
            transfer_sum_part(w, &(transfer_part){J, strip->k, block, rest < PART_BLOCKS ? rest : PART_BLOCKS});
        }
    }
}

/* Slots from a cell to its neighbours across an axis, in the other colour. */
static void transfer_steps(const lattice *l, int axis, int parity, ptrdiff_t step[2])
{
    step[0] = axis == 0 ? parity - 1 : axis == 1 ? -l->row : -l->plane;
    step[1] = axis == 0 ? parity : axis == 1 ? l->row : l->plane;
}

/* Adds ¼ w (theirs − ours) over both faces across one axis: what a child gives to its parent's neighbour it takes
   from its parent. All weights of an interior block are 1. */
LATTICE_INLINE void transfer_exchange(const lattice *l, lattice_site site, int axis, const bool interior,
                                      float sum[LANES])
{
    ptrdiff_t step[2], at = site.at;
    int own = site.colour, other = 1 - own;
    transfer_steps(l, axis, site.parity, step);
    const float *all = l->x.of[own] + at, *all_low = l->x.of[other] + at + step[0];
    const float *low = l->side[axis].of[own] + at, *low_low = l->side[axis].of[other] + at + step[0];
    const float *low_high = l->side[axis].of[other] + at + step[1];
    const float *w0 = lattice_low(l, axis, own, site.parity) + at;
    const float *w1 = lattice_high(l, axis, own, site.parity) + at + step[1];
    for (int h = 0; h < LANES; h++) {
        float left = (all_low[h] - low_low[h]) - low[h], right = low_high[h] - (all[h] - low[h]);
        sum[h] += 0.25f * (interior ? left + right : w0[h] * left + w1[h] * right);
    }
}

/* The right-hand side of one block of the coarse level. */
LATTICE_INLINE void transfer_share_block(const transfer_work *w, lattice_site site, const bool interior)
{
    const lattice *coarse = w->coarse;
    const uint16_t *flags = coarse->flags[site.colour] + site.at;
    float sum[LANES];
    memcpy(sum, coarse->x.of[site.colour] + site.at, sizeof sum);
    for (int a = 0; a < 3; a++)
        if (transfer_slopes_along(w->fine, coarse, a))
            transfer_exchange(coarse, site, a, interior, sum);
    for (int h = 0; h < LANES && !interior; h++)
        sum[h] = flags[h] & FLAG_LIVE ? sum[h] : 0;
    memcpy(coarse->b.of[site.colour] + site.at, sum, sizeof sum);
}

static void transfer_add_moved(void *context, const lattice_moved *cell)
{
    const transfer_work *w = context;
    const lattice *fine = w->fine, *coarse = w->coarse;
    if (cell->colour == 1 && !fine->clash)
        return;
    ptrdiff_t lane = cell->slot & (LANES - 1);
    lattice_site site = {cell->colour, lattice_parity(cell->colour, cell->j, cell->k), cell->slot - lane};
    float rest[LANES];
    stencil_residual(&w->s, &w->view[site.colour][site.parity], site.at, fine->b.of[site.colour] + site.at, rest, 1);
    int J = transfer_parent(fine, coarse, 1, cell->j, fine->flags[cell->colour][cell->slot] & FLAG_MOVED << 1);
    int K = transfer_parent(fine, coarse, 2, cell->k, fine->flags[cell->colour][cell->slot] & FLAG_MOVED << 2);
    int colour = lattice_colour(cell->parent, J, K);
    ptrdiff_t to = lattice_slot(coarse, cell->parent, J, K);
    if (coarse->flags[colour][to] & FLAG_LIVE)
        coarse->b.of[colour][to] += rest[lane];
}

static void transfer_share_strip(void *context, const lattice_strip *strip)
{
    const transfer_work *w = context;
    const lattice *coarse = w->coarse;
    for (int J = strip->j0; J < strip->j1; J++) {
        for (int colour = 0; colour < 2; colour++) {
            lattice_site site = {colour, lattice_parity(colour, J, strip->k), lattice_at(coarse, J, strip->k)};
            for (int block = 0; block < coarse->blocks; block++, site.at += LANES) {
                if (coarse->code[colour][site.at / LANES] == BLOCK_INTERIOR)
                    transfer_share_block(w, site, true);
                else
                    transfer_share_block(w, site, false);
            }
        }
        lattice_visit_moved(w->fine, coarse, (int[2]){J, strip->k}, transfer_add_moved, context);
    }
}

static void transfer_sum_renew(void *context)
{
    const transfer_work *w = context;
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap_vector(w->fine, &w->fine->x, colour);
}

static void transfer_share_renew(void *context)
{
    const transfer_work *w = context;
    for (int colour = 0; colour < 2; colour++) {
        lattice_wrap_vector(w->coarse, &w->coarse->x, colour);
        for (int a = 0; a < 3; a++)
            if (transfer_slopes_along(w->fine, w->coarse, a))
                lattice_wrap_vector(w->coarse, &w->coarse->side[a], colour);
    }
}

void lattice_restrict(const lattice *fine, const lattice *coarse)
{
    transfer_work w = {.fine = fine, .coarse = coarse, .s = stencil_of(fine)};
    for (int colour = 0; colour < 2; colour++)
        for (int parity = 0; parity < 2; parity++)
            w.view[colour][parity] = stencil_view_of(&w.s, &fine->x, colour, parity);
    const lattice_pass passes[] = {{transfer_sum_strip, &w, 0, NULL}, {transfer_share_strip, &w, 1, transfer_share_renew}};
    transfer_sum_renew(&w);
    lattice_chain(coarse, passes, 2);
}

/* The cells of one parity in coarse rows (J, K), seen from their children in fine rows (j, k): x there and in the neighbours
   on the children's side, and the weights between them. From slot 0 of the level: the same for all rows with the same J and j
   mod 2. */
typedef struct transfer_view {
    const float *x, *beside[3], *w[3];
    const uint8_t *code;
    int axes;            /* along which children differ from their parents */
} transfer_view;

static transfer_view transfer_view_of(const lattice_pair *pair, const int child[3], const int parent[3])
{
    const lattice *fine = pair->fine, *l = pair->coarse;
    int own = lattice_colour(parent[0], parent[1], parent[2]), other = 1 - own, parity = parent[0];
    transfer_view v = {.x = l->x.of[own], .code = l->code[own]};
    for (int a = 0; a < 3; a++) {
        if (!transfer_slopes_along(fine, l, a))
            continue;
        ptrdiff_t step[2];
        int side = child[a] & 1;
        transfer_steps(l, a, parity, step);
        v.beside[v.axes] = l->x.of[other] + step[side];
        v.w[v.axes++] = side ? lattice_high(l, a, own, parity) + step[1] : lattice_low(l, a, own, parity);
    }
    return v;
}

/* What the children of a block receive: the parent's value and ¼ of the differences. */
LATTICE_INLINE void transfer_spread(const transfer_view *v, ptrdiff_t at, const int axes, const bool interior, float out[LANES])
{
    for (int lane = 0; lane < LANES; lane += WIDE) {
        wide x = wide_load(v->x + at + lane), sum = {0};
        for (int a = 0; a < axes; a++) {
            wide difference = wide_load(v->beside[a] + at + lane) - x;
            sum += interior ? difference : wide_load(v->w[a] + at + lane) * difference;
        }
        wide_store(out + lane, x + 0.25f * sum);
    }
}

LATTICE_INLINE void transfer_spread_block(const transfer_view *v, ptrdiff_t at, float out[LANES])
{
    if (v->code[at >> LANES_SHIFT] == BLOCK_INTERIOR && v->axes == 3)
        transfer_spread(v, at, 3, true, out);
    else
        transfer_spread(v, at, v->axes, false, out);
}

/* Cells with another parent than the usual one have its value. */
static void transfer_move(const lattice_pair *pair, lattice_site site, const int row[2], float *values, int count)
{
    const lattice *fine = pair->fine, *coarse = pair->coarse;
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

/* Adds the correction to a row of one colour, whose cells are the children of both parities of coarse cells in turn. */
static void transfer_prolong_halved(const lattice_pair *pair, const transfer_view view[2], lattice_site site, const int row[2],
                                    ptrdiff_t coarse_at)
{
    const lattice *fine = pair->fine;
    bool moved = fine->moved_rows[row[1] * fine->n[1] + row[0]];
    for (int block = 0; block < fine->blocks; block += 2, site.at += 2 * LANES, coarse_at += LANES) {
        int count = block + 1 < fine->blocks ? 2 * LANES : LANES;
        float even[LANES], odd[LANES], values[2 * LANES];
        transfer_spread_block(&view[0], coarse_at, even);
        transfer_spread_block(&view[1], coarse_at, odd);
        for (int h = 0; h < LANES; h++) {
            values[2 * h] = even[h];
            values[2 * h + 1] = odd[h];
        }
        if (moved)
            transfer_move(pair, site, row, values, count);
        transfer_add(fine->x.of[site.colour] + site.at, values, count);
    }
}

/* The same where x is not halved: parents have the children's parity and slots. */
static void transfer_prolong_along(const lattice_pair *pair, const transfer_view *view, lattice_site site, const int row[2],
                                   ptrdiff_t coarse_at)
{
    const lattice *fine = pair->fine;
    bool moved = fine->moved_rows[row[1] * fine->n[1] + row[0]];
    for (int block = 0; block < fine->blocks; block++, site.at += LANES, coarse_at += LANES) {
        float values[LANES];
        transfer_spread_block(view, coarse_at, values);
        if (moved)
            transfer_move(pair, site, row, values, LANES);
        transfer_add(fine->x.of[site.colour] + site.at, values, LANES);
    }
}

static void transfer_prolong_colour(const lattice_pair *pair, int colour, const lattice_strip *strip)
{
    const lattice *fine = pair->fine;
    int k = strip->k, K = fine->coarsen[2] ? k >> 1 : k;
    transfer_view view[2][2][2]; /* by J and j mod 2 and the parents' parity */
    for (int v = 0; v < 8; v++)
        view[v >> 2][v >> 1 & 1][v & 1] = transfer_view_of(pair, (int[3]){lattice_parity(colour, v >> 1 & 1, k), v >> 1 & 1, k},
                                                           (int[3]){v & 1, v >> 2, K});
    for (int j = strip->j0; j < strip->j1; j++) {
        int J = fine->coarsen[1] ? j >> 1 : j, row[2] = {j, k};
        lattice_site site = {colour, lattice_parity(colour, j, k), lattice_at(fine, j, k)};
        const transfer_view *parents = view[J & 1][j & 1];
        if (fine->coarsen[0])
            transfer_prolong_halved(pair, parents, site, row, lattice_at(pair->coarse, J, K));
        else
            transfer_prolong_along(pair, &parents[site.parity], site, row, lattice_at(pair->coarse, J, K));
    }
}

void lattice_prolong_strip(void *context, const lattice_strip *strip)
{
    const lattice_pair *pair = context;
    for (int colour = 0; colour <= (pair->fine->clash ? 1 : 0); colour++)
        transfer_prolong_colour(pair, colour, strip);
}

void lattice_prolong_renew(void *context)
{
    const lattice_pair *pair = context;
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap_vector(pair->coarse, &pair->coarse->x, colour);
}
