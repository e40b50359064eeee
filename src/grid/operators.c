#include "grid/operators.h"

#include <math.h>
#include <string.h>

typedef struct operators_job {
    const domain *d;
    const field *velocity, *open;
    field *out;
    bool sign;
    const operators_flow *flow;
} operators_job;

/* Cells [span[0], span[1]) of a row. */
static void operators_divergence_row(const operators_job *job, int j, int k, const int span[2])
{
    float *restrict out = field_row(job->out, j, k);
    for (int i = span[0]; i < span[1]; i++)
        out[i] = 0;
    for (int a = 0; a < job->d->dims; a++) {
        const float *restrict u = field_row(&job->velocity[a], j, k);
        ptrdiff_t next = job->velocity[a].stride[a];
        float inverse = (float)(1 / job->d->h[a]);
        if (job->open) {
            const float *restrict w = field_row(&job->open[a], j, k);
            for (int i = span[0]; i < span[1]; i++)
                out[i] += inverse * (w[i + next] * u[i + next] - w[i] * u[i]);
        } else {
            for (int i = span[0]; i < span[1]; i++)
                out[i] += inverse * (u[i + next] - u[i]);
        }
    }
}

static void operators_divergence_rows(void *context, int begin, int end)
{
    const operators_job *job = context;
    const int all[2] = {0, job->out->size[0]};
    for (int m = begin; m < end; m++)
        operators_divergence_row(job, m % job->out->size[1], m / job->out->size[1], all);
}

void operators_divergence(const domain *d, const field velocity[3], const field *open, field *out)
{
    operators_job job = {.d = d, .velocity = velocity, .open = open, .out = out};
    field_for_rows(out, operators_divergence_rows, &job);
}

/* The largest Σ |u_a|/h_a over cells [span[0], span[1]) of a row, of the faster of their two faces across each axis. */
static double operators_fastest(const operators_job *job, int j, int k, const int span[2])
{
    double fastest = 0;
    for (int a = 0; a < job->d->dims && span[0] < span[1]; a++) {
        const float *u = field_row(&job->velocity[a], j, k) + span[0];
        float low = field_largest_in(u, span[1] - span[0], 0);
        float high = field_largest_in(u + job->velocity[a].stride[a], span[1] - span[0], 0);
        fastest += (double)fmaxf(low, high) / job->d->h[a];
    }
    return fastest;
}

/* Closes up what a row of `out` has outside the liquid; scales the rest. */
static void operators_finish_row(const operators_job *job, int j, int k, const int span[2])
{
    float *restrict out = field_row(job->out, j, k);
    const float *restrict inside = job->flow->inside ? field_row(job->flow->inside, j, k) : NULL;
    int n = job->out->size[0];
    memset(out, 0, (size_t)span[0] * sizeof(float));
    memset(out + span[1], 0, (size_t)(n - span[1]) * sizeof(float));
    for (int i = span[0]; i < span[1] && inside; i++)
        out[i] = inside[i] < 0 ? out[i] : 0;
    job->flow->largest[j + k * job->out->size[1]] = (double)field_largest_in(out + span[0], span[1] - span[0], 0);
    const float scale = job->flow->scale;
    for (int i = span[0]; i < span[1]; i++)
        out[i] *= scale;
}

static void operators_flow_rows(void *context, int begin, int end)
{
    const operators_job *job = context;
    for (int m = begin; m < end; m++) {
        int j = m % job->out->size[1], k = m / job->out->size[1], span[2] = {0, job->out->size[0]};
        if (job->flow->inside)
            field_negative_span(job->flow->inside, j, k, span);
        operators_divergence_row(job, j, k, span);
        if (job->flow->fastest)
            job->flow->fastest[m] = operators_fastest(job, j, k, span);
        operators_finish_row(job, j, k, span);
    }
}

void operators_divergence_of(const domain *d, const operators_flow *flow, field *out)
{
    operators_job job = {.d = d, .velocity = flow->velocity, .open = flow->open, .out = out, .flow = flow};
    field_for_rows(out, operators_flow_rows, &job);
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
    operators_job job = {.d = d, .velocity = velocity, .out = out, .sign = sign};
    field_for_rows(out, operators_vorticity_rows, &job);
}
