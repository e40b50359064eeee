/* Solves ∇²p = ∇·u by (18) with α = −1, β = 0, then subtracts ∇p from u; all derivatives by (14). The pressure in Pa is
   ρ/Δt times this p. */
#include <math.h>

#include "base/threads.h"
#include "base/wide.h"
#include "grid/curve/classic_sweep.h"
#include "river/classic/classic.h"

/* Indices of the scratch fields. */
enum { RIGHT, OWN, OTHER };

/* Inlined so that the compiler specialises for 2D and 3D. */
#define PROJECT_INLINE static inline __attribute__((always_inline))

typedef struct project_job {
    const river_model *m;
    field *velocity;
    const field *from;
    field *to;
    bool divide;               /* divide the divergence by −centre, as the sweeps need it */
    float scale, shift;
    double *partial;
} project_job;

static ptrdiff_t project_row(const project_job *job, int row)
{
    return field_offset(&job->m->metric.centre, 0, row % job->m->curve.domain.n[1], row / job->m->curve.domain.n[1]);
}

/* ∇·u of a row. */
PROJECT_INLINE void project_divergence(const project_job *job, ptrdiff_t at, float *restrict out, int dims)
{
    const classic_metric *metric = &job->m->metric;
    const float *u[3], *inverse[3][3];
    for (int a = 0; a < dims; a++) {
        u[a] = job->velocity[a].data + at;
        for (int k = 0; k < dims; k++)
            inverse[k][a] = metric->inverse[k][a].data + at;
    }
    const ptrdiff_t step[3] = {1, metric->centre.stride[1], metric->centre.stride[2]};
    for (int i = 0; i < metric->domain.n[0]; i++) {
        float sum = 0;
        for (int a = 0; a < dims; a++)
            for (int k = 0; k < dims; k++)
                sum += 0.5f * (u[a][i + step[k]] - u[a][i - step[k]]) * inverse[k][a][i];
        out[i] = sum;
    }
}

/* The largest |f| of a row; NaN counts as 0. */
static float project_largest(const float *f, int n)
{
    wide most = {0};
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        most = wide_max(wide_max(wide_load(f + i), -wide_load(f + i)), most);
    float largest = wide_greatest(most);
    for (; i < n; i++)
        largest = fabsf(f[i]) > largest ? fabsf(f[i]) : largest;
    return largest;
}

/* The divergence of rows and its maximum in each; 0 in solid cells. */
static void project_divergence_rows(void *context, int begin, int end)
{
    const project_job *job = context;
    const int *n = job->m->curve.domain.n;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = project_row(job, row);
        const float *restrict centre = job->m->metric.centre.data + at;
        float *restrict out = job->to->data + at;
        if (job->m->curve.domain.dims == 3)
            project_divergence(job, at, out, 3);
        else
            project_divergence(job, at, out, 2);
        for (int i = 0; job->m->solid && i < n[0]; i++)
            out[i] = river_solid(job->m, i, row % n[1], row / n[1]) ? 0 : out[i];
        job->partial[row] = (double)project_largest(out, n[0]);
        for (int i = 0; job->divide && i < n[0]; i++)
            out[i] = -out[i] / centre[i];
    }
}

/* ∇·u of next_velocity, after filling its border cells; returns the largest |∇·u|. */
static double project_find_divergence(const river_model *m, river_state *s, bool divide, field *out)
{
    project_job job = {.m = m, .velocity = s->next_velocity, .to = out, .divide = divide, .partial = s->partial};
    stage_classic_border(m, s, s->next_velocity);
    field_for_rows(out, project_divergence_rows, &job);
    return threads_max(s->partial, field_rows(out));
}

/* Sum of p over the wet cells of a row; four independent partial sums are faster. */
static double project_sum(const project_job *job, ptrdiff_t at, int row)
{
    const int *n = job->m->curve.domain.n;
    const float *p = job->from->data + at;
    double sum[4] = {0};
    for (int i = 0; i < n[0]; i++)
        sum[i % 4] += river_solid(job->m, i, row % n[1], row / n[1]) ? 0 : (double)p[i];
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* u − ∇p of a row. */
PROJECT_INLINE void project_subtract(const project_job *job, ptrdiff_t at, int dims)
{
    const classic_metric *metric = &job->m->metric;
    const float *p = job->from->data + at;
    const ptrdiff_t step[3] = {1, metric->centre.stride[1], metric->centre.stride[2]};
    for (int a = 0; a < dims; a++) {
        float *restrict u = job->velocity[a].data + at;
        const float *inverse[3];
        for (int k = 0; k < dims; k++)
            inverse[k] = metric->inverse[k][a].data + at;
        for (int i = 0; i < metric->domain.n[0]; i++) {
            float rest = u[i];
            for (int k = 0; k < dims; k++)
                rest -= 0.5f * (p[i + step[k]] - p[i - step[k]]) * inverse[k][i];
            u[i] = rest;
        }
    }
}

static void project_subtract_rows(void *context, int begin, int end)
{
    const project_job *job = context;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = project_row(job, row);
        if (job->m->curve.domain.dims == 3)
            project_subtract(job, at, 3);
        else
            project_subtract(job, at, 2);
        job->partial[row] = project_sum(job, at, row);
    }
}

/* to = scale·from − shift. */
static void project_scale_rows(void *context, int begin, int end)
{
    const project_job *job = context;
    for (int row = begin; row < end; row++) {
        const float *from = job->from->data + project_row(job, row);
        float *to = job->to->data + project_row(job, row);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = job->scale * from[i] - job->shift;
    }
}

/* Copies the pressure into solid cells. */
static void project_settle(const void *context, field *p)
{
    const river_model *m = context;
    border_cells_scalar(&m->border, p);
}

void stage_classic_project(const river_model *m, river_state *s, double dt)
{
    field right = river_scratch(m, s, RIGHT, FR_AT_CELL), own = river_scratch(m, s, OWN, FR_AT_CELL),
          other = river_scratch(m, s, OTHER, FR_AT_CELL);
    const int sweeps = m->sweeps;
    const double pascal = m->fluid.density / dt;
    const classic_sweep sweep = {
        .metric = &m->metric, .count = 1, .right = {&right}, .settle = m->solid ? project_settle : NULL, .context = m};
    s->now.report.initial_divergence = project_find_divergence(m, s, true, &right);
    field_for_rows(&own, project_scale_rows,
                   &(project_job){.m = m, .from = &s->pressure, .to = &own, .scale = (float)(1 / pascal)});
    border_cells_scalar(&m->border, &own);
    classic_even_ghosts(&m->curve.domain, &own);
    classic_sweep_run(&sweep, &own, &other, sweeps);
    field_for_rows(&own, project_subtract_rows,
                   &(project_job){.m = m, .velocity = s->next_velocity, .from = &own, .partial = s->partial});
    /* the border cells leave a constant of p undetermined, and the sweeps let it drift: the mean is set to 0 */
    double mean = threads_sum(s->partial, field_rows(&own)) / (double)m->wet;
    project_job scale = {
        .m = m, .from = &own, .to = &s->next_pressure, .scale = (float)pascal, .shift = (float)(pascal * mean)};
    field_for_rows(&s->next_pressure, project_scale_rows, &scale);
    classic_even_ghosts(&m->curve.domain, &s->next_pressure);   /* for interpolation between the centres */
    s->now.report.max_divergence = project_find_divergence(m, s, false, &right);
    s->now.report.pressure_iterations = sweeps;
}
