#include "method/preview/sample.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "geom/shape.h"
#include "method/motion.h"
#include "method/sizes.h"

/* Cells along the longest side. */
enum { CELLS_2D = 128, CELLS_3D = 32 };

/* How often thickness is looked for again where it is greatest. */
enum { ZOOMS = 3 };

fr_result sample_create(const fr_domain_def *box, sample *out)
{
    fr_domain_def coarse = *box;
    coarse.cells[0] = box->dims == 2 ? CELLS_2D : CELLS_3D;
    coarse.cells[1] = coarse.cells[2] = 0;
    *out = (sample){.grid.dims = box->dims};
    sizes_of_domain(&coarse, out->grid.n, out->grid.h);
    for (int a = 0; a < box->dims; a++)
        out->grid.origin[a] = box->origin[a];
    out->distance = MEMORY_NEW(float, domain_cells(&out->grid));
    for (int64_t n = 0; n < domain_cells(&out->grid) && out->distance; n++)
        out->distance[n] = FLT_MAX;
    return out->distance ? FR_OK : FR_ERROR_MEMORY;
}

void sample_destroy(sample *s)
{
    memory_free(s->distance);
    s->distance = NULL;
}

typedef struct sample_job {
    sample *s;
    const shape *shape;
    fr_result result;                /* of the scene's callbacks, which are called on one thread only */
} sample_job;

static fr_result sample_row(const sample_job *job, int row)
{
    const domain *d = &job->s->grid;
    float distance[CELLS_2D], *nearest = job->s->distance + (int64_t)row * d->n[0];
    double start[3];
    sizes_centre(d, (int64_t)row * d->n[0], start);
    FR_TRY(shape_distance_row(job->shape, start, d->h[0], d->n[0], distance));
    for (int i = 0; i < d->n[0]; i++)
        nearest[i] = distance[i] < nearest[i] ? distance[i] : nearest[i];
    return FR_OK;
}

static void sample_rows(void *context, int begin, int end)
{
    sample_job *job = context;
    for (int row = begin; row < end && job->result == FR_OK; row++) {
        fr_result result = sample_row(job, row);
        if (result != FR_OK)
            job->result = result;
    }
}

static fr_result sample_add_shape(sample *s, const shape *added)
{
    sample_job job = {s, added, FR_OK};
    int rows = s->grid.n[1] * s->grid.n[2];
    if (shape_is_parallel(added))
        threads_for_cost(rows, s->grid.n[0], sample_rows, &job);
    else
        sample_rows(&job, 0, rows);
    return job.result;
}

fr_result sample_add(sample *s, const fr_placed_shape *placed)
{
    return sample_add_obstacle(s, &(fr_obstacle_def){.shape = *placed});
}

fr_result sample_add_obstacle(sample *s, const fr_obstacle_def *obstacle)
{
    shape *added;
    motion now;
    FR_TRY(shape_create(&obstacle->shape, s->grid.dims, "", &added));
    fr_result result = FR_OK;
    if (motion_moves(obstacle))
        result = motion_over(obstacle, 0, 0, &now);
    if (motion_moves(obstacle) && result == FR_OK)
        shape_place(added, &now.pose);
    if (result == FR_OK)
        result = sample_add_shape(s, added);
    shape_destroy(added);
    return result;
}

int64_t sample_deepest(const sample *s)
{
    int64_t deepest = 0;
    for (int64_t n = 1; n < domain_cells(&s->grid); n++)
        if (s->distance[n] < s->distance[deepest])
            deepest = n;
    return deepest;
}

/* Narrows a box to the neighbourhood of one cell. */
static void sample_zoom(const sample *s, int64_t cell, const fr_domain_def *box, fr_domain_def *near)
{
    double centre[3];
    sizes_centre(&s->grid, cell, centre);
    for (int a = 0; a < box->dims; a++) {
        double low = fmax(centre[a] - 2 * s->grid.h[a], box->origin[a]);
        double high = fmin(centre[a] + 2 * s->grid.h[a], box->origin[a] + box->size[a]);
        near->origin[a] = low;
        near->size[a] = high - low;
    }
}

fr_result sample_thickness(const fr_domain_def *box, const fr_obstacle_def *obstacle, double *thickness)
{
    fr_domain_def near = *box;
    *thickness = 0;
    for (int zoom = 0; zoom < ZOOMS; zoom++) {
        sample s;
        FR_TRY(sample_create(&near, &s));
        fr_result result = sample_add_obstacle(&s, obstacle);
        int64_t deepest = sample_deepest(&s);
        *thickness = fmax(*thickness, -2 * (double)s.distance[deepest]);
        sample_zoom(&s, deepest, box, &near);
        sample_destroy(&s);
        FR_TRY(result);
    }
    return FR_OK;
}
