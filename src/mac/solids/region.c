#include "mac/solids/region.h"

#include <math.h>

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

bool region_row(const region *r, const field *layout, int j, int k, int span[2])
{
    int more[3];
    for (int a = 0; a < 3; a++)
        more[a] = layout->size[a] - r->d->n[a];
    span[0] = layout->size[0];
    span[1] = 0;
    for (int b = 0; b < r->count; b++) {
        const region_box *box = &r->boxes[b];
        if (box->high[0] == 0 || j < box->low[1] || j >= box->high[1] + more[1] || k < box->low[2] ||
            k >= box->high[2] + more[2])
            continue;
        span[0] = box->low[0] < span[0] ? box->low[0] : span[0];
        span[1] = box->high[0] + more[0] > span[1] ? box->high[0] + more[0] : span[1];
    }
    return span[0] < span[1];
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
    for (int row = begin; row < end; row++) {
        int j = row % job->layout->size[1], k = row / job->layout->size[1], span[2];
        if (region_row(job->r, job->layout, j, k, span))
            job->work(job->context, j, k, span);
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
