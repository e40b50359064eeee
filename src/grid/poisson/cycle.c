/* The multigrid V-cycle, V(2,2). A single sweep on the finest level would take the same total time, but thin tilted
   plates (a cell or two) would then take 16 iterations instead of 13. */
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_sweep.h"
#include "grid/poisson/lattice_transfer.h"
#include "grid/poisson/parts.h"
#include "linalg/multigrid.h"

enum { COARSEST_SWEEPS = 6 };

static void cycle_down(void *context, int level)
{
    const poisson *s = context;
    const lattice *l = &s->level[level];
    if (level > 0 || !s->swept)
        lattice_smooth_first(l, NULL, POISSON_SWEEPS);
    lattice_restrict(l, l + 1);
}

static void cycle_up(void *context, int level)
{
    const poisson *s = context;
    const lattice *l = &s->level[level];
    lattice_smooth_last(l, l + 1, POISSON_SWEEPS, level == 0 ? s->partial : NULL);
}

/* On a singular level the right-hand side must stay in the range of A. The solution is centred too, which keeps the
   cycle symmetric. */
static void cycle_remove_mean(const lattice *l, const lattice_vector *v)
{
    double sum = 0;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < l->n[2]; k++) {
            for (int j = 0; j < l->n[1]; j++) {
                for (int i = 0; i < l->n[0]; i++) {
                    int colour = lattice_colour(i, j, k);
                    ptrdiff_t slot = lattice_slot(l, i, j, k);
                    if (!(l->flags[colour][slot] & FLAG_LIVE))
                        continue;
                    if (pass == 0) {
                        sum += (double)v->of[colour][slot];
                        count++;
                    } else {
                        v->of[colour][slot] -= (float)(sum / count);
                    }
                }
            }
        }
    }
}

/* At most four cells: a few symmetric sweeps solve them. If the finest level is the only one, this also computes z·r,
   as cycle_up does otherwise. */
static void cycle_coarsest(void *context, int level)
{
    const poisson *s = context;
    const lattice *l = &s->level[level];
    if (l->closed && level > 0)
        cycle_remove_mean(l, &l->b);
    lattice_smooth_first(l, NULL, COARSEST_SWEEPS);
    lattice_smooth_last(l, NULL, COARSEST_SWEEPS, level == 0 ? s->partial : NULL);
    if (l->closed && level > 0)
        cycle_remove_mean(l, &l->x);
}

double poisson_cycle(void *context)
{
    poisson *s = context;
    multigrid m = {s, s->levels, cycle_down, cycle_coarsest, cycle_up};
    multigrid_cycle(&m);
    s->swept = false;
    int items = lattice_items(&s->level[0]);
    double zr = threads_sum(s->partial[0], items) + threads_sum(s->partial[1], items);
    return movers_present(s->movers) ? movers_deflate(s, zr) : zr;
}
