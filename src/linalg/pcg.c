#include "linalg/pcg.h"

#include <math.h>

/* The recursive residual is replaced by the true one each time it has fallen by this factor. */
static const double REPLACE = 1e-6;

static bool pcg_has_converged(const pcg_system *s, const solve_limits *limits, pcg_norms r)
{
    return s->right->max == 0 || r.max <= limits->absolute ||
           (r.l2 <= limits->tolerance * s->right->l2 && r.max <= limits->tolerance * s->right->max);
}

/* Counts the iterations since the residual last halved; knows what the last of them has left of it. */
typedef struct pcg_progress {
    double best, left;
    int since;
} pcg_progress;

/* What the first iteration is expected to leave: one cycle of multigrid is good for that. */
static const double USUALLY_LEFT = 0.1;

static bool pcg_stalls(pcg_progress *progress, const pcg_system *s, double l2)
{
    if (!(l2 > progress->best / 2)) {
        progress->best = l2;
        progress->since = 0;
        return false;
    }
    return s->patience > 0 && ++progress->since > s->patience;
}

/* Says whether the next iteration will be the last, as far as those before tell. */
static void pcg_look_ahead(const pcg_system *s, const solve_limits *limits, int iterations, pcg_norms r, double left)
{
    if (s->more)
        *s->more = iterations + 1 < limits->max_iterations &&
                   !pcg_has_converged(s, limits, (pcg_norms){left * r.l2, left * r.max});
}

/* One iteration; false on a breakdown (z·r or p·q not positive or not finite). `zr` is z·r of the previous iteration;
   0 restarts with p = z. */
static bool pcg_iterate(const pcg_system *s, double *zr, pcg_norms *norms)
{
    double now = s->precondition(s->context);
    if (!(now > 0) || !isfinite(now))
        return false;
    double pq = s->direction(s->context, *zr > 0 ? now / *zr : 0);
    if (!(pq > 0) || !isfinite(pq))
        return false;
    *norms = s->step(s->context, now / pq);
    *zr = now;
    return true;
}

/* Replaces the recursive residual by the true one (van der Vorst and Ye 2000), which removes accumulated rounding
   errors. Where the two differ by more than a factor of 2, the search directions have lost their value: restart. */
static void pcg_replace(const pcg_system *s, double *zr, pcg_norms *norms)
{
    pcg_norms exact = s->residual(s->context);
    if (!(exact.l2 <= 2 * norms->l2))
        *zr = 0;
    *norms = exact;
}

solve_stats pcg_solve(const pcg_system *s, const solve_limits *limits)
{
    solve_stats stats = {0};
    pcg_norms norms = s->residual(s->context);
    pcg_progress progress = {INFINITY, USUALLY_LEFT, 0};
    double zr = 0, last = norms.l2;
    bool exact = true;
    while (isfinite(norms.l2)) {
        if (!exact && s->trusting && pcg_has_converged(s, limits, norms)) {
            stats.converged = exact = true;
            break;
        }
        if (!exact && (norms.l2 < REPLACE * last || pcg_has_converged(s, limits, norms))) {
            pcg_replace(s, &zr, &norms);
            last = norms.l2;
            exact = true;
            continue;
        }
        stats.converged = exact && pcg_has_converged(s, limits, norms);
        const double before = norms.l2;
        pcg_look_ahead(s, limits, stats.iterations, norms, progress.left);
        if (stats.converged || stats.iterations >= limits->max_iterations ||
            pcg_stalls(&progress, s, norms.l2) || !pcg_iterate(s, &zr, &norms))
            break;
        progress.left = norms.l2 / before;
        exact = false;
        stats.iterations++;
    }
    if (!exact && !s->trusting)
        norms = s->residual(s->context);
    stats.residual = isfinite(norms.l2) ? (s->right->max > 0 ? norms.max / s->right->max : 0) : NAN;
    return stats;
}
