/* Truncated conjugate residuals for pressures that are never negative: one step of the iteration for one unknown Q, of the liquid or of a wall.

   Every step goes along the residual, D r, from a base Q′ and cuts off what is below zero; a sweep finds what that leaves, r. Between, the base moves on: along the
   last step s and along the way w of those before it, as far as makes the squares of what is left least,

       Q′ ← Q + σ s + ω w,   r′ ← r − σ A s − ω A w,   w ← s + σ s + ω w,   (σ, ω) least in Σ D r′²,

   which needs no sweep: A s and A w are differences of residuals, exact even where a step was cut off. Without cuts these are the conjugate residuals of
   Stiefel (1955), a step of relaxation ahead. */
#ifndef FR_STAGE_SPH_DESCENT_H
#define FR_STAGE_SPH_DESCENT_H

#include "model/sph_state.h"

/* Σ D times products of A s, A w and r, over all that is not held at zero. */
typedef struct descent_sums {
    double step_step, step_way, way_way, left_step, left_way;
} descent_sums;

/* σ and ω; anew: the residual is not that of the history, which is forgotten. */
typedef struct descent_shares {
    float step, way;
    bool anew;
} descent_shares;

static inline void descent_sum(const sph_descent *d, int64_t n, float now, float relax, descent_sums *sums)
{
    float left = d->left[n];
    if (now <= 0 && left < 0)
        return;
    float step = d->from_left[n] - left, way = d->way_change[n], weighed = relax * step;
    sums->step_step += weighed * step;
    sums->step_way += weighed * way;
    sums->way_way += relax * way * way;
    sums->left_step += weighed * left;
    sums->left_way += relax * left * way;
}

/* Of a block: to its partial results, and from there. */
static inline void descent_keep(const descent_sums *sums, double *partial)
{
    partial[0] = sums->step_step;
    partial[1] = sums->step_way;
    partial[2] = sums->way_way;
    partial[3] = sums->left_step;
    partial[4] = sums->left_way;
}

static inline void descent_add(descent_sums *sums, const double *partial)
{
    sums->step_step += partial[0];
    sums->step_way += partial[1];
    sums->way_way += partial[2];
    sums->left_step += partial[3];
    sums->left_way += partial[4];
}

/* Along the last step alone where the way is none, or the same. Where cuts have spoilt the history it leads back along the last step, and on in circles. */
static inline descent_shares descent_shares_of(const descent_sums *sum)
{
    double both = sum->step_step * sum->way_way, determinant = both - sum->step_way * sum->step_way;
    descent_shares by = {0};
    if (determinant > 1e-6 * both) {
        by.step = (float)((sum->left_step * sum->way_way - sum->left_way * sum->step_way) / determinant);
        by.way = (float)((sum->left_way * sum->step_step - sum->left_step * sum->step_way) / determinant);
    } else if (sum->step_step > 0)
        by.step = (float)(sum->left_step / sum->step_step);
    by.anew = by.step < 0;
    return by;
}

/* The next unknown in the place of `now`. */
static inline float descent_next(const sph_descent *d, int64_t n, float now, float relax, descent_shares by)
{
    float step = by.anew ? 0 : now - d->from[n], change = by.anew ? 0 : d->from_left[n] - d->left[n];
    float further = by.anew ? 0 : by.step * step + by.way * d->way[n], less = by.anew ? 0 : by.step * change + by.way * d->way_change[n];
    d->from[n] = now + further;
    d->from_left[n] = d->left[n] - less;
    d->way[n] = step + further;
    d->way_change[n] = change + less;
    float next = d->from[n] + relax * d->from_left[n];
    return next > 0 ? next : 0;
}

/* What counts as left: where the density is too low, only as much as can be undone by taking pressure away. */
static inline float descent_off(float left, float relax, float now)
{
    if (left > 0)
        return left;
    float undone = -relax * left;
    return relax > 0 ? (undone < now ? undone : now) / relax : 0;
}

#endif
