/* Whether a definition is legal. Each failure names its key, so that a scene file can name the line. */
#include "method/check.h"

#include <stdio.h>
#include <string.h>

#include "method/limits.h"
#include "world/methods.h"

static bool check_knows_field(const method *method, const fr_scene_def *def, const char *name)
{
    return (method->dims(def) == 3 || strcmp(name, "w") != 0) && method->has_field(def, name);
}

static fr_result check_probe_place(const method *method, const fr_scene_def *def, const fr_probe_def *probe, const char *key)
{
    double low[3], high[3];
    method->bounds(def, low, high);
    for (int end = 0; end < 2; end++)
        for (int a = 0; a < method->dims(def); a++) {
            double x = (end ? probe->to : probe->from)[a], slack = 1e-9 * (high[a] - low[a]);
            if (!(x >= low[a] - slack && x <= high[a] + slack))
                return fr_fail_key(key, "%s lies outside the domain (%c from %g to %g m)", key, "xyz"[a], low[a], high[a]);
        }
    return FR_OK;
}

static fr_result check_probes(const method *method, const fr_scene_def *def)
{
    for (int i = 0; i < def->probe_count; i++) {
        const fr_probe_def *probe = &def->probes[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "probes[%d]", i + 1);
        FR_TRY(check_not_negative(key, probe->every));
        if (probe->n < 1 || probe->n > 100000)
            return fr_fail_key(key, "%s: n must be between 1 and 100000, not %d", key, probe->n);
        for (int f = 0; f < probe->field_count; f++)
            if (!check_knows_field(method, def, probe->fields[f]))
                return fr_fail_key(key, "%s: there is no field '%s'", key, probe->fields[f]);
        if (method->bounds)
            FR_TRY(check_probe_place(method, def, probe, key));
    }
    return FR_OK;
}

static fr_result check_fluid(const fr_fluid_def *fluid)
{
    FR_TRY(check_positive("fluid.density", fluid->density, "kg/m³"));
    FR_TRY(check_not_negative("fluid.viscosity", fluid->viscosity));
    return check_not_negative("fluid.surface_tension", fluid->surface_tension);
}

static fr_result check_output(const method *method, const fr_scene_def *def)
{
    const fr_output_def *output = &def->output;
    if (output->mesh && !(method->info.of_particles && method->dims(def) == 3))
        return fr_fail_key("output.mesh", "output.mesh: only a liquid in 3D has a surface to write; leave it out");
    if (output->mesh && strcmp(output->mesh, "ply") && strcmp(output->mesh, "obj"))
        return fr_fail_key("output.mesh", "output.mesh is \"ply\" or \"obj\", not \"%.40s\"", output->mesh);
    if (output->every < 1)
        return fr_fail_key("output.every", "output.every must be at least 1, not %d", output->every);
    return FR_OK;
}

fr_result fr_scene_check(const fr_scene_def *def)
{
    if (def->cookie != MODEL_COOKIE)
        return fr_fail(FR_ERROR_INPUT, "a scene definition must start as fr_default_scene()");
    const method *method = method_of(def);
    if (!method)
        return fr_fail_key("method", "this build has no method of the number %d", (int)def->method);
    FR_TRY(method->check_resolution(def));
    FR_TRY(check_finite("gravity", def->gravity, 3));
    FR_TRY(check_time(&def->time));
    FR_TRY(check_fluid(&def->fluid));
    FR_TRY(check_walls(def));
    FR_TRY(method->check_parts(def));
    FR_TRY(check_sources(def, method->sources_in_cells));
    FR_TRY(check_forces(def));
    FR_TRY(check_obstacles(def));
    FR_TRY(check_turbulence("initial.turbulence", &def->initial_turbulence));
    FR_TRY(check_probes(method, def));
    FR_TRY(check_finite("initial.velocity", def->initial_velocity.value, 3));
    return check_output(method, def);
}
