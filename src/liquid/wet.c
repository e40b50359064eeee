/* Which faces are in the liquid. Velocities are known there and extended beyond. */
#include <math.h>

#include "liquid/liquid.h"

typedef struct wet_job {
    const field *phi, *layout;
    const uint8_t *layers; /* of obstacles; NULL: none */
    uint8_t *map;
    ptrdiff_t below; /* from a face's upper cell to its lower one */
} wet_job;

/* A face is wet when it is open and one of its cells is liquid. */
static void wet_rows(void *context, int begin, int end)
{
    const wet_job *job = context;
    const int n = job->layout->size[0];
    for (int r = begin; r < end; r++) {
        int j = r % job->layout->size[1], k = r / job->layout->size[1];
        ptrdiff_t start = field_row(job->layout, j, k) - job->layout->block;
        uint8_t *restrict map = job->map + start;
        const float *restrict phi = field_row(job->phi, j, k), *restrict below = phi - job->below;
        for (int i = 0; i < n; i++)
            map[i] = (phi[i] < 0) | (below[i] < 0) ? EXTEND_KNOWN : EXTEND_FAR;
        for (int i = 0; i < n && job->layers; i++) {
            uint8_t layer = job->layers[start + i];
            uint8_t sliver = map[i] == EXTEND_KNOWN && layer == SOLIDS_SLIVER ? EXTEND_PARTLY : EXTEND_FAR;
            map[i] = layer == SOLIDS_FLUID ? map[i] : sliver;
        }
    }
}

/* Far enough for a step at twice the Courant number that was asked for, and for the interpolation at its end. */
static int wet_depth(const model *m)
{
    return (int)fmin(2 * ceil(m->cfl) + 2, EXTEND_MOST_LAYERS);
}

void liquid_mark_wet(const model *m, state *s, const field *phi)
{
    s->wet_depth = wet_depth(m);
    for (int a = 0; a < m->domain.dims; a++) {
        wet_job job = {.phi = phi,
                       .layout = &s->velocity[a],
                       .layers = s->solids.any ? s->solids.face_layers[a] : NULL,
                       .map = s->wet[a],
                       .below = phi->stride[a]};
        field_for_rows(job.layout, wet_rows, &job);
        extend_number(job.layout, job.map, s->wet_depth, s->wet_spans[a]);
    }
}
