/* Divergence-free SPH (Bender & Koschier 2015, 2017), its two conditions in one system. A liquid whose density is right
   must have no divergence; one whose density is not must return to it. So a step asks of the velocity with which
   particles move

       Δt dρ_i/dt + owed_i ≤ 0,   p_i ≥ 0,

   where owed_i is a part of ρ_i − 1. The paper solves for the divergence of the old velocities and for the density of
   the new ones in turn; each solve undoes some of the other's work, neither pressure is the whole one, and both start
   badly from what they were a step before: on a breaking dam that took 23 iterations a step where one system takes 4.5.

   How much is owed decides whether water comes to rest. An excess is taken back over a third of the time that the
   Courant number allows, not over the step: shorter steps would shoot it out at excess · d/Δt. A gap inside the liquid
   closes fifty times more slowly: that is enough for the volume; faster, and particles in gaps lose their pressure and
   win it back all the time. At a surface and in spray a density below 1 is no fault. */

#include <math.h>

#include "base/clock.h"
#include "sph/parts.h"
#include "sph/stage/loads.h"
#include "sph/stage/move.h"
#include "sph/pressure/solve.h"

fr_result sph_step_dfsph(const sph_model *m, sph_state *s, double dt, timing *t)
{
    const fr_sph_def *sph = &m->def->sph;
    stage_sph_loads_clear(m, s);
    sph_keep_velocity(s);
    FR_TRY(sph_step_forces(m, s, dt, t));
    double start = clock_now();
    sph_recovery recovery = sph_recovery_of(m, s, dt);
    sph_solve solve = {.relax = (float)m->relax,
                       .wall_relax = (float)(m->relax * m->diagonal),
                       .tolerance = sph->density_error,
                       .least = 2,
                       .most = sph->max_iterations};
    stage_sph_predict(m, s, s->next.velocity, dt, &recovery);
    sph_pressure_begin(m, s, dt, s->fluid.pressure);
    stage_sph_solve(m, s, &solve);
    sph_pressure_finish(m, s, dt, s->next.pressure);
    timing_add(t, "pressure", start);
    return sph_pressure_report(m, s, &solve);
}
