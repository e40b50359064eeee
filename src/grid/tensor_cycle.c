/* The V-cycle. Smoothing is Chebyshev's polynomial of degree 2 in D⁻¹A on [2/TENSOR_SPREAD, 2], as two steps with its roots (Adams, Brezina, Hu
   and Tuminaro 2003): symmetric in any order, the same for any number of threads. */
#include <math.h>

#include "base/threads.h"
#include "grid/tensor_parts.h"

#ifndef DEG
#define DEG 2
#endif
#ifndef SPREAD
#define SPREAD 5
#endif

/* 1/root of the polynomial. */
static float cycle_weight(int which)
{
    double high = 2, low = 2.0 / SPREAD;
    return (float)(1 / ((high + low) / 2 + (high - low) / 2 * cos(3.14159265358979 * (2 * which + 1) / (2.0 * DEG))));
}

typedef struct cycle_work {
    const tensor_level *l;
    const float *from;
    float *to, weight;
} cycle_work;

static void cycle_start_rows(void *context, int begin, int end)
{
    const cycle_work *w = context;
    const tensor_shape *s = &w->l->m.shape;
    for (int row = begin; row < end; row++) {
        const float *restrict r = w->l->r + row * s->row, *restrict inverse = w->l->inverse + row * s->row;
        float *restrict to = w->to + row * s->row;
        for (int i = 0; i < s->n[0]; i++)
            to[i] = w->weight * inverse[i] * r[i];
        tensor_close_row(s, to);
    }
}

/* to = from + weight D⁻¹ (r − A from). */
static void cycle_smooth_rows(void *context, int begin, int end)
{
    const cycle_work *w = context;
    const tensor_shape *s = &w->l->m.shape;
    for (int row = begin; row < end; row++) {
        const float *restrict r = w->l->r + row * s->row, *restrict inverse = w->l->inverse + row * s->row, *restrict from = w->from + row * s->row;
        float *restrict to = w->to + row * s->row;
        tensor_apply_row(&w->l->m, w->from, row % s->n[1], row / s->n[1], to);
        for (int i = 0; i < s->n[0]; i++)
            to[i] = from[i] + w->weight * inverse[i] * (r[i] - to[i]);
        tensor_close_row(s, to);
    }
}

static void cycle_residual_rows(void *context, int begin, int end)
{
    const cycle_work *w = context;
    const tensor_shape *s = &w->l->m.shape;
    for (int row = begin; row < end; row++) {
        const float *restrict r = w->l->r + row * s->row;
        float *restrict to = w->to + row * s->row;
        tensor_apply_row(&w->l->m, w->from, row % s->n[1], row / s->n[1], to);
        for (int i = 0; i < s->n[0]; i++)
            to[i] = r[i] - to[i];
        tensor_close_row(s, to);
    }
}

static void cycle_pass(const tensor_level *l, threads_work work, const float *from, float *to, float weight)
{
    cycle_work w = {l, from, to, weight};
    threads_for_cost(tensor_rows(&l->m.shape), 2 * l->m.shape.n[0], work, &w);
}

static void cycle_swap(tensor_level *l)
{
    float *x = l->x;
    l->x = l->work;
    l->work = x;
}

static void cycle_smooth(tensor_level *l, int first)
{
    for (int i = first; i < DEG; i++) {
        cycle_pass(l, cycle_smooth_rows, l->x, l->work, cycle_weight(i));
        cycle_swap(l);
    }
}

static void cycle_down(void *context, int level)
{
    tensor_solver *s = context;
    tensor_level *l = &s->level[level];
    cycle_pass(l, cycle_start_rows, NULL, l->x, cycle_weight(0));
    cycle_smooth(l, 1);
    cycle_pass(l, cycle_residual_rows, l->x, l->work, 0);
    const float *from = l->work;
    for (int i = 0; i < l->steps; i++) {
        float *to = i + 1 < l->steps ? l->between[i] : s->level[level + 1].r;
        tensor_restrict(&l->step[i], from, to);
        from = to;
    }
}

static void cycle_up(void *context, int level)
{
    tensor_solver *s = context;
    tensor_level *l = &s->level[level];
    const float *from = s->level[level + 1].x;
    for (int i = l->steps - 1; i >= 0; i--) {
        float *to = i > 0 ? l->between[i - 1] : l->x;
        tensor_prolong(&l->step[i], from, to, i == 0);
        from = to;
    }
    cycle_smooth(l, 0);
}

static double *factor_row(double *factor, int i) { return factor + i * (i + 1) / 2; }

static int factor_number(const tensor_shape *s, int i, int j, int k) { return i + s->n[0] * (j + s->n[1] * k); }

/* Adds the links of a cell to the lower triangle. */
static void factor_add_cell(double *factor, const tensor_matrix *m, int i, int j, int k)
{
    const tensor_shape *s = &m->shape;
    int own = factor_number(s, i, j, k);
    ptrdiff_t at = tensor_at(s, j, k) + i;
    factor_row(factor, own)[own] += (double)m->extra[at];
    for (int link = 0; link < tensor_links(s); link++) {
        const int *o = tensor_link_offset[link];
        int other = factor_number(s, (i + o[0] + s->n[0]) % s->n[0], (j + o[1] + s->n[1]) % s->n[1], (k + o[2]) % s->n[2]);
        double a = (double)m->link[link][at];
        if (other == own)
            continue;
        factor_row(factor, own)[own] += a;
        factor_row(factor, other)[other] += a;
        factor_row(factor, own > other ? own : other)[own > other ? other : own] -= a;
    }
}

/* Cholesky's factor of the last level's matrix. Where nothing is left of a pivot the matrix is singular: that cell, the last of its pool, is held at 0. */
void tensor_factor(tensor_solver *s)
{
    const tensor_matrix *m = &s->level[s->levels - 1].m;
    const tensor_shape *shape = &m->shape;
    int n = tensor_rows(shape) * shape->n[0];
    double *f = s->factor;
    for (int i = 0; i < n * (n + 1) / 2; i++)
        f[i] = 0;
    for (int k = 0; k < shape->n[2]; k++)
        for (int j = 0; j < shape->n[1]; j++)
            for (int i = 0; i < shape->n[0]; i++)
                factor_add_cell(f, m, i, j, k);
    for (int i = 0; i < n; i++) {
        double *row = factor_row(f, i), whole = row[i], least = 1e-9 * whole;
        for (int j = 0; j < i; j++) {
            double *other = factor_row(f, j);
            for (int k = 0; k < j; k++)
                row[j] -= row[k] * other[k];
            row[j] *= other[j];
            whole -= row[j] * row[j];
        }
        row[i] = whole > least ? 1 / sqrt(whole) : 0;       /* the inverse */
    }
}

static void cycle_coarsest(void *context, int level)
{
    tensor_solver *s = context;
    tensor_level *l = &s->level[level];
    const tensor_shape *shape = &l->m.shape;
    int n = tensor_rows(shape) * shape->n[0];
    double x[TENSOR_COARSEST];
    for (int i = 0; i < n; i++) {
        const double *row = factor_row(s->factor, i);
        x[i] = (double)l->r[i / shape->n[0] * shape->row + i % shape->n[0]];
        for (int j = 0; j < i; j++)
            x[i] -= row[j] * x[j];
        x[i] *= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = factor_row(s->factor, i);
        x[i] *= row[i];
        for (int j = 0; j < i; j++)
            x[j] -= row[j] * x[i];
        l->x[i / shape->n[0] * shape->row + i % shape->n[0]] = (float)x[i];
    }
    for (int row = 0; row < tensor_rows(shape); row++)
        tensor_close_row(shape, l->x + row * shape->row);
}

void tensor_cycle(tensor_solver *s)
{
    multigrid_cycle(&(multigrid){.context = s, .levels = s->levels, .down = cycle_down, .coarsest = cycle_coarsest, .up = cycle_up});
}
