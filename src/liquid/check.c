/* Defaults of a liquid on the grid, and whether a scene of it is legal, beyond what every scene is held to. */
#include "method/check.h"

#include <stdio.h>
#include <string.h>

#include "liquid/liquid.h"
#include "mac/check_heat.h"

void liquid_set_defaults(fr_scene_def *def)
{
    def->domain.cells[0] = 64;
    def->fluid.density = 1000;
    def->liquid = (fr_liquid_def){.surface = FR_LIQUID_BY_SCENE, .order = 3, .flip = 0.97, .refine = 1};
}

/* The thesis' surface cells and its two projections are for flows that the grid carries. */
static bool liquid_wants_grid(const fr_liquid_def *liquid)
{
    return liquid->surface_cells != FR_LIQUID_GHOST_FLUID || liquid->loop != FR_LIQUID_ONCE;
}

fr_liquid_surface liquid_surface_of(const fr_scene_def *def)
{
    if (def->liquid.surface != FR_LIQUID_BY_SCENE)
        return def->liquid.surface;
    return def->has_prescribed || liquid_wants_grid(&def->liquid) ? FR_LIQUID_LEVEL_SET : FR_LIQUID_FLIP;
}

bool liquid_has_parcels(const fr_scene_def *def)
{
    const fr_liquid_surface surface = liquid_surface_of(def);
    return surface == FR_LIQUID_FLIP || surface == FR_LIQUID_APIC;
}

model_choice liquid_choice(const fr_scene_def *def)
{
    return (model_choice){.own_scalars = liquid_own_scalars(def),
                          .material = liquid_material(def),
                          .advection = def->liquid.advection,
                          .ambient = def->heat.ambient,
                          .cfl = 1,
                          .watertight = true,
                          .needs_scratch = true,
                          .carries_itself = liquid_has_parcels(def) && !(def->liquid.narrow_band > 0),
                          .viscosity_varies = liquid_viscosity_varies(def),
                          .has_surface = true,
                          .no_past = true,
                          .refine = def->liquid.refine};
}

/* Parcels near the surface alone. */
static fr_result check_band(const fr_scene_def *def)
{
    static const char KEY[] = "liquid.narrow_band";
    enum { LEAST = 3, MOST = 100 };
    const fr_liquid_def *liquid = &def->liquid;
    if (liquid->narrow_band == 0)
        return FR_OK;
    if (!liquid_has_parcels(def))
        return fr_fail_key(KEY, "%s is for surface = \"flip\" and \"apic\"; leave it out", KEY);
    if (def->has_prescribed)
        return fr_fail_key(KEY, "%s: the flow is prescribed, and parcels carry no momentum; leave it out", KEY);
    if (!(liquid->narrow_band >= LEAST && liquid->narrow_band <= MOST))
        return fr_fail_key(KEY, "%s must lie between %d and %d cells, not %g", KEY, LEAST, MOST, liquid->narrow_band);
    return FR_OK;
}

/* A surface finer than the flow. */
static fr_result check_fine(const fr_scene_def *def)
{
    enum { MOST = 4 };
    const fr_liquid_def *liquid = &def->liquid;
    if (liquid->refine < 1 || liquid->refine > MOST)
        return fr_fail_key("liquid.refine", "liquid.refine must be a whole number from 1 to %d, not %d", MOST,
                           liquid->refine);
    return mac_check_refine(def, liquid->refine, "liquid.refine");
}

static fr_result check_carried(const fr_scene_def *def)
{
    const fr_liquid_def *liquid = &def->liquid;
    const bool parcels = liquid_has_parcels(def);
    const char *key = liquid->surface_cells != FR_LIQUID_GHOST_FLUID ? "liquid.surface_cells" : "liquid.loop";
    if (!liquid_wants_grid(liquid) || (!parcels && !def->has_prescribed))
        return FR_OK;
    if (parcels)
        return fr_fail_key(key,
                           "%s: with \"flip\" and \"apic\" parcels carry the velocity, and this is for flows that the "
                           "grid carries; leave it out, or use \"level_set\", \"particle_level_set\" or \"markers\"",
                           key);
    return fr_fail_key(key, "%s: the flow is prescribed, and there is no pressure to find; leave it out", key);
}

static fr_result check_settings(const fr_liquid_def *liquid)
{
    if (liquid->order < 1 || liquid->order > 3)
        return fr_fail_key("liquid.order", "liquid.order must be 1, 2 or 3, not %d", liquid->order);
    if (!(liquid->flip >= 0 && liquid->flip <= 1))
        return fr_fail_key("liquid.flip", "liquid.flip is a share and must lie between 0 and 1, not %g", liquid->flip);
    if (liquid->particles_per_cell < 0 || liquid->particles_per_cell > 512)
        return fr_fail_key("liquid.particles_per_cell", "liquid.particles_per_cell must lie between 1 and 512, not %d",
                           liquid->particles_per_cell);
    return FR_OK;
}

static fr_result check_fills(const fr_scene_def *def)
{
    for (int i = 0; i < def->fill_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "fill[%d]", i + 1);
        FR_TRY(check_placed(key, &def->fill[i].shape));
        FR_TRY(check_finite(key, def->fill[i].velocity.value, 3));
        FR_TRY(check_not_negative(key, def->fill[i].from));
    }
    return FR_OK;
}

static fr_result check_sinks(const fr_scene_def *def)
{
    for (int i = 0; i < def->sink_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "sinks[%d]", i + 1);
        FR_TRY(check_placed(key, &def->sinks[i].shape));
        FR_TRY(check_times(key, def->sinks[i].from, def->sinks[i].to));
    }
    return FR_OK;
}

/* All names that a scene's values may have besides those it declares. */
enum { CHECK_MOST_NAMES = 16 };
static void check_names(const fr_scene_def *def, const char *names[CHECK_MOST_NAMES])
{
    const model_material material = liquid_material(def);
    int count = 0;
    for (const char *const *own = liquid_own_scalars(def); *own; own++)
        names[count++] = *own;
    for (int i = 0; i < material.count; i++)
        names[count++] = material.scalars[i].name;
    names[count] = NULL;
}

/* Material lives in the flow's own cells, too. */
static fr_result check_material(const fr_scene_def *def)
{
    const char *key = def->liquid.texture ? "liquid.texture" : "fill";
    if (liquid_material(def).count > 0 && def->liquid.refine > 1)
        return fr_fail_key(key, "%s: colours and texture beside liquid.refine are not built yet; leave one of them out",
                           key);
    return FR_OK;
}

/* Inks live in the flow's own cells. What is not built yet is refused. */
static fr_result check_inks(const fr_scene_def *def)
{
    for (int i = 0; i < def->scalar_count; i++) {
        const fr_scalar_def *scalar = &def->scalars[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "scalars.%s", scalar->name);
        if (!strcmp(scalar->name, "temperature"))
            return fr_fail_key(key, "%s: in a liquid heat = { diffusivity = … } says this; leave it out here", key);
        if (!strcmp(scalar->name, "viscosity"))
            return fr_fail_key(key, "%s: fluid.viscosity and fluid_in{ viscosity = … } say this; leave it out here",
                               key);
        if (def->liquid.refine > 1)
            return fr_fail_key(key, "%s: scalars beside liquid.refine are not built yet; leave one of them out", key);
        if (scalar->refine > 1 || scalar->transport == FR_TRANSPORT_CONSERVATIVE)
            return fr_fail_key(key, "%s: %s is not built yet for method = \"liquid\"; leave it out", key,
                               scalar->refine > 1 ? "refine" : "transport = \"conservative\"");
    }
    const char *names[CHECK_MOST_NAMES];
    check_names(def, names);
    FR_TRY(mac_check_scalars(def, names));
    for (int i = 0; i < def->fill_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "fill[%d]", i + 1);
        FR_TRY(check_scalar_values(def, names, key, def->fill[i].scalars, def->fill[i].scalar_count));
    }
    return FR_OK;
}

/* One part of the scene says what the viscosity is: heat.melt, a function, or a number that fills may differ from. */
static fr_result check_viscosity_once(const fr_scene_def *def)
{
    const char *given = mac_gives(def, "viscosity");
    if (given && (def->heat.melt.set || def->fluid.viscosity_law))
        return fr_fail_key(given, "%s: viscosity is said by %s already; leave one out", given,
                           def->heat.melt.set ? "heat.melt" : "the function of fluid.viscosity");
    if (given && def->liquid.refine > 1)
        return fr_fail_key(given, "%s: viscosity beside liquid.refine is not built yet; leave one of them out", given);
    return FR_OK;
}

/* A liquid that pours in with a rate of viscosity a second would mean nothing. */
static fr_result check_viscosity_sources(const fr_scene_def *def)
{
    for (int i = 0; i < def->source_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "sources[%d]", i + 1);
        if (def->sources[i].rate > 0 &&
            mac_gives_among(def->sources[i].scalars, def->sources[i].scalar_count, "viscosity"))
            return fr_fail_key(key,
                               "%s: a viscosity is what liquid has, and is not added at a rate; leave rate out, "
                               "or give the viscosity in a source of its own",
                               key);
    }
    return FR_OK;
}

static fr_result check_viscosity(const fr_scene_def *def)
{
    FR_TRY(mac_check_rheology(&def->fluid));
    if (def->has_prescribed && liquid_viscosity_varies(def) && !def->heat.melt.set)
        return fr_fail_key("prescribed", "prescribed: the flow is given, so a viscosity would have no effect; remove "
                                         "one of the two");
    FR_TRY(check_viscosity_once(def));
    return check_viscosity_sources(def);
}

fr_result liquid_check_field(const fr_scene_def *def, const char *key, const char *field)
{
    if (!strcmp(field, "viscosity") && !liquid_viscosity_varies(def))
        return fr_fail_key(key,
                           "%s: the field viscosity is there where it varies: with heat.melt, a function, "
                           "fluid_in{ viscosity = … }, fluid.yield or fluid.power",
                           key);
    return mac_check_heat_field(def, key, field);
}

static fr_result check_fields(const fr_scene_def *def)
{
    char key[CHECK_KEY];
    for (int i = 0; i < def->output.view_count; i++) {
        snprintf(key, sizeof key, "output.images[%d]", i + 1);
        FR_TRY(liquid_check_field(def, key, def->output.views[i].field));
    }
    for (int i = 0; i < def->probe_count; i++) {
        snprintf(key, sizeof key, "probes[%d]", i + 1);
        for (int f = 0; f < def->probes[i].field_count; f++)
            FR_TRY(liquid_check_field(def, key, def->probes[i].fields[f]));
    }
    return FR_OK;
}

static fr_result check_heat(const fr_scene_def *def)
{
    if (def->heat.set && def->liquid.refine > 1)
        return fr_fail_key("heat", "heat beside liquid.refine is not built yet; leave one of them out");
    return mac_check_heat(def);
}

static fr_result check_levels(const fr_scene_def *def)
{
    bool weight = def->gravity[0] != 0 || def->gravity[1] != 0 || def->gravity[2] != 0;
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "walls.%s", check_walls_sides[side]);
        if (!def->walls[side].has_level)
            continue;
        FR_TRY(check_finite(key, &def->walls[side].level, 1));
        if (!weight)
            return fr_fail_key(key,
                               "%s: level is a height against gravity, and gravity is zero; give it a direction, or "
                               "make the velocity a function that is 0 elsewhere",
                               key);
    }
    return FR_OK;
}

fr_result liquid_check_parts(const fr_scene_def *def)
{
    if (def->fluid.surface_tension > 0)
        return fr_fail_key("fluid.surface_tension", "fluid.surface_tension is not built yet for method = \"liquid\"; "
                                                    "method = \"sph\" has it");
    FR_TRY(check_solver(&def->solver));
    FR_TRY(check_settings(&def->liquid));
    FR_TRY(check_band(def));
    FR_TRY(check_fine(def));
    FR_TRY(check_carried(def));
    FR_TRY(mac_check_prescribed(def));
    FR_TRY(check_fields(def));
    FR_TRY(check_heat(def));
    FR_TRY(check_viscosity(def));
    FR_TRY(check_fills(def));
    FR_TRY(check_sinks(def));
    FR_TRY(check_levels(def));
    FR_TRY(check_inks(def));
    FR_TRY(check_material(def));
    return mac_check_tracers(def);
}
