/* The part of solids in CG. On their faces all vectors are P of a motion; only the cycle sees these as unknowns of
   their own. W there is not the solid's mass: what it is more is added to the sums. Their residual is in double
   precision and hears of no W, or what the liquid gains would be lost in the rounding of what a heavy solid has. */
#include <string.h>

#include "grid/stress/parts.h"

static bool ties_any(const stress *s)
{
    return s->problem.solids && s->problem.solids->count > 0;
}

static void ties_hold(const stress *s, stress_motion *change)
{
    if (s->problem.solids->hold)
        s->problem.solids->hold(s->problem.solids->context, change);
}

/* What of the residual constraints leave: the adjoint of `hold`. */
static void ties_press(const stress *s, stress_motion *rest)
{
    const stress_solids *solids = s->problem.solids;
    if (!solids->hold)
        return;
    for (int b = 0; b < solids->count; b++)
        six_solve(solids->ties->of[b].weigh, rest[b].of);
    ties_hold(s, rest);
    for (int b = 0; b < solids->count; b++) {
        const stress_motion change = rest[b];
        six_times(solids->ties->of[b].mass, change.of, rest[b].of);
    }
}

void stress_ties_clear(stress *s)
{
    if (!ties_any(s))
        return;
    const size_t bytes = sizeof(stress_motion) * (size_t)s->problem.solids->count;
    memset(s->problem.solids->ties->change, 0, bytes);
    memset(s->problem.solids->ties->rest, 0, bytes);
}

void stress_ties_load(stress *s)
{
    if (!ties_any(s))
        return;
    const stress_solids *solids = s->problem.solids;
    stress_motion *start = solids->ties->gain;
    for (int b = 0; b < solids->count; b++)
        start[b] = solids->of[b].motion;
    stress_spread(s, start, false, &s->p);
    stress_wrap(&s->level[0], &s->p);
    stress_spread_exact(s, solids->ties->change, s->change);
}

double stress_ties_square(const stress *s)
{
    const stress_solids *solids = s->problem.solids;
    double sum = 0;
    for (int r = 0; solids && r < solids->row_count; r++) {
        const stress_faces *row = &solids->faces[r];
        const float *start = s->p.of[row->axis] + row->at, *mass = s->level[0].mass.of[row->axis] + row->at;
        for (int i = 0; i < row->count && solids->ties->of[row->solid].wet; i++)
            sum += (double)mass[i] * start[i] * start[i];
    }
    return sum;
}

void stress_ties_rest(stress *s)
{
    if (!ties_any(s))
        return;
    const stress_solids *solids = s->problem.solids;
    const stress_ties *ties = solids->ties;
    stress_pull(s, NULL, ties->rest);
    for (int b = 0; b < solids->count; b++) {
        double gained[6];
        six_times(ties->of[b].mass, ties->change[b].of, gained);
        for (int d = 0; d < 6; d++)
            ties->rest[b].of[d] = -ties->rest[b].of[d] - gained[d];
    }
}

void stress_ties_enter(stress *s)
{
    if (!ties_any(s))
        return;
    const stress_solids *solids = s->problem.solids;
    stress_motion *fit = solids->ties->guess;
    memcpy(fit, solids->ties->rest, sizeof *fit * (size_t)solids->count);
    ties_press(s, fit);
    for (int b = 0; b < solids->count; b++)
        six_solve(solids->ties->of[b].fit, fit[b].of);
    stress_spread(s, fit, true, &s->level[0].b);
}

/* A solid of few faces has motions that these do not tell: the part of the solid alone knows all. */
void stress_ties_leave(stress *s)
{
    if (!ties_any(s))
        return;
    const stress_solids *solids = s->problem.solids;
    const stress_ties *ties = solids->ties;
    stress_motion *alone = ties->gain;
    memcpy(alone, ties->rest, sizeof *alone * (size_t)solids->count);
    ties_press(s, alone);
    stress_weigh(s, ties->guess);
    for (int b = 0; b < solids->count; b++) {
        six_solve(ties->of[b].fit, ties->guess[b].of);
        six_solve(ties->of[b].bear, alone[b].of);
        for (int d = 0; d < 6; d++)
            ties->guess[b].of[d] += alone[b].of[d];
    }
    ties_hold(s, ties->guess);
    stress_spread(s, ties->guess, false, &s->level[0].x);
    memset(alone, 0, sizeof *alone * (size_t)solids->count);
    stress_spread(s, alone, false, &s->level[0].b); /* for z·r has the solids' part of its own */
}

double stress_ties_product(const stress *s)
{
    double sum = 0;
    if (!ties_any(s))
        return 0;
    const stress_solids *solids = s->problem.solids;
    for (int b = 0; b < solids->count; b++)
        for (int d = 0; d < 6; d++)
            sum += solids->ties->rest[b].of[d] * solids->ties->guess[b].of[d];
    return sum;
}

void stress_ties_turn(stress *s, double factor)
{
    if (!ties_any(s))
        return;
    const stress_solids *solids = s->problem.solids;
    for (int b = 0; b < solids->count; b++)
        for (int d = 0; d < 6; d++)
            solids->ties->way[b].of[d] = solids->ties->guess[b].of[d] + factor * solids->ties->way[b].of[d];
    stress_spread(s, solids->ties->way, false, &s->p);
}

double stress_ties_apply(stress *s)
{
    double missing = 0;
    if (!ties_any(s))
        return 0;
    const stress_solids *solids = s->problem.solids;
    const stress_ties *ties = solids->ties;
    stress_pull(s, &s->p, ties->gain);
    for (int b = 0; b < solids->count; b++) {
        double more[6], gained[6];
        missing += six_times(ties->of[b].excess, ties->way[b].of, more);
        six_times(ties->of[b].mass, ties->way[b].of, gained);
        for (int d = 0; d < 6; d++)
            ties->gain[b].of[d] += gained[d];
    }
    return missing;
}

double stress_ties_step(stress *s, double factor)
{
    double missing = 0;
    if (!ties_any(s))
        return 0;
    const stress_solids *solids = s->problem.solids;
    const stress_ties *ties = solids->ties;
    for (int b = 0; b < solids->count; b++) {
        double more[6];
        for (int d = 0; d < 6; d++) {
            ties->change[b].of[d] += factor * ties->way[b].of[d];
            ties->rest[b].of[d] -= factor * ties->gain[b].of[d];
        }
        missing += six_times(ties->of[b].excess, ties->change[b].of, more);
    }
    return missing;
}

/* The liquid gave what the solid has gained but for constraints, whose part the residual is. */
void stress_ties_unload(stress *s)
{
    if (!ties_any(s))
        return;
    const stress_solids *solids = s->problem.solids;
    const stress_ties *ties = solids->ties;
    const double volume = domain_cell_volume(&s->block);
    stress_spread_exact(s, ties->change, s->change);
    for (int b = 0; b < solids->count; b++) {
        stress_solid *solid = &solids->of[b];
        six_times(ties->of[b].mass, ties->change[b].of, solid->gain.of);
        for (int d = 0; d < 6; d++) {
            solid->gain.of[d] = volume * (solid->gain.of[d] + (solid->held ? ties->rest[b].of[d] : 0));
            solid->motion.of[d] += ties->change[b].of[d];
        }
    }
}
