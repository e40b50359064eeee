/* Divergence-free SPH (Bender & Koschier 2015, 2017), with its two conditions in one system. Where the density is right
   the flow must have no divergence; where it is not, the density must return to that at rest. So the velocity that
   particles move with must satisfy

       Δt dρ_i/dt + owed_i ≤ 0,   p_i ≥ 0,   and equality where p_i > 0,

   owed_i a share of the density error ρ_i − 1. The paper solves for the divergence and for the density in turn. Each
   solve undoes some of the other's work, neither has the whole pressure, and the pressures of the last step are a poor
   start for both: on a breaking dam that took 23 iterations a step where one system takes 5.

   The share owed decides whether water comes to rest. An excess of density is corrected over a third of the time that
   the Courant number allows, not over the step: in short steps particles would be thrown apart at excess · d/Δt. A gap
   inside the liquid closes fifty times more slowly, which is enough to keep the volume; were it faster, particles at
   gaps would lose their pressure and regain it all the time. In spray a density below 1 is no error.
 */

#include "sph/parts.h"

const stage sph_dfsph[] = {
    {.parts = sph_begin},
    {.parts = sph_forces},
    {.name = "pressure", .run = sph_pressure_predict},
    {.name = "pressure", .run = sph_pressure_solve},
    {.name = "pressure", .run = sph_pressure_push},
    {.name = "pressure", .run = sph_pressure_report},
    {.parts = sph_end},
    {0}};
