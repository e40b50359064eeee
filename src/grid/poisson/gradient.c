/* Differences of the double-precision solution, so that a projection is as exact as the solve. */
#include "grid/poisson/parts.h"

typedef struct gradient_work {
    const poisson *s;
    int axis;
    double factor;
    field *faces;
} gradient_work;

/* The low faces of one row of cells, of both colours. */
static void gradient_row(const gradient_work *w, int j, int k, float *to)
{
    const lattice *l = &w->s->level[0];
    ptrdiff_t at = lattice_at(l, j, k);
    const lattice_span span = lattice_span_of(l, j, k);
    for (int parity = 0; parity < 2; parity++) {
        int colour = lattice_colour(parity, j, k);
        ptrdiff_t low = w->axis == 0 ? parity - 1 : w->axis == 1 ? -l->row : -l->plane;
        const double *x = w->s->x[colour] + at, *below = w->s->x[1 - colour] + at + low;
        const float *open = lattice_low(l, w->axis, colour, parity) + at;
        int half = lattice_half(l->n[0], parity), end = half < span.end * LANES ? half : span.end * LANES;
        for (int h = span.begin * LANES; h < end; h++) {
            float change = (float)(w->factor * (x[h] - below[h]));
            to[2 * h + parity] += open[h] > 0 ? change : 0;
        }
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
