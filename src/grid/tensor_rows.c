/* What is done with rows of a matrix of links. */
#include <math.h>

#include "base/threads.h"
#include "grid/tensor_parts.h"

/* The links within a layer, and the diagonal. */
static void rows_apply_layer(const tensor_matrix *m, const float *restrict x, int j, int k, float *restrict out)
{
    const tensor_shape *s = &m->shape;
    const ptrdiff_t here = tensor_at(s, j, k), up = tensor_at(s, tensor_next(j, s->n[1]), k), down = tensor_at(s, tensor_last(j, s->n[1]), k);
    const float *xh = x + here, *xu = x + up, *xd = x + down, *extra = m->extra + here;
    const float *e = m->link[0] + here, *nw = m->link[1] + here, *n = m->link[2] + here, *ne = m->link[3] + here;
    const float *nw_d = m->link[1] + down, *n_d = m->link[2] + down, *ne_d = m->link[3] + down;
    for (int i = 0; i < s->n[0]; i++) {
        float c = xh[i];
        out[i] = ((extra[i] * c + (e[i] * (c - xh[i + 1]) + e[i - 1] * (c - xh[i - 1]))) + (n[i] * (c - xu[i]) + n_d[i] * (c - xd[i]))) +
                 ((nw[i] * (c - xu[i - 1]) + nw_d[i + 1] * (c - xd[i + 1])) + (ne[i] * (c - xu[i + 1]) + ne_d[i - 1] * (c - xd[i - 1])));
    }
}

/* Adds the links to one of the layers next to it: straight on, and aside by a cell. */
static void rows_add_layer(const tensor_matrix *m, const float *restrict x, int j, int k, bool above, float *restrict out)
{
    const tensor_shape *s = &m->shape;
    const int other = above ? tensor_next(k, s->n[2]) : tensor_last(k, s->n[2]), step = above ? 1 : -1;
    const ptrdiff_t here = tensor_at(s, j, k), there = tensor_at(s, j, other);
    const ptrdiff_t up = tensor_at(s, tensor_next(j, s->n[1]), other), down = tensor_at(s, tensor_last(j, s->n[1]), other);
    const float *xh = x + here, *xt = x + there, *xu = x + (above ? up : down), *xd = x + (above ? down : up);
    const float *straight = m->link[4] + (above ? here : there), *left = m->link[5] + (above ? here : there + 1);
    const float *right = m->link[6] + (above ? here : there - 1);
    const float *back = m->link[7] + (above ? here : up), *front = m->link[8] + (above ? here : down);
    for (int i = 0; i < s->n[0]; i++) {
        float c = xh[i];
        out[i] += straight[i] * (c - xt[i]) + ((left[i] * (c - xt[i - step]) + right[i] * (c - xt[i + step])) + (back[i] * (c - xd[i]) + front[i] * (c - xu[i])));
    }
}

void tensor_apply_row(const tensor_matrix *m, const float *restrict x, int j, int k, float *restrict out)
{
    rows_apply_layer(m, x, j, k, out);
    if (m->shape.dims == 3) {
        rows_add_layer(m, x, j, k, true, out);
        rows_add_layer(m, x, j, k, false, out);
    }
}

typedef struct rows_work {
    const tensor_matrix *m;
    float *inverse;
    double *partial;
} rows_work;

/* A positive link counts for both of its cells. */
static void rows_add_positive(const float *restrict link, int n, float *restrict sum)
{
    for (int i = 0; i < n; i++)
        sum[i] += fmaxf(link[i], 0);
}

static void rows_invert(void *context, int begin, int end)
{
    const rows_work *w = context;
    const tensor_shape *s = &w->m->shape;
    for (int row = begin; row < end; row++) {
        int j = row % s->n[1], k = row / s->n[1];
        ptrdiff_t at = tensor_at(s, j, k);
        float *restrict inverse = w->inverse + at;
        for (int i = 0; i < s->n[0]; i++)
            inverse[i] = fmaxf(w->m->extra[at + i], 0);
        for (int link = 0; link < tensor_links(s); link++) {
            const int *to = tensor_link_offset[link];
            int from_j = to[1] > 0 ? tensor_last(j, s->n[1]) : to[1] < 0 ? tensor_next(j, s->n[1]) : j;
            int from_k = to[2] ? tensor_last(k, s->n[2]) : k;
            rows_add_positive(w->m->link[link] + at, s->n[0], inverse);
            rows_add_positive(w->m->link[link] + tensor_at(s, from_j, from_k) - to[0], s->n[0], inverse);
        }
        for (int i = 0; i < s->n[0]; i++)
            inverse[i] = inverse[i] > 0 ? 1 / inverse[i] : 0;
    }
}

void tensor_matrix_inverse(const tensor_matrix *m, float *inverse)
{
    rows_work w = {.m = m, .inverse = inverse};
    threads_for_cost(tensor_rows(&m->shape), m->shape.n[0], rows_invert, &w);
}

static void rows_measure(void *context, int begin, int end)
{
    const rows_work *w = context;
    const tensor_shape *s = &w->m->shape;
    for (int row = begin; row < end; row++)
        for (int a = 0; a < s->dims; a++) {
            const float *link = w->m->link[2 * a] + row * s->row;
            float sum = 0;
            int count = 0;
            for (int i = 0; i < s->n[0]; i++) {
                sum += fmaxf(link[i], 0);
                count += link[i] > 0;
            }
            w->partial[6 * row + 2 * a] = (double)sum;
            w->partial[6 * row + 2 * a + 1] = count;
        }
}

void tensor_couplings(const tensor_matrix *m, double *partial, double mean[3])
{
    int rows = tensor_rows(&m->shape);
    rows_work w = {.m = m, .partial = partial};
    threads_for_cost(rows, m->shape.n[0], rows_measure, &w);
    for (int a = 0; a < 3; a++) {
        double sum = 0, count = 0;
        for (int row = 0; row < rows && a < m->shape.dims; row++) {
            sum += partial[6 * row + 2 * a];
            count += partial[6 * row + 2 * a + 1];
        }
        mean[a] = count > 0 ? sum / count : 0;
    }
}
