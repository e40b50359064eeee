/* Transfer between a grid and the one with half the cells along an axis: linear interpolation between cell centres, but
   only through open faces. A child is

     x = X + ¼ s (X' − X),

   X its parent, X' the parent's neighbour on the child's side, s the open share of the face between them; X' = −X
   beyond a fixed side. A last child without a partner lies where its parent does: x = X. The restriction is the
   transpose. */
#include <string.h>

#include "base/threads.h"
#include "grid/tensor/parts.h"

typedef struct transfer_work {
    const tensor_step *s;
    tensor_level *l;         /* its residual is computed row by row and restricted; NULL: `from` is restricted */
    const float *from;
    float *to;
    bool add;
} transfer_work;

/* Whether the last fine cell along the axis has no partner. */
static bool transfer_odd(const tensor_step *s) { return s->fine.n[s->axis] % 2; }

/* A child next to a fixed side is x = (1 − this) X: it is half as far from the side as its parent, unless the last cell
   is shorter. */
static float transfer_held(const tensor_step *s, bool high)
{
    if (!s->coarse.fixed[2 * s->axis + high] || (high && transfer_odd(s)))
        return 0;
    return high ? (float)(1 / (1 + s->fine.last[s->axis])) : 0.5f;
}

/* Offset of a row at index `at` along the axis, which is not the first axis. */
static ptrdiff_t transfer_row(const tensor_shape *shape, int axis, int at, int j, int k)
{
    return axis == 1 ? tensor_at(shape, at, k) : tensor_at(shape, j, at);
}

/* Whether a parent has a neighbour on its low or high side. */
static bool transfer_has_neighbour(const tensor_step *s, int parent, bool high)
{
    return s->coarse.wraps[s->axis] || (high ? parent + 1 < s->coarse.n[s->axis] : parent > 0);
}

static const float *transfer_share(const tensor_step *s, int parent, bool high, int j, int k)
{
    int upper = high ? tensor_next(parent, s->coarse.n[s->axis]) : parent;
    return s->share + transfer_row(&s->coarse, s->axis, upper, j, k);
}

static void transfer_add(float *restrict to, int n, float factor, const float *restrict values)
{
    for (int i = 0; i < n; i++)
        to[i] += factor * values[i];
}

static void transfer_add_shares(float *restrict to, int n, float sign, const float *restrict share,
                                const float *restrict values)
{
    for (int i = 0; i < n; i++)
        to[i] += sign * 0.25f * share[i] * values[i];
}

static void transfer_restrict_across(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    int axis = s->axis, at = axis == 1 ? j : k, n = s->fine.n[0], last = s->fine.n[axis];
    bool alone = 2 * at + 1 == last;
    float *to = w->to + tensor_at(&s->coarse, j, k);
    const float *child[2] = {w->from + transfer_row(&s->fine, axis, 2 * at, j, k), NULL};
    child[1] = alone ? child[0] : w->from + transfer_row(&s->fine, axis, 2 * at + 1, j, k);
    memcpy(to, child[0], (size_t)n * sizeof *to);
    if (!alone)
        transfer_add(to, n, 1, child[1]);
    for (int high = 0; high < 2; high++) {
        if (!transfer_has_neighbour(s, at, high)) {
            transfer_add(to, n, -transfer_held(s, high), child[high]);
            continue;
        }
        int next = high ? tensor_next(alone ? 2 * at : 2 * at + 1, last) : tensor_last(2 * at, last);
        const float *share = transfer_share(s, at, high, j, k);
        if (!alone)
            transfer_add_shares(to, n, -1, share, child[high]);
        if (!(transfer_odd(s) && next == last - 1))
            transfer_add_shares(to, n, 1, share, w->from + transfer_row(&s->fine, axis, next, j, k));
    }
}

/* Restriction along the rows. The ends of the rows of `from` must be filled (tensor_close_row). */
static void transfer_restrict_along(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    const float *restrict from = w->from + tensor_at(&s->fine, j, k), *restrict share =
                                                                          s->share + tensor_at(&s->coarse, j, k);
    float *restrict to = w->to + tensor_at(&s->coarse, j, k);
    int n = s->fine.n[0], pairs = n / 2, end = s->coarse.n[0] - 1;
    for (int i = 0; i < pairs; i++)
        to[i] = (from[2 * i] + from[2 * i + 1]) + 0.25f * (share[i] * (from[2 * i - 1] - from[2 * i]) +
                                                           share[i + 1] * (from[2 * i + 2] - from[2 * i + 1]));
    if (transfer_odd(s)) {
        to[end] = from[n - 1] + 0.25f * (share[end] * from[n - 2] + share[end + 1] * from[n]);
        to[pairs - 1] -= 0.25f * share[pairs] * from[n - 1];
        to[0] -= 0.25f * share[0] * from[-1];
    }
    to[0] -= transfer_held(s, false) * from[0];
    to[end] -= transfer_held(s, true) * from[n - 1];
}

static void transfer_restrict_rows(void *context, int begin, int end)
{
    const transfer_work *w = context;
    const tensor_shape *s = &w->s->coarse;
    for (int row = begin; row < end; row++) {
        if (w->l)
            tensor_residual_rows(w->l, row, row + 1);
        if (w->s->axis > 0)
            transfer_restrict_across(w, row % s->n[1], row / s->n[1]);
        else
            transfer_restrict_along(w, row % s->n[1], row / s->n[1]);
        tensor_close_row(s, w->to + row * s->row);
    }
}

void tensor_restrict(const tensor_step *s, const float *fine, float *coarse)
{
    transfer_work w = {.s = s, .from = fine, .to = coarse};
    threads_for_cost(tensor_rows(&s->coarse), 2 * s->coarse.n[0], transfer_restrict_rows, &w);
}

static void transfer_residual_rows(void *context, int begin, int end) { tensor_residual_rows(context, begin, end); }

void tensor_restrict_residual(tensor_level *l, float *coarse)
{
    const tensor_step *s = &l->step[0];
    transfer_work w = {.s = s, .l = s->axis == 0 ? l : NULL, .from = l->work, .to = coarse};
    if (!w.l)
        threads_for_cost(tensor_rows(&s->fine), 2 * s->fine.n[0], transfer_residual_rows, l);
    threads_for_cost(tensor_rows(&s->coarse), (w.l ? 4 : 2) * s->coarse.n[0], transfer_restrict_rows, &w);
}

static void transfer_prolong_across(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    int axis = s->axis, at = axis == 1 ? j : k, parent = at / 2, n = s->fine.n[0];
    bool alone = transfer_odd(s) && at + 1 == s->fine.n[axis], high = at % 2;
    const float *own = w->from + transfer_row(&s->coarse, axis, parent, j, k);
    float *to = w->to + tensor_at(&s->fine, j, k);
    if (w->add)
        transfer_add(to, n, 1, own);
    else
        memcpy(to, own, (size_t)n * sizeof *to);
    if (alone)
        return;
    if (!transfer_has_neighbour(s, parent, high)) {
        transfer_add(to, n, -transfer_held(s, high), own);
        return;
    }
    int next = high ? tensor_next(parent, s->coarse.n[axis]) : tensor_last(parent, s->coarse.n[axis]);
    const float *share = transfer_share(s, parent, high, j, k);
    transfer_add_shares(to, n, -1, share, own);
    transfer_add_shares(to, n, 1, share, w->from + transfer_row(&s->coarse, axis, next, j, k));
}

static void transfer_prolong_along(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    const float *restrict from = w->from + tensor_at(&s->coarse, j, k), *restrict share =
                                                                            s->share + tensor_at(&s->coarse, j, k);
    float *restrict to = w->to + tensor_at(&s->fine, j, k);
    int n = s->fine.n[0], pairs = n / 2, end = s->coarse.n[0] - 1;
    if (!w->add)
        memset(to, 0, (size_t)n * sizeof *to);
    for (int i = 0; i < pairs; i++) {
        float own = from[i];
        to[2 * i] += own + 0.25f * share[i] * (from[i - 1] - own);
        to[2 * i + 1] += own + 0.25f * share[i + 1] * (from[i + 1] - own);
    }
    if (transfer_odd(s))
        to[n - 1] += from[end];
    to[0] -= transfer_held(s, false) * from[0];
    to[n - 1] -= transfer_held(s, true) * from[end];
}

static void transfer_prolong_rows(void *context, int begin, int end)
{
    const transfer_work *w = context;
    const tensor_shape *s = &w->s->fine;
    for (int row = begin; row < end; row++) {
        if (w->s->axis > 0)
            transfer_prolong_across(w, row % s->n[1], row / s->n[1]);
        else
            transfer_prolong_along(w, row % s->n[1], row / s->n[1]);
        tensor_close_row(s, w->to + row * s->row);
    }
}

void tensor_prolong(const tensor_step *s, const float *coarse, float *fine, bool add)
{
    transfer_work w = {.s = s, .from = coarse, .to = fine, .add = add};
    threads_for_cost(tensor_rows(&s->fine), s->fine.n[0], transfer_prolong_rows, &w);
}
