/* Coarse levels are solved by a few steps of conjugate gradients, with a cycle as the preconditioner of each (Notay and
   Vassilevski 2008, the K-cycle). On a coarse level lumps of stiff liquid lie so near to each other that the next level
   cannot move them apart: a few modes for each that a cycle hardly damps. The search finds the worst of them. */
#include <math.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

typedef struct inner_pass {
    stress *s;
    float factor;
} inner_pass;

static double inner_sum(stress *s, const stress_level *l, int which)
{
    return threads_sum(s->partial[which], l->run_count);
}

/* x·q. */
static void inner_product(void *context, const stress_level *l, const stress_run *run, int index)
{
    const inner_pass *pass = context;
    double sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *x = l->x.of[a] + run->at, *q = l->q.of[a] + run->at;
        for (int i = 0; i < run->n; i++)
            sum += (double)x[i] * q[i];
    }
    pass->s->partial[0][index] = sum;
}

/* p = x + β p. */
static void inner_turn(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const inner_pass *pass = context;
    for (int a = 0; a < l->dims; a++) {
        const float *x = l->x.of[a] + run->at;
        float *p = l->p.of[a] + run->at;
        for (int i = 0; i < run->n; i++)
            p[i] = pass->factor == 0 ? x[i] : x[i] + pass->factor * p[i];
    }
}

/* q = A p; p·q and p·b. */
static void inner_apply(void *context, const stress_level *l, const stress_run *run, int index)
{
    const inner_pass *pass = context;
    float force[STRESS_RUN];
    double pq = 0, pb = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *p = l->p.of[a] + run->at, *b = l->b.of[a] + run->at;
        const float *inverse = l->inverse.of[a] + run->at, *mass = l->mass.of[a] + run->at;
        float *q = l->q.of[a] + run->at;
        stress_force(l, &l->p, a, run, force);
        for (int i = 0; i < run->n; i++) {
            q[i] = inverse[i] > 0 ? mass[i] * p[i] + force[i] : 0;
            pq += (double)p[i] * q[i];
            pb += (double)p[i] * b[i];
        }
    }
    pass->s->partial[0][index] = pq;
    pass->s->partial[1][index] = pb;
}

/* sum += α p, b −= α q. */
static void inner_step(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const inner_pass *pass = context;
    for (int a = 0; a < l->dims; a++) {
        const float *p = l->p.of[a] + run->at, *q = l->q.of[a] + run->at;
        float *sum = l->sum.of[a] + run->at, *b = l->b.of[a] + run->at;
        for (int i = 0; i < run->n; i++) {
            sum[i] += pass->factor * p[i];
            b[i] -= pass->factor * q[i];
        }
    }
}

/* One step; false where there is nothing left to do. The next direction is made conjugate to the last one by its
   product with A p: M is not quite linear (flexible conjugate gradients, Notay 2000). */
static bool inner_advance(stress *s, const stress_level *l, double *pq)
{
    inner_pass pass = {s, 0};
    if (*pq > 0) {
        stress_for_runs(l, inner_product, &pass);
        pass.factor = (float)(-inner_sum(s, l, 0) / *pq);
    }
    stress_for_runs(l, inner_turn, &pass);
    stress_wrap(l, &l->p);
    stress_for_runs(l, inner_apply, &pass);
    *pq = inner_sum(s, l, 0);
    double step = inner_sum(s, l, 1) / *pq;
    if (!(*pq > 0) || !isfinite(step))
        return false;
    pass.factor = (float)step;
    stress_for_runs(l, inner_step, &pass);
    return true;
}

/* x = the sum. */
static void inner_finish(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)context;
    (void)index;
    for (int a = 0; a < l->dims; a++) {
        const float *sum = l->sum.of[a] + run->at;
        float *x = l->x.of[a] + run->at;
        for (int i = 0; i < run->n; i++)
            x[i] = sum[i];
    }
}

void stress_solve_level(stress *s, int level)
{
    const stress_level *l = &s->level[level];
    double pq = 0;
    if (level == s->levels - 1 || s->inner_steps == 1) {
        stress_cycle(s, level);
        return;
    }
    stress_clear(l, &l->sum);
    for (int step = 0; step < s->inner_steps; step++) {
        stress_cycle(s, level);
        if (!inner_advance(s, l, &pq))
            break;
    }
    stress_for_runs(l, inner_finish, NULL);
}
