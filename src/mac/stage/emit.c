#include "mac/stage/emit.h"

#include <math.h>

#include "method/times.h"
#include "method/evaluate.h"

/* The part of the step, in seconds, during which a source works. */
static double emit_overlap(const fr_source_def *source, const progress *now)
{
    return times_overlap(source->from, source->to, now->time, now->end);
}

/* Without a rate the covered share of a cell is set to the value; with one, rate·value per second is added to it. */
static fr_result emit_scalar(const model *m, state *s, const model_source *source, const fr_scalar_value *scalar,
                             double seconds)
{
    int index = model_scalar_index(m, scalar->name);
    const model_scalar *kind = &m->scalars[index];
    field *f = &s->next_scalars[index];
    const model_cover *cells = &source->cells[kind->grid];
    double rate = source->def->rate;
    double value = model_scalar_kept(kind, scalar->value.value);
    for (int64_t c = 0; c < cells->count; c++) {
        float *to = f->data + cells->at[c];
        double share = cells->share[c];
        if (scalar->value.function) {
            double at[3];
            model_position(model_scalar_domain(m, index), f, cells->at[c], at);
            FR_TRY(evaluate_number(&scalar->value, at, s->now.time, &value));
            value = model_scalar_kept(kind, value);
        }
        *to = (float)(rate > 0 ? *to + share * seconds * rate * value : *to + share * (value - *to));
    }
    return FR_OK;
}

fr_result stage_emit_scalars(const model *m, state *s)
{
    for (int i = 0; i < m->source_count; i++) {
        const model_source *source = &m->sources[i];
        double seconds = emit_overlap(source->def, &s->now);
        for (int k = 0; k < source->def->scalar_count && seconds > 0; k++)
            FR_TRY(emit_scalar(m, s, source, &source->def->scalars[k], seconds));
    }
    return FR_OK;
}

static fr_result emit_component(const model *m, state *s, int index, int axis)
{
    const model_source *source = &m->sources[index];
    const turbulence *eddies = m->source_turbulence[index];
    field *f = &s->next_velocity[axis];
    const model_cover *faces = &source->faces[axis];
    double v[3] = {source->def->velocity.value[0], source->def->velocity.value[1], source->def->velocity.value[2]};
    for (int64_t c = 0; c < faces->count; c++) {
        double at[3], eddy[3] = {0, 0, 0};
        if (source->def->velocity.function || eddies)
            model_position(&m->domain, f, faces->at[c], at);
        if (source->def->velocity.function)
            FR_TRY(evaluate_vector(&source->def->velocity, at, s->now.time, v));
        if (eddies)
            turbulence_at(eddies, at, s->now.time, eddy);
        float *to = f->data + faces->at[c];
        *to = (float)(*to + faces->share[c] * (v[axis] + eddy[axis] - *to));
    }
    return FR_OK;
}

fr_result stage_emit_velocity(const model *m, state *s)
{
    for (int i = 0; i < m->source_count; i++) {
        const model_source *source = &m->sources[i];
        if (!source->def->sets_velocity || emit_overlap(source->def, &s->now) <= 0)
            continue;
        for (int a = 0; a < m->domain.dims; a++)
            FR_TRY(emit_component(m, s, i, a));
    }
    return FR_OK;
}

typedef struct emit_decay {
    field *f;
    float keep, clean;
} emit_decay;

static void emit_decay_rows(void *context, int begin, int end)
{
    const emit_decay *decay = context;
    for (int r = begin; r < end; r++) {
        float *row = field_row(decay->f, r % decay->f->size[1], r / decay->f->size[1]);
        for (int i = 0; i < decay->f->size[0]; i++)
            row[i] = decay->clean + decay->keep * (row[i] - decay->clean);
    }
}

void stage_dissipate(const model *m, state *s, double dt)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies && m->scalars[i].dissipation > 0) {
            emit_decay decay = {&s->next_scalars[i], (float)exp(-dt * m->scalars[i].dissipation),
                                (float)m->scalars[i].clean};
            field_for_rows(decay.f, emit_decay_rows, &decay);
        }
}
