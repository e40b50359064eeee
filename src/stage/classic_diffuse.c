/* Eq. 5 by Jacobi's iteration (18): with β = 1/(ν Δt) and the coefficients divided by `centre` = 2 (k_s + k_t + k_r),

     x' = damp·[neighbours] + right,    damp = centre ν Δt/(1 + centre ν Δt),   right = f/(1 + centre ν Δt). */
#include "grid/classic_sweep.h"
#include "stage/classic.h"
#include "stage/river_sides.h"

/* Working fields of these stages. */
enum { RIGHT = 0, OTHER = 3, DAMP = 6 };

typedef struct diffuse_job {
    const field *centre, *f;
    float reach;               /* ν Δt, m² */
    field *right, *damp;
} diffuse_job;

static void diffuse_prepare_rows(void *context, int begin, int end)
{
    const diffuse_job *job = context;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = field_offset(job->f, 0, row % job->f->size[1], row / job->f->size[1]);
        const float *restrict centre = job->centre->data + at, *restrict f = job->f->data + at;
        float *restrict right = job->right->data + at, *restrict damp = job->damp->data + at;
        for (int i = 0; i < job->f->size[0]; i++) {
            float keep = 1 / (1 + job->reach * centre[i]);
            right[i] = keep * f[i];
            damp[i] = job->reach * centre[i] * keep;
        }
    }
}

/* Fields that spread together: what is done to their ghosts after every sweep may mix them. */
typedef struct diffusion_set {
    int count;
    field *x[3];
    double reach;
    void (*fill)(const river_model *m, const river_state *s, int index, field *x);
    int index;
} diffusion_set;

static void diffuse_sweeps(const river_model *m, const river_state *s, const diffusion_set *set)
{
    field right[3], own[3], other[3], damp = river_scratch(m, s, DAMP, FR_AT_CELL);
    classic_sweep sweep[3];
    for (int n = 0; n < set->count; n++) {
        right[n] = river_scratch(m, s, RIGHT + n, FR_AT_CELL);
        other[n] = river_scratch(m, s, OTHER + n, FR_AT_CELL);
        own[n] = *set->x[n];
        sweep[n] = (classic_sweep){.metric = &m->metric, .right = &right[n], .damp = &damp};
        field_for_rows(&own[n], diffuse_prepare_rows, &(diffuse_job){&m->metric.centre, &own[n], (float)set->reach, &right[n], &damp});
    }
    set->fill(m, s, set->index, own);
    for (int q = 0; q < m->def->river.viscous_sweeps; q++) {
        field *from = q % 2 ? other : own, *to = q % 2 ? own : other;
        for (int n = 0; n < set->count; n++)
            classic_sweep_run(&sweep[n], &from[n], &to[n]);
        set->fill(m, s, set->index, to);
    }
    for (int n = 0; n < set->count && m->def->river.viscous_sweeps % 2; n++)
        field_copy(set->x[n], &other[n]);
}

static void diffuse_fill_velocity(const river_model *m, const river_state *s, int index, field *x)
{
    (void)index;
    stage_classic_border(m, s, x);
}

void stage_classic_viscosity(const river_model *m, river_state *s, double dt)
{
    diffusion_set set = {.count = m->curve.domain.dims, .reach = m->def->fluid.viscosity * dt, .fill = diffuse_fill_velocity};
    for (int a = 0; a < set.count; a++)
        set.x[a] = &s->next_velocity[a];
    if (m->viscous)
        diffuse_sweeps(m, s, &set);
}

void stage_classic_spread(const river_model *m, river_state *s, int index, double dt)
{
    const river_scalar *scalar = &m->scalars[index];
    field *x = &s->next_scalars[index];
    if (scalar->diffusion > 0)
        diffuse_sweeps(m, s, &(diffusion_set){.count = 1, .x = {x}, .reach = scalar->diffusion * dt, .fill = stage_river_sides_scalar, .index = index});
    if (scalar->dissipation > 0)
        field_blend(x, (float)(1 / (1 + scalar->dissipation * dt)), x, 0, x);
}
