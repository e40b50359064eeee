/* Warm gas rises, heavy smoke sinks: the acceleration up·(b (T − ambient) − a·density) (Fedkiw, Stam & Jensen 2001). */
#include "smoke/buoyancy.h"

#include <math.h>

#include "grid/refine.h"
#include "mac/stage/walls.h"
#include "smoke/smoke.h"

typedef struct buoyancy {
    field *to;
    const field *temperature, *density;
    float per_kelvin, per_density, ambient;   /* Δt·up·b, Δt·up·a, K */
} buoyancy;

/* Adds the mean of Δt (b (T − ambient) − a·density) over the two cells of each face. */
static void buoyancy_rows(void *context, int begin, int end)
{
    const buoyancy *job = context;
    ptrdiff_t back = job->temperature->stride[field_axis(job->to)];
    for (int m = begin; m < end; m++) {
        int j = m % job->to->size[1], k = m / job->to->size[1];
        float *restrict to = field_row(job->to, j, k);
        const float *restrict t = field_row(job->temperature, j, k), *restrict d = field_row(job->density, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] += job->per_kelvin * (0.5f * (t[i] + t[i - back]) - job->ambient) -
                     job->per_density * (0.5f * (d[i] + d[i - back]));
    }
}

/* The scalar on the flow's own cells, with ghosts. */
static field buoyancy_scalar(const model *m, state *s, const field *scalars, int index)
{
    const model_scalar *scalar = &m->scalars[index];
    const field *f = scalar->varies ? &scalars[index] : &s->scalars[index];
    if (scalar->grid == 0)
        return *f;
    field mean = state_scratch(m, s, 0, FR_AT_CELL);
    refine_mean(f, m->grids[scalar->grid].refine, &mean);
    stage_walls_mean(m, s, index, s->velocity, &mean);
    return mean;
}

void smoke_buoyancy(const smoke_step *step, const field *scalars, double dt, field velocity[3])
{
    const model *m = step->flow.m;
    state *s = step->flow.s;
    const fr_smoke_def *settings = step->settings;
    if (settings->buoyancy_temperature == 0 && settings->buoyancy_density == 0)
        return;
    field temperature = buoyancy_scalar(m, s, scalars, SMOKE_TEMPERATURE),
          density = buoyancy_scalar(m, s, scalars, SMOKE_DENSITY);
    for (int a = 0; a < m->domain.dims; a++) {
        double push = dt * m->up[a];
        buoyancy job = {&velocity[a],
                        &temperature,
                        &density,
                        (float)(push * settings->buoyancy_temperature),
                        (float)(push * settings->buoyancy_density),
                        (float)settings->ambient};
        if (push != 0)
            field_for_rows(job.to, buoyancy_rows, &job);
    }
}

double smoke_buoyancy_most(const fr_smoke_def *settings, state *s)
{
    double most = 0;
    if (settings->buoyancy_temperature != 0)
        most += fabs(settings->buoyancy_temperature) *
                field_largest(&s->scalars[SMOKE_TEMPERATURE], (float)settings->ambient, s->partial);
    if (settings->buoyancy_density != 0)
        most += fabs(settings->buoyancy_density) * field_largest(&s->scalars[SMOKE_DENSITY], 0, s->partial);
    return most;
}
