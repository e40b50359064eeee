/* Weakly compressible SPH (Monaghan 1994; Macêdo 4.2): the pressure follows from the density by an equation of state,

       p = c²ρ₀/γ ((ρ/ρ₀)^γ − 1)   (Tait)   or   p = c² (ρ − ρ₀),

   so stiff that the density changes by about 1 %. No system is solved, but sound limits the step. Symplectic Euler:
   velocities first, then positions with the new velocities, and so the density where it is integrated in time. */

#include "base/threads.h"
#include "sph/floating/floating.h"
#include "sph/parts.h"
#include "sph/pressure/accelerate.h"
#include "sph/stage/loads.h"
#include "sph/stage/viscosity.h"

/* Symplectic steps conserve the energy of sound: the waves of an impact would never decay. So a scene without friction
   of its own gets this little artificial viscosity, Monaghan's α. */
static const double LEAST_VISCOSITY = 0.02;

static double wcsph_viscosity(const sph_model *m)
{
    bool damped = m->viscous || m->sph.mu > 0 || m->sph.lambda > 0 || m->sph.xsph > 0;
    return damped ? 0 : LEAST_VISCOSITY;
}

static fr_result wcsph_state_equation(void *self)
{
    const sph_step *step = self;
    sph_state_equation(step->m, step->s, step->dt);
    sph_pressure_keep_walls(step->m, step->s, step->dt);
    return FR_OK;
}

static fr_result wcsph_load(const sph_step *step)
{
    stage_sph_loads_add(step->m, step->s, step->dt);
    if (step->s->floating)
        sph_floating_take(step->m, step->s, step->dt);
    return FR_OK;
}

static fr_result wcsph_push(void *self)
{
    const sph_step *step = self;
    sph_accelerate(step->m, step->s, step->dt, wcsph_viscosity(step->m));
    return wcsph_load(step);
}

static fr_result wcsph_push_with_friction(void *self)
{
    const sph_step *step = self;
    FR_TRY(stage_sph_viscosity_press(step->m, step->s, step->dt));
    return wcsph_load(step);
}

static void wcsph_add_rate(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        s->next.density[n] = s->density[n] + s->numbers[SPH_SOURCE][n];
}

/* dρ/dt = Σ m (u_i − u_j)·∇W: the rate that is consistent with the pressure force, so that its work is the change of
   inner energy (Bonet & Lok 1999). */
static fr_result wcsph_follow_density(void *self)
{
    const sph_step *step = self;
    sph_predict(step->m, step->s, step->s->next.velocity, step->dt, NULL);
    threads_for(sph_blocks(step->s->fluid.count), wcsph_add_rate, step->s);
    return FR_OK;
}

/* Strong friction is solved for; slight friction and pressure act in one pass over the pairs. */
static const stage strong[] = {
    {.parts = sph_begin},
    {.parts = sph_forces},
    {.name = "pressure", .run = wcsph_state_equation},
    {.name = "pressure", .run = wcsph_push},
    {0}};
static const stage slight[] = {
    {.parts = sph_begin},
    {.parts = sph_smooth_forces},
    {.name = "pressure", .run = wcsph_state_equation},
    {.name = "pressure", .run = wcsph_push_with_friction},
    {0}};

static const stage strong_summed[] = {{.parts = strong}, {.parts = sph_end}, {0}};
static const stage slight_summed[] = {{.parts = slight}, {.parts = sph_end}, {0}};

/* With a density that is integrated in time. */
static const stage follow[] = {{.name = "density", .run = wcsph_follow_density}, {0}};
static const stage strong_followed[] = {{.parts = strong}, {.parts = follow}, {.parts = sph_end}, {0}};
static const stage slight_followed[] = {{.parts = slight}, {.parts = follow}, {.parts = sph_end}, {0}};

const stage *sph_wcsph(const sph_step *step)
{
    bool followed = step->m->sph.density == FR_SPH_CONTINUITY;
    if (stage_sph_viscosity_slight(step->m, step->s, step->dt))
        return followed ? slight_followed : slight_summed;
    return followed ? strong_followed : strong_summed;
}
