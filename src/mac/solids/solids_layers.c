/* What closed samples are to the extension of values and to diffusion. */
#include <math.h>

#include "grid/diffusion.h"
#include "mac/solids/solids_parts.h"

typedef struct layers_job {
    solids *s;
    int axis;                /* whose faces; −1: cells */
    const field *layout;
    uint8_t *layers, *marks;
    uint8_t *warm;           /* cells; NULL when no obstacle has a temperature */
    bool holds;              /* an obstacle holds what lives on these faces */
    double near;             /* m: half a diagonal; nearer than that obstacles tell samples what they are */
} layers_job;

static bool layers_closed_cell(const solids *s, int i, int j, int k)
{
    for (int a = 0; a < s->domain.dims; a++) {
        const field *open = &s->open[a];
        const float *at = field_row(open, j, k) + i;
        if (at[0] > 0 || at[open->stride[a]] > 0)
            return false;
    }
    return true;
}

/* Half a diagonal of a cell, m. */
static double layers_near(const domain *d)
{
    return 0.5 * sqrt(d->h[0] * d->h[0] + d->h[1] * d->h[1] + (d->dims == 3 ? d->h[2] * d->h[2] : 0));
}

/* What a sample is to diffusion; see the fields in solids.h. Where an obstacle holds a value, samples inside it are
   fixed even if their cell or face is partly open; for those beside it the distance to the surface counts, not the open
   share. */
static diffusion_mark layers_mark(const layers_job *job, bool holds, bool closed, const int at[3])
{
    float distance = diffusion_distance(&job->s->distance, job->axis, at);
    if (holds && (closed || distance <= 0))
        return DIFFUSION_FIXED;
    if (closed)
        return DIFFUSION_OUTSIDE;
    return holds && (double)distance < job->near ? DIFFUSION_WHOLE : DIFFUSION_FREE;
}

/* The obstacle that a sample belongs to, where one can tell it what it is; else NULL. */
static const fr_obstacle_def *layers_nearest(const layers_job *job, bool closed, const int at[3])
{
    const solids *s = job->s;
    const bool asked = job->holds || job->warm;
    if (!asked || (!closed && (double)diffusion_distance(&s->distance, job->axis, at) >= job->near))
        return NULL;
    return &s->obstacles[solids_owner(s, &s->domain, job->layout, at)];
}

static void layers_start_row(void *context, int j, int k, const int span[2])
{
    const layers_job *job = context;
    const solids *s = job->s;
    ptrdiff_t row = field_row(job->layout, j, k) - job->layout->block;
    for (int i = span[0]; i < span[1]; i++) {
        float share = job->axis < 0 ? !layers_closed_cell(s, i, j, k) : job->layout->block[row + i];
        bool closed = share == 0;
        int at[3] = {i, j, k};
        const fr_obstacle_def *near = layers_nearest(job, closed, at);
        job->layers[row + i] = closed ? SOLIDS_DEEP : solids_half_open(share) ? SOLIDS_FLUID : SOLIDS_SLIVER;
        job->marks[row + i] = (uint8_t)layers_mark(job, job->holds && near && near->no_slip, closed, at);
        if (job->warm)
            job->warm[row + i] = (uint8_t)layers_mark(job, near && near->has_temperature, closed, at);
    }
}

static void layers_add(const layers_job *job, const region *r, uint8_t layer)
{
    region_near near = {.layer = -1};
    for (int m = 0; m < field_rows(job->layout); m++) {
        int row[2] = {m % job->layout->size[1], m / job->layout->size[1]}, spans[REGION_SPANS][2];
        const int count = region_row(r, job->layout, row[0], row[1], &near, spans);
        for (int n = 0; n < count; n++)
            extend_number_row(job->layout, job->layers, layer, row, spans[n]);
    }
}

void solids_mark(solids *s, const region *r)
{
    for (int axis = -1; axis < (s->refine == 1 ? s->domain.dims : 0); axis++) {
        bool cells = axis < 0, holds = false;
        for (int b = 0; b < s->body_count && !cells; b++)
            holds = holds || s->obstacles[b].no_slip;
        layers_job job = {s, axis, cells ? &s->distance : &s->open[axis], cells ? s->cell_layers : s->face_layers[axis],
                          cells ? s->cell_marks : s->face_marks[axis], cells ? s->warm_marks : NULL, holds,
                          layers_near(&s->domain)};
        region_for_rows(r, job.layout, true, layers_start_row, &job);
        for (uint8_t layer = 1; layer <= solids_depth(s); layer++)
            layers_add(&job, r, layer);
    }
}
