/* Line relaxation: lines of cells along the second axis are solved exactly. B has the links along the line; those along
   the other axes are on its diagonal only.

   On orthogonal axes A ≤ 2 B, because a (x − y)² ≤ 2 a (x² + y²): the eigenvalues of B⁻¹A lie in (0, 2]. Cross terms
   with constant coefficients do not change that, as the matrix's symbol shows: they vanish for the roughest waves,
   those with eigenvalue 2. Beside closed faces in skewed cells they do (reach.c). There links along the axes may be 0
   or negative, and a cell may be tied by its diagonal links alone; so B gets at least half of A's diagonal, and no cell
   is left out. Lines are independent of each other and lie side by side in the rows, so all loops run along the rows.

   B = (1 − L) D (1 − L)ᵀ by elimination upwards. Where a line is periodic, B has one more link w between its ends,
   u = (1, 0, … 0, −1):  (B + w u uᵀ)⁻¹ r = y − v w (u·y)/(1 + w u·v), with B y = r, B v = u (Sherman and
   Morrison 1950). */
#include <math.h>

#include "base/threads.h"
#include "grid/tensor/parts.h"

enum { GROUP = 16 };         /* least number of lines per thread */

typedef struct lines_work {
    tensor_level *l;
    float weight;
    bool add;
} lines_work;

static int lines_groups(const tensor_shape *s) { return (s->n[0] + GROUP - 1) / GROUP; }

/* Works on the columns [begin, end) of layer k. lines_share calls it with ranges as long as possible. */
typedef void (*lines_columns)(const lines_work *w, int k, int begin, int end);

static void lines_share(const lines_work *w, int begin, int end, lines_columns work)
{
    const tensor_shape *s = &w->l->m.shape;
    int groups = lines_groups(s);
    while (begin < end) {
        int k = begin / groups, until = (k + 1) * groups < end ? (k + 1) * groups : end;
        int last = (until - k * groups) * GROUP;
        work(w, k, (begin - k * groups) * GROUP, last < s->n[0] ? last : s->n[0]);
        begin = until;
    }
}

static inline float lines_positive(float v) { return v > 0 ? v : 0; }

/* Diagonal of B without the links of the line: Σ of the links along the other axes and of the extra, of n cells from
   `at` on; `below`: the same cells one layer down. */
static void lines_diagonal(const tensor_matrix *m, ptrdiff_t at, ptrdiff_t below, int n, float *restrict sum)
{
    const float *extra = m->extra + at, *x = m->link[0] + at, *z = m->link[4];
    for (int i = 0; i < n; i++)
        sum[i] = lines_positive(extra[i]) + lines_positive(x[i]) + lines_positive(x[i - 1]);
    for (int i = 0; i < n && m->shape.dims == 3; i++)
        sum[i] += lines_positive(z[at + i]) + lines_positive(z[below + i]);
}

/* Half of A's diagonal, for n cells. */
static void lines_least_diagonal(const tensor_matrix *m, int j, int k, int begin, int n, float *restrict half)
{
    const tensor_shape *s = &m->shape;
    ptrdiff_t at = tensor_at(s, j, k) + begin;
    for (int i = 0; i < n; i++)
        half[i] = 0.5f * m->extra[at + i];
    for (int link = 0; link < tensor_links(s); link++) {
        const int *o = tensor_link_offset[link];
        int from_j = o[1] > 0 ? tensor_last(j, s->n[1]) : o[1] < 0 ? tensor_next(j, s->n[1]) : j;
        int from_k = o[2] > 0 ? tensor_last(k, s->n[2]) : k;
        const float *up = m->link[link] + at, *down = m->link[link] + tensor_at(s, from_j, from_k) + begin - o[0];
        for (int i = 0; i < n; i++)
            half[i] += 0.5f * (up[i] + down[i]);
    }
}

/* Forward elimination upwards in each line; with `add`, of the residual. */
static void lines_forward(const lines_work *w, int k, int begin, int end, const float *right, float *to)
{
    tensor_level *l = w->l;
    const tensor_shape *s = &l->m.shape;
    for (int j = 0; j < s->n[1]; j++) {
        ptrdiff_t at = tensor_at(s, j, k);
        const float *from = right + at, *below = to + at - s->row, *lower = l->lower + at;
        float *row = to + at;
        if (w->add)
            tensor_residual_row(l, j, k, begin, end);
        if (j == 0)
            for (int i = begin; i < end; i++)
                row[i] = from[i];
        else
            for (int i = begin; i < end; i++)
                row[i] = from[i] + lower[i] * below[i];
    }
}

/* Updates x by a row of the solution in `work`. With `add` the sum goes to `work` instead, because other lines still
   need the old x; lines_run then swaps the two. */
static void lines_update_x(const lines_work *w, ptrdiff_t at, int begin, int end)
{
    const float weight = w->weight;
    float *restrict x = w->l->x + at, *restrict work = w->l->work + at;
    if (w->add)
        for (int i = begin; i < end; i++)
            work[i] = x[i] + weight * work[i];
    else
        for (int i = begin; i < end; i++)
            x[i] = weight * work[i];
}

/* Back substitution, in place. With `update` each row of x is updated once the row below it is known. */
static void lines_back(const lines_work *w, int k, int begin, int end, float *values, bool update)
{
    tensor_level *l = w->l;
    const tensor_shape *s = &l->m.shape;
    for (int j = s->n[1] - 1; j >= 0; j--) {
        ptrdiff_t at = tensor_at(s, j, k);
        const float *restrict pivot = l->pivot + at, *restrict lower = l->lower + at + s->row,
                              *restrict above = values + at + s->row;
        float *restrict row = values + at;
        if (j + 1 == s->n[1]) {
            for (int i = begin; i < end; i++)
                row[i] *= pivot[i];
            continue;
        }
        for (int i = begin; i < end; i++)
            row[i] = pivot[i] * row[i] + lower[i] * above[i];
        if (update)
            lines_update_x(w, at + s->row, begin, end);
    }
    if (update)
        lines_update_x(w, tensor_at(s, 0, k), begin, end);
}

static bool lines_are_rings(const tensor_shape *s) { return s->wraps[1] && s->n[1] > 1; }

/* ring = v·√(w/(1 + w u·v)), root = that square root: the correction is then ring·root·(u·y). */
static void lines_close_columns(const lines_work *w, int k, int begin, int end)
{
    tensor_level *l = w->l;
    const tensor_shape *s = &l->m.shape;
    ptrdiff_t first = tensor_at(s, 0, k), last = tensor_at(s, s->n[1] - 1, k);
    for (int j = 0; j < s->n[1]; j++)
        for (int i = begin; i < end; i++)
            l->ring[tensor_at(s, j, k) + i] = (j == 0 ? 1.0f : 0.0f) - (j + 1 == s->n[1] ? 1.0f : 0.0f);
    lines_forward(w, k, begin, end, l->ring, l->ring);
    lines_back(w, k, begin, end, l->ring, false);
    for (int i = begin; i < end; i++) {
        float link = lines_positive(l->m.link[TENSOR_ALONG_LINE][last + i]);
        float root = sqrtf(link / (1 + link * (l->ring[first + i] - l->ring[last + i])));
        for (int j = 0; j < s->n[1]; j++)
            l->ring[tensor_at(s, j, k) + i] *= root;
        l->root[k * s->row + i] = root;
    }
}

static void lines_add_ring(const tensor_level *l, int k, int begin, int end, float *values)
{
    const tensor_shape *s = &l->m.shape;
    const float *first = values + tensor_at(s, 0, k), *last = values + tensor_at(s, s->n[1] - 1, k);
    float jump[GROUP];
    for (int group = begin; group < end; group += GROUP) {
        int n = end - group < GROUP ? end - group : GROUP;
        for (int i = 0; i < n; i++)
            jump[i] = l->root[k * s->row + group + i] * (first[group + i] - last[group + i]);
        for (int j = 0; j < s->n[1]; j++) {
            ptrdiff_t at = tensor_at(s, j, k) + group;
            for (int i = 0; i < n; i++)
                values[at + i] -= l->ring[at + i] * jump[i];
        }
    }
}

/* Least pivot, as a share of the diagonal. A smaller one means that the line is tied to nothing, or too weakly to
   matter for smoothing; without the bound the rounding error in its mean would be amplified without limit. The coarsest
   level, a single line, is solved exactly. */
static double lines_least_pivot(const tensor_shape *s) { return s->n[0] == 1 && s->n[2] == 1 ? 1e-7 : 1e-3; }

static void lines_factor_group(tensor_level *l, int k, int begin, int n)
{
    const tensor_matrix *m = &l->m;
    const tensor_shape *s = &m->shape;
    double link_below[GROUP] = {0}, pivot_below[GROUP] = {0}, least_pivot = lines_least_pivot(s);
    float aside[GROUP], least_whole[GROUP];
    for (int j = 0; j < s->n[1]; j++) {
        ptrdiff_t at = tensor_at(s, j, k) + begin;
        lines_diagonal(m, at, tensor_at(s, j, tensor_last(k, s->n[2])) + begin, n, aside);
        lines_least_diagonal(m, j, k, begin, n, least_whole);
        for (int i = 0; i < n; i++) {
            double up = j + 1 < s->n[1] ? (double)lines_positive(m->link[TENSOR_ALONG_LINE][at + i]) : 0;
            double whole = (double)aside[i] + link_below[i] + up,
                   lower = pivot_below[i] > 0 ? link_below[i] / pivot_below[i] : 0;
            whole = whole > (double)least_whole[i] ? whole : (double)least_whole[i];
            double rest = whole - lower * link_below[i], least = least_pivot * whole;
            pivot_below[i] = rest > least ? rest : least;
            link_below[i] = up;
            l->lower[at + i] = (float)lower;
            l->pivot[at + i] = whole > 0 ? (float)(1 / pivot_below[i]) : 0;
        }
    }
}

static void lines_factor_columns(const lines_work *w, int k, int begin, int end)
{
    for (int group = begin; group < end; group += GROUP)
        lines_factor_group(w->l, k, group, end - group < GROUP ? end - group : GROUP);
    if (lines_are_rings(&w->l->m.shape))
        lines_close_columns(w, k, begin, end);
}

static void lines_factor_share(void *context, int begin, int end)
{
    lines_share(context, begin, end, lines_factor_columns);
}

void tensor_lines_set(tensor_level *l)
{
    const tensor_shape *s = &l->m.shape;
    lines_work w = {.l = l};
    threads_for_cost(lines_groups(s) * s->n[2], (int64_t)GROUP * s->n[1], lines_factor_share, &w);
}

static void lines_solve_columns(const lines_work *w, int k, int begin, int end)
{
    tensor_level *l = w->l;
    const tensor_shape *s = &l->m.shape;
    const bool rings = lines_are_rings(s);
    lines_forward(w, k, begin, end, w->add ? l->work : l->r, l->work);
    lines_back(w, k, begin, end, l->work, !rings);
    if (!rings)
        return;
    lines_add_ring(l, k, begin, end, l->work);
    for (int j = 0; j < s->n[1]; j++)
        lines_update_x(w, tensor_at(s, j, k), begin, end);
}

static void lines_solve_share(void *context, int begin, int end)
{
    lines_share(context, begin, end, lines_solve_columns);
}

static void lines_run(tensor_level *l, float weight, bool add)
{
    const tensor_shape *s = &l->m.shape;
    lines_work w = {l, weight, add};
    threads_for_cost(lines_groups(s) * s->n[2], (int64_t)GROUP * s->n[1] * 2, lines_solve_share, &w);
    if (add) {
        float *x = l->work;
        l->work = l->x;
        l->x = x;
    }
    for (int row = 0; row < tensor_rows(s) && s->wraps[0]; row++)
        tensor_close_row(s, l->x + row * s->row);
}

void tensor_lines_start(tensor_level *l, float weight) { lines_run(l, weight, false); }
void tensor_lines_add(tensor_level *l, float weight) { lines_run(l, weight, true); }
