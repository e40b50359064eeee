/* du/dt = n (speed − n·u)/response inside the fan, implicit in time: the component along n goes the fraction
   Δt/(response + Δt) of the way to the speed, which is stable for any step; the components across n do not change. */
#include "mac/stage/fan.h"

#include "base/vec.h"
#include "method/evaluate.h"

typedef struct fan_job {
    const model_force *fan;
    double dt, t;
} fan_job;

/* The mean of component `b` over the four samples around a face across `axis`: two on either side of it. On the
   domain's sides the inner ones count twice. */
static double fan_beside(const domain *d, const field *f, const field *face, const int at[3])
{
    int axis = field_axis(face), b = field_axis(f);
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        int cell[3] = {at[0], at[1], at[2]};
        cell[axis] = at[axis] - 1 + side;
        cell[axis] = cell[axis] < 0 ? 0 : cell[axis] >= d->n[axis] ? d->n[axis] - 1 : cell[axis];
        const float *low = f->data + field_offset(f, cell[0], cell[1], cell[2]);
        sum += (double)low[0] + (double)low[f->stride[b]];
    }
    return 0.25 * sum;
}

/* `flow` is the velocity before the fan: all its components change at once. */
static fr_result fan_component(const model *m, state *s, const fan_job *job, const field flow[3], int axis)
{
    const model_force *fan = job->fan;
    field *to = &s->next_velocity[axis];
    const model_cover *faces = &fan->faces[axis];
    vec3 unit = vec3_unit(vec3_of(fan->def->direction));
    double n[3] = {unit.x, unit.y, unit.z}, share = job->dt / (fan->def->response + job->dt), speed;
    for (int64_t c = 0; c < faces->count && n[axis] != 0; c++) {
        double place[3], along = 0;
        model_position(&m->domain, to, faces->at[c], place);
        FR_TRY(evaluate_number(&fan->def->speed, place, job->t, &speed));
        int at[3] = {0, 0, 0};
        ptrdiff_t rest = faces->at[c];
        for (int a = m->domain.dims - 1; a >= 0; a--) {
            at[a] = (int)(rest / to->stride[a]);
            rest -= at[a] * to->stride[a];
        }
        for (int b = 0; b < m->domain.dims; b++)
            if (n[b] != 0)
                along +=
                    n[b] * (b == axis ? (double)flow[b].data[faces->at[c]] : fan_beside(&m->domain, &flow[b], to, at));
        to->data[faces->at[c]] += (float)(faces->share[c] * share * n[axis] * (speed - along));
    }
    return FR_OK;
}

/* Copies every component but the last before it changes: those that follow need its old values. */
static fr_result fan_blow(const model *m, state *s, const fan_job *job)
{
    field flow[3] = {s->next_velocity[0], s->next_velocity[1], s->next_velocity[2]};
    for (int a = 0; a < m->domain.dims; a++) {
        if (a < m->domain.dims - 1) {
            flow[a] = state_scratch(m, s, a, field_face(a));
            field_copy(&flow[a], &s->next_velocity[a]);
        }
        FR_TRY(fan_component(m, s, job, flow, a));
    }
    return FR_OK;
}

fr_result stage_fans(const model *m, state *s, double dt, double t)
{
    for (int i = 0; i < m->force_count; i++)
        if (m->forces[i].def->is_fan)
            FR_TRY(fan_blow(m, s, &(fan_job){&m->forces[i], dt, t}));
    return FR_OK;
}
