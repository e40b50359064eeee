/* What can be said of a liquid on the grid before it runs. */
#include <math.h>

#include "base/vec.h"
#include "liquid/liquid.h"
#include "method/preview/preview.h"

/* What tracks the surface, and how many particles that takes. */
static void describe_tracker(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    const fr_liquid_surface by = liquid_surface_of(def);
    const char *name = remark_choice(method_liquid.info.keys, "surface", (int)by);
    const bool band = def->liquid.narrow_band > 0 || by == FR_LIQUID_PARTICLE_LEVEL_SET;
    if (by == FR_LIQUID_LEVEL_SET)
        remark(to, FR_REMARK_SIZE, "surface", "%s", name);
    else
        remark(to, FR_REMARK_SIZE, "surface", "%s, about %.3g particles %s", name, to->about->estimate->parcels,
               band ? "near the surface" : "in the liquid");
}

/* What the viscosity hangs on, besides heat.melt. */
static void describe_viscosity(const remarks *to, double first)
{
    const fr_scene_def *def = to->about->def;
    const fr_fluid_def *fluid = &def->fluid;
    if (fluid->viscosity_law)
        remark(to, FR_REMARK_SIZE, "viscosity", "by a function, %g m²/s at first", first);
    if (liquid_viscosity_is_carried(def))
        remark(to, FR_REMARK_SIZE, "viscosity", "%g m²/s where no other is given", first);
    if (def->solver.viscosity == FR_VISCOSITY_EXPLICIT)
        remark(to, FR_REMARK_SIZE, "explicit", "about %.3g steps a second for %g m²/s; any number is stable implicitly",
               (def->solver.stress == FR_STRESS_FULL ? 4 : 2) * def->domain.dims * first /
                   pow(preview_least_spacing(to->about->estimate), 2),
               first);
    if (fluid->yield > 0 || fluid->power != 1)
        remark(to, FR_REMARK_SIZE, "flows", "where the stress is above %g m²/s², and that grows as shear^%g",
               fluid->yield, fluid->power);
}

void liquid_describe(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    double viscosity = 0;
    preview_speed speed = {0, ""};
    const preview_walls walls = {
        .unit = preview_least_spacing(to->about->estimate),
        .least = 1,
        .least_name = "a cell",
        .unit_name = "a cell",
        .consequence = "nothing passes it, but it stands on the faces of cells that it crosses, up to a cell beside "
                       "its place, and takes no room; use more cells to resolve it",
        .overlap = 1, /* a pool is filled through what stands in it */
    };
    preview_speed_of_scene(def, &speed);
    preview_speed_take(&speed, sqrt(2 * vec3_length(vec3_of(def->gravity)) * def->domain.size[1]),
                       "free fall over the domain's height");
    remark_cells(to);
    describe_tracker(to);
    mac_describe_melt(to);
    if (liquid_viscosity_try(def, &viscosity) == FR_OK)
        describe_viscosity(to, viscosity);
    remark_reynolds(to, speed, preview_longest_side(&def->domain), viscosity);
    mac_describe_pressure(to);
    remark_shapes(to, &walls);
    remark_bodies(to);
    remark_overlaps(to);
    mac_describe_cells(to);
    if (def->fill_count == 0 && def->source_count == 0)
        remark_warn(to, "there is no liquid: fill = { … } says where it is at the start, sources pour it in");
}
