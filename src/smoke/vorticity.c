/* b = ε h (N × ω),   N = ∇|ω| / |∇|ω||   (Fedkiw, Stam & Jensen 2001; Macêdo 4.1.5), at the centres, then the mean of
   the two cells of each face. */
#include "smoke/vorticity.h"

#include <math.h>

#include "grid/halo.h"
#include "grid/operators.h"

typedef struct vorticity_job {
    const domain *d;
    const field *velocity;
    const field *size;       /* |ω| */
    field *push;             /* one component of Δt·b */
    field *to;
    int axis;
    float gain;              /* Δt ε h */
} vorticity_job;

/* Slope of |ω| at a cell. */
static inline float vorticity_slope(const float *w, ptrdiff_t step, float scale)
{
    return scale * (w[step] - w[-step]);
}

/* One component of N × ω: N_b ω_c − N_c ω_b with (axis, b, c) cyclic. */
static void vorticity_push_rows(void *context, int begin, int end)
{
    const vorticity_job *job = context;
    const domain *d = job->d;
    int b = (job->axis + 1) % 3, c = (job->axis + 2) % 3;
    float scale[3];
    for (int a = 0; a < 3; a++)
        scale[a] = a < d->dims ? (float)(0.5 / d->h[a]) : 0;
    for (int m = begin; m < end; m++) {
        int j = m % d->n[1], k = m / d->n[1];
        const float *w = field_row(job->size, j, k);
        float *out = field_row(job->push, j, k);
        bool flat = d->dims == 2;
        operators_curl curl_b = operators_curl_row(d, job->velocity, flat ? 2 : b, j, k);
        operators_curl curl_c = operators_curl_row(d, job->velocity, flat ? 2 : c, j, k);
        const ptrdiff_t *step = job->size->stride;
        for (int i = 0; i < d->n[0]; i++) {
            float n[3];
            for (int a = 0; a < 3; a++)
                n[a] = vorticity_slope(w + i, step[a], scale[a]);
            float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + 1e-20f;
            float wb = flat && b != 2 ? 0 : operators_curl_at(&curl_b, i);
            float wc = flat && c != 2 ? 0 : operators_curl_at(&curl_c, i);
            out[i] = job->gain * (n[b] * wc - n[c] * wb) / length;
        }
    }
}

static void vorticity_add_rows(void *context, int begin, int end)
{
    const vorticity_job *job = context;
    ptrdiff_t back = job->push->stride[job->axis];
    for (int m = begin; m < end; m++) {
        int j = m % job->to->size[1], k = m / job->to->size[1];
        float *restrict to = field_row(job->to, j, k);
        const float *restrict push = field_row(job->push, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] += 0.5f * (push[i] + push[i - back]);
    }
}

void smoke_vorticity(const model *m, state *s, double strength, double dt)
{
    const domain *d = &m->domain;
    if (strength == 0)
        return;
    field size = state_scratch(m, s, 0, FR_AT_CELL), push = state_scratch(m, s, 1, FR_AT_CELL);
    operators_vorticity(d, s->velocity, false, &size);
    halo_fill_even(&size, d);
    for (int a = 0; a < d->dims; a++) {
        vorticity_job job = {d,
                             s->velocity,
                             &size,
                             &push,
                             &s->next_velocity[a],
                             a,
                             (float)(dt * strength * domain_min_h(d))};
        field_for_rows(&push, vorticity_push_rows, &job);
        halo_fill_even(&push, d);
        field_for_rows(job.to, vorticity_add_rows, &job);
    }
}
