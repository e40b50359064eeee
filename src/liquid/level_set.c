/* The surface as a level set, carried by the flow (Osher & Sethian 1988; Carlson 6.2). The velocity is carried on the
   grid, as that of smoke is. */
#include "liquid/liquid.h"
#include "mac/stage/advect.h"

static levelset_motion level_set_motion(const fr_liquid_def *def)
{
    static const levelset_scheme schemes[] = {[FR_LIQUID_SEMI_LAGRANGIAN] = LEVELSET_SEMI_LAGRANGIAN,
                                              [FR_LIQUID_UPWIND] = LEVELSET_UPWIND,
                                              [FR_LIQUID_ENO2] = LEVELSET_ENO2,
                                              [FR_LIQUID_ENO3] = LEVELSET_ENO3,
                                              [FR_LIQUID_WENO5] = LEVELSET_WENO5};
    return (levelset_motion){.scheme = schemes[def->transport], .order = def->order};
}

/* Carries φ by a flow over half the step. */
static fr_result level_set_half(const liquid_step *step, const field velocity[3], field *phi)
{
    levelset *ls = step->run->liquid.levelset;
    levelset_flow flow = {.velocity = velocity, .refine = 1};
    levelset_motion motion = level_set_motion(&step->flow.def->liquid);
    FR_TRY(levelset_carry(ls, &flow, step->flow.dt / 2, &motion, phi));
    return levelset_redistance(ls, phi);
}

static fr_result level_set_to_middle(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    field_copy(&l->middle, &l->surface);
    return level_set_half(step, step->flow.s->velocity, &l->middle);
}

static fr_result level_set_advect(void *self)
{
    const liquid_step *step = self;
    state *s = step->flow.s;
    stage_advect_velocity(step->flow.m, s, s->velocity, s->velocity, s->next_velocity, step->flow.dt);
    return FR_OK;
}

static fr_result level_set_to_end(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    field_copy(&l->next, &l->middle);
    return level_set_half(step, step->flow.s->next_velocity, &l->next);
}

static const stage level_set_scheme[] = {
    {.name = "carry surface", .run = level_set_to_middle},
    {.name = "advect velocity", .run = level_set_advect},
    {.parts = liquid_kick},
    {.name = "carry surface", .run = level_set_to_end},
    {.name = "volume", .run = liquid_keep_volume},
    {0}};

const tracker tracker_level_set = {.scheme = level_set_scheme};
