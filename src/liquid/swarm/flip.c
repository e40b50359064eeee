/* Parcels carry the liquid and its momentum; the grid makes the flow free of divergence (FLIP: Brackbill & Ruppel 1986,
   Zhu & Bridson 2005; APIC: Jiang et al. 2015).

     x½   = x + ½Δt uⁿ                       straight on
     u*   = from the parcels at x½           φ½ from them as well
     uⁿ⁺¹ = u* + Δt (g − ∇p/ρ)
     v    = α (v + uⁿ⁺¹ − u*) + (1 − α) uⁿ⁺¹
     xⁿ⁺¹ = x½ + ½Δt uⁿ⁺¹ + δ                δ spreads them evenly

   APIC takes v = uⁿ⁺¹ and its gradient. Between two pressures all fly straight, with −∇ψ beside uⁿ⁺¹ in v and in their
   way (straight.h). In a narrow band they follow the flow, near the surface alone (swarm/band.c). */
#include <string.h>

#include "liquid/swarm/swarm.h"
#include "mac/stage/emit.h"
#include "mac/stage/extend.h"
#include "mac/stage/walls.h"

static fr_result flip_create(liquid_run *run)
{
    bool affine = run->model.settings.surface == FR_LIQUID_APIC;
    run->flow.state->wet_linear = affine;
    run->liquid.leaps = swarm_leaps(run->flow.base.def, run->flow.model);
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

typedef struct flip_kept {
    const transfer *t;
    const field *from;
    field *to;
} flip_kept;

static void flip_keep_rows(void *context, int begin, int end)
{
    const flip_kept *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->from->size[1], k = r / job->from->size[1];
        const extend_span span = transfer_reach(job->t, field_axis(job->from), j, k);
        memcpy(field_row(job->to, j, k) + span.begin, field_row(job->from, j, k) + span.begin,
               (size_t)(span.end - span.begin) * sizeof(float));
    }
}

/* Parcels that fly leave the middle of the step where they came to it: they then read where they have just added to,
   and in the layers around that. Beyond a periodic end they read as well, and obstacles move them in between. */
static void flip_keep(const liquid_step *step)
{
    const domain *d = &step->flow.m->domain;
    const state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    const bool far = d->periodic[0] || d->periodic[1] || d->periodic[2];
    for (int a = 0; a < d->dims && l->leaps && !far; a++)
        transfer_restrict(&l->transfer, a, s->wet_spans[a]);
    for (int a = 0; a < d->dims && l->parcels.kind == PARCELS_FLIP; a++) {
        flip_kept job = {&l->transfer, &s->next_velocity[a], &l->transfer.before[a]};
        if (swarm_flies(step->run)) /* ghosts are made anew */
            field_for_rows(job.from, flip_keep_rows, &job);
        else
            field_copy(job.to, job.from);
    }
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
                         .stopped = l->leaps,
                         .density = l->next.block, /* free until the surface is carried to the end */
                         .map = {s->wet[0], s->wet[1], s->wet[2]}};
    transfer_to_grid(&l->transfer, &l->parcels, &to);
    if (band)
        swarm_merge_band(step);
    for (int a = 0; a < m->domain.dims; a++)
        extend_number(&s->next_velocity[a], s->wet[a], s->wet_depth, s->wet_spans[a]);
    stage_extend_known(m, s, s->next_velocity);
    stage_walls_velocity(m, s, s->next_velocity);
    flip_keep(step);
    return FR_OK;
}

/* What parcels will take: the flow itself, or what is to be added to α v. Where they fly straight ψ finds it. */
static fr_result flip_find_change(void *self)
{
    const liquid_step *step = self;
    const field *flow = step->flow.s->next_velocity;
    field *taken = step->run->liquid.transfer.before;
    for (int a = 0; a < step->flow.m->domain.dims && !swarm_flies(step->run); a++)
        if (step->run->liquid.parcels.kind == PARCELS_FLIP)
            field_blend(&taken[a], 1, &flow[a], -(float)step->run->model.settings.flip, &taken[a]);
        else
            field_copy(&taken[a], &flow[a]);
    return FR_OK;
}

static fr_result flip_from_grid(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    transfer_flow flow = swarm_flow(step, l->transfer.before);
    flow.drift = l->transfer.faces;
    flow.change = l->transfer.before;
    flow.flip = (float)step->run->model.settings.flip;
    field pairs[3];
    if (swarm_flies(step->run))
        flow.order = 1;
    flow.stopped = l->leaps;
    if (l->leaps)
        flow.dt = 1; /* what spreads them is a displacement */
    if (swarm_pairs(step)) {
        transfer_pair(&l->transfer, l->leaps ? NULL : step->flow.s->next_velocity, swarm_shift_scale(step), pairs);
        flow.pairs = pairs;
    }
    l->next_left += transfer_from_grid(&flow, &l->parcels);
    swarm_stay(step, flow.pairs ? pairs : flow.drift);
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
                                    {.name = "spread", .run = flip_find_change},
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
                              .show = swarm_show,
                              .sweep = swarm_sweep,
                              .pour = swarm_pour,
                              .drain = swarm_drain,
                              .restore = swarm_restore,
                              .list_blocks = swarm_list_blocks,
                              .restored = swarm_restored};
