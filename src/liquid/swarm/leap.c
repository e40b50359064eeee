/* Parcels and φ from middle to middle.

   A step drifts, is kicked, and drifts on; both drifts around a step's end go by the same flow, so that

     drift(½Δt, uⁿ) – kick – drift(½Δt, uⁿ⁺¹) – drift(½Δt', uⁿ⁺¹) – kick' – …

   is the same as one drift by ½(Δt + Δt') between two kicks: φ is carried and made a distance once, and parcels are
   moved once. What there is at a step's end is then made only when somebody asks for a frame, the ledger or a probe,
   from a copy.
   Where something happens at the step's end, obstacles push, scalars are carried, liquid is poured or drained, or sides
   let boundary layers grow, the drift is made in its two halves; and always with the affine velocities of "apic", whose
   thin sheets then spread too far. */
#include "liquid/swarm/swarm.h"

bool swarm_leaps(const fr_scene_def *def, const model *m)
{
    bool plain = liquid_surface_of(def) == FR_LIQUID_FLIP && def->liquid.narrow_band <= 0 &&
                 m->obstacle_count == 0 && m->bodies.count == 0 && m->scalar_count == 0 &&
                 def->source_count == 0 && def->sink_count == 0;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        plain = plain && m->walls[side].kind != FR_WALL_INFLOW && !liquid_layer_grows(m, side);
    return plain;
}

float *const *swarm_shown(const liquid_run *run)
{
    const parcels *p = &run->liquid.parcels;
    return liquid_behind(run) > 0 ? p->spare : p->x;
}

/* Between steps the spare places are free. */
fr_result swarm_show(liquid_run *run)
{
    const field *velocity = run->flow.state->velocity;
    const double behind = liquid_behind(run);
    liquid_state *l = &run->liquid;
    field_copy(&l->surface, &l->middle);
    if (behind == 0)
        return FR_OK;
    FR_TRY(liquid_carry_surface(run, velocity, behind, &l->surface));
    if (run->model.settings.volume == FR_LIQUID_VOLUME_KEPT)
        levelset_shift(l->levelset, l->volume, NULL, &l->surface);
    transfer_flow flow = {.velocity = velocity, .dt = behind, .order = 1};
    for (int side = 0; side < 2 * run->flow.model->domain.dims; side++)
        flow.open_side[side] = run->flow.model->walls[side].kind == FR_WALL_OPEN;
    transfer_look_ahead(&flow, &l->parcels);
    return levelset_find(l->levelset, &l->middle);
}
