/* Eq. 5 by Jacobi's iteration (18): with β = 1/(ν Δt) and the coefficients divided by `centre` = 2 (k_s + k_t + k_r),

     x' = damp·[neighbours] + right,    damp = centre ν Δt/(1 + centre ν Δt),   right = f/(1 + centre ν Δt). */
#include "grid/curve/classic_sweep.h"
#include "river/classic/classic.h"
#include "river/stage/sides.h"

/* Indices of the scratch fields. */
enum { RIGHT = 0, OTHER = 3, DAMP = 6 };

typedef struct diffuse_job {
    const field *centre, *f;
    float reach;               /* ν Δt, m² */
    int count;
    field *right, *damp;
} diffuse_job;

static void diffuse_prepare_rows(void *context, int begin, int end)
{
    const diffuse_job *job = context;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = field_offset(job->f, 0, row % job->f->size[1], row / job->f->size[1]);
        const float *restrict centre = job->centre->data + at;
        float *restrict damp = job->damp->data + at;
        for (int i = 0; i < job->f->size[0]; i++)
            damp[i] = job->reach * centre[i] * (1 / (1 + job->reach * centre[i]));
        for (int n = 0; n < job->count; n++) {
            const float *restrict f = job->f[n].data + at;
            float *restrict right = job->right[n].data + at;
            for (int i = 0; i < job->f->size[0]; i++)
                right[i] = 1 / (1 + job->reach * centre[i]) * f[i];
        }
    }
}

/* Fields that diffuse together. */
typedef struct diffusion {
    const river_model *m;
    river_state *s;
    int index;                 /* of the scalar */
    border_speeds speeds;
    bool held[6], holds;       /* sides where the ghosts of scalars are fixed; whether there are any */
} diffusion;

static void diffuse_sweeps(const diffusion *job, classic_sweep *sweep, double reach, field *x)
{
    const river_model *m = job->m;
    field right[3], other[3], damp = river_scratch(m, job->s, DAMP, FR_AT_CELL);
    for (int n = 0; n < sweep->count; n++) {
        right[n] = river_scratch(m, job->s, RIGHT + n, FR_AT_CELL);
        other[n] = river_scratch(m, job->s, OTHER + n, FR_AT_CELL);
        sweep->right[n] = &right[n];
        if (job->holds)   /* fixed ghosts must be the same in both buffers; the others are filled in every sweep */
            field_copy(&other[n], &x[n]);
    }
    field_for_rows(x, diffuse_prepare_rows,
                   &(diffuse_job){&m->metric.centre, x, (float)reach, sweep->count, right, &damp});
    sweep->metric = &m->metric;
    sweep->damp = &damp;
    sweep->context = job;
    classic_sweep_run(sweep, x, other, m->viscous_sweeps);
}

static void diffuse_follow_velocity(const void *context, field *x, int slab)
{
    const diffusion *job = context;
    border_cells_follow(&job->m->border, &job->speeds, slab, x);
}

static void diffuse_settle_velocity(const void *context, field *x)
{
    const diffusion *job = context;
    border_cells_velocity(&job->m->border, &job->speeds, x);
}

void stage_classic_viscosity(const river_model *m, river_state *s, double dt)
{
    if (!m->viscous)
        return;
    diffusion job = {.m = m, .s = s};
    stage_classic_speeds(m, s, &job.speeds);
    stage_classic_border(m, s, s->next_velocity);
    classic_sweep sweep = {.count = m->curve.domain.dims,
                           .finish = diffuse_follow_velocity,
                           .settle = m->solid ? diffuse_settle_velocity : NULL};
    diffuse_sweeps(&job, &sweep, m->fluid.viscosity * dt, s->next_velocity);
}

/* Ghosts where water enters are fixed to its value in every iterate; all others follow the inside. */
static void diffuse_hold(const river_model *m, diffusion *job)
{
    for (int side = 0; side < 6; side++) {
        job->held[side] = m->sides[side].kind == FR_RIVER_INFLOW;
        job->holds = job->holds || m->sides[side].brings;
    }
}

static void diffuse_follow_scalar(const void *context, field *x, int slab)
{
    const diffusion *job = context;
    border_cells_follow_scalar(&job->m->border, job->held, &job->speeds, slab, x);
}

static void diffuse_settle_scalar(const void *context, field *x)
{
    const diffusion *job = context;
    stage_river_sides_upwind(job->m, job->s, job->index, x);
}

void stage_classic_spread(const river_model *m, river_state *s, int index, double dt)
{
    const river_scalar *scalar = &m->scalars[index];
    field *x = &s->next_scalars[index];
    stage_river_sides_upwind(m, s, index, x);
    if (scalar->diffusion > 0) {
        diffusion job = {.m = m, .s = s, .index = index};
        diffuse_hold(m, &job);
        stage_classic_speeds(m, s, &job.speeds);
        classic_sweep sweep = {.count = 1,
                               .finish = job.holds ? diffuse_follow_scalar : NULL,
                               .settle = m->solid ? diffuse_settle_scalar : NULL};
        diffuse_sweeps(&job, &sweep, scalar->diffusion * dt, x);
    }
    if (scalar->dissipation > 0)
        field_blend(x, (float)(1 / (1 + scalar->dissipation * dt)), x, 0, x);
}
