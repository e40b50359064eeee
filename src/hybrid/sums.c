#include "hybrid/sums.h"

#include "base/threads.h"

sums sums_over(float *block, const domain *d, fr_location at, int each)
{
    sums s = {.each = each, .block = block};
    field_layout(d, at, &s.layout);
    s.data = block + each * field_first(&s.layout);
    return s;
}

static int sums_ghosts(const sums *s, int axis)
{
    return s->layout.stride[axis] ? GHOST : 0;
}

void sums_clear_rows(const sums *s, int axis, const int layers[2], sums_wanted wanted, const void *context)
{
    int other = 3 - axis, ghosts = sums_ghosts(s, axis), far = sums_ghosts(s, other), at[3];
    int begin = layers[0] > -ghosts ? layers[0] : -ghosts, most = s->layout.size[axis] + ghosts;
    int end = layers[1] < most ? layers[1] : most;
    for (at[other] = -far; at[other] < s->layout.size[other] + far; at[other]++)
        for (at[axis] = begin; at[axis] < end; at[axis]++) {
            int span[2] = {-GHOST, s->layout.size[0] + GHOST};
            if (!wanted || wanted(context, at[1], at[2], span))
                memset(sums_row(s, at[1], at[2]) + s->each * span[0], 0,
                       sizeof(float) * (size_t)(s->each * (span[1] - span[0])));
        }
}

void sums_clear(const sums *s, int axis, int begin, int end)
{
    sums_clear_rows(s, axis, (int[2]){begin, end}, NULL, NULL);
}

typedef struct sums_sides {
    const sums *s;
    int axis, along[2]; /* the axis folded, and the other two */
    bool periodic;
    int odd;
} sums_sides;

/* The sample inside that number n beyond an end stands for. */
static int sums_image(const sums_sides *f, int n)
{
    const field *layout = &f->s->layout;
    bool faces = field_axis(layout) == f->axis;
    int size = layout->size[f->axis], cells = size - faces;
    if (f->periodic)
        return (n + cells) % cells;
    return n < 0 ? -n - !faces : 2 * (size - 1) - n + !faces;
}

static void sums_add(const sums_sides *f, float *to, const float *from)
{
    for (int e = 0; e < f->s->each; e++)
        to[e] += e == f->odd && !f->periodic ? -from[e] : from[e];
}

static void sums_set(const sums_sides *f, float *to, const float *from)
{
    for (int e = 0; e < f->s->each; e++)
        to[e] = e == f->odd && !f->periodic ? -from[e] : from[e];
}

/* The upper face of a periodic axis is the lower one. */
static int sums_first_beyond(const sums_sides *f)
{
    return f->s->layout.size[f->axis] - (f->periodic && field_axis(&f->s->layout) == f->axis);
}

static void sums_fold_line(const sums_sides *f, float *line)
{
    ptrdiff_t step = f->s->each * f->s->layout.stride[f->axis];
    int beyond[2] = {-1, sums_first_beyond(f)};
    for (int end = 0; end < 2; end++)
        sums_add(f, line + sums_image(f, beyond[end]) * step, line + beyond[end] * step);
    for (int n = -GHOST; n < 0; n++)
        sums_set(f, line + n * step, line + sums_image(f, n) * step);
    for (int n = beyond[1]; n < f->s->layout.size[f->axis] + GHOST; n++)
        sums_set(f, line + n * step, line + sums_image(f, n) * step);
}

static void sums_fold_lines(void *context, int begin, int end)
{
    const sums_sides *f = context;
    const field *layout = &f->s->layout;
    int b = f->along[0], c = f->along[1], from = -sums_ghosts(f->s, b);
    for (int m = begin; m < end; m++)
        for (int l = from; l < layout->size[b] - from; l++)
            sums_fold_line(
                f, f->s->data + f->s->each * (l * layout->stride[b] + (m - sums_ghosts(f->s, c)) * layout->stride[c]));
}

void sums_fold(const sums *s, int axis, bool periodic, int odd)
{
    sums_sides f = {s, axis, {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2}, periodic, odd};
    int lines = s->layout.size[f.along[1]] + 2 * sums_ghosts(s, f.along[1]);
    threads_for_cost(lines, s->layout.size[f.along[0]], sums_fold_lines, &f);
}
