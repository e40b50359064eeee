/* ∇²p = ∇·u by (18) with α = −1, β = 0, then u − ∇p, all derivatives by (14). The pressure of the scene is ρ/Δt times this p. */
#include <math.h>

#include "base/threads.h"
#include "grid/classic_sweep.h"
#include "stage/classic.h"

/* Working fields of this stage. */
enum { RIGHT = 0, OTHER = 1 };

typedef struct project_job {
    const river_model *m;
    field *velocity;
    const field *from;
    field *to;
    float scale, shift;
    double *partial;
} project_job;

static ptrdiff_t project_row(const project_job *job, int row)
{
    return field_offset(&job->m->metric.centre, 0, row % job->m->curve.domain.n[1], row / job->m->curve.domain.n[1]);
}

/* ∇·u of a row. */
static void project_divergence(const project_job *job, ptrdiff_t at, float *restrict out)
{
    const classic_metric *metric = &job->m->metric;
    int n = metric->domain.n[0], dims = metric->domain.dims;
    for (int i = 0; i < n; i++)
        out[i] = 0;
    for (int a = 0; a < dims; a++)
        for (int k = 0; k < dims; k++) {
            const float *restrict u = job->velocity[a].data + at, *restrict inverse = metric->inverse[k][a].data + at;
            ptrdiff_t step = metric->centre.stride[k];
            for (int i = 0; i < n; i++)
                out[i] += 0.5f * (u[i + step] - u[i - step]) * inverse[i];
        }
}

/* The divergence of rows, and the greatest in each; solid cells have none. */
static void project_divergence_rows(void *context, int begin, int end)
{
    const project_job *job = context;
    const int *n = job->m->curve.domain.n;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = project_row(job, row);
        float *out = job->to->data + at, most = 0;
        project_divergence(job, at, out);
        for (int i = 0; job->m->solid && i < n[0]; i++)
            out[i] = river_solid(job->m, i, row % n[1], row / n[1]) ? 0 : out[i];
        for (int i = 0; i < n[0]; i++)
            most = fabsf(out[i]) > most ? fabsf(out[i]) : most;
        job->partial[row] = (double)most;
    }
}

static double project_find_divergence(const river_model *m, river_state *s, field *out)
{
    project_job job = {.m = m, .velocity = s->next_velocity, .to = out, .partial = s->partial};
    stage_classic_border(m, s, s->next_velocity);
    field_for_rows(out, project_divergence_rows, &job);
    return threads_max(s->partial, field_rows(out));
}

static void project_right_rows(void *context, int begin, int end)
{
    const project_job *job = context;
    for (int row = begin; row < end; row++) {
        float *restrict right = job->to->data + project_row(job, row);
        const float *restrict centre = job->m->metric.centre.data + project_row(job, row);
        for (int i = 0; i < job->to->size[0]; i++)
            right[i] = -right[i] / centre[i];
    }
}

static void project_subtract_rows(void *context, int begin, int end)
{
    const project_job *job = context;
    const classic_metric *metric = &job->m->metric;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = project_row(job, row);
        const float *restrict p = job->from->data + at;
        for (int a = 0; a < metric->domain.dims; a++)
            for (int k = 0; k < metric->domain.dims; k++) {
                float *restrict u = job->velocity[a].data + at;
                const float *restrict inverse = metric->inverse[k][a].data + at;
                ptrdiff_t step = metric->centre.stride[k];
                for (int i = 0; i < metric->domain.n[0]; i++)
                    u[i] -= 0.5f * (p[i + step] - p[i - step]) * inverse[i];
            }
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

/* Pressure is copied to border cells. */
static void project_follow(const void *context, field *p, int slab)
{
    const river_model *m = context;
    classic_even_slab(&m->curve.domain, p, slab);
}

static void project_settle(const void *context, field *p)
{
    const river_model *m = context;
    border_cells_scalar(&m->border, p);
}

/* Sums of p over the wet cells of rows. */
static void project_sum_rows(void *context, int begin, int end)
{
    const project_job *job = context;
    const int *n = job->m->curve.domain.n;
    for (int row = begin; row < end; row++) {
        const float *p = job->from->data + project_row(job, row);
        double sum = 0;
        for (int i = 0; i < n[0]; i++)
            sum += river_solid(job->m, i, row % n[1], row / n[1]) ? 0 : (double)p[i];
        job->partial[row] = sum;
    }
}

/* The border cells leave p free but for a constant, which the sweeps let drift: its mean becomes 0. */
static double project_mean(const river_model *m, const river_state *s, const field *p)
{
    project_job job = {.m = m, .from = p, .partial = s->partial};
    field_for_rows(p, project_sum_rows, &job);
    return threads_sum(s->partial, field_rows(p)) / (double)m->wet;
}

void stage_classic_project(const river_model *m, river_state *s, double dt)
{
    field right = river_scratch(m, s, RIGHT, FR_AT_CELL), other = river_scratch(m, s, OTHER, FR_AT_CELL), own = s->next_pressure;
    const int sweeps = m->def->river.sweeps;
    const double pascal = m->def->fluid.density / dt;
    const classic_sweep sweep = {.metric = &m->metric, .count = 1, .right = {&right}, .finish = project_follow,
                                 .settle = m->solid ? project_settle : NULL, .context = m};
    s->now.report.initial_divergence = project_find_divergence(m, s, &right);
    field_for_rows(&right, project_right_rows, &(project_job){.m = m, .to = &right});
    field_for_rows(&own, project_scale_rows, &(project_job){.m = m, .from = &s->pressure, .to = &own, .scale = (float)(1 / pascal)});
    border_cells_scalar(&m->border, &own);
    classic_even_ghosts(&m->curve.domain, &own);
    classic_sweep_run(&sweep, &own, &other, sweeps);
    field_for_rows(&own, project_subtract_rows, &(project_job){.m = m, .velocity = s->next_velocity, .from = &own});
    s->now.report.max_divergence = project_find_divergence(m, s, &right);
    s->now.report.pressure_iterations = sweeps;
    double mean = project_mean(m, s, &own);
    field_for_rows(&own, project_scale_rows,
                   &(project_job){.m = m, .from = &own, .to = &own, .scale = (float)pascal, .shift = (float)(pascal * mean)});
}
