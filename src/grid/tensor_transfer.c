/* Between a grid and the one with half the cells along an axis: linear in the cell centres, but only through open faces. A child is

     x = X + ¼ s (X' − X),     X its parent, X' the parent's neighbour on the child's side, s the open share of the face between,

   X' = −X beyond a fixed side. The way down is the transpose. */
#include "base/threads.h"
#include "grid/tensor_parts.h"

typedef struct transfer_work {
    const tensor_step *s;
    const float *from;
    float *to;
    bool add;
} transfer_work;

/* What lies beyond a parent on one side: the place of the parent there, the share of the face between; a fixed side: its sign. */
typedef struct transfer_side {
    int index;
    bool stored, fixed;      /* share: of the array, of the block's side */
} transfer_side;

static transfer_side transfer_beyond(const tensor_step *s, int index, bool high)
{
    int n = s->coarse.n[s->axis];
    bool inside = high ? index + 1 < n : index > 0;
    return (transfer_side){.index = high ? tensor_next(index, n) : tensor_last(index, n), .stored = inside || s->coarse.wraps[s->axis],
                           .fixed = !inside && s->coarse.fixed[2 * s->axis + high]};
}

/* Rows of the fine and coarse grids at a place along the axis, which is not the first. */
static ptrdiff_t transfer_row(const tensor_shape *shape, int axis, int at, int j, int k)
{
    return axis == 1 ? tensor_at(shape, at, k) : tensor_at(shape, j, at);
}

/* to += ¼ share (beyond − own), beyond = −own at fixed sides. */
static void transfer_add_slope(const transfer_side *side, const float *restrict share, const float *restrict beyond, const float *restrict own, int n,
                               float *restrict to)
{
    if (side->stored)
        for (int i = 0; i < n; i++)
            to[i] += 0.25f * share[i] * (beyond[i] - own[i]);
    else if (side->fixed)
        for (int i = 0; i < n; i++)
            to[i] -= 0.5f * own[i];
}

static void transfer_restrict_across(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    int axis = s->axis, at = axis == 1 ? j : k, n = s->fine.n[0], last = s->fine.n[axis];
    int child[2] = {2 * at, 2 * at + 1 < last ? 2 * at + 1 : 2 * at};
    float *restrict to = w->to + tensor_at(&s->coarse, j, k);
    const float *own[2];
    for (int c = 0; c < 2; c++)
        own[c] = w->from + transfer_row(&s->fine, axis, child[c], j, k);
    for (int i = 0; i < n; i++)
        to[i] = own[0][i] + (child[1] > child[0] ? own[1][i] : 0);
    for (int c = 0; c < 2; c++) {
        transfer_side side = transfer_beyond(s, at, c);
        int next = c ? tensor_next(child[1], last) : tensor_last(child[0], last);
        const float *share = s->share + transfer_row(&s->coarse, axis, c ? side.index : at, j, k);
        transfer_add_slope(&side, share, w->from + transfer_row(&s->fine, axis, next, j, k), own[c], n, to);
    }
}

/* Along the rows. The ends of the rows of `from` must be closed. */
static void transfer_restrict_along(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    const float *restrict from = w->from + tensor_at(&s->fine, j, k), *restrict share = s->share + tensor_at(&s->coarse, j, k);
    float *restrict to = w->to + tensor_at(&s->coarse, j, k);
    int n = s->fine.n[0], pairs = n / 2, end = s->coarse.n[0] - 1;
    for (int i = 0; i < pairs; i++)
        to[i] = (from[2 * i] + from[2 * i + 1]) +
                0.25f * (share[i] * (from[2 * i - 1] - from[2 * i]) + share[i + 1] * (from[2 * i + 2] - from[2 * i + 1]));
    if (n % 2)
        to[end] = from[n - 1] + 0.25f * (share[end] * (from[n - 2] - from[n - 1]) + share[end + 1] * (from[n] - from[n - 1]));
    if (s->coarse.fixed[0])
        to[0] -= 0.5f * from[0];
    if (s->coarse.fixed[1])
        to[end] -= 0.5f * from[n - 1];
}

static void transfer_restrict_rows(void *context, int begin, int end)
{
    const transfer_work *w = context;
    const tensor_shape *s = &w->s->coarse;
    for (int row = begin; row < end; row++) {
        if (w->s->axis > 0)
            transfer_restrict_across(w, row % s->n[1], row / s->n[1]);
        else
            transfer_restrict_along(w, row % s->n[1], row / s->n[1]);
        tensor_close_row(s, w->to + row * s->row);
    }
}

void tensor_restrict(const tensor_step *s, const float *fine, float *coarse)
{
    transfer_work w = {s, fine, coarse, false};
    threads_for_cost(tensor_rows(&s->coarse), 2 * s->coarse.n[0], transfer_restrict_rows, &w);
}

static void transfer_prolong_across(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    int axis = s->axis, at = (axis == 1 ? j : k), parent = at / 2, n = s->fine.n[0];
    bool both = at % 2 == 0 && at + 1 == s->fine.n[axis];
    const float *own = w->from + transfer_row(&s->coarse, axis, parent, j, k);
    float *restrict to = w->to + tensor_at(&s->fine, j, k);
    for (int i = 0; i < n; i++)
        to[i] = (w->add ? to[i] : 0) + own[i];
    for (int c = 0; c < 2; c++) {
        if (c != at % 2 && !both)
            continue;
        transfer_side side = transfer_beyond(s, parent, c);
        const float *share = s->share + transfer_row(&s->coarse, axis, c ? side.index : parent, j, k);
        transfer_add_slope(&side, share, w->from + transfer_row(&s->coarse, axis, side.index, j, k), own, n, to);
    }
}

static void transfer_prolong_along(const transfer_work *w, int j, int k)
{
    const tensor_step *s = w->s;
    const float *restrict from = w->from + tensor_at(&s->coarse, j, k), *restrict share = s->share + tensor_at(&s->coarse, j, k);
    float *restrict to = w->to + tensor_at(&s->fine, j, k);
    int n = s->fine.n[0], pairs = n / 2, end = s->coarse.n[0] - 1;
    const float keep = w->add ? 1 : 0;
    for (int i = 0; i < pairs; i++) {
        float own = from[i];
        to[2 * i] = keep * to[2 * i] + (own + 0.25f * share[i] * (from[i - 1] - own));
        to[2 * i + 1] = keep * to[2 * i + 1] + (own + 0.25f * share[i + 1] * (from[i + 1] - own));
    }
    if (n % 2)
        to[n - 1] = keep * to[n - 1] + from[end] + 0.25f * (share[end] * (from[end - 1] - from[end]) + share[end + 1] * (from[end + 1] - from[end]));
    if (s->coarse.fixed[0])
        to[0] -= 0.5f * from[0];
    if (s->coarse.fixed[1])
        to[n - 1] -= 0.5f * from[end];
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
    transfer_work w = {s, coarse, fine, add};
    threads_for_cost(tensor_rows(&s->fine), s->fine.n[0], transfer_prolong_rows, &w);
}
