/* What a liquid on the grid will need, without making it. */
#include <math.h>

#include "liquid/amount.h"
#include "liquid/liquid.h"
#include "liquid/swarm/swarm.h"

/* Fields of cells. */
static double estimate_fields(const fr_scene_def *def, const domain *d, const domain *fine)
{
    double cells = (double)field_bytes(d, FR_AT_CELL), surface = (double)field_bytes(fine, FR_AT_CELL);
    double bytes = 3 * surface + (d->dims + 1) * cells / sizeof(float);
    bytes += (double)sizeof(extend_span) * d->dims * (d->n[1] + 1) * (d->n[2] + 1);
    bytes += def->liquid.refine > 1 ? cells : 0;
    bytes += def->liquid.narrow_band > 0 ? cells : 0;
    bytes += liquid_advect_bytes(def, d);
    bytes += def->liquid.surface_cells != FR_LIQUID_GHOST_FLUID ? cells + cells / sizeof(float) : 0;
    bytes += def->heat.set ? cells * (3 + (def->heat.diffusivity_of ? d->dims : 0)) : 0;
    return bytes + liquid_viscosity_bytes(def, d);
}

/* A frame has one set of particles, places and velocities: tracers, where the scene asks for them. */
static double estimate_shown(const fr_scene_def *def)
{
    return def->tracer_count > 0 ? 0 : 6 * sizeof(float);
}

/* In all of the liquid, or in a band along its surface. */
static void estimate_parcels(const fr_scene_def *def, const domain *d, const liquid_amount *amount, fr_estimate *e)
{
    const fr_liquid_surface surface = def->has_prescribed ? FR_LIQUID_MARKERS : liquid_surface_of(def);
    const parcels_kind kind = surface == FR_LIQUID_APIC   ? PARCELS_APIC
                              : surface == FR_LIQUID_FLIP ? PARCELS_FLIP
                                                          : PARCELS_MARKERS;
    const double deep = def->liquid.narrow_band * domain_min_h(d), cells = domain_cell_volume(d);
    liquid_model m;
    swarm_settle(def, &m);
    e->parcels = m.per_cell * (deep > 0 ? fmin(amount->volume, amount->area * deep) : amount->volume) / cells;
    e->memory_bytes += (double)transfer_bytes(d) + sizeof(int32_t) * (double)domain_cells(d);
    e->memory_bytes += e->parcels * ((double)parcels_bytes(kind, d->dims) + estimate_shown(def));
    e->cache_frame_bytes += e->parcels * estimate_shown(def);
    e->checkpoint_bytes += e->parcels * (double)parcels_saved_bytes(kind, d->dims);
}

/* Within three cells of the surface, on both sides. What they were before a step is kept. */
static void estimate_level_particles(const fr_scene_def *def, const domain *d, const liquid_amount *amount,
                                     fr_estimate *e)
{
    const double cells = domain_cell_volume(d), box = cells * (double)domain_cells(d);
    const double band = amount->area * 1.5 * LEVELSET_BAND * domain_min_h(d);
    e->parcels = liquid_level_particles(def) * fmin(band, box) / cells;
    e->memory_bytes += e->parcels * (LEVELSET_PARTICLE_BYTES + LEVELSET_PARTICLE_SAVED_BYTES);
    e->checkpoint_bytes += e->parcels * LEVELSET_PARTICLE_SAVED_BYTES;
}

/* Two distances are saved, the surface's at the present time and in the middle of the step; one where all go from
   middle to middle. */
static fr_result estimate_surfaces(const fr_scene_def *def, const domain *fine, double *bytes)
{
    model outline = {0};
    FR_TRY(model_outline(def, liquid_choice(def), &outline));
    *bytes += (!def->has_prescribed && swarm_leaps(def, &outline) ? 1 : 2) * (double)field_bytes(fine, FR_AT_CELL);
    model_outline_free(&outline);
    return FR_OK;
}

fr_result liquid_estimate(void *self, fr_estimate *estimate)
{
    const liquid_run *run = self;
    const fr_scene_def *def = run->flow.base.def;
    domain d = sizes_domain(def), fine = sizes_refined(&d, def->liquid.refine);
    liquid_amount amount;
    FR_TRY(mac_estimate(def, liquid_choice(def), estimate));
    estimate->memory_bytes += estimate_fields(def, &d, &fine);
    estimate->cache_frame_bytes += (double)field_bytes(&fine, FR_AT_CELL);
    FR_TRY(estimate_surfaces(def, &fine, &estimate->checkpoint_bytes));
    estimate->checkpoint_bytes += liquid_viscosity_saved_bytes(def, &d);
    const fr_liquid_surface by = liquid_surface_of(def);
    if (by == FR_LIQUID_LEVEL_SET)
        return FR_OK;
    FR_TRY(liquid_amount_find(def, &d, &amount));
    if (by == FR_LIQUID_PARTICLE_LEVEL_SET)
        estimate_level_particles(def, &fine, &amount, estimate);
    else
        estimate_parcels(def, &d, &amount, estimate);
    return FR_OK;
}
