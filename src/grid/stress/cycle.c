/* The preconditioner: one V-cycle with a Chebyshev polynomial of degree 2 in D⁻¹A as the smoother before and after
   (Adams, Brezina, Hu & Tuminaro 2003). D ≥ A, so that the spectrum lies in (0, 1]; the upper nine tenths are damped.
 */
#include "grid/stress/parts.h"
#include "linalg/multigrid.h"

/* With t = D⁻¹r/θ the correction is α t − β D⁻¹A t. From the interval [⅒, 1]: θ = 0.55, half its length δ = 0.45,
   ρ₀ = δ/θ, ρ₁ = 1/(2θ/δ − ρ₀), β = 2ρ₁/δ, α = 1 + ρ₁ρ₀ + βθ. */
static const float MIDDLE = 0.55f, ALPHA = 3.00621118f, BETA = 2.73291925f;

/* t = D⁻¹b/θ. */
static void cycle_first(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)context;
    (void)index;
    for (int a = 0; a < l->dims; a++) {
        const float *b = l->b.of[a] + run->at, *inverse = l->inverse.of[a] + run->at;
        float *t = l->t.of[a] + run->at;
        for (int i = 0; i < run->n; i++)
            t[i] = inverse[i] * b[i] * (1 / MIDDLE);
    }
}

/* x (+)= α t − β D⁻¹A t. */
static void cycle_correct(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const bool add = *(const bool *)context;
    float force[STRESS_RUN];
    for (int a = 0; a < l->dims; a++) {
        const float *t = l->t.of[a] + run->at, *inverse = l->inverse.of[a] + run->at, *mass = l->mass.of[a] + run->at;
        float *x = l->x.of[a] + run->at;
        stress_force(l, &l->t, a, run, force);
        for (int i = 0; i < run->n; i++)
            x[i] = (add ? x[i] : 0) + ALPHA * t[i] - BETA * inverse[i] * (mass[i] * t[i] + force[i]);
    }
}

/* t = b − A x, or D⁻¹(b − A x)/θ. */
static void cycle_residual(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const bool divide = *(const bool *)context;
    float force[STRESS_RUN];
    for (int a = 0; a < l->dims; a++) {
        const float *x = l->x.of[a] + run->at, *b = l->b.of[a] + run->at;
        const float *inverse = l->inverse.of[a] + run->at, *mass = l->mass.of[a] + run->at;
        float *t = l->t.of[a] + run->at;
        stress_force(l, &l->x, a, run, force);
        for (int i = 0; i < run->n; i++) {
            float r = b[i] - mass[i] * x[i] - force[i];
            t[i] = divide ? r * inverse[i] * (1 / MIDDLE) : inverse[i] > 0 ? r : 0;
        }
    }
}

static void cycle_smooth(const stress_level *l, bool add)
{
    stress_wrap(l, &l->t);
    stress_for_runs(l, cycle_correct, &add);
    stress_wrap(l, &l->x);
}

static void cycle_after(const stress_level *l, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
        stress_for_runs(l, cycle_residual, &(bool){true});
        cycle_smooth(l, true);
    }
}

/* Sweeps before and after; more on the coarser levels, where they cost little. */
static int cycle_sweeps(int level)
{
    return level == 0 ? 1 : 2;
}

/* The first of `sweeps` starts from x = 0. */
static void cycle_before(const stress_level *l, int sweeps)
{
    stress_for_runs(l, cycle_first, NULL);
    cycle_smooth(l, false);
    cycle_after(l, sweeps - 1);
}

static void cycle_down(void *context, int level)
{
    stress *s = context;
    const stress_level *l = &s->level[level];
    cycle_before(l, cycle_sweeps(level));
    stress_for_runs(l, cycle_residual, &(bool){false});
    if (level == 0)
        stress_move_lumps(s);
    stress_restrict(l, &s->level[level + 1]);
}

static void cycle_up(void *context, int level)
{
    stress *s = context;
    const stress_level *l = &s->level[level];
    stress_prolong(l, &s->level[level + 1]);
    stress_wrap(l, &l->x);
    cycle_after(l, cycle_sweeps(level));
}

/* The coarsest level is too large to be solved directly only if a long periodic axis has an odd number of cells. */
static void cycle_coarsest(void *context, int level)
{
    enum { MANY = 16 };
    stress *s = context;
    if (s->place_start[3] > 0)
        stress_solve_coarsest(s);
    else
        cycle_before(&s->level[level], MANY);
}

void stress_cycle(stress *s)
{
    if (s->weak) {
        stress_divide(s);
        return;
    }
    const multigrid cycle = {s, s->levels, cycle_down, cycle_coarsest, cycle_up};
    multigrid_cycle(&cycle);
}
