#include <string.h>

#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/lattice_transfer.h"

/* Slots of a coarse row per part: enough for efficient loops, few enough for the stack. */
enum { PART_BLOCKS = 4, PART = PART_BLOCKS * LANES };

/* The cells of one parity in coarse rows (J, K), seen from their children in fine rows (j, k): x of the neighbours on
   the children's side, and the weights and flags of the faces between. Pointers are relative to slot 0 of the level, so
   one view serves all rows with the same J and j mod 2. */
typedef struct prolong_view {
    int axes;                /* along which the prolongation has slopes */
    const float *beside[3], *w[3];
    int face;                /* across x: 0 or 1, as in the flags */
    stencil_view own;        /* of the parents */
} prolong_view;

static prolong_view prolong_view_of(const lattice_pair *pair, const stencil *s, const int child[3], const int parent[3])
{
    int colour = lattice_colour(parent[0], parent[1], parent[2]);
    prolong_view v = {.face = child[0] & 1, .own = stencil_view_of(s, &pair->coarse->x, colour, parent[0])};
    for (int a = 0; a < 3; a++) {
        if (!lattice_slopes(pair, a))
            continue;
        v.beside[v.axes] = (child[a] & 1 ? v.own.high : v.own.low)[a];
        v.w[v.axes++] = (child[a] & 1 ? v.own.w_high : v.own.w_low)[a];
    }
    return v;
}

/* w times a difference, w the weight of the face towards the neighbour. */
LATTICE_INLINE wide prolong_weigh(const prolong_view *v, wide difference, ptrdiff_t h, const int a,
                                  const lattice_code code)
{
    if (code == BLOCK_INTERIOR || (code == BLOCK_FIRST && a > 0))
        return difference;
    if (code == BLOCK_FIRST)
        return wide_keep(stencil_end(&v->own, h)->open[v->face][stencil_half(h)], difference);
    return wide_load(v->w[a] + h) * difference;
}

/* Kernels as in lattice_stencil.h. */
LATTICE_INLINE wide prolong_every(const prolong_view *v, const stencil_view *own, wide x, ptrdiff_t h,
                                  const lattice_code code)
{
    (void)own;
    wide sum = {0};
    for (int a = 0; a < 3; a++)
        sum += prolong_weigh(v, wide_load(v->beside[a] + h) - x, h, a, code);
    return x + 0.25f * sum;
}

LATTICE_INLINE wide prolong_some(const prolong_view *v, const stencil_view *own, wide x, ptrdiff_t h,
                                 const lattice_code code)
{
    (void)own;
    (void)code;
    wide sum = {0};
    for (int a = 0; a < v->axes; a++)
        sum += wide_load(v->w[a] + h) * (wide_load(v->beside[a] + h) - x);
    return x + 0.25f * sum;
}

static void prolong_row(const prolong_view *v, ptrdiff_t at, float *out, int blocks)
{
    if (v->axes == 3)
        STENCIL_CODES(prolong_every, v, &v->own, at, v->own.own + at, out, blocks)
    else
        STENCIL_CODES(prolong_some, v, &v->own, at, v->own.own + at, out, blocks)
}

/* A moved cell gets the value of its own parent, not of the usual one. */
static void prolong_move(const lattice_pair *pair, lattice_site site, const int row[2], float *values, int count)
{
    const lattice *fine = pair->fine, *coarse = pair->coarse;
    for (int h = 0; h < count; h++) {
        unsigned f = fine->flags[site.colour][site.at + h];
        if (!(f & FLAG_ANY_MOVED))
            continue;
        int i = 2 * (int)(site.at + h - lattice_at(fine, row[0], row[1])) + site.parity;
        int I = lattice_parent(pair, 0, i, f), J = lattice_parent(pair, 1, row[0], f);
        int K = lattice_parent(pair, 2, row[1], f);
        values[h] = coarse->x.of[lattice_colour(I, J, K)][lattice_slot(coarse, I, J, K)];
    }
}

/* Interleaves the children of coarse cells of both parities. */
static void prolong_interleave(const float *even, const float *odd, float *out, int slots)
{
    for (int h = 0; h < slots; h += WIDE) {
        wide a = wide_load(even + h), b = wide_load(odd + h);
        wide_store(out + 2 * h, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
        wide_store(out + 2 * h + WIDE, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
    }
}

static void prolong_keep_active(const lattice *fine, lattice_site site, float *values, int count)
{
    const uint16_t *flags = fine->flags[site.colour] + site.at;
    const uint8_t *code = fine->code[site.colour] + site.at / LANES;
    for (int h = 0; h < count; h += WIDE)
        if (code[h / LANES] >= BLOCK_BINARY || code[h / LANES] == BLOCK_EMPTY)
            wide_store(values + h, wide_keep((wide_load_small(flags + h) & FLAG_LIVE) != 0, wide_load(values + h)));
}

/* Adds the correction to the cells of one colour in part of a fine row. `site` is in the fine row, `at` the coarse slot
   that corresponds to it. */
static void prolong_part(const lattice_pair *pair, const prolong_view view[2], lattice_site site, const int row[2],
                         ptrdiff_t at, int blocks)
{
    const lattice *fine = pair->fine;
    float values[2 * PART], even[PART], odd[PART];
    const lattice_run run = lattice_run_of(fine, row[0], row[1]);
    int begin = (int)(run.at - site.at), end = begin + (int)run.count, count = blocks * LANES;
    if (fine->coarsen[0]) {
        prolong_row(&view[0], at, even, blocks);
        prolong_row(&view[1], at, odd, blocks);
        prolong_interleave(even, odd, values, count);
        count *= 2;
    } else { /* x not halved: parents have the parity and slots of their children */
        prolong_row(&view[site.parity], at, values, blocks);
    }
    count = count < end ? count : end;
    if (fine->moved_rows[row[1] * fine->n[1] + row[0]])
        prolong_move(pair, site, row, values, count);
    float *x = fine->x.of[site.colour] + site.at;
    if (fine->surface) /* inactive cells stay 0 */
        prolong_keep_active(fine, site, values, count);
    for (int h = begin > 0 ? begin : 0; h < count; h += WIDE)
        wide_store(x + h, wide_load(x + h) + wide_load(values + h));
}

static void prolong_colour(const lattice_pair *pair, int colour, const lattice_strip *strip)
{
    const lattice *fine = pair->fine, *coarse = pair->coarse;
    const stencil s = stencil_of(coarse);
    int k = strip->k, K = fine->coarsen[2] ? k >> 1 : k;
    prolong_view view[2][2][2]; /* by J and j mod 2 and the parents' parity */
    for (int v = 0; v < 8; v++)
        view[v >> 2][v >> 1 & 1][v & 1] = prolong_view_of(
            pair, &s, (int[3]){lattice_parity(colour, v >> 1 & 1, k), v >> 1 & 1, k}, (int[3]){v & 1, v >> 2, K});
    for (int j = strip->j0; j < strip->j1; j++) {
        int J = fine->coarsen[1] ? j >> 1 : j, share = fine->coarsen[0] ? 2 : 1;
        const lattice_span span = lattice_span_of(fine, j, k);
        const int begin = span.begin / share, end = (span.end + share - 1) / share;
        for (int block = begin; block < end; block += PART_BLOCKS) {
            int rest = end - block;
            lattice_site site = {colour, lattice_parity(colour, j, k),
                                 lattice_at(fine, j, k) + (ptrdiff_t)share * block * LANES};
            prolong_part(pair, view[J & 1][j & 1], site, (int[2]){j, k},
                         lattice_at(coarse, J, K) + (ptrdiff_t)block * LANES, rest < PART_BLOCKS ? rest : PART_BLOCKS);
        }
    }
}

void lattice_prolong_strip(void *context, const lattice_strip *strip)
{
    const lattice_pair *pair = context;
    for (int colour = 0; colour <= (pair->fine->clash ? 1 : 0); colour++)
        prolong_colour(pair, colour, strip);
}

void lattice_prolong_renew(void *context)
{
    const lattice_pair *pair = context;
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap_vector(pair->coarse, &pair->coarse->x, colour);
}
