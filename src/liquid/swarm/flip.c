/* Parcels carry the liquid and its momentum; the grid makes the flow free of divergence (FLIP: Brackbill & Ruppel 1986,
   Zhu & Bridson 2005; APIC: Jiang et al. 2015).

     x½   = x + ½Δt uⁿ                       along the flow
     u*   = from the parcels at x½           φ½ from them as well
     uⁿ⁺¹ = u* + Δt (g − ∇p/ρ)
     v    = α (v + uⁿ⁺¹ − u*) + (1 − α) uⁿ⁺¹
     xⁿ⁺¹ = x½ + ½Δt uⁿ⁺¹ + δ                along the flow; δ spreads them evenly

   APIC takes v = uⁿ⁺¹ − ∇ψ and its gradient, and flies straight by it until the next pressure (straight.h):

     xⁿ⁺¹ = x½ + ½Δt v + δ,    x½ = x + ½Δt v

   In a narrow band they do so near the surface alone (swarm/band.c). */
#include "liquid/swarm/swarm.h"
#include "mac/stage/emit.h"
#include "mac/stage/walls.h"

static fr_result flip_create(liquid_run *run)
{
    bool affine = run->model.settings.surface == FR_LIQUID_APIC;
    run->flow.state->wet_linear = affine;
    return swarm_create(run, affine ? PARCELS_APIC : PARCELS_FLIP);
}

/* The flow, with that of sources, for parcels that come in; their own then goes to the grid. */
static fr_result flip_show_velocity(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    if (!liquid_pours(step))
        return FR_OK;
    for (int a = 0; a < m->domain.dims && !swarm_has_band(step->run); a++)
        field_copy(&s->next_velocity[a], &s->velocity[a]);
    FR_TRY(stage_emit_velocity(m, s));
    stage_walls_velocity(m, s, s->next_velocity);
    return FR_OK;
}

/* u* on the faces that parcels reach, extended beyond; a copy is kept where the change of velocity is wanted. */
static fr_result flip_to_grid(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    const bool band = swarm_has_band(step->run);
    transfer_faces to = {.velocity = band ? s->scratch_velocity : s->next_velocity,
                         .density = l->next.block, /* free until the surface is carried to the end */
                         .map = {s->wet[0], s->wet[1], s->wet[2]}};
    transfer_to_grid(&l->transfer, &l->parcels, &to);
    if (band)
        swarm_merge_band(step);
    for (int a = 0; a < m->domain.dims; a++)
        extend_number(&s->next_velocity[a], s->wet[a], s->wet_depth);
    mac_finish_velocity(m, s, s->next_velocity);
    for (int a = 0; a < m->domain.dims && !swarm_flies(step->run); a++)
        field_copy(&l->transfer.before[a], &s->next_velocity[a]);
    return FR_OK;
}

/* The flow itself, and straight on; or its change, into `before`. */
static transfer_flow flip_flow(const liquid_step *step)
{
    const state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    transfer_flow flow = swarm_flow(step, swarm_flies(step->run) ? l->transfer.before : s->next_velocity);
    flow.drift = l->transfer.faces;
    if (swarm_flies(step->run)) {
        flow.order = 1;
        return flow;
    }
    flow.flip = (float)step->run->model.settings.flip;
    flow.change = l->transfer.before;
    for (int a = 0; a < step->flow.m->domain.dims; a++)
        field_blend(&l->transfer.before[a], 1, &s->next_velocity[a], -flow.flip, &l->transfer.before[a]);
    return flow;
}

static fr_result flip_from_grid(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    const transfer_flow flow = flip_flow(step);
    l->next_left += transfer_from_grid(&flow, &l->parcels);
    swarm_stay(step);
    swarm_age(step);
    return FR_OK;
}

static const stage flip_scheme[] = {{.name = "reseed", .run = swarm_keep},
                                    {.name = "reseed", .run = swarm_mend},
                                    {.name = "move particles", .run = swarm_to_middle},
                                    {.name = "surface", .run = swarm_middle_surface},
                                    {.name = "advect velocity", .run = swarm_band_advect},
                                    {.name = "pour", .run = flip_show_velocity},
                                    {.name = "pour", .run = liquid_pour},
                                    {.name = "pour", .run = liquid_drain},
                                    {.name = "to grid", .run = flip_to_grid},
                                    {.parts = liquid_kick},
                                    {.name = "spread", .run = swarm_spread},
                                    {.name = "surface", .run = swarm_end_surface},
                                    {.name = "volume", .run = liquid_keep_volume},
                                    {.name = "from grid", .run = flip_from_grid},
                                    {.parts = liquid_scalars},
                                    {0}};

const tracker tracker_flip = {.scheme = flip_scheme,
                              .create = flip_create,
                              .start = swarm_start,
                              .reserve = swarm_reserve,
                              .undo = swarm_undo,
                              .sweep = swarm_sweep,
                              .pour = swarm_pour,
                              .drain = swarm_drain,
                              .restore = swarm_restore,
                              .list_blocks = swarm_list_blocks,
                              .restored = swarm_restored};
