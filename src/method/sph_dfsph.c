/* Divergence-free SPH (Bender & Koschier 2015, 2017): first the velocities are made free of divergence, then forces act, then the
   density at the step's end is brought back to that at rest. Both solves start from what they found in the last step.

   An excess of density is taken back over a third of the time that the Courant number allows, not over the step: shorter steps would shoot it
   out at excess · d/Δt, and water at rest would never come to rest. */

#include <math.h>

#include "base/clock.h"
#include "base/threads.h"
#include "method/sph_parts.h"
#include "stage/sph_loads.h"
#include "stage/sph_move.h"
#include "stage/sph_solve.h"

/* Where there are too few neighbours, at a surface or in spray, a density that falls is no fault of the flow. */
static void dfsph_mask(void *context, int begin, int end)
{
    sph_state *s = context;
    int fewest = s->cells.layout->dims == 3 ? 20 : 7;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        int number = s->pairs.number[n] + (s->walls.count ? s->wall_pairs.number[n] : 0);
        if (number < fewest)
            s->source[n] = s->unknown[n] = 0;
    }
}

/* Times that an excess could be taken back in the time that the Courant number allows. */
static const double RETURN = 3;

fr_result sph_step_dfsph(const sph_model *m, sph_state *s, double dt, timing *t)
{
    const fr_sph_def *sph = &m->def->sph;
    double start = clock_now();
    stage_sph_loads_clear(m, s);
    sph_keep_velocity(s);
    sph_solve divergence = {.relax = (float)m->relax, .wall_relax = (float)(m->relax * m->diagonal), .tolerance = sph->density_error, .least = 1, .most = sph->max_iterations};
    divergence.source = stage_sph_predict(m, s, s->next.velocity, dt, 0);
    sph_pressure_begin(m, s, dt, true);
    threads_for(sph_blocks(s->fluid.count), dfsph_mask, s);
    stage_sph_solve(s, &divergence);
    sph_pressure_finish(m, s, dt, true);
    timing_add(t, "divergence", start);
    FR_TRY(sph_step_forces(m, s, dt, t));
    start = clock_now();
    sph_solve density = {.relax = (float)m->relax, .wall_relax = (float)(m->relax * m->diagonal), .tolerance = sph->density_error, .least = 2, .most = sph->max_iterations};
    density.source = stage_sph_predict(m, s, s->next.velocity, dt, fmin(1, RETURN * dt / stage_sph_courant(m, s, stage_sph_max_speed(s))));
    sph_pressure_begin(m, s, dt, false);
    stage_sph_solve(s, &density);
    sph_pressure_finish(m, s, dt, false);
    timing_add(t, "density", start);
    return sph_pressure_report(m, s, &density);
}
