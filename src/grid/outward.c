#include "grid/outward.h"

#include <math.h>
#include <string.h>

typedef struct outward_pass {
    const outward_job *job;
    field *f;
    uint8_t layer;
} outward_pass;

/* The slope of φ at a sample, from the cell `phi` and the one `back` from it: the two of a face, or the same one. */
static float outward_slope(const float *phi, ptrdiff_t back, ptrdiff_t step)
{
    if (back == step)
        return phi[0] - phi[-step];
    return 0.25f * (phi[step] - phi[-step] + phi[step - back] - phi[-step - back]);
}

/* The value at a sample, given what lies against the normal; `none` where nothing does. */
static float outward_value(const outward_pass *pass, ptrdiff_t at, const float *phi, float none)
{
    const outward_job *job = pass->job;
    const int axis = field_axis(pass->f);
    const ptrdiff_t back = axis < 0 ? 0 : job->phi->stride[axis];
    float sum = 0, total = 0;
    for (int a = 0; a < job->d->dims; a++) {
        float n = outward_slope(phi, back, job->phi->stride[a]);
        ptrdiff_t from = at + (n > 0 ? -pass->f->stride[a] : pass->f->stride[a]);
        float weight = fabsf(n) / (float)(job->d->h[a] * job->d->h[a]);
        if (!extend_is_known(job->map, from) && job->map[from] >= pass->layer)
            continue;
        sum += weight * pass->f->block[from];
        total += weight;
    }
    return total > 0 ? sum / total : none;
}

static void outward_rows(void *context, int begin, int end)
{
    const outward_pass *pass = context;
    const outward_job *job = pass->job;
    for (int r = begin; r < end; r++) {
        int j = r % pass->f->size[1], k = r / pass->f->size[1];
        ptrdiff_t start = field_row(pass->f, j, k) - pass->f->block;
        const float *phi = field_row(job->phi, j, k);
        const uint8_t *first = job->map + start, *stop = first + pass->f->size[0];
        for (const uint8_t *m = first; (m = memchr(m, pass->layer, (size_t)(stop - m))); m++) {
            ptrdiff_t at = m - job->map;
            float *to = &pass->f->block[at];
            if (!job->solids || extend_is_known(job->solids, at))
                *to = outward_value(pass, at, phi + (m - first), *to);
        }
    }
}

void outward_extend(const outward_job *job, field *f)
{
    outward_pass pass = {job, f, 1};
    for (; pass.layer <= job->depth; pass.layer++)
        field_for_rows(f, outward_rows, &pass);
}
