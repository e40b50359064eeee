/* Massless markers carry the surface, the grid carries the velocity (Harlow & Welch 1965; Carlson 3.2.3). Where markers
   are there is liquid: their level set corrects the one that the flow has carried, as that of parcels does. */
#include "liquid/swarm/swarm.h"

static fr_result markers_create(liquid_run *run)
{
    return swarm_create(run, PARCELS_MARKERS);
}

static fr_result markers_to_end(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    bool given = step->flow.m->prescribed;
    l->next_left += swarm_move(step, given ? step->flow.s->next_velocity : l->transfer.faces);
    if (!given)
        swarm_stay(step, step->run->liquid.transfer.faces);
    swarm_age(step);
    return FR_OK;
}

static const stage markers_scheme[] = {{.name = "move particles", .run = swarm_keep},
                                       {.name = "move particles", .run = swarm_to_middle},
                                       {.name = "surface", .run = swarm_middle_surface},
                                       {.name = "advect velocity", .run = liquid_advect},
                                       {.name = "pour", .run = liquid_pour},
                                       {.name = "pour", .run = liquid_drain},
                                       {.parts = liquid_kick},
                                       {.name = "spread", .run = swarm_spread},
                                       {.name = "surface", .run = swarm_end_surface},
                                       {.name = "volume", .run = liquid_keep_volume},
                                       {.name = "move particles", .run = markers_to_end},
                                       {.parts = liquid_scalars},
                                       {0}};

static const stage markers_given[] = {{.name = "move particles", .run = swarm_keep},
                                      {.name = "move particles", .run = swarm_to_middle},
                                      {.name = "surface", .run = swarm_middle_surface},
                                      {.parts = liquid_given},
                                      {.name = "surface", .run = swarm_end_surface},
                                      {.name = "volume", .run = liquid_keep_volume},
                                      {.name = "move particles", .run = markers_to_end},
                                      {.parts = liquid_scalars},
                                      {0}};

const tracker tracker_markers = {.scheme = markers_scheme,
                                 .given = markers_given,
                                 .create = markers_create,
                                 .start = swarm_start,
                                 .reserve = swarm_reserve,
                                 .undo = swarm_undo,
                                 .sweep = swarm_sweep,
                                 .pour = swarm_pour,
                                 .drain = swarm_drain,
                                 .restore = swarm_restore,
                                 .list_blocks = swarm_list_blocks,
                                 .restored = swarm_restored};
