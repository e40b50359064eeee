/* Checks of a definition. Each failure names its key, so that the scene can add file and line. */
#include "method/check.h"

#include <stdio.h>
#include <string.h>

#include <freshet/fields.h>

#include "base/words.h"
#include "method/limits.h"
#include "world/world.h"

static bool check_has_axis(const fr_scene_def *def, const char *field)
{
    return method_dims(def) == 3 || !fr_field_describe(field)->only_3d;
}

fr_result world_check_field(const fr_scene_def *def, const char *key, const char *name)
{
    const method *method = method_of(def);
    const char *const *fields = method->info.probes;
    char known[300] = "";
    if ((check_is_listed(fields, name) && check_has_axis(def, name)) ||
        check_knows_scalar(def, method->info.scalars, name))
        return FR_OK;
    for (int i = 0; fields && fields[i]; i++)
        if (check_has_axis(def, fields[i]))
            words_add(known, sizeof known, fields[i]);
    for (int i = 0; method->info.scalars[i]; i++)
        words_add(known, sizeof known, method->info.scalars[i]);
    for (int i = 0; i < def->scalar_count; i++)
        if (!check_is_listed(method->info.scalars, def->scalars[i].name))
            words_add(known, sizeof known, def->scalars[i].name);
    return fr_fail_key(key, "%s%sthere is no field '%.60s' to probe; there are %s", key, *key ? ": " : "", name, known);
}

fr_result world_check_place(const fr_scene_def *def, const char *key, const char *what, const double at[3])
{
    const method *method = method_of(def);
    double low[3], high[3];
    if (!method->bounds)
        return FR_OK;
    method->bounds(def, low, high);
    for (int a = 0; a < method_dims(def); a++) {
        double slack = 1e-9 * (high[a] - low[a]);
        if (!(at[a] >= low[a] - slack && at[a] <= high[a] + slack))
            return fr_fail_key(key, "%s lies outside the domain (%c from %g to %g m)", what, "xyz"[a], low[a], high[a]);
    }
    return FR_OK;
}

static fr_result check_probes(const fr_scene_def *def)
{
    for (int i = 0; i < def->probe_count; i++) {
        const fr_probe_def *probe = &def->probes[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "probes[%d]", i + 1);
        FR_TRY(check_not_negative(key, probe->every));
        if (probe->n < 1 || probe->n > 100000)
            return fr_fail_key(key, "%s: n must be between 1 and 100000, not %d", key, probe->n);
        for (int f = 0; f < probe->field_count; f++)
            FR_TRY(world_check_field(def, key, probe->fields[f]));
        FR_TRY(world_check_place(def, key, key, probe->from));
        FR_TRY(world_check_place(def, key, key, probe->to));
    }
    return FR_OK;
}

static fr_result check_fluid(const fr_fluid_def *fluid)
{
    FR_TRY(check_positive("fluid.density", fluid->density, "kg/m³"));
    FR_TRY(check_not_negative("fluid.viscosity", fluid->viscosity));
    return check_not_negative("fluid.surface_tension", fluid->surface_tension);
}

/* Patterns are drawn in coordinates that a liquid carries; lava glows by its temperature. */
static fr_result check_look(const fr_scene_def *def)
{
    const fr_look_def *look = &def->look;
    if (look->liquid_pattern != FR_PATTERN_NONE && !def->liquid.texture)
        return fr_fail_key("look.liquid.pattern", "look.liquid.pattern is drawn in texture coordinates that stick to "
                                                  "the liquid; give liquid = { texture = true }");
    if (look->liquid_material == FR_MATERIAL_LAVA && !(def->method == FR_METHOD_LIQUID && def->heat.set))
        return fr_fail_key("look.liquid.material", "look.liquid.material = \"lava\" glows by its temperature; it needs "
                                                   "method = \"liquid\" with heat = { … }");
    return FR_OK;
}

static fr_result check_output(const method *method, const fr_scene_def *def)
{
    const fr_output_def *output = &def->output;
    if (output->mesh && !(method->info.has_surface && method_dims(def) == 3))
        return fr_fail_key("output.mesh", "output.mesh: only a liquid in 3D has a surface to write; leave it out");
    if (output->mesh && strcmp(output->mesh, "ply") && strcmp(output->mesh, "obj"))
        return fr_fail_key("output.mesh", "output.mesh is \"ply\" or \"obj\", not \"%.40s\"", output->mesh);
    const int cut = output->tetrahedra;
    if (cut != 0 && cut != 6 && cut != 24 && cut != 48 && cut != 192)
        return fr_fail_key("output.tetrahedra", "output.tetrahedra is 6, 24, 48 or 192, not %d", cut);
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
        return fr_fail_key("method", "method must be one that freshet/defs.h names, not the number %d",
                           (int)def->method);
    FR_TRY(check_lists(def));
    FR_TRY(method->check_resolution(def));
    FR_TRY(check_finite("gravity", def->gravity, 3));
    FR_TRY(check_time(&def->time));
    FR_TRY(check_fluid(&def->fluid));
    FR_TRY(check_walls(def));
    FR_TRY(method->check_parts(def));
    FR_TRY(check_sources(def, method->sources_in_cells));
    FR_TRY(check_forces(def));
    FR_TRY(check_obstacles(def));
    FR_TRY(check_bodies(def, &method->info));
    FR_TRY(check_turbulence("initial.turbulence", &def->initial_turbulence));
    FR_TRY(check_probes(def));
    FR_TRY(check_finite("initial.velocity", def->initial_velocity.value, 3));
    FR_TRY(check_look(def));
    return check_output(method, def);
}
