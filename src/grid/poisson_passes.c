/* The passes of conjugate gradients over the finest level. */
#include "base/threads.h"
#include "grid/lattice_lanes.h"
#include "grid/lattice_sweep.h"
#include "grid/poisson_parts.h"

typedef struct passes_work {
    poisson *s;
    double factor;
} passes_work;

static void passes_direction_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    const double pending = w->s->pending;
    const float beta = (float)w->factor;
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            ptrdiff_t at = lattice_at(l, j, strip->k);
            double *x = w->s->x[colour] + at;
            float *p = w->s->p.of[colour] + at;
            const float *z = l->x.of[colour] + at;
            for (ptrdiff_t h = 0; h < l->row && pending != 0; h++)
                x[h] += pending * (double)p[h];
            for (ptrdiff_t h = 0; h < l->row; h++)
                p[h] = beta != 0 ? z[h] + beta * p[h] : z[h];
        }
    }
}

void poisson_direction(void *context, double beta)
{
    poisson *s = context;
    passes_work w = {.s = s, .factor = beta};
    lattice_for(&s->level[0], passes_direction_strip, &w);
    s->pending = 0;
}

double poisson_apply(void *context)
{
    poisson *s = context;
    const lattice *l = &s->level[0];
    lattice_apply(l, &s->p, &l->x, s->partial[0]);
    return threads_sum(s->partial[0], lattice_items(l));
}

static void passes_step_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    const float alpha = (float)w->factor;
    double norms[2] = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            ptrdiff_t at = lattice_at(l, j, strip->k);
            lanes_step(l->b.of[colour] + at, l->x.of[colour] + at, alpha, l->row, norms);
        }
    }
    w->s->partial[0][strip->item] = norms[0];
    w->s->partial[1][strip->item] = norms[1];
}

pcg_norms poisson_step(void *context, double alpha)
{
    poisson *s = context;
    passes_work w = {.s = s, .factor = alpha};
    lattice_for(&s->level[0], passes_step_strip, &w);
    s->pending = alpha / s->scale;
    s->started = true;
    pcg_norms norms = poisson_norms(s, 0, 1);
    return (pcg_norms){norms.l2 / s->scale, norms.max / s->scale};
}

double poisson_divide(void *context)
{
    poisson *s = context;
    const lattice *l = &s->level[0];
    lattice_divide(l, &l->b, &l->x, s->partial[0]);
    return threads_sum(s->partial[0], lattice_items(l));
}
