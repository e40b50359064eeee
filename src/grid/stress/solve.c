/* Conjugate gradients for the change of the velocity (Hestenes and Stiefel 1952), stopped on the norm of the error that
   the preconditioner M ≈ (W + BᵀKB)⁻¹ estimates, √(r·Mr). */
#include <float.h>
#include <math.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

typedef struct solve_pass {
    stress *s;
    float factor;
} solve_pass;

static double solve_sum(stress *s, stress_work work, float factor)
{
    solve_pass pass = {s, factor};
    stress_for_runs(&s->level[0], work, &pass);
    return threads_sum(s->partial, s->level[0].run_count);
}

/* r = −BᵀKB û − W(û − û*), and û*·W û*. û* is in p. */
static void solve_residual(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    double force[STRESS_RUN], sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *start = pass->s->p.of[a] + run->at, *mass = l->mass.of[a] + run->at;
        const double *change = pass->s->change[a] + run->at;
        float *r = l->b.of[a] + run->at;
        stress_force_exact(pass->s, a, run, force);
        for (int i = 0; i < run->n; i++) {
            r[i] = mass[i] > 0 ? (float)(-force[i] - mass[i] * change[i]) : 0;
            sum += mass[i] > 0 ? (double)mass[i] * start[i] * start[i] : 0;
        }
    }
    pass->s->partial[index] = sum;
}

/* z·r. */
static void solve_product(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    double sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *r = l->b.of[a] + run->at, *z = l->x.of[a] + run->at;
        for (int i = 0; i < run->n; i++)
            sum += (double)z[i] * r[i];
    }
    pass->s->partial[index] = sum;
}

/* p = z + β p. */
static void solve_turn(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const solve_pass *pass = context;
    for (int a = 0; a < l->dims; a++) {
        const float *z = l->x.of[a] + run->at;
        float *p = pass->s->p.of[a] + run->at;
        for (int i = 0; i < run->n; i++)
            p[i] = z[i] + pass->factor * p[i];
    }
}

/* q = (W + BᵀKB) p; p·q. */
static void solve_apply(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    float force[STRESS_RUN];
    double sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *p = pass->s->p.of[a] + run->at, *mass = l->mass.of[a] + run->at;
        float *q = l->t.of[a] + run->at;
        stress_force(l, &pass->s->p, a, run, force);
        for (int i = 0; i < run->n; i++) {
            q[i] = mass[i] > 0 ? mass[i] * p[i] + force[i] : 0;
            sum += (double)p[i] * q[i];
        }
    }
    pass->s->partial[index] = sum;
}

/* The change += α p, r −= α q; change·W change. */
static void solve_step(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    double sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *p = pass->s->p.of[a] + run->at, *q = l->t.of[a] + run->at;
        const float *mass = l->mass.of[a] + run->at;
        float *r = l->b.of[a] + run->at;
        double *change = pass->s->change[a] + run->at;
        for (int i = 0; i < run->n; i++) {
            change[i] += (double)pass->factor * p[i];
            r[i] -= pass->factor * q[i];
            sum += mass[i] * change[i] * change[i];
        }
    }
    pass->s->partial[index] = sum;
}

/* The sum of all masses. */
static void solve_weigh(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    double sum = 0;
    for (int a = 0; a < l->dims; a++)
        for (int i = 0; i < run->n; i++)
            sum += l->mass.of[a][run->at + i];
    pass->s->partial[index] = sum;
}

/* Computes the true residual. Returns the norm of the error at which to stop whatever the change: that of
   limits->absolute everywhere, or what comes of rounding δ in û*, which is at most √(δ·Wδ); solids are not rounded. */
static double solve_begin(stress *s, const field velocity[3], const solve_limits *limits)
{
    stress_load(s, velocity);
    stress_ties_load(s);
    stress_wrap_exact(&s->level[0], s->change);
    double square = solve_sum(s, solve_residual, 0) - stress_ties_square(s);
    double rounding = FLT_EPSILON * sqrt(fmax(square, 0));
    stress_ties_rest(s);
    stress_clear(&s->level[0], &s->p);
    return fmax(rounding, limits->absolute * sqrt(solve_sum(s, solve_weigh, 0)));
}

/* Makes z what it is to be; z·r. */
static double solve_finish(stress *s)
{
    stress_ties_leave(s);
    stress_deflate(s);
    return solve_sum(s, solve_product, 0) + stress_ties_product(s);
}

/* z = M r; returns z·r. Where rounding in a stiff cycle makes that negative, M is the diagonal. */
static double solve_precondition(stress *s)
{
    stress_ties_enter(s);
    stress_cycle(s);
    double zr = solve_finish(s);
    if (zr >= 0)
        return zr;
    stress_divide(s);
    return solve_finish(s);
}

/* One step along the next direction; returns the norm of the change, or NaN on a breakdown. `last`: z·r of the step
   before, 0 at first. */
static double solve_advance(stress *s, double zr, double last)
{
    const double turn = last > 0 ? zr / last : 0;
    solve_sum(s, solve_turn, (float)turn);
    stress_ties_turn(s, turn);
    stress_wrap(&s->level[0], &s->p);
    double pq = solve_sum(s, solve_apply, 0);
    pq += stress_ties_apply(s);
    if (!(pq > 0) || !isfinite(pq))
        return NAN;
    double square = solve_sum(s, solve_step, (float)(zr / pq));
    return sqrt(square + stress_ties_step(s, zr / pq));
}

/* Iterates until the residual that is carried along says that all is done. It is rounded to single precision, with a
   force on the whole body as the sum of what was lost: so the true one is looked at in the end, and if need be
   repaired.
 */
solve_stats stress_solve(stress *s, field velocity[3], const solve_limits *limits)
{
    solve_stats stats = {0};
    stress_clear_exact(&s->level[0], s->change);
    stress_ties_clear(s);
    double floor = solve_begin(s, velocity, limits), change = 0, last = 0;
    bool exact = true;
    for (;;) {
        double zr = solve_precondition(s), error = sqrt(zr);
        bool done = error <= fmax(floor, limits->tolerance * change);
        stats.converged = done && exact;
        stats.residual = error > 0 ? error / fmax(change, floor) : 0;
        if (stats.converged || stats.iterations >= limits->max_iterations || !isfinite(change + zr))
            break;
        exact = done;
        if (done) {
            solve_begin(s, velocity, limits);
            last = 0;
            continue;
        }
        change = solve_advance(s, zr, last);
        last = zr;
        stats.iterations++;
    }
    stress_ties_unload(s);
    stress_press(s, velocity);
    stress_unload(s, velocity);
    return stats;
}
