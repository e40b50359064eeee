/* Defaults of a scene, per method. */
#include <freshet/defs.h>

#include <math.h>
#include <string.h>

#include "method/limits.h"

fr_scene_def fr_default_scene(fr_method method)
{
    fr_scene_def def;
    memset(&def, 0, sizeof def);
    def.name = "scene";
    def.method = method;
    if (method != FR_METHOD_RIVER)
        def.domain = (fr_domain_def){.dims = 3, .size = {1, 1, 1}, .cells = {method == FR_METHOD_SMOKE ? 64 : 0, 0, 0}};
    def.gravity[1] = method == FR_METHOD_RIVER ? 0 : -9.81;
    def.time = (fr_time_def){.duration = 4, .fps = 24};
    def.fluid = (fr_fluid_def){.density = method == FR_METHOD_SMOKE ? 1.2 : 1000};
    def.solver = (fr_solver_def){.pressure_tolerance = 1e-5, .max_iterations = 500};
    def.sph = (fr_sph_def){.density_error = 1e-3, .max_iterations = 100, .exponent = 7, .damping = 0.02, .restitution = {0.5, 0.5, 0.5}, .gap = 0.5};
    def.river = (fr_river_def){.block_roughness = 1, .sweeps = 80, .viscous_sweeps = 20};
    for (int side = 0; side < FR_SIDES; side++)
        def.river.sides[side] = (fr_river_side){.kind = FR_RIVER_BANK, .roughness = 1};
    def.output = (fr_output_def){.cache = true, .every = 1};
    def.camera.fov = 35;
    def.look = (fr_look_def){.smoke_colour = {0.92, 0.93, 0.95}, .obstacle_colour = {0.55, 0.56, 0.6}, .light = {-0.62, 0.70, 0.22}};
    if (method == FR_METHOD_RIVER)
        memset(def.look.obstacle_colour, 0, sizeof def.look.obstacle_colour);
    def.cookie = MODEL_COOKIE;
    return def;
}
