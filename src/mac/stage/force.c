#include "mac/stage/force.h"

#include "grid/refine.h"
#include "method/evaluate.h"
#include "mac/stage/walls.h"

typedef struct force_buoyancy {
    field *to;
    const field *temperature, *density;
    float per_kelvin, per_density, ambient;   /* Δt·up·b, Δt·up·a, K */
} force_buoyancy;

/* The acceleration b (T − ambient) − a·density of the two cells of a face, their mean. */
static void force_buoyancy_rows(void *context, int begin, int end)
{
    const force_buoyancy *job = context;
    ptrdiff_t back = job->temperature->stride[field_axis(job->to)];
    for (int m = begin; m < end; m++) {
        int j = m % job->to->size[1], k = m / job->to->size[1];
        float *restrict to = field_row(job->to, j, k);
        const float *restrict t = field_row(job->temperature, j, k), *restrict d = field_row(job->density, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] += job->per_kelvin * (0.5f * (t[i] + t[i - back]) - job->ambient) - job->per_density * (0.5f * (d[i] + d[i - back]));
    }
}

/* The scalar as the flow feels it: on its own cells. */
static field force_scalar(const model *m, state *s, const field *scalars, int index)
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

void stage_force_buoyancy(const model *m, state *s, const field *scalars, double dt, field velocity[3])
{
    const fr_smoke_def *smoke = &m->def->smoke;
    if (smoke->buoyancy_temperature == 0 && smoke->buoyancy_density == 0)
        return;
    field temperature = force_scalar(m, s, scalars, MODEL_TEMPERATURE), density = force_scalar(m, s, scalars, MODEL_DENSITY);
    for (int a = 0; a < m->domain.dims; a++) {
        double push = dt * m->up[a];
        force_buoyancy job = {&velocity[a], &temperature, &density,
                              (float)(push * smoke->buoyancy_temperature), (float)(push * smoke->buoyancy_density), (float)smoke->ambient};
        if (push != 0)
            field_for_rows(job.to, force_buoyancy_rows, &job);
    }
}

/* Everywhere: all faces with full share. */
static fr_result force_everywhere(const model *m, state *s, const fr_vector *value, int axis, double dt, double t)
{
    field *f = &s->next_velocity[axis];
    double v[3] = {value->value[0], value->value[1], value->value[2]};
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++) {
            float *row = field_row(f, j, k);
            for (int i = 0; i < f->size[0]; i++) {
                if (value->function) {
                    double at[3];
                    model_position(&m->domain, f, (int32_t)field_offset(f, i, j, k), at);
                    FR_TRY(evaluate_vector(value, at, t, v));
                }
                row[i] += (float)(dt * v[axis]);
            }
        }
    return FR_OK;
}

static fr_result force_inside(const model *m, state *s, const model_force *force, int axis, double dt, double t)
{
    field *f = &s->next_velocity[axis];
    const fr_vector *value = &force->def->value;
    const model_cover *faces = &force->faces[axis];
    double v[3] = {value->value[0], value->value[1], value->value[2]};
    for (int64_t c = 0; c < faces->count; c++) {
        if (value->function) {
            double at[3];
            model_position(&m->domain, f, faces->at[c], at);
            FR_TRY(evaluate_vector(value, at, t, v));
        }
        f->data[faces->at[c]] += (float)(dt * faces->share[c] * v[axis]);
    }
    return FR_OK;
}

fr_result stage_force_given(const model *m, state *s, double dt, double t)
{
    for (int i = 0; i < m->force_count; i++)
        for (int a = 0; a < m->domain.dims && !m->forces[i].def->is_fan; a++)
            FR_TRY(m->forces[i].everywhere ? force_everywhere(m, s, &m->forces[i].def->value, a, dt, t)
                                           : force_inside(m, s, &m->forces[i], a, dt, t));
    return FR_OK;
}
