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

#include "sph/parts.h"

enum { LEAST_SWEEPS = 2 };

static fr_result dfsph_solve(void *step)
{
    sph_pressure_solve(step, LEAST_SWEEPS, NULL);
    return FR_OK;
}

const stage sph_dfsph[] = {
    {.parts = sph_begin},
    {.parts = sph_forces},
    {.name = "pressure", .run = sph_pressure_predict},
    {.name = "pressure", .run = dfsph_solve},
    {.name = "pressure", .run = sph_pressure_push},
    {.name = "pressure", .run = sph_pressure_report},
    {.parts = sph_end},
    {0}};
