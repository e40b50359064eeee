#include "mac/stage/extend.h"

#include <string.h>

/* A field carried on into the obstacles: the samples of a layer take the mean of their neighbours in the layer below.
 */
typedef struct extend_job {
    const solids *solid;
    field *f;
    const uint8_t *layers, *marks;   /* by block offset; a sample marked as fixed gets the value that is held */
    uint8_t layer;
    const field *wall;               /* faces: what is held, and what stands deep inside; NULL or empty: 0 */
    const fr_obstacle_def *held;     /* cells with `marks`: obstacles with the temperature that is held */
    bool viscous;                    /* what sticks is held by the viscosity (stage_stick) */
    float deep;                      /* cells: what stands too deep inside to matter */
} extend_job;

static float extend_mean(const extend_job *job, ptrdiff_t at)
{
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++) {
        ptrdiff_t step = job->f->stride[a];
        bool low = step && solids_layer_is(job->layers[at - step], job->layer - 1);
        bool high = step && solids_layer_is(job->layers[at + step], job->layer - 1);
        float from_low = low ? job->f->block[at - step] : 0, from_high = high ? job->f->block[at + step] : 0;
        sum += from_low + from_high;
        count += low + high;
    }
    return count ? sum / (float)count : job->deep;
}

static float extend_held(const extend_job *job, ptrdiff_t at)
{
    if (job->held)
        return (float)job->held[job->solid->owner[at]].temperature;
    return job->wall && job->wall->block ? job->wall->block[at] : 0;
}

static float extend_value(const extend_job *job, ptrdiff_t at)
{
    if (job->marks && job->marks[at] == DIFFUSION_FIXED)
        return extend_held(job, at);
    if (job->layer == SOLIDS_DEEP)
        return job->wall ? extend_held(job, at) : job->deep;
    return extend_mean(job, at);
}

static void extend_rows(void *context, int begin, int end)
{
    const extend_job *job = context;
    for (int r = begin; r < end; r++) {
        ptrdiff_t start = field_row(job->f, r % job->f->size[1], r / job->f->size[1]) - job->f->block;
        const uint8_t *at = job->layers + start, *stop = at + job->f->size[0];
        for (; (at = memchr(at, job->layer, (size_t)(stop - at))); at++)
            job->f->block[at - job->layers] = extend_value(job, at - job->layers);
    }
}

static void extend_layer(extend_job *job, uint8_t layer)
{
    job->layer = layer;
    field_for_rows(job->f, extend_rows, job);
}

static void extend_field(extend_job *job)
{
    for (uint8_t layer = 1; layer <= solids_depth(job->solid); layer++)
        extend_layer(job, layer);
    extend_layer(job, SOLIDS_DEEP);
}

void stage_extend_velocity(const model *m, const state *s, field velocity[3])
{
    for (int a = 0; a < m->domain.dims && s->solids.any; a++) {
        extend_job job = {.solid = &s->solids,
                          .f = &velocity[a],
                          .layers = s->solids.face_layers[a],
                          .marks = s->solids.face_marks[a],
                          .wall = &s->solids.wall[a]};
        extend_field(&job);
    }
}

/* The mean of the neighbours that are open to the middle; the wall's own motion where there are none. */
static float extend_sliver(const extend_job *job, ptrdiff_t at)
{
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++) {
        ptrdiff_t step = job->f->stride[a];
        bool low = step && job->layers[at - step] == SOLIDS_FLUID,
             high = step && job->layers[at + step] == SOLIDS_FLUID;
        float from_low = low ? job->f->block[at - step] : 0, from_high = high ? job->f->block[at + step] : 0;
        sum += from_low + from_high;
        count += low + high;
    }
    return count ? sum / (float)count : extend_held(job, at);
}

static void extend_sliver_rows(void *context, int begin, int end)
{
    const extend_job *job = context;
    const solids *solid = job->solid;
    for (int r = begin; r < end; r++) {
        int j = r % job->f->size[1], k = r / job->f->size[1];
        const uint8_t *first = job->layers + (field_row(job->f, j, k) - job->f->block), *stop = first + job->f->size[0];
        for (const uint8_t *at = first; (at = memchr(at, SOLIDS_SLIVER, (size_t)(stop - at))); at++) {
            ptrdiff_t place = at - job->layers;
            bool sticks =
                solid->obstacles[solids_owner(solid, &solid->domain, job->f, (int[3]){(int)(at - first), j, k})]
                    .no_slip;
            if (!sticks)
                job->f->block[place] = extend_sliver(job, place);
            else if (!job->viscous)
                job->f->block[place] = extend_held(job, place);
        }
    }
}

void stage_extend_slivers(const model *m, const state *s, field velocity[3])
{
    for (int a = 0; a < m->domain.dims && s->solids.any; a++) {
        extend_job job = {.solid = &s->solids,
                          .f = &velocity[a],
                          .layers = s->solids.face_layers[a],
                          .wall = &s->solids.wall[a],
                          .viscous = m->viscous};
        field_for_rows(job.f, extend_sliver_rows, &job);
    }
}

static extend_job extend_scalar_job(const model *m, const state *s, int index, field *scalar)
{
    const solids *solid = state_solids(s, m->scalars[index].grid);
    extend_job job = {
        .solid = solid, .f = scalar, .layers = solid->cell_layers, .deep = (float)m->scalars[index].clean};
    if (index == MODEL_TEMPERATURE && solid->warm_marks) {
        job.marks = solid->warm_marks;
        job.held = m->obstacles;
    }
    return job;
}

void stage_extend_scalar(const model *m, const state *s, int index, field *scalar)
{
    extend_job job = extend_scalar_job(m, s, index, scalar);
    if (job.solid->any)
        extend_field(&job);
}

static void extend_clean_rows(void *context, int begin, int end)
{
    const extend_job *job = context;
    for (int r = begin; r < end; r++) {
        ptrdiff_t start = field_row(job->f, r % job->f->size[1], r / job->f->size[1]) - job->f->block;
        for (ptrdiff_t at = start; at < start + job->f->size[0]; at++)
            if (job->layers[at] != SOLIDS_FLUID)
                job->f->block[at] = job->marks && job->marks[at] == DIFFUSION_FIXED ? extend_held(job, at) : job->deep;
    }
}

void stage_extend_clean(const model *m, const state *s, int index, field *scalar)
{
    extend_job job = extend_scalar_job(m, s, index, scalar);
    if (job.solid->any)
        field_for_rows(scalar, extend_clean_rows, &job);
}

void stage_extend_pressure(const state *s, field *pressure)
{
    extend_job job = {.solid = &s->solids, .f = pressure, .layers = s->solids.cell_layers};
    if (s->solids.any)
        extend_field(&job);
}
