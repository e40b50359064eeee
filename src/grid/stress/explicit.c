/* Explicit viscosity, for comparison (Carlson 2004, equations 20 and 25 to 27): forward Euler with the same strains, K
   and masses as the implicit one,

     û ← û − (1/n) M⁻¹ BᵀKB û,

   n times. It is stable for n ≥ ½ λ, λ the largest eigenvalue of M⁻¹BᵀKB, which the sums of K around a face bound
   (finish.c): in the middle of the liquid 12 ν Δt/h² in 3D for ∇·(ν∇u), the thesis' 6 ν/h² steps a second, and twice as
   many for the full stress. Faces with little liquid would ask for many more: M is no less than what n steps bear. */
#include <float.h>
#include <math.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

typedef struct explicit_pass {
    stress *s;
    double steps;
} explicit_pass;

/* Faces that are half full, or more, say how many steps there are; those of solids, marked in t, do not. */
static void explicit_rate(void *context, const stress_level *l, const stress_run *run, int index)
{
    const explicit_pass *pass = context;
    double most = 0;
    for (int a = 0; a < l->dims; a++) {
        const double full = pow(stress_scale(&pass->s->block, a), -2);
        const float *marked = l->t.of[a] + run->at;
        for (int i = 0; i < run->n; i++) {
            const double mass = (double)l->mass.of[a][run->at + i];
            if (mass >= 0.5 * full && marked[i] == 0)
                most = fmax(most, (double)stress_stiffness(l, a, run->at + i) / fmax(mass, full));
        }
    }
    pass->s->partial[index] = most;
}

/* t = −M⁻¹BᵀKB û/n. */
static void explicit_slope(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const explicit_pass *pass = context;
    double force[STRESS_RUN];
    for (int a = 0; a < l->dims; a++) {
        float *t = l->t.of[a] + run->at;
        stress_force_exact(pass->s, a, run, force);
        for (int i = 0; i < run->n; i++) {
            const double mass = (double)l->mass.of[a][run->at + i];
            const double least = 0.5 * (double)stress_stiffness(l, a, run->at + i) / pass->steps;
            t[i] = mass > 0 ? (float)(-force[i] / (pass->steps * fmax(mass, fmax(least, DBL_MIN)))) : 0;
        }
    }
}

static void explicit_add(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const explicit_pass *pass = context;
    for (int a = 0; a < l->dims; a++) {
        const float *t = l->t.of[a] + run->at;
        double *change = pass->s->change[a] + run->at;
        for (int i = 0; i < run->n; i++)
            change[i] += (double)t[i];
    }
}

solve_stats stress_march(stress *s, field velocity[3], int most)
{
    const stress_level *l = &s->level[0];
    explicit_pass pass = {.s = s};
    stress_ties_mark(s);
    stress_for_runs(l, explicit_rate, &pass);
    const double wanted = ceil(0.5 * (l->run_count ? threads_max(s->partial, l->run_count) : 0));
    solve_stats stats = {.iterations = (int)fmin(fmax(wanted, 1), INT32_MAX), .converged = wanted <= most};
    if (!stats.converged)
        return stats;
    pass.steps = stats.iterations;
    stress_clear_exact(l, s->change);
    stress_load(s, velocity);
    stress_ties_clear(s);
    stress_ties_prepare(s, pass.steps);
    for (int step = 0; step < stats.iterations; step++) {
        stress_ties_load(s);
        stress_wrap_exact(l, s->change);
        stress_for_runs(l, explicit_slope, &pass);
        stress_ties_march(s, pass.steps);
        stress_for_runs(l, explicit_add, &pass);
    }
    stress_ties_unload(s);
    stress_unload(s, velocity);
    return stats;
}
