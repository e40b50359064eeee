#include "mac/solids/region.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"

region_box region_whole(const domain *d)
{
    return (region_box){.high = {d->n[0], d->n[1], d->n[2]}};
}

region_box region_around(const domain *d, const double min[3], const double max[3], int margin)
{
    region_box box = region_whole(d);
    for (int a = 0; a < d->dims; a++) {
        double low = floor((min[a] - d->origin[a]) / d->h[a]) - margin,
               high = ceil((max[a] - d->origin[a]) / d->h[a]) + margin;
        box.low[a] = (int)fmax(0, fmin(low, d->n[a]));
        box.high[a] = (int)fmax(0, fmin(high, d->n[a]));
        if (!(box.high[a] > box.low[a]))
            return (region_box){{0}, {0}};
        if (d->periodic[a] && (box.low[a] == 0 || box.high[a] == d->n[a])) {
            box.low[a] = 0;
            box.high[a] = d->n[a];
        }
    }
    return box;
}

static bool region_meets(const region_box *box, int axis, int at, int more)
{
    return box->high[0] > 0 && at >= box->low[axis] && at < box->high[axis] + more;
}

static void region_list(const region *r, int layer, int more, region_near *near)
{
    near->layer = layer;
    near->count = 0;
    for (int b = 0; b < r->count; b++)
        if (region_meets(&r->boxes[b], 2, layer, more)) {
            if (near->count < REGION_NEAR)
                near->of[near->count] = b;
            near->count++;
        }
}

/* Joins a span to those that it touches. */
static int region_join(int spans[REGION_SPANS][2], int count, int low, int high)
{
    int before = 0, end;
    while (before < count && spans[before][1] < low)
        before++;
    for (end = before; end < count && spans[end][0] <= high; end++) {
        low = spans[end][0] < low ? spans[end][0] : low;
        high = spans[end][1] > high ? spans[end][1] : high;
    }
    if (before == end && count == REGION_SPANS) {
        spans[0][0] = low < spans[0][0] ? low : spans[0][0];
        spans[0][1] = high > spans[count - 1][1] ? high : spans[count - 1][1];
        return 1;
    }
    memmove(spans[before + 1], spans[end], sizeof *spans * (size_t)(count - end));
    spans[before][0] = low;
    spans[before][1] = high;
    return count + 1 - (end - before);
}

int region_row(const region *r, const field *layout, int j, int k, region_near *near, int spans[REGION_SPANS][2])
{
    int more[3], count = 0;
    for (int a = 0; a < 3; a++)
        more[a] = layout->size[a] - r->d->n[a];
    if (near->layer != k)
        region_list(r, k, more[2], near);
    const bool all = near->count > REGION_NEAR;
    for (int n = 0; n < (all ? r->count : near->count); n++) {
        const region_box *box = &r->boxes[all ? n : near->of[n]];
        if (region_meets(box, 1, j, more[1]) && (!all || region_meets(box, 2, k, more[2])))
            count = region_join(spans, count, box->low[0], box->high[0] + more[0]);
        if (count == 1 && spans[0][0] == 0 && spans[0][1] == layout->size[0])
            break;
    }
    return count;
}

bool region_has(const region *r, const int cell[3])
{
    for (int b = 0; b < r->count; b++) {
        bool inside = true;
        for (int a = 0; a < 3; a++)
            inside = inside && cell[a] >= r->boxes[b].low[a] && cell[a] < r->boxes[b].high[a];
        if (inside)
            return true;
    }
    return false;
}

typedef struct region_job {
    const region *r;
    const field *layout;
    region_work work;
    void *context;
} region_job;

static void region_rows(void *context, int begin, int end)
{
    const region_job *job = context;
    region_near near = {.layer = -1};
    for (int row = begin; row < end; row++) {
        int j = row % job->layout->size[1], k = row / job->layout->size[1], spans[REGION_SPANS][2];
        const int count = region_row(job->r, job->layout, j, k, &near, spans);
        for (int n = 0; n < count; n++)
            job->work(job->context, j, k, spans[n]);
    }
}

void region_for_rows(const region *r, const field *layout, bool parallel, region_work work, void *context)
{
    region_job job = {r, layout, work, context};
    if (parallel)
        field_for_rows(layout, region_rows, &job);
    else
        region_rows(&job, 0, field_rows(layout));
}
