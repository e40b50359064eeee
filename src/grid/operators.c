#include "grid/operators.h"

#include <math.h>

typedef struct operators_job {
    const domain *d;
    const field *velocity, *open;
    field *out;
    bool sign;
} operators_job;

static void operators_divergence_rows(void *context, int begin, int end)
{
    const operators_job *job = context;
    for (int m = begin; m < end; m++) {
        int j = m % job->out->size[1], k = m / job->out->size[1];
        float *restrict out = field_row(job->out, j, k);
        int n = job->out->size[0];
        for (int i = 0; i < n; i++)
            out[i] = 0;
        for (int a = 0; a < job->d->dims; a++) {
            const float *restrict u = field_row(&job->velocity[a], j, k);
            ptrdiff_t next = job->velocity[a].stride[a];
            float inverse = (float)(1 / job->d->h[a]);
            if (job->open) {
                const float *restrict w = field_row(&job->open[a], j, k);
                for (int i = 0; i < n; i++)
                    out[i] += inverse * (w[i + next] * u[i + next] - w[i] * u[i]);
            } else {
                for (int i = 0; i < n; i++)
                    out[i] += inverse * (u[i + next] - u[i]);
            }
        }
    }
}

void operators_divergence(const domain *d, const field velocity[3], const field *open, field *out)
{
    operators_job job = {d, velocity, open, out, false};
    field_for_rows(out, operators_divergence_rows, &job);
}

static operators_slope operators_slope_row(const domain *d, const field *u, int along, int j, int k)
{
    return (operators_slope){field_row(u, j, k), u->stride[field_axis(u)], u->stride[along],
                             (float)(0.25 / d->h[along])};
}

operators_curl operators_curl_row(const domain *d, const field velocity[3], int c, int j, int k)
{
    int a = (c + 1) % 3, b = (c + 2) % 3;
    return (operators_curl){operators_slope_row(d, &velocity[b], a, j, k),
                            operators_slope_row(d, &velocity[a], b, j, k)};
}

static void operators_vorticity_rows(void *context, int begin, int end)
{
    const operators_job *job = context;
    const domain *d = job->d;
    for (int m = begin; m < end; m++) {
        int j = m % d->n[1], k = m / d->n[1];
        float *restrict out = field_row(job->out, j, k);
        operators_curl z = operators_curl_row(d, job->velocity, 2, j, k);
        if (d->dims == 2) {
            for (int i = 0; i < d->n[0]; i++) {
                float w = operators_curl_at(&z, i);
                out[i] = job->sign ? w : fabsf(w);
            }
        } else {
            operators_curl x = operators_curl_row(d, job->velocity, 0, j, k),
                           y = operators_curl_row(d, job->velocity, 1, j, k);
            for (int i = 0; i < d->n[0]; i++) {
                float a = operators_curl_at(&x, i), b = operators_curl_at(&y, i), c = operators_curl_at(&z, i);
                out[i] = sqrtf(a * a + b * b + c * c);
            }
        }
    }
}

void operators_vorticity(const domain *d, const field velocity[3], bool sign, field *out)
{
    operators_job job = {d, velocity, NULL, out, sign};
    field_for_rows(out, operators_vorticity_rows, &job);
}
