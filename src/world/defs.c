/* The defaults of a scene: the common ones, then those of the method. */
#include <freshet/defs.h>

#include <math.h>
#include <string.h>

#include "method/limits.h"
#include "world/methods.h"

fr_scene_def fr_default_scene(fr_method method)
{
    fr_scene_def def;
    memset(&def, 0, sizeof def);
    def.name = "scene";
    def.method = method;
    def.domain = (fr_domain_def){.dims = 3, .size = {1, 1, 1}};
    def.gravity[1] = -9.81;
    def.time = (fr_time_def){.duration = 4, .fps = 24};
    def.fluid = (fr_fluid_def){.density = 1000, .power = 1};
    def.solver = (fr_solver_def){.pressure_tolerance = 1e-5, .max_iterations = 500};
    def.output = (fr_output_def){.cache = true, .every = 1};
    def.camera.fov = 35;
    def.look = (fr_look_def){
        .smoke_colour = {0.92, 0.93, 0.95}, .obstacle_colour = {0.55, 0.56, 0.6}, .light = {-0.62, 0.70, 0.22}};
    if (fr_method_describe(method))
        method_of(&def)->set_defaults(&def);
    def.cookie = MODEL_COOKIE;
    return def;
}

fr_body_def fr_default_body(void)
{
    return (fr_body_def){.density = {.value = 1000}, .bounce = 0.3, .friction = 0.4};
}

fr_joint_def fr_default_joint(fr_joint_kind kind)
{
    return (fr_joint_def){.kind = kind, .bodies = {0, -1}, .axis = {0, 0, 1}};
}
