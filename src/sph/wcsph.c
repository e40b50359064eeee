/* Weakly compressible SPH (Monaghan 1994; Macêdo 4.2): the pressure follows from the density by an equation of state so
   stiff that the density changes by about 1 %. No system is solved, but sound sets the step. Symplectic Euler:
   velocities first, then places, and a density that is followed in time, with the new velocities. */

#include "base/clock.h"
#include "base/threads.h"
#include "sph/parts.h"
#include "sph/pressure/accelerate.h"
#include "sph/stage/loads.h"
#include "sph/pressure/solve.h"
#include "sph/stage/viscosity.h"

/* Symplectic steps keep the energy of sound: what an impact sends through the liquid would ring in it for ever. So
   where the scene has no friction of its own there is this little of the artificial viscosity, Monaghan's α. */
static const double LEAST_VISCOSITY = 0.02;

static double wcsph_viscosity(const fr_scene_def *def)
{
    bool damped = def->fluid.viscosity > 0 || def->sph.mu > 0 || def->sph.lambda > 0 || def->sph.xsph > 0;
    return damped ? 0 : LEAST_VISCOSITY;
}

/* dρ/dt = Σ m (u_i − u_j)·∇W: the partner of the pressure force, with which the work of the one is the energy of the
   other (Bonet & Lok 1999). */
static void wcsph_follow_density(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        s->next.density[n] = s->density[n] + s->source[n];
}

fr_result sph_step_wcsph(const sph_model *m, sph_state *s, double dt, timing *t)
{
    stage_sph_loads_clear(m, s);
    sph_keep_velocity(s);
    bool slight = stage_sph_viscosity_slight(m, s, dt);
    FR_TRY((slight ? sph_step_smooth_forces : sph_step_forces)(m, s, dt, t));
    double start = clock_now();
    stage_sph_state_equation(m, s, dt);
    sph_pressure_keep_walls(m, s, dt);
    if (slight)
        stage_sph_viscosity_press(m, s, dt);
    else
        stage_sph_accelerate(m, s, dt, wcsph_viscosity(m->def));
    stage_sph_loads_add(m, s, dt);
    start = timing_add(t, "pressure", start);
    if (m->def->sph.density == FR_SPH_CONTINUITY) {
        stage_sph_predict(m, s, s->next.velocity, dt, NULL);
        threads_for(sph_blocks(s->fluid.count), wcsph_follow_density, s);
        timing_add(t, "density", start);
    }
    return FR_OK;
}
