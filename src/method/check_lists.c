/* Checks that lists and names are not NULL. A C program may forget them, and all later checks read them. */
#include "method/check.h"

#include <stdio.h>

fr_result check_list(const char *key, const void *items, int count)
{
    if (count < 0)
        return fr_fail_key(key, "%s: a list cannot have %d entries; set its count to 0 or more", key, count);
    if (count > 0 && !items)
        return fr_fail_key(key, "%s: its count says %d and its list is NULL; set both or neither", key, count);
    return FR_OK;
}

static fr_result check_name(const char *key, const char *name)
{
    return name ? FR_OK : fr_fail_key(key, "%s: a name is NULL; every scalar and every field needs one", key);
}

fr_result check_value_list(const char *key, const fr_scalar_value *values, int count)
{
    FR_TRY(check_list(key, values, count));
    for (int i = 0; i < count; i++)
        FR_TRY(check_name(key, values[i].name));
    return FR_OK;
}

static fr_result check_scalar_list(const fr_scene_def *def)
{
    FR_TRY(check_list("scalars", def->scalars, def->scalar_count));
    for (int i = 0; i < def->scalar_count; i++)
        FR_TRY(check_name("scalars", def->scalars[i].name));
    return FR_OK;
}

static fr_result check_wall_lists(const fr_scene_def *def)
{
    char key[CHECK_KEY];
    for (int side = 0; side < FR_SIDES; side++) {
        snprintf(key, sizeof key, "walls.%s", check_walls_sides[side]);
        FR_TRY(check_value_list(key, def->walls[side].scalars, def->walls[side].scalar_count));
    }
    return FR_OK;
}

static fr_result check_source_lists(const fr_scene_def *def)
{
    FR_TRY(check_list("sources", def->sources, def->source_count));
    for (int i = 0; i < def->source_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "sources[%d]", i + 1);
        FR_TRY(check_value_list(key, def->sources[i].scalars, def->sources[i].scalar_count));
    }
    return FR_OK;
}

static fr_result check_probe_lists(const fr_scene_def *def)
{
    FR_TRY(check_list("probes", def->probes, def->probe_count));
    for (int i = 0; i < def->probe_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "probes[%d]", i + 1);
        FR_TRY(check_list(key, def->probes[i].fields, def->probes[i].field_count));
        for (int f = 0; f < def->probes[i].field_count; f++)
            FR_TRY(check_name(key, def->probes[i].fields[f]));
    }
    return FR_OK;
}

static fr_result check_look_lists(const fr_scene_def *def)
{
    FR_TRY(check_list("look.inks", def->look.inks, def->look.ink_count));
    for (int i = 0; i < def->look.ink_count; i++)
        FR_TRY(check_name("look.inks", def->look.inks[i].scalar));
    return check_list("output.images", def->output.views, def->output.view_count);
}

fr_result check_lists(const fr_scene_def *def)
{
    FR_TRY(check_list("fill", def->fill, def->fill_count));
    FR_TRY(check_list("sinks", def->sinks, def->sink_count));
    FR_TRY(check_list("forces", def->forces, def->force_count));
    FR_TRY(check_list("obstacles", def->obstacles, def->obstacle_count));
    FR_TRY(check_list("bodies", def->bodies, def->body_count));
    FR_TRY(check_list("joints", def->joints, def->joint_count));
    FR_TRY(check_list("particles", def->tracers, def->tracer_count));
    FR_TRY(check_value_list("initial", def->initial, def->initial_count));
    FR_TRY(check_scalar_list(def));
    FR_TRY(check_wall_lists(def));
    FR_TRY(check_source_lists(def));
    FR_TRY(check_probe_lists(def));
    return check_look_lists(def);
}
