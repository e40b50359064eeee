#include "river/stage/emit.h"

#include <math.h>
#include <string.h>

#include "method/times.h"
#include "method/evaluate.h"

/* World position of the sample at an offset of a field. */
static void emit_position(const river_model *m, const field *f, int32_t at, double world[3])
{
    int index[3];
    river_index(m, f, at, index);
    river_position(m, f->at, index[0], index[1], index[2], world);
}

static fr_result emit_scalar(const river_model *m, const river_state *s, const river_source *source,
                             const fr_scalar_value *scalar, double seconds, field *f)
{
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

fr_result stage_river_emit(const river_model *m, const river_state *s, int index, field *scalar)
{
    for (int i = 0; i < m->source_count; i++) {
        const river_source *source = &m->sources[i];
        double seconds = times_overlap(source->def->from, source->def->to, s->now.time, s->now.end);
        for (int n = 0; n < source->def->scalar_count && seconds > 0; n++)
            if (!strcmp(source->def->scalars[n].name, m->scalars[index].name))
                FR_TRY(emit_scalar(m, s, source, &source->def->scalars[n], seconds, scalar));
    }
    return FR_OK;
}

void stage_river_fade(const river_model *m, river_state *s, double dt)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].dissipation > 0)
            field_blend(&s->next_scalars[i], (float)exp(-dt * m->scalars[i].dissipation), &s->next_scalars[i], 0,
                        &s->next_scalars[i]);
}

/* v·S: the flux of a vector through the face across k at offset `at`. */
static double emit_through(const river_model *m, int k, ptrdiff_t at, const double v[3])
{
    double sum = 0;
    for (int a = 0; a < m->curve.domain.dims; a++)
        sum += v[a] * m->curve.face[k][a].data[at];
    return sum;
}

/* The force at the sample at offset `at`. Constants need no position. */
static fr_result emit_force_at(const river_model *m, const fr_vector *value, const field *f, int32_t at, double t,
                               double v[3])
{
    double world[3] = {0, 0, 0};
    if (value->function)
        emit_position(m, f, at, world);
    return evaluate_vector(value, world, t, v);
}

static fr_result emit_force_faces(const river_model *m, river_state *s, const river_force *force, int k, double dt,
                                  double t, field *flux)
{
    for (int64_t c = 0; c < force->at[k].count; c++) {
        double v[3];
        int32_t at = force->at[k].at[c];
        FR_TRY(emit_force_at(m, &force->def->value, flux, at, t, v));
        double through = emit_through(m, k, at, v);
        flux->data[at] += (float)(dt * through);
        s->push = fmax(s->push, fabs(through) * m->curve.inverse[k].data[at]);
    }
    return FR_OK;
}

fr_result stage_river_force_fluxes(const river_model *m, river_state *s, double dt, double t, field flux[3])
{
    s->push = 0;
    for (int i = 0; i < m->force_count; i++)
        for (int k = 0; k < m->curve.domain.dims; k++)
            FR_TRY(emit_force_faces(m, s, &m->forces[i], k, dt, t, &flux[k]));
    return FR_OK;
}

static fr_result emit_force_cells(const river_model *m, river_state *s, const river_force *force, double dt, double t,
                                  field velocity[3])
{
    const river_places *cells = &force->at[RIVER_CELLS];
    for (int64_t c = 0; c < cells->count; c++) {
        double v[3];
        FR_TRY(emit_force_at(m, &force->def->value, &velocity[0], cells->at[c], t, v));
        int where[3];
        river_index(m, &velocity[0], cells->at[c], where);
        for (int a = 0; a < m->curve.domain.dims; a++) {
            velocity[a].data[cells->at[c]] += (float)(dt * v[a]);
            ptrdiff_t face = field_offset(&m->curve.face[a][0], where[0], where[1], where[2]);
            s->push = fmax(s->push, fabs(emit_through(m, a, face, v)) * m->curve.inverse[a].data[face]);
        }
    }
    return FR_OK;
}

fr_result stage_river_force_cells(const river_model *m, river_state *s, double dt, double t, field velocity[3])
{
    s->push = 0;
    for (int i = 0; i < m->force_count; i++)
        FR_TRY(emit_force_cells(m, s, &m->forces[i], dt, t, velocity));
    return FR_OK;
}
