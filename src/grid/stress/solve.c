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
    stress_for_runs(&s->fine, work, &pass);
    return threads_sum(s->partial, s->fine.run_count);
}

/* r = −BᵀKB û*, and û*·W û*. û* is in p. */
static void solve_start(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    float force[STRESS_RUN];
    double sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *u = pass->s->p.of[a] + run->at, *mass = l->mass.of[a] + run->at;
        float *r = l->b.of[a] + run->at;
        stress_force(l, &pass->s->p, a, run, force);
        for (int i = 0; i < run->n; i++) {
            r[i] = mass[i] > 0 ? -force[i] : 0;
            sum += (double)mass[i] * u[i] * u[i];
        }
    }
    pass->s->partial[index] = sum;
}

/* z = M r with the diagonal; z·r. */
static void solve_divide(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    double sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *r = l->b.of[a] + run->at, *inverse = l->inverse.of[a] + run->at;
        float *z = l->x.of[a] + run->at;
        for (int i = 0; i < run->n; i++) {
            z[i] = inverse[i] * r[i];
            sum += (double)z[i] * r[i];
        }
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

/* The number of unknowns' masses, for the mean error. */
static void solve_weigh(void *context, const stress_level *l, const stress_run *run, int index)
{
    const solve_pass *pass = context;
    double sum = 0;
    for (int a = 0; a < l->dims; a++)
        for (int i = 0; i < run->n; i++)
            sum += l->mass.of[a][run->at + i];
    pass->s->partial[index] = sum;
}

/* The norm of the error at which to stop whatever the change: that of limits->absolute everywhere, or what comes of
   rounding δ in û*, which is at most √(δ·Wδ). */
static double solve_floor(stress *s, const solve_limits *limits)
{
    double rounding = FLT_EPSILON * sqrt(solve_sum(s, solve_start, 0));
    return fmax(rounding, limits->absolute * sqrt(solve_sum(s, solve_weigh, 0)));
}

solve_stats stress_solve(stress *s, field velocity[3], const solve_limits *limits)
{
    solve_stats stats = {0};
    stress_load(s, velocity);
    double floor = solve_floor(s, limits), change = 0, last = 0;
    stress_clear(&s->fine, &s->p);
    for (;;) {
        double zr = solve_sum(s, solve_divide, 0), error = sqrt(zr);
        stats.residual = error > 0 ? error / fmax(change, floor) : 0;
        stats.converged = error <= fmax(floor, limits->tolerance * change);
        if (stats.converged || stats.iterations >= limits->max_iterations || !isfinite(error))
            break;
        solve_sum(s, solve_turn, last > 0 ? (float)(zr / last) : 0);
        stress_wrap(&s->fine, &s->p);
        double pq = solve_sum(s, solve_apply, 0);
        if (!(pq > 0) || !isfinite(pq))
            break;
        change = sqrt(solve_sum(s, solve_step, (float)(zr / pq)));
        last = zr;
        stats.iterations++;
    }
    stress_unload(s, velocity);
    return stats;
}
