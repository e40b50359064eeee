/* The passes of conjugate gradients over the finest level. */
#include "base/memory.h"
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_chain.h"
#include "grid/poisson/lattice_lanes.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/lattice_sweep.h"
#include "grid/poisson/parts.h"

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
    const ptrdiff_t ahead = STENCIL_AHEAD * l->row;
    for (int j = strip->j0; j < strip->j1; j++) {
        lattice_run run = lattice_run_of(l, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            double *x = w->s->x[colour] + run.at;
            float *p = w->s->p.of[colour] + run.at;
            const float *z = l->x.of[colour] + run.at;
            if (stencil_fetches(l)) {
                fetch(x + ahead, run.count * (ptrdiff_t)sizeof *x);
                fetch(p + ahead, run.count * (ptrdiff_t)sizeof *p);
                fetch(z + ahead, run.count * (ptrdiff_t)sizeof *z);
            }
            for (ptrdiff_t h = 0; h < run.count && pending != 0; h++)
                x[h] += pending * (double)p[h];
            for (ptrdiff_t h = 0; h < run.count; h++)
                p[h] = beta != 0 ? z[h] + beta * p[h] : z[h];
        }
    }
}

/* p and q = A p in one chain: q follows p one slice behind and overwrites z. */
double poisson_direction(void *context, double beta)
{
    poisson *s = context;
    const lattice *l = &s->level[0];
    passes_work direction = {.s = s, .factor = beta};
    lattice_product product = {l, &s->p, &l->x, s->partial[0]};
    const lattice_pass passes[] = {{passes_direction_strip, &direction, 0, NULL, 0},
                                   {lattice_apply_strip, &product, 1, lattice_apply_renew, 0}};
    lattice_chain(l, passes, 2);
    s->pending = 0;
    double pq = threads_sum(s->partial[0], lattice_items(l));
    return movers_present(s->movers) ? pq + movers_apply(s) : pq;
}

static void passes_step_strip(void *context, const lattice_strip *strip)
{
    const passes_work *w = context;
    const lattice *l = &w->s->level[0];
    const float alpha = (float)w->factor;
    const ptrdiff_t ahead = STENCIL_AHEAD * l->row;
    lanes_norms norms = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        lattice_run run = lattice_run_of(l, j, strip->k);
        for (int colour = 0; colour < 2; colour++) {
            if (stencil_fetches(l)) {
                fetch(l->b.of[colour] + run.at + ahead, run.count * (ptrdiff_t)sizeof(float));
                fetch(l->x.of[colour] + run.at + ahead, run.count * (ptrdiff_t)sizeof(float));
            }
            lanes_step(l->b.of[colour] + run.at, l->x.of[colour] + run.at, alpha, run.count, &norms);
        }
    }
    w->s->partial[0][strip->item] = lanes_total(&norms.square);
    w->s->partial[1][strip->item] = lanes_largest(&norms);
}

/* The first sweeps of the next cycle, if it looks as if there will be one, follow the update of r in the same pass
   through memory. If the solve turns out to have converged, they were not needed; that is one pass of many. */
pcg_norms poisson_step(void *context, double alpha)
{
    poisson *s = context;
    passes_work w = {.s = s, .factor = alpha};
    const lattice_pass step = {passes_step_strip, &w, 0, NULL, 0};
    s->swept = s->cycles && s->more;
    if (s->swept)
        lattice_smooth_first(&s->level[0], &step, POISSON_SWEEPS);
    else
        lattice_chain(&s->level[0], &step, 1);
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
