/* Pools: connected components of cells without a tie to a known value. On each of them the matrix is singular; its null
   space is the constants. Found as runs of cells along the rows, joined with the runs they touch by union–find (the
   lower number becomes the root). */
#include "base/memory.h"
#include "grid/tensor/parts.h"

static int pools_root(const tensor_run *run, int r)
{
    while (run[r].pool != r)
        r = run[r].pool;
    return r;
}

static void pools_join(tensor_run *run, int a, int b)
{
    a = pools_root(run, a);
    b = pools_root(run, b);
    if (a < b)
        run[b].pool = a;
    else
        run[a].pool = b;
}

/* Adds the runs of a row to the list. */
static void pools_find_runs(tensor_pools *p, const tensor_matrix *m, const float *pivot, int j, int k)
{
    const tensor_shape *s = &m->shape;
    const float *share = m->share[0] + tensor_at(s, j, k), *takes_part = pivot + tensor_at(s, j, k);
    for (int i = 0; i < s->n[0]; i++) {
        bool goes_on = i > 0 && takes_part[i - 1] > 0 && share[i] > 0;
        if (takes_part[i] > 0 && goes_on) {
            p->run[p->runs - 1].end = i + 1;
        } else if (takes_part[i] > 0) {
            p->run[p->runs] = (tensor_run){j, k, i, i + 1, p->runs};
            p->runs++;
        }
    }
}

/* Joins the runs of two neighbouring rows; `share` is of the low faces of the upper row. */
static void pools_join_rows(tensor_pools *p, const int upper[2], const int lower[2], const float *share)
{
    int a = upper[0], b = lower[0];
    while (a < upper[1] && b < lower[1]) {
        const tensor_run *ra = &p->run[a], *rb = &p->run[b];
        int begin = ra->begin > rb->begin ? ra->begin : rb->begin, end = ra->end < rb->end ? ra->end : rb->end;
        for (int i = begin; i < end; i++)
            if (share[i] > 0) {
                pools_join(p->run, a, b);
                break;
            }
        if (ra->end < rb->end)
            a++;
        else
            b++;
    }
}

/* The runs [begin, end) of a row. */
static void pools_of_row(const tensor_shape *s, const int *first, int j, int k, int range[2])
{
    int row = j + s->n[1] * k;
    range[0] = first[row];
    range[1] = first[row + 1];
}

static void pools_join_all(tensor_pools *p, const tensor_matrix *m, const int *first)
{
    const tensor_shape *s = &m->shape;
    for (int k = 0; k < s->n[2]; k++)
        for (int j = 0; j < s->n[1]; j++) {
            int here[2], below[2];
            ptrdiff_t at = tensor_at(s, j, k);
            pools_of_row(s, first, j, k, here);
            pools_of_row(s, first, tensor_last(j, s->n[1]), k, below);
            pools_join_rows(p, here, below, m->share[1] + at);
            if (s->dims == 3) {
                pools_of_row(s, first, j, tensor_last(k, s->n[2]), below);
                pools_join_rows(p, here, below, m->share[2] + at);
            }
            bool round = here[1] > here[0] && p->run[here[0]].begin == 0 && p->run[here[1] - 1].end == s->n[0];
            if (round && m->share[0][at] > 0)
                pools_join(p->run, here[0], here[1] - 1);
        }
}

static bool pools_run_is_tied(const tensor_matrix *m, const tensor_run *run)
{
    const float *extra = m->extra + tensor_at(&m->shape, run->j, run->k);
    bool tied = false;
    for (int i = run->begin; i < run->end; i++)
        tied |= extra[i] > 0;
    return tied;
}

/* Drops the runs of tied pools and numbers the others. `mark` has room for an int per run. */
static void pools_number(tensor_pools *p, const tensor_matrix *m, int32_t *mark)
{
    for (int r = 0; r < p->runs; r++) {
        p->run[r].pool = pools_root(p->run, r);
        mark[r] = 0;
    }
    for (int r = 0; r < p->runs; r++)
        if (pools_run_is_tied(m, &p->run[r]))
            mark[p->run[r].pool] = -1;
    int kept = 0;
    p->count = 0;
    for (int r = 0; r < p->runs; r++) {
        tensor_run run = p->run[r];
        if (run.pool == r && mark[r] == 0) {
            p->cells[p->count] = 0;
            mark[r] = ++p->count;
        }
        if (mark[run.pool] < 0)
            continue;
        run.pool = mark[run.pool] - 1;
        p->cells[run.pool] += run.end - run.begin;
        p->run[kept++] = run;
    }
    p->runs = kept;
}

/* Whether every cell has an extra of its own, as with a time derivative: then there are no pools. */
static bool pools_all_tied(const tensor_matrix *m, const float *pivot)
{
    const tensor_shape *s = &m->shape;
    for (int row = 0; row < tensor_rows(s); row++)
        for (int i = 0; i < s->n[0]; i++)
            if (pivot[row * s->row + i] > 0 && !(m->extra[row * s->row + i] > 0))
                return false;
    return true;
}

static int pools_count_runs(const tensor_matrix *m, const float *pivot)
{
    const tensor_shape *s = &m->shape;
    int runs = 0;
    for (int row = 0; row < tensor_rows(s); row++)
        for (int i = 0; i < s->n[0]; i++) {
            ptrdiff_t at = row * s->row + i;
            bool goes_on = i > 0 && pivot[at - 1] > 0 && m->share[0][at] > 0;
            runs += pivot[at] > 0 && !goes_on;
        }
    return runs;
}

void tensor_pools_free(tensor_pools *p)
{
    memory_free(p->run);
    memory_free(p->mark);
    memory_free(p->sum);
    memory_free(p->cells);
    *p = (tensor_pools){0};
}

static fr_result pools_reserve(tensor_pools *p, int runs)
{
    if (runs <= p->room)
        return FR_OK;
    tensor_pools_free(p);
    p->run = MEMORY_NEW(tensor_run, runs);
    p->mark = MEMORY_NEW(int32_t, runs);
    p->sum = MEMORY_NEW(double, runs);
    p->cells = MEMORY_NEW(double, runs);
    p->room = runs;
    if (p->run && p->mark && p->sum && p->cells)
        return FR_OK;
    tensor_pools_free(p);
    return FR_ERROR_MEMORY;
}

fr_result tensor_pools_find(tensor_pools *p, const tensor_matrix *m, const float *pivot, int *first)
{
    const tensor_shape *s = &m->shape;
    p->runs = p->count = 0;
    if (pools_all_tied(m, pivot))
        return FR_OK;
    FR_TRY(pools_reserve(p, pools_count_runs(m, pivot)));
    for (int row = 0; row < tensor_rows(s); row++) {
        first[row] = p->runs;
        pools_find_runs(p, m, pivot, row % s->n[1], row / s->n[1]);
    }
    first[tensor_rows(s)] = p->runs;
    pools_join_all(p, m, first);
    pools_number(p, m, p->mark);
    return FR_OK;
}

static double pools_sum(const float *v, int n)
{
    double lane[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++)
            lane[l] += (double)v[i + l];
    for (; i < n; i++)
        lane[0] += (double)v[i];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* Subtracts the mean without a bias. Floats of the same size are multiples of the same small number, so all would be
   rounded the same way; the mean left over is outside the range of the matrix, and CG breaks down. So the rounding
   error of each value is passed on to the next one of its lane. */
static void pools_subtract(float *v, int n, double mean)
{
    enum { LANES = 8 };
    double carry[LANES] = {0};
    for (int i = 0; i < n; i += LANES)
        for (int l = 0; l < LANES && i + l < n; l++) {
            double value = (double)v[i + l] - mean + carry[l];
            v[i + l] = (float)value;
            carry[l] = value - (double)v[i + l];
        }
}

void tensor_pools_level(tensor_pools *p, const tensor_shape *s, float *values)
{
    for (int pool = 0; pool < p->count; pool++)
        p->sum[pool] = 0;
    for (int r = 0; r < p->runs; r++) {
        const tensor_run *run = &p->run[r];
        p->sum[run->pool] += pools_sum(values + tensor_at(s, run->j, run->k) + run->begin, run->end - run->begin);
    }
    for (int r = 0; r < p->runs; r++) {
        const tensor_run *run = &p->run[r];
        pools_subtract(values + tensor_at(s, run->j, run->k) + run->begin, run->end - run->begin,
                       p->sum[run->pool] / p->cells[run->pool]);
    }
}
