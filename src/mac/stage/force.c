#include "mac/stage/force.h"

#include "method/evaluate.h"
#include "mac/stage/walls.h"

/* A force without a shape acts on all faces. */
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
