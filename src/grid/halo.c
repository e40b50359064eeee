#include "grid/halo.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"

typedef struct halo_job {
    field *f;
    const halo_side *side;     /* the two sides of the axis */
    int axis, period;
    int other[2];              /* the other axes, lower first */
    int reach[2];              /* ghost layers of the other axes that are already filled */
} halo_job;

/* Fills the ghosts at both ends of a line of samples along the axis; `at` is the line's index in halo_side.values.
   Faces across the axis have a sample on the side itself, which is then the mirror plane. */
static void halo_fill_line(const halo_job *job, float *line, ptrdiff_t step, ptrdiff_t at)
{
    int n = job->f->size[job->axis];
    bool on_side = field_axis(job->f) == job->axis;
    if (job->side[0].kind == HALO_PERIODIC) {
        if (on_side)
            line[(n - 1) * step] = line[0];
        for (int g = 1; g <= GHOST; g++) {
            line[-g * step] = line[((job->period - g % job->period) % job->period) * step];
            line[(n - 1 + g) * step] = line[((n - 1 + g) % job->period) * step];
        }
        return;
    }
    for (int end = 0; end < 2; end++) {
        const halo_side *side = &job->side[end];
        float *edge = end ? line + (n - 1) * step : line;
        ptrdiff_t inward = end ? -step : step;
        for (int g = 1; g <= GHOST; g++) {
            int depth = on_side ? g : g - 1;
            depth = depth < n ? depth : n - 1;
            float inside = edge[depth * inward];
            float value = on_side ? edge[0] : side->values ? side->values[at] : side->value;
            float even = on_side ? edge[0] : inside;
            float linear = edge[0] + (float)g * (edge[0] - edge[n > 1 ? inward : 0]);
            float odd = 2 * value - inside;
            if (side->thin && !on_side)
                odd = fminf(fmaxf(linear, fminf(odd, inside)), fmaxf(odd, inside));
            edge[-g * inward] = side->kind == HALO_VALUE    ? odd
                                : side->kind == HALO_BEYOND ? value
                                : side->kind == HALO_LINEAR ? linear
                                                            : even;
        }
    }
}

/* A layer of ghosts beyond one end of lines that lie beside one another along x: number g from the side. */
typedef struct halo_layer {
    const halo_side *side;
    bool on_side;
    const float *edge, *inside, *next; /* the last samples inside, the ghosts' mirror images, those before the last */
    float *to;
    int g, count;
} halo_layer;

/* As halo_fill_line does it. */
static void halo_fill_layer(const halo_layer *l)
{
    const float *edge = l->edge, *inside = l->inside, *next = l->next, value = l->side->value, g = (float)l->g;
    const halo_kind kind = l->side->kind;
    float *restrict to = l->to;
    if (kind == HALO_EVEN || (kind == HALO_BEYOND && l->on_side))
        memcpy(to, l->on_side ? edge : inside, (size_t)l->count * sizeof *to);
    else if (kind == HALO_LINEAR)
        for (int i = 0; i < l->count; i++)
            to[i] = edge[i] + g * (edge[i] - next[i]);
    else if (kind == HALO_BEYOND)
        for (int i = 0; i < l->count; i++)
            to[i] = value;
    else
        for (int i = 0; i < l->count; i++)
            to[i] = 2 * (l->on_side ? edge[i] : value) - inside[i];
}

/* Whether lines lie beside one another along x, with a single rule at each end. */
static bool halo_is_plain(const halo_job *job)
{
    bool plain = job->other[0] == 0;
    for (int end = 0; end < 2; end++)
        plain = plain && !job->side[end].values && !job->side[end].thin && job->side[end].kind != HALO_PERIODIC;
    return plain;
}

static void halo_fill_plain(const halo_job *job, int k)
{
    const field *f = job->f;
    const int n = f->size[job->axis];
    const ptrdiff_t step = f->stride[job->axis];
    for (int end = 0; end < 2; end++) {
        float *edge = f->data - job->reach[0] + k * f->stride[job->other[1]] + (end ? (n - 1) * step : 0);
        const ptrdiff_t inward = end ? -step : step;
        halo_layer l = {.side = &job->side[end], .edge = edge, .next = edge + (n > 1 ? inward : 0)};
        l.on_side = field_axis(f) == job->axis;
        l.count = f->size[0] + 2 * job->reach[0];
        for (l.g = 1; l.g <= GHOST; l.g++) {
            int depth = l.on_side ? l.g : l.g - 1;
            l.inside = edge + (depth < n ? depth : n - 1) * inward;
            l.to = edge - l.g * inward;
            halo_fill_layer(&l);
        }
    }
}

/* Whether lines along x need nothing but their last two samples at each end: cells, mirrored or continued. */
static bool halo_is_short(const halo_job *job)
{
    bool is_short = job->axis == 0 && field_axis(job->f) != 0 && job->f->size[0] > 1;
    for (int end = 0; end < 2; end++)
        is_short = is_short && (job->side[end].kind == HALO_EVEN || job->side[end].kind == HALO_LINEAR);
    return is_short;
}

/* As halo_fill_line does it. */
static void halo_fill_short(const halo_job *job, float *line)
{
    for (int end = 0; end < 2; end++) {
        float *edge = end ? line + job->f->size[0] - 1 : line;
        const int in = end ? -1 : 1;
        const float last = edge[0], next = edge[in], slope = last - next;
        const bool linear = job->side[end].kind == HALO_LINEAR;
        edge[-in] = linear ? last + slope : last;
        edge[-2 * in] = linear ? last + 2 * slope : next;
    }
}

static void halo_fill_lines(void *context, int begin, int end)
{
    const halo_job *job = context;
    const field *f = job->f;
    int b = job->other[0], c = job->other[1];
    int size_b = f->size[b];
    const bool plain = halo_is_plain(job), is_short = halo_is_short(job);
    for (int m = begin; m < end; m++) {
        int k = m - job->reach[1];
        if (plain) {
            halo_fill_plain(job, k);
            continue;
        }
        for (int j = -job->reach[0]; j < size_b + job->reach[0]; j++) {
            float *line = f->data + j * f->stride[b] + k * f->stride[c];
            if (is_short) {
                halo_fill_short(job, line);
                continue;
            }
            /* in the ghost corners the side's values are those at its edge */
            int jj = j < 0 ? 0 : j >= size_b ? size_b - 1 : j;
            int kk = k < 0 ? 0 : k >= f->size[c] ? f->size[c] - 1 : k;
            halo_fill_line(job, line, f->stride[job->axis], jj + (ptrdiff_t)kk * size_b);
        }
    }
}

void halo_fill(field *f, const domain *d, const halo_side sides[6])
{
    int reach[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++) {
        int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
        halo_job job = {f, sides + 2 * a, a, d->n[a], {b, c}, {reach[b], reach[c]}};
        int lines = f->size[c] + 2 * reach[c];
        threads_for_cost(lines, f->size[b], halo_fill_lines, &job);
        reach[a] = GHOST;
    }
}

static void halo_fill_alike(field *f, const domain *d, halo_kind kind)
{
    halo_side sides[6];
    for (int side = 0; side < 6; side++)
        sides[side] = (halo_side){.kind = d->periodic[side / 2] ? HALO_PERIODIC : kind};
    halo_fill(f, d, sides);
}

void halo_fill_even(field *f, const domain *d)
{
    halo_fill_alike(f, d, HALO_EVEN);
}

void halo_fill_linear(field *f, const domain *d)
{
    halo_fill_alike(f, d, HALO_LINEAR);
}
