/* Differences of the double-precision solution, so that a projection is as exact as the solve. */
#include "grid/poisson/parts.h"

typedef struct gradient_work {
    const poisson *s;
    int axis;
    double factor;
    field *faces;
} gradient_work;

/* What the low faces of a block's cells of one parity gain. */
static void gradient_changes(const gradient_work *w, lattice_site site, float change[LANES])
{
    const lattice *l = &w->s->level[0];
    const ptrdiff_t low = w->axis == 0 ? site.parity - 1 : w->axis == 1 ? -l->row : -l->plane;
    const double *restrict x = w->s->x[site.colour] + site.at;
    const double *restrict below = w->s->x[1 - site.colour] + site.at + low;
    const float *restrict open = lattice_low(l, w->axis, site.colour, site.parity) + site.at;
    const double factor = w->factor;
    for (int h = 0; h < LANES; h++) {
        float gain = (float)(factor * (x[h] - below[h]));
        change[h] = open[h] > 0 ? gain : 0;
    }
}

/* Adds the changes of both parities to a block's faces, `count` of them. */
static void gradient_add(float change[2][LANES], float *to, int count)
{
    for (int h = 0; h < LANES && count == 2 * LANES; h += WIDE) {
        wide a = wide_load(change[0] + h), b = wide_load(change[1] + h);
        float *at = to + 2 * h;
        wide_store(at, wide_load(at) + __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
        wide_store(at + WIDE, wide_load(at + WIDE) + __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
    }
    for (int i = 0; i < count && count < 2 * LANES; i++)
        to[i] += change[i & 1][i >> 1];
}

/* The low faces of one row of cells, of both colours. */
static void gradient_row(const gradient_work *w, int j, int k, float *to)
{
    const lattice *l = &w->s->level[0];
    const ptrdiff_t at = lattice_at(l, j, k);
    const lattice_span span = lattice_span_of(l, j, k);
    for (int block = span.begin; block < span.end; block++) {
        float change[2][LANES];
        int first = block * 2 * LANES, rest = l->n[0] - first;
        for (int parity = 0; parity < 2; parity++)
            gradient_changes(w, (lattice_site){lattice_colour(parity, j, k), parity, at + block * LANES},
                             change[parity]);
        gradient_add(change, to + first, rest < 2 * LANES ? rest : 2 * LANES);
    }
    if (w->axis == 0 && l->wrap[0])
        to[l->n[0]] += l->w[0].of[0][at] > 0 ? (float)(w->factor * (w->s->x[lattice_colour(0, j, k)][at] -
                                                                   w->s->x[1 - lattice_colour(0, j, k)][at - 1])) : 0;
}

static void gradient_strip(void *context, const lattice_strip *strip)
{
    const gradient_work *w = context;
    const lattice *l = &w->s->level[0];
    for (int j = strip->j0; j < strip->j1; j++) {
        gradient_row(w, j, strip->k, field_row(w->faces, j, strip->k));
        /* On a periodic axis the last face is the same as the first. */
        if (w->axis == 1 && l->wrap[1] && j == 0)
            gradient_row(w, j, strip->k, field_row(w->faces, l->n[1], strip->k));
        if (w->axis == 2 && l->wrap[2] && strip->k == 0)
            gradient_row(w, j, 0, field_row(w->faces, j, l->n[2]));
    }
}

void poisson_add_gradient(poisson *s, int axis, double factor, field *faces)
{
    const lattice *l = &s->level[0];
    if (l->n[axis] == 1)
        return;
    for (int colour = 0; colour < 2; colour++)
        lattice_wrap(l, (void *const[2]){s->x[0], s->x[1]}, sizeof(double), colour);
    gradient_work w = {s, axis, factor, faces};
    lattice_for(l, gradient_strip, &w);
}
