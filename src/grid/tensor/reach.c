/* The largest eigenvalue λ of B⁻¹A on each level. On orthogonal axes it is 2 (lines.c). In skewed cells beside closed
   faces some of the cross terms are missing that would balance the others, and coarse levels reach 4 and more. A
   smoother made for 2 would amplify such errors, and the cycle would no longer be positive definite.

   Power iteration from noise, x := B⁻¹A x, with λ ≥ (B⁻¹Ax · Ax)/(x · Ax) (Rayleigh quotient of A^½ B⁻¹ A^½). Such
   errors are local and their λ is well separated from the rest, so few rounds find it within the smoother's margin. */
#include "base/random.h"
#include "base/threads.h"
#include "grid/tensor/parts.h"

enum { ROUNDS = 20 };

typedef struct reach_work {
    tensor_level *l;
    double *partial;
} reach_work;

static double reach_dot(const float *a, const float *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

static void reach_noise_rows(void *context, int begin, int end)
{
    const reach_work *w = context;
    const tensor_shape *s = &w->l->m.shape;
    for (int row = begin; row < end; row++) {
        float *x = w->l->x + row * s->row;
        for (int i = 0; i < s->n[0]; i++)
            x[i] = (float)(random_unit((uint64_t)row, (uint64_t)i) - 0.5);
        tensor_close_row(s, x);
    }
}

/* r = A x, and x·r. */
static void reach_product_rows(void *context, int begin, int end)
{
    const reach_work *w = context;
    const tensor_shape *s = &w->l->m.shape;
    for (int row = begin; row < end; row++) {
        float *r = w->l->r + row * s->row;
        tensor_apply_row(&w->l->m, w->l->x, row % s->n[1], row / s->n[1], 0, s->n[0], r);
        w->partial[row] = reach_dot(w->l->x + row * s->row, r, s->n[0]);
    }
}

static void reach_dot_rows(void *context, int begin, int end)
{
    const reach_work *w = context;
    const tensor_shape *s = &w->l->m.shape;
    for (int row = begin; row < end; row++)
        w->partial[row] = reach_dot(w->l->x + row * s->row, w->l->r + row * s->row, s->n[0]);
}

static double reach_sum(reach_work *w, threads_work work)
{
    int rows = tensor_rows(&w->l->m.shape);
    threads_for_cost(rows, 2 * w->l->m.shape.n[0], work, w);
    return threads_sum(w->partial, rows);
}

/* Each round applies ½ B⁻¹A, so that x keeps its size where λ is 2. */
static double reach_of(tensor_level *l, double *partial)
{
    reach_work w = {l, partial};
    double most = TENSOR_LEAST_REACH;
    threads_for_cost(tensor_rows(&l->m.shape), l->m.shape.n[0], reach_noise_rows, &w);
    for (int round = 0; round < ROUNDS; round++) {
        double before = reach_sum(&w, reach_product_rows);
        tensor_lines_start(l, 0.5f);
        double found = before > 0 ? 2 * reach_sum(&w, reach_dot_rows) / before : 0;
        most = found > most ? found : most;
    }
    return most;
}

void tensor_solver_measure(tensor_solver *s)
{
    for (int level = 0; level + 1 < s->levels; level++)
        s->level[level].reach = reach_of(&s->level[level], s->partial);
}
