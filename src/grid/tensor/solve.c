/* Conjugate gradients over the finest level. */
#include <math.h>

#include "base/threads.h"
#include "base/wide.h"
#include "grid/tensor/parts.h"

enum { CHUNK = 256, PATIENCE = 100 };

typedef struct solve_work {
    tensor_solver *s;
    const field *from;
    field *to;
    double factor;
} solve_work;

static double solve_dot(const float *a, const float *b, int n)
{
    wide sum = {0};
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        sum += wide_load(a + i) * wide_load(b + i);
    float rest = 0;
    for (; i < n; i++)
        rest += a[i] * b[i];
    return (double)wide_sum(sum) + (double)rest;
}

static void solve_measure(tensor_solver *s, int row, const float *v)
{
    wide sum = {0}, most = {0};
    float rest = 0, largest = 0;
    int i = 0, n = s->shape.n[0];
    for (; i + WIDE <= n; i += WIDE) {
        wide value = wide_load(v + i);
        sum += value * value;
        most = wide_max(most, wide_max(value, -value));
    }
    for (; i < n; i++) {
        rest += v[i] * v[i];
        largest = fabsf(v[i]) > largest ? fabsf(v[i]) : largest;
    }
    for (int l = 0; l < WIDE; l++)
        largest = most[l] > largest ? most[l] : largest;
    s->partial[row] = (double)wide_sum(sum) + (double)rest;
    s->partial[tensor_rows(&s->shape) + row] = (double)largest;
}

static pcg_norms solve_norms(const tensor_solver *s)
{
    int rows = tensor_rows(&s->shape);
    return (pcg_norms){sqrt(threads_sum(s->partial, rows)), threads_max(s->partial + rows, rows)};
}

static void solve_run(tensor_solver *s, threads_work work, solve_work *w)
{
    threads_for_cost(tensor_rows(&s->shape), 2 * s->shape.n[0], work, w);
}

/* b − A x for `n` cells, in double: in float the residual of a smooth solution would be lost. */
static void solve_residual_chunk(const tensor_solver *s, int j, int k, int begin, int n, double *restrict sum)
{
    const tensor_matrix *m = &s->level[0].m;
    const tensor_shape *shape = &m->shape;
    ptrdiff_t at = tensor_at(shape, j, k) + begin;
    const double *x = s->x + at;
    for (int i = 0; i < n; i++)
        sum[i] = (double)s->b[at + i] - (double)m->extra[at + i] * x[i];
    for (int link = 0; link < tensor_links(shape); link++)
        for (int end = -1; end <= 1; end += 2) {
            const int *o = tensor_link_offset[link];
            int dj = end * o[1], dk = end * o[2];
            int to_j = dj > 0 ? tensor_next(j, shape->n[1]) : dj < 0 ? tensor_last(j, shape->n[1]) : j;
            int to_k = dk > 0 ? tensor_next(k, shape->n[2]) : dk < 0 ? tensor_last(k, shape->n[2]) : k;
            ptrdiff_t there = tensor_at(shape, to_j, to_k) + begin + end * o[0];
            const double *other = s->x + there;
            const float *a = m->link[link] + (end > 0 ? at : there);
            for (int i = 0; i < n; i++)
                sum[i] -= (double)a[i] * (x[i] - other[i]);
        }
}

static void solve_residual_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_shape *shape = &w->s->shape;
    double sum[CHUNK];
    for (int row = begin; row < end; row++) {
        float *r = w->s->level[0].r + row * shape->row;
        for (int first = 0; first < shape->n[0]; first += CHUNK) {
            int n = shape->n[0] - first < CHUNK ? shape->n[0] - first : CHUNK;
            solve_residual_chunk(w->s, row % shape->n[1], row / shape->n[1], first, n, sum);
            for (int i = 0; i < n; i++)
                r[first + i] = (float)sum[i];
        }
        solve_measure(w->s, row, r);
    }
}

static pcg_norms solve_residual(void *context)
{
    tensor_solver *s = context;
    solve_work w = {.s = s};
    solve_run(s, solve_residual_rows, &w);
    return solve_norms(s);
}

static void solve_zr_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_level *l = &w->s->level[0];
    for (int row = begin; row < end; row++)
        w->s->partial[row] = solve_dot(l->x + row * w->s->shape.row, l->r + row * w->s->shape.row, w->s->shape.n[0]);
}

static double solve_precondition(void *context)
{
    tensor_solver *s = context;
    tensor_pools_level(&s->pools, &s->shape, s->level[0].r); /* no iteration would remove the mean left by rounding */
    tensor_cycle(s);
    solve_work w = {.s = s};
    solve_run(s, solve_zr_rows, &w);
    return threads_sum(s->partial, tensor_rows(&s->shape));
}

static void solve_direction_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_shape *shape = &w->s->shape;
    const float beta = (float)w->factor;
    for (int row = begin; row < end; row++) {
        float *restrict p = w->s->p + row * shape->row;
        const float *restrict z = w->s->level[0].x + row * shape->row;
        for (int i = 0; i < shape->n[0]; i++)
            p[i] = beta != 0 ? z[i] + beta * p[i] : z[i];
        tensor_close_row(shape, p);
    }
}

static void solve_product_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_shape *shape = &w->s->shape;
    for (int row = begin; row < end; row++) {
        float *q = w->s->q + row * shape->row;
        tensor_apply_row(&w->s->level[0].m, w->s->p, row % shape->n[1], row / shape->n[1], 0, shape->n[0], q);
        w->s->partial[row] = solve_dot(w->s->p + row * shape->row, q, shape->n[0]);
    }
}

static double solve_direction(void *context, double beta)
{
    tensor_solver *s = context;
    solve_work w = {.s = s, .factor = beta};
    solve_run(s, solve_direction_rows, &w);
    solve_run(s, solve_product_rows, &w);
    return threads_sum(s->partial, tensor_rows(&s->shape));
}

static void solve_close_double(const tensor_shape *s, double *row)
{
    row[-1] = s->wraps[0] ? row[s->n[0] - 1] : 0;
    row[s->n[0]] = s->wraps[0] ? row[0] : 0;
}

static void solve_step_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_shape *shape = &w->s->shape;
    const float alpha = (float)w->factor;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = row * shape->row;
        const float *restrict p = w->s->p + at, *restrict q = w->s->q + at;
        float *restrict r = w->s->level[0].r + at;
        double *restrict x = w->s->x + at;
        for (int i = 0; i < shape->n[0]; i++) {
            x[i] += w->factor * (double)p[i];
            r[i] -= alpha * q[i];
        }
        solve_close_double(shape, x);
        solve_measure(w->s, row, r);
    }
}

static pcg_norms solve_step(void *context, double alpha)
{
    tensor_solver *s = context;
    solve_work w = {.s = s, .factor = alpha};
    solve_run(s, solve_step_rows, &w);
    return solve_norms(s);
}

static void solve_load_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_shape *shape = &w->s->shape;
    for (int row = begin; row < end; row++) {
        int j = row % shape->n[1], k = row / shape->n[1];
        ptrdiff_t at = tensor_at(shape, j, k);
        const float *right = field_row(w->from, j, k), *start = field_row(w->to, j, k),
                    *pivot = w->s->level[0].pivot + at;
        for (int i = 0; i < shape->n[0]; i++) {
            w->s->b[at + i] = pivot[i] > 0 ? right[i] : 0;
            w->s->x[at + i] = pivot[i] > 0 ? (double)start[i] : 0;
        }
        solve_close_double(shape, w->s->x + at);
    }
}

static void solve_measure_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    for (int row = begin; row < end; row++)
        solve_measure(w->s, row, w->s->b + row * w->s->shape.row);
}

static void solve_round_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_shape *shape = &w->s->shape;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = row * shape->row;
        for (int i = 0; i < shape->n[0]; i++)
            w->s->q[at + i] = w->s->level[0].pivot[at + i] > 0 ? (float)w->s->x[at + i] : 0;
    }
}

static void solve_store_rows(void *context, int begin, int end)
{
    const solve_work *w = context;
    const tensor_shape *shape = &w->s->shape;
    for (int row = begin; row < end; row++)
        memcpy(field_row(w->to, row % shape->n[1], row / shape->n[1]), w->s->q + row * shape->row,
               (size_t)shape->n[0] * sizeof(float));
}

solve_stats tensor_solve(tensor_solver *s, const field *right, field *x, const solve_limits *limits)
{
    solve_work w = {.s = s, .from = right, .to = x};
    solve_run(s, solve_load_rows, &w);
    tensor_pools_level(&s->pools, &s->shape, s->b);
    solve_run(s, solve_measure_rows, &w);
    s->right = solve_norms(s);
    pcg_system system = {.context = s,
                         .right = &s->right,
                         .residual = solve_residual,
                         .precondition = solve_precondition,
                         .direction = solve_direction,
                         .step = solve_step,
                         .patience = PATIENCE};
    solve_stats stats = pcg_solve(&system, limits);
    solve_run(s, solve_round_rows, &w);
    tensor_pools_level(&s->pools, &s->shape, s->q);
    solve_run(s, solve_store_rows, &w);
    return stats;
}
