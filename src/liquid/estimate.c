/* What a liquid on the grid will need, without making it. */
#include "liquid/liquid.h"

fr_result liquid_estimate(void *self, fr_estimate *estimate)
{
    const liquid_run *run = self;
    const fr_scene_def *def = run->flow.base.def;
    domain d = sizes_domain(def);
    FR_TRY(mac_estimate(def, liquid_choice(def), estimate));
    domain fine = sizes_refined(&d, def->liquid.refine);
    double cells = (double)field_bytes(&d, FR_AT_CELL), surface = (double)field_bytes(&fine, FR_AT_CELL);
    estimate->memory_bytes += 3 * surface + (d.dims + 1) * cells / sizeof(float);
    estimate->memory_bytes += def->liquid.refine > 1 ? cells : 0;
    estimate->memory_bytes += def->liquid.narrow_band > 0 ? cells : 0;
    estimate->memory_bytes += liquid_advect_bytes(def, &d);
    if (def->liquid.surface_cells != FR_LIQUID_GHOST_FLUID)
        estimate->memory_bytes += cells + cells / sizeof(float);
    if (def->fluid.viscosity > 0)
        estimate->memory_bytes += (double)stress_bytes(&d);
    estimate->cache_frame_bytes += surface;
    estimate->checkpoint_bytes += 2 * surface;
    return FR_OK;
}
