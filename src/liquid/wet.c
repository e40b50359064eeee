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
    for (int r = begin; r < end; r++) {
        int j = r % job->layout->size[1], k = r / job->layout->size[1];
        ptrdiff_t start = field_row(job->layout, j, k) - job->layout->block;
        const float *phi = field_row(job->phi, j, k);
        for (int i = 0; i < job->layout->size[0]; i++) {
            uint8_t layer = job->layers ? job->layers[start + i] : SOLIDS_FLUID;
            bool wet = (phi[i] < 0 || phi[i - job->below] < 0) && (layer == SOLIDS_FLUID || layer == SOLIDS_SLIVER);
            job->map[start + i] = !wet ? EXTEND_FAR : layer == SOLIDS_SLIVER ? EXTEND_PARTLY : EXTEND_KNOWN;
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
        extend_number(job.layout, job.map, s->wet_depth);
    }
}
