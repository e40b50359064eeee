/* Memory and sizes of an SPH scene, estimated before it is created. */
#include "sph/sph.h"

#include <math.h>

#include "method/sizes.h"
#include "method/times.h"
#include "sph/check.h"
#include "sph/heat/heat.h"
#include "sph/stage/pour.h"

/* Wall particles of the domain's closed sides; obstacles are not sampled here and counted by the box around them. */
static double estimate_walls(const sph_model *m)
{
    double count = 0, cells[3] = {1, 1, 1};
    for (int a = 0; a < m->dims; a++)
        cells[a] = (m->high[a] - m->low[a]) / m->spacing + 2 * m->layers;
    for (int side = 0; side < 2 * m->dims; side++)
        count += m->closed[side] ? m->layers * cells[0] * cells[1] * cells[2] / cells[side / 2] : 0;
    return count;
}

/* Particles that come out of a source while the scene lasts, from a hundred samples of its velocity. */
static fr_result estimate_source(const sph_model *m, int source, double duration, sph_nozzle *nozzle,
                                 double *particles)
{
    const fr_source_def *given = &m->sources[source];
    enum { SAMPLES = 100 };
    double from = given->from, to = fmin(times_end(given->to), duration);
    for (int i = 0; i < SAMPLES && to > from; i++) {
        vec3 v;
        FR_TRY(stage_sph_pour_velocity(m, source, nozzle, from + (to - from) * (i + 0.5) / SAMPLES, &v));
        if (vec3_length(v) == 0)
            continue;
        FR_TRY(sph_nozzle_aim(m, nozzle, vec3_unit(v)));
        *particles += nozzle->area * vec3_length(v) * (to - from) / SAMPLES / m->volume;
    }
    return FR_OK;
}

/* No more than the domain holds. */
static fr_result estimate_sources(const sph_model *m, double duration, double *particles)
{
    double full = 1;
    for (int a = 0; a < m->dims; a++)
        full *= (m->high[a] - m->low[a]) / m->spacing;
    for (int i = 0; i < m->source_count; i++) {
        sph_nozzle nozzle;
        fr_result result = sph_nozzle_create(m, i, &nozzle);
        if (result == FR_OK)
            result = estimate_source(m, i, duration, &nozzle, particles);
        sph_nozzle_destroy(&nozzle);
        FR_TRY(result);
    }
    *particles = fmin(*particles, fmax(full, 1));
    return FR_OK;
}

fr_result sph_estimate(void *self, fr_estimate *estimate)
{
    sph_run *run = self;
    const fr_scene_def *def = run->base.def;
    sph_model m;
    FR_TRY(sph_check_places(def));
    sph_model_outline(def, &m);
    *estimate = (fr_estimate){.dims = m.dims};
    for (int a = 0; a < 3; a++) {
        estimate->cells[a] = a < m.dims ? (int)fmax(1, round((m.high[a] - m.low[a]) / m.spacing)) : 1;
        estimate->spacing[a] = m.spacing;
    }
    FR_TRY(sph_filling_create(def, &m, &run->filling));
    estimate->particles = (double)run->filling.count;
    FR_TRY(sph_check_filled(def, estimate->particles));
    FR_TRY(estimate_sources(&m, def->time.duration, &estimate->particles));
    estimate->frames = (int)sizes_frames(&def->time);
    estimate->memory_bytes = SIZES_PROGRAM_BYTES + sph_state_bytes(&m, estimate->particles, estimate_walls(&m));
    estimate->cache_frame_bytes = estimate->particles * (10 + sph_heat_attributes(&def->heat)) * sizeof(float);
    estimate->cache_frame_bytes += sizes_bodies(def->body_count);
    estimate->checkpoint_bytes = estimate->particles * (FLUID_BYTES + (def->heat.set ? FLUID_WARM_BYTES : 0));
    return FR_OK;
}
