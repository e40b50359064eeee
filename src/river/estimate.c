/* Estimates the memory of a river without creating it. */
#include <math.h>

#include "base/memory.h"
#include "method/sizes.h"
#include "method/times.h"
#include "river/river.h"

/* Particles that are born during the scene live for their whole lifetime. */
static double estimate_particles(const fr_scene_def *def, const domain *d)
{
    double most = 0;
    for (int i = 0; i < def->tracer_count; i++) {
        const fr_tracers_def *kind = &def->tracers[i];
        double seconds = times_overlap(kind->from, kind->to, 0, def->time.duration);
        if (kind->lifetime > 0)
            seconds = fmin(seconds, kind->lifetime);
        most += kind->count + kind->per_cell * (double)domain_cells(d) + kind->rate * seconds;
    }
    return most;
}

fr_result river_estimate(void *self, fr_estimate *estimate)
{
    river_run *run = self;
    const fr_scene_def *def = run->base.def;
    const domain d = river_domain(def);
    double cells = (double)domain_cells(&d), nodes = 1, field = (double)field_bytes(&d, FR_AT_CELL);
    double *node;
    FR_TRY(river_nodes(def, &node));
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int a = 0; a < d.dims; a++)
        nodes *= d.n[a] + 1;
    for (int64_t n = 0; n < (int64_t)nodes; n++)
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], node[3 * n + a]);
            high[a] = fmax(high[a], node[3 * n + a]);
        }
    memory_free(node);
    *estimate =
        (fr_estimate){.dims = d.dims, .frames = sizes_frames(&def->time), .particles = estimate_particles(def, &d)};
    for (int a = 0; a < 3; a++) {
        estimate->cells[a] = d.n[a];
        estimate->spacing[a] = (high[a] - low[a]) / d.n[a];
    }
    estimate->memory_bytes =
        SIZES_PROGRAM_BYTES + river_state_bytes(def) + nodes * 2 * 3 * sizeof(double) + estimate->particles * 100;
    estimate->cache_frame_bytes =
        4 * cells * (d.dims + 3 + def->scalar_count) + estimate->particles * (7 * sizeof(float) + sizeof(int64_t));
    estimate->checkpoint_bytes =
        field * ((def->river.scheme == FR_RIVER_FLUX ? 2 : 1) * d.dims + 1 + def->scalar_count) +
        estimate->particles * 36;
    return FR_OK;
}
