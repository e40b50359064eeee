/* Row kernels of a matrix of links. */
#include "base/threads.h"
#include "grid/tensor/parts.h"

/* The links within a layer, and the extra. */
static void rows_apply_layer(const tensor_matrix *m, const float *restrict x, int j, int k, int begin, int end,
                             float *restrict out)
{
    const tensor_shape *s = &m->shape;
    const ptrdiff_t here = tensor_at(s, j, k), up = tensor_at(s, tensor_next(j, s->n[1]), k),
                    down = tensor_at(s, tensor_last(j, s->n[1]), k);
    const float *xh = x + here, *xu = x + up, *xd = x + down, *extra = m->extra + here;
    const float *e = m->link[0] + here, *nw = m->link[1] + here, *n = m->link[2] + here, *ne = m->link[3] + here;
    const float *nw_d = m->link[1] + down, *n_d = m->link[2] + down, *ne_d = m->link[3] + down;
    for (int i = begin; i < end; i++) {
        float c = xh[i];
        out[i] = ((extra[i] * c + (e[i] * (c - xh[i + 1]) + e[i - 1] * (c - xh[i - 1]))) +
                  (n[i] * (c - xu[i]) + n_d[i] * (c - xd[i]))) +
                 ((nw[i] * (c - xu[i - 1]) + nw_d[i + 1] * (c - xd[i + 1])) +
                  (ne[i] * (c - xu[i + 1]) + ne_d[i - 1] * (c - xd[i - 1])));
    }
}

/* Adds the links, straight and diagonal, to the layer above or below. */
static void rows_add_layer(const tensor_matrix *m, const float *restrict x, int j, int k, bool above, int begin,
                           int end, float *restrict out)
{
    const tensor_shape *s = &m->shape;
    const int other = above ? tensor_next(k, s->n[2]) : tensor_last(k, s->n[2]), step = above ? 1 : -1;
    const ptrdiff_t here = tensor_at(s, j, k), there = tensor_at(s, j, other);
    const ptrdiff_t up = tensor_at(s, tensor_next(j, s->n[1]), other),
                    down = tensor_at(s, tensor_last(j, s->n[1]), other);
    const float *xh = x + here, *xt = x + there, *xu = x + (above ? up : down), *xd = x + (above ? down : up);
    const float *straight = m->link[4] + (above ? here : there), *left = m->link[5] + (above ? here : there + 1);
    const float *right = m->link[6] + (above ? here : there - 1);
    const float *back = m->link[7] + (above ? here : up), *front = m->link[8] + (above ? here : down);
    for (int i = begin; i < end; i++) {
        float c = xh[i];
        float aside = left[i] * (c - xt[i - step]) + right[i] * (c - xt[i + step]);
        out[i] += straight[i] * (c - xt[i]) + (aside + (back[i] * (c - xd[i]) + front[i] * (c - xu[i])));
    }
}

void tensor_apply_row(const tensor_matrix *m, const float *restrict x, int j, int k, int begin, int end,
                      float *restrict out)
{
    rows_apply_layer(m, x, j, k, begin, end, out);
    if (m->shape.dims == 3) {
        rows_add_layer(m, x, j, k, true, begin, end, out);
        rows_add_layer(m, x, j, k, false, begin, end, out);
    }
}

void tensor_residual_row(tensor_level *l, int j, int k, int begin, int end)
{
    ptrdiff_t at = tensor_at(&l->m.shape, j, k);
    const float *restrict r = l->r + at;
    float *restrict to = l->work + at;
    tensor_apply_row(&l->m, l->x, j, k, begin, end, to);
    for (int i = begin; i < end; i++)
        to[i] = r[i] - to[i];
}

void tensor_residual_rows(tensor_level *l, int begin, int end)
{
    const tensor_shape *s = &l->m.shape;
    for (int row = begin; row < end; row++) {
        tensor_residual_row(l, row % s->n[1], row / s->n[1], 0, s->n[0]);
        tensor_close_row(s, l->work + row * s->row);
    }
}

typedef struct rows_work {
    const tensor_matrix *m;
    double *partial;
} rows_work;

/* Sum and count of the positive links along the first and third axes, and of the ratio of the larger of them to the
   link along the second axis. */
static void rows_measure(void *context, int begin, int end)
{
    const rows_work *w = context;
    const tensor_shape *s = &w->m->shape;
    for (int row = begin; row < end; row++) {
        const float *x = w->m->link[0] + row * s->row, *y = w->m->link[2] + row * s->row;
        const float *z = s->dims == 3 ? w->m->link[4] + row * s->row : x;
        float sum[3] = {0}, count[3] = {0};
        for (int i = 0; i < s->n[0]; i++) {
            float greater = x[i] > z[i] ? x[i] : z[i], aside = greater > 0 && y[i] > 0 ? greater / y[i] : 0;
            sum[0] += x[i] > 0 ? x[i] : 0;
            count[0] += x[i] > 0 ? 1 : 0;
            sum[1] += aside;
            count[1] += aside > 0 ? 1 : 0;
            sum[2] += z[i] > 0 ? z[i] : 0;
            count[2] += z[i] > 0 ? 1 : 0;
        }
        for (int a = 0; a < 3; a++) {
            w->partial[6 * row + 2 * a] = (double)sum[a];
            w->partial[6 * row + 2 * a + 1] = (double)count[a];
        }
    }
}

void tensor_couplings(const tensor_matrix *m, double *partial, double mean[3])
{
    int rows = tensor_rows(&m->shape);
    rows_work w = {.m = m, .partial = partial};
    threads_for_cost(rows, m->shape.n[0], rows_measure, &w);
    for (int a = 0; a < 3; a++) {
        double sum = 0, count = 0;
        for (int row = 0; row < rows; row++) {
            sum += partial[6 * row + 2 * a];
            count += partial[6 * row + 2 * a + 1];
        }
        mean[a] = count > 0 ? sum / count : 0;
    }
}
