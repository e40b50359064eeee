/* What a flow on the staggered grid will need, without making it. */
#include <math.h>

#include "mac/run.h"
#include "mac/solids/cover.h"
#include "method/sizes.h"
#include "mac/tracers.h"

/* Lists of the samples that shapes cover, from the shapes' bounding boxes. */
static fr_result estimate_lists(const fr_placed_shape *placed, const domain *d, double bytes_per_cell, double *bytes)
{
    shape *s;
    FR_TRY(shape_create(placed, d->dims, "", &s));
    *bytes += bytes_per_cell * cover_share_of_domain(s, d) * (double)domain_cells(d);
    shape_destroy(s);
    return FR_OK;
}

static fr_result estimate_grid_lists(const fr_scene_def *def, const model_grid *grid, double *bytes)
{
    const domain *d = &grid->domain;
    bool flow = grid->refine == 1;
    for (int i = 0; i < def->source_count; i++)
        FR_TRY(estimate_lists(&def->sources[i].shape, d,
                              8.0 * (flow && def->sources[i].sets_velocity ? 1 + d->dims : 1), bytes));
    for (int i = 0; i < def->force_count && flow; i++)
        if (def->forces[i].shape.shape)
            FR_TRY(estimate_lists(&def->forces[i].shape, d, 8.0 * d->dims, bytes));
    return FR_OK;
}

/* Memory that is taken for a while only: one packed field on its way to a file. The distances at corners that obstacles
   at rest are made from take as much, and are freed before. */
static double estimate_temporary(const model_grid *grid)
{
    return 4.0 * (double)domain_cells(&grid->domain);
}

static fr_result estimate_memory(const fr_scene_def *def, const model *outline, double *bytes)
{
    double temporary = 0;
    *bytes += state_bytes(outline);
    for (int g = 0; g < outline->grid_count; g++) {
        const model_grid *grid = &outline->grids[g];
        FR_TRY(estimate_grid_lists(def, grid, bytes));
        double solid;
        FR_TRY(solids_bytes(outline->obstacles, outline->solid_count, &grid->domain,
                            (solids_kind){.refine = grid->refine,
                                          .watertight = outline->choice.watertight,
                                          .rigid = outline->bodies.coupling == FR_COUPLING_MONOLITHIC
                                                       ? outline->solid_count - outline->obstacle_count
                                                       : 0},
                            &solid));
        *bytes += solid;
        temporary = fmax(temporary, estimate_temporary(grid));
    }
    *bytes += temporary;
    return FR_OK;
}

static void estimate_files(const model *outline, fr_estimate *estimate)
{
    const domain *d = &outline->domain;
    int fields = d->dims + 1 + 2 + (outline->obstacle_count > 0);
    estimate->cache_frame_bytes = 4.0 * (double)domain_cells(d) * (fields + 3);
    estimate->checkpoint_bytes =
        (d->dims * (state_remembers(outline) ? 2 : 1) + 1) * (double)field_bytes(d, FR_AT_CELL);
    for (int i = 0; i < outline->scalar_count; i++) {
        const domain *own = model_scalar_domain(outline, i);
        estimate->cache_frame_bytes += 4.0 * (double)domain_cells(own);
        estimate->checkpoint_bytes += outline->scalars[i].varies ? (double)field_bytes(own, FR_AT_CELL) : 0;
    }
}

static void estimate_particles(fr_estimate *estimate)
{
    estimate->memory_bytes += estimate->particles * PARTICLES_BYTES;
    estimate->cache_frame_bytes += estimate->particles * (7 * sizeof(float) + sizeof(int64_t));
    estimate->checkpoint_bytes += estimate->particles * PARTICLES_SAVED_BYTES;
}

fr_result mac_estimate(const fr_scene_def *def, model_choice choice, fr_estimate *estimate)
{
    model outline = {0};
    domain block = sizes_domain(def);
    double particles;
    FR_TRY(model_check_bodies(def, &block));
    FR_TRY(tracers_most(def, &block, &particles));
    FR_TRY(model_outline(def, choice, &outline));
    sizes_estimate(def, estimate);
    estimate->particles = particles;
    estimate_files(&outline, estimate);
    fr_result result = estimate_memory(def, &outline, &estimate->memory_bytes);
    estimate_particles(estimate);
    estimate->cache_frame_bytes += sizes_bodies(def->body_count);
    model_outline_free(&outline);
    return result;
}
