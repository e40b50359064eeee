/* Warnings about shapes that overlap or are too thin for the resolution. A shape that cannot be sampled gets none: the
   checks have already accepted it. */
#include <math.h>

#include "method/preview/preview.h"
#include "method/preview/sample.h"
#include "method/sizes.h"

static void shapes_thin(const remarks *to, const preview_walls *walls)
{
    const fr_scene_def *def = to->about->def;
    for (int i = 0; i < def->obstacle_count && walls->least > 0; i++) {
        double thickness;
        if (sample_thickness(&def->domain, &def->obstacles[i], &thickness) == FR_OK &&
            thickness < SAMPLE_CERTAIN * walls->least * walls->unit)
            remark_warn(to, "obstacles[%d] is thinner than %s (about %.3g m; %s is %.3g m): %s", i + 1,
                        walls->least_name, thickness, walls->unit_name, walls->unit, walls->consequence);
    }
}

/* Warns if much of a shape lies in obstacles. Messages call it key[number]. */
static void shapes_overlap(const remarks *to, const fr_placed_shape *shape, const sample *solid, double most,
                           const char *key, int number)
{
    sample s;
    int64_t inside = 0, covered = 0;
    if (sample_create(&to->about->def->domain, &s) != FR_OK)
        return;
    fr_result result = sample_add(&s, shape);
    for (int64_t n = 0; n < domain_cells(&s.grid) && result == FR_OK; n++) {
        bool in = s.distance[n] < 0;
        inside += in;
        covered += in && solid->distance[n] < 0;
    }
    sample_destroy(&s);
    if (inside && covered == inside)
        remark_warn(to, "%s[%d] lies wholly inside an obstacle: nothing comes out of it", key, number);
    else if ((double)covered > most * (double)inside)
        remark_warn(to, "%s[%d] overlaps an obstacle: %.0f %% of it is inside the solid", key, number,
                    100.0 * (double)covered / (double)inside);
}

static void shapes_no_fluid(const remarks *to, const sample *solid)
{
    for (int64_t n = 0; n < domain_cells(&solid->grid); n++)
        if (solid->distance[n] >= 0)
            return;
    remark_warn(to, "the obstacles fill the whole domain: no fluid is left to flow");
}

static fr_result shapes_solid(const fr_scene_def *def, sample *solid)
{
    FR_TRY(sample_create(&def->domain, solid));
    for (int i = 0; i < def->obstacle_count; i++)
        FR_TRY(sample_add_obstacle(solid, &def->obstacles[i]));
    return FR_OK;
}

void remark_shapes(const remarks *to, const preview_walls *walls)
{
    const fr_scene_def *def = to->about->def;
    sample solid = {0};
    if (def->obstacle_count == 0)
        return;
    shapes_thin(to, walls);
    if (shapes_solid(def, &solid) == FR_OK) {
        shapes_no_fluid(to, &solid);
        for (int i = 0; i < def->source_count; i++)
            shapes_overlap(to, &def->sources[i].shape, &solid, walls->overlap, "sources", i + 1);
        for (int i = 0; i < def->fill_count; i++)
            shapes_overlap(to, &def->fill[i].shape, &solid, walls->overlap, "fill", i + 1);
    }
    sample_destroy(&solid);
}
