#include "stage/river_emit.h"

#include <math.h>
#include <string.h>

#include "stage/evaluate.h"

/* The sample that stands at an offset of a field, in the world. */
static void emit_position(const river_model *m, const field *f, int32_t at, double world[3])
{
    ptrdiff_t from = at;
    int k = m->curve.domain.dims == 3 ? (int)(from / f->stride[2]) : 0;
    from -= k * f->stride[2];
    int j = (int)(from / f->stride[1]), i = (int)(from - j * f->stride[1]);
    river_position(m, f->at, i, j, k, world);
}

static int emit_scalar_index(const river_model *m, const char *name)
{
    int i = 0;
    while (strcmp(m->scalars[i].name, name) != 0)
        i++;
    return i;
}

static fr_result emit_scalar(const river_model *m, river_state *s, const river_source *source, const fr_scalar_value *scalar, double seconds)
{
    field *f = &s->next_scalars[emit_scalar_index(m, scalar->name)];
    double rate = source->def->rate, value = scalar->value.value;
    for (int64_t c = 0; c < source->cells.count; c++) {
        if (scalar->value.function) {
            double world[3];
            emit_position(m, f, source->cells.at[c], world);
            FR_TRY(evaluate_number(&scalar->value, world, s->now.time, &value));
        }
        float *to = f->data + source->cells.at[c];
        *to = (float)(rate > 0 ? *to + seconds * rate * value : value);
    }
    return FR_OK;
}

fr_result stage_river_emit(const river_model *m, river_state *s)
{
    for (int i = 0; i < m->source_count; i++) {
        const river_source *source = &m->sources[i];
        double seconds = fmin(s->now.end, source->def->to) - fmax(s->now.time, source->def->from);
        for (int n = 0; n < source->def->scalar_count && seconds > 0; n++)
            FR_TRY(emit_scalar(m, s, source, &source->def->scalars[n], seconds));
    }
    return FR_OK;
}

void stage_river_fade(const river_model *m, river_state *s, double dt)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].dissipation > 0)
            field_blend(&s->next_scalars[i], (float)exp(-dt * m->scalars[i].dissipation), &s->next_scalars[i], 0, &s->next_scalars[i]);
}

/* What a force gives a sample of place `place`: along the face's vector, or along an axis of the world. */
static fr_result emit_force(const river_model *m, const river_force *force, int place, double dt, double t, int count, field *const to[3])
{
    const river_places *at = &force->at[place];
    const fr_vector *value = &force->def->value;
    double v[3] = {value->value[0], value->value[1], value->value[2]};
    for (int64_t c = 0; c < at->count; c++) {
        if (value->function) {
            double world[3];
            emit_position(m, to[0], at->at[c], world);
            FR_TRY(evaluate_vector(value, world, t, v));
        }
        if (place == RIVER_CELLS) {
            for (int a = 0; a < count; a++)
                to[a]->data[at->at[c]] += (float)(dt * v[a]);
            continue;
        }
        double along = 0;
        for (int a = 0; a < m->curve.domain.dims; a++)
            along += v[a] * m->curve.face[place][a].data[at->at[c]];
        to[0]->data[at->at[c]] += (float)(dt * along);
    }
    return FR_OK;
}

fr_result stage_river_force_fluxes(const river_model *m, double dt, double t, field flux[3])
{
    for (int i = 0; i < m->force_count; i++)
        for (int k = 0; k < m->curve.domain.dims; k++)
            FR_TRY(emit_force(m, &m->forces[i], k, dt, t, 1, (field *const[3]){&flux[k]}));
    return FR_OK;
}

fr_result stage_river_force_cells(const river_model *m, double dt, double t, field velocity[3])
{
    for (int i = 0; i < m->force_count; i++)
        FR_TRY(emit_force(m, &m->forces[i], RIVER_CELLS, dt, t, m->curve.domain.dims, (field *const[3]){&velocity[0], &velocity[1], &velocity[2]}));
    return FR_OK;
}
