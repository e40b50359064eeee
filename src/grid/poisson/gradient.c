/* Differences of the double-precision solution, so that a projection is as exact as the solve. */
#include "grid/poisson/lattice_lanes.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/parts.h"

typedef float gradient_four __attribute__((vector_size(16)));

/* Cells of a row: those with even i, those with odd i, and what lies below them across the axis. */
typedef struct gradient_sides {
    const double *own[2], *below[2];
    const float *open[2];
} gradient_sides;

static gradient_sides gradient_sides_of(const poisson *s, int axis, int j, int k)
{
    const lattice *l = &s->level[0];
    const ptrdiff_t at = lattice_at(l, j, k);
    gradient_sides sides;
    for (int parity = 0; parity < 2; parity++) {
        const int colour = lattice_colour(parity, j, k);
        const ptrdiff_t low = axis == 0 ? parity - 1 : axis == 1 ? -l->row : -l->plane;
        sides.own[parity] = s->x[colour] + at;
        sides.below[parity] = s->x[1 - colour] + at + low;
        sides.open[parity] = lattice_low(l, axis, colour, parity) + at;
    }
    return sides;
}

static gradient_four gradient_change(const gradient_sides *sides, int parity, int h, double factor)
{
    return __builtin_convertvector(factor * (*(const lanes_d *)(sides->own[parity] + h) -
                                             *(const lanes_d *)(sides->below[parity] + h)), gradient_four);
}

/* The low faces of the eight cells from slot h on; `open`: all of them are. */
static void gradient_add_eight(const gradient_sides *sides, int h, double factor, bool open, float *to)
{
    const gradient_four even = gradient_change(sides, 0, h, factor), odd = gradient_change(sides, 1, h, factor);
    wide change = __builtin_shufflevector(even, odd, 0, 4, 1, 5, 2, 6, 3, 7);
    if (!open) {
        gradient_four w[2];
        memcpy(&w[0], sides->open[0] + h, sizeof w[0]);
        memcpy(&w[1], sides->open[1] + h, sizeof w[1]);
        change = wide_keep(__builtin_shufflevector(w[0], w[1], 0, 4, 1, 5, 2, 6, 3, 7) > 0, change);
    }
    wide_store(to + 2 * h, wide_load(to + 2 * h) + change);
}

static void gradient_add_one(const gradient_sides *sides, int i, double factor, float *to)
{
    const int parity = i & 1, h = i >> 1;
    const float change = (float)(factor * (sides->own[parity][h] - sides->below[parity][h]));
    to[i] += sides->open[parity][h] > 0 ? change : 0;
}

/* The faces of a block of slots. */
static void gradient_add_block(const gradient_sides *sides, int first, int cells, const poisson_faces *faces, bool open,
                               float *to)
{
    int h = first;
    for (; h < first + LANES && 2 * h + WIDE <= cells; h += WIDE / 2)
        gradient_add_eight(sides, h, faces->factor, open, to);
    for (int i = 2 * h; i < cells && h < first + LANES; i++)
        gradient_add_one(sides, i, faces->factor, to);
}

/* Whether all low faces across an axis are open in a block of both colours; of the first block of a row all but the
   first one across x, which stands on the side. */
static bool gradient_is_open(const uint8_t *const code[2], int block)
{
    return code[0][block] != BLOCK_EMPTY && code[0][block] < BLOCK_BINARY && code[1][block] != BLOCK_EMPTY &&
           code[1][block] < BLOCK_BINARY;
}

/* Asks for the weights of a row to come, as stencil_fetch does: most likely its blocks are where this row's are. */
LATTICE_INLINE void gradient_fetch(const lattice *l, const gradient_sides *sides, const uint8_t *const code[2],
                           lattice_span span)
{
    const ptrdiff_t ahead = STENCIL_AHEAD * l->row;
    for (int block = span.begin; block < span.end; block++)
        for (int parity = 0; parity < 2 && !gradient_is_open(code, block + (int)(ahead / LANES)); parity++)
            __builtin_prefetch(sides->open[parity] + ahead + block * LANES);
}

void poisson_add_gradient_row(const poisson *s, const poisson_faces *faces, int j, int k, float *to)
{
    const lattice *l = &s->level[0];
    const int axis = faces->axis;
    if (l->n[axis] == 1 || (j == l->n[1] && !l->wrap[1]) || (k == l->n[2] && !l->wrap[2]))
        return;
    j = j == l->n[1] ? 0 : j; /* on a periodic axis the last face is the same as the first */
    k = k == l->n[2] ? 0 : k;
    const lattice_span span = lattice_span_of(l, j, k);
    const gradient_sides sides = gradient_sides_of(s, axis, j, k);
    const uint8_t *const code[2] = {l->code[0] + lattice_at(l, j, k) / LANES, l->code[1] + lattice_at(l, j, k) / LANES};
    if (stencil_fetches(l) && j + STENCIL_AHEAD < l->n[1])
        gradient_fetch(l, &sides, code, span);
    const bool begins = axis == 0 && !l->wrap[0] && span.begin == 0;
    const float first = to[0];
    for (int block = span.begin; block < span.end; block++)
        gradient_add_block(&sides, block * LANES, l->n[0], faces, gradient_is_open(code, block), to);
    to[0] = begins ? first : to[0];
    if (axis == 0 && l->wrap[0])
        to[l->n[0]] += sides.open[0][0] > 0 ? (float)(faces->factor * (sides.own[0][0] - sides.below[0][0])) : 0;
}

void poisson_ready_gradient(poisson *s)
{
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap(&s->level[0], (void *const[2]){s->x[0], s->x[1]}, sizeof(double), colour);
}
