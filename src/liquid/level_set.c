/* The surface as a level set, carried by the flow (Osher & Sethian 1988; Carlson 6.2). The velocity is carried on the
   grid, as that of smoke is. */
#include "liquid/liquid.h"

static fr_result level_set_to_middle(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    field_copy(&l->middle, &l->surface);
    FR_TRY(liquid_carry_surface(step->run, step->flow.s->velocity, step->to_middle, &l->middle));
    liquid_hold(step->run, &l->surface, false, &l->middle);
    return FR_OK;
}

static fr_result level_set_to_end(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    field_copy(&l->next, &l->middle);
    return liquid_carry_surface(step->run, step->flow.s->next_velocity, step->flow.dt / 2, &l->next);
}

static const stage level_set_scheme[] = {{.name = "carry surface", .run = level_set_to_middle},
                                         {.name = "advect velocity", .run = liquid_advect},
                                         {.name = "pour", .run = liquid_pour},
                                         {.name = "pour", .run = liquid_drain},
                                         {.parts = liquid_kick},
                                         {.name = "carry surface", .run = level_set_to_end},
                                         {.name = "volume", .run = liquid_keep_volume},
                                         {.parts = liquid_scalars},
                                         {0}};

static const stage level_set_given[] = {{.name = "carry surface", .run = level_set_to_middle},
                                        {.parts = liquid_given},
                                        {.name = "carry surface", .run = level_set_to_end},
                                        {.name = "volume", .run = liquid_keep_volume},
                                        {.parts = liquid_scalars},
                                        {0}};

const tracker tracker_level_set = {.scheme = level_set_scheme, .given = level_set_given};
