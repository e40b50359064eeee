/* The level set of the liquid, whatever the tracker: carried by the flow, and kept a distance. */
#include "liquid/liquid.h"

static levelset_motion surface_motion(const fr_liquid_def *def)
{
    static const levelset_scheme schemes[] = {[FR_LIQUID_SEMI_LAGRANGIAN] = LEVELSET_SEMI_LAGRANGIAN,
                                              [FR_LIQUID_UPWIND] = LEVELSET_UPWIND,
                                              [FR_LIQUID_ENO2] = LEVELSET_ENO2,
                                              [FR_LIQUID_ENO3] = LEVELSET_ENO3,
                                              [FR_LIQUID_WENO5] = LEVELSET_WENO5};
    return (levelset_motion){.scheme = schemes[def->transport], .order = def->order};
}

fr_result liquid_carry_surface(const liquid_step *step, const field velocity[3], field *phi)
{
    levelset *ls = step->run->liquid.levelset;
    levelset_flow flow = {.velocity = velocity, .refine = 1};
    levelset_motion motion = surface_motion(&step->flow.def->liquid);
    FR_TRY(levelset_carry(ls, &flow, step->flow.dt / 2, &motion, phi));
    return levelset_redistance(ls, phi);
}
