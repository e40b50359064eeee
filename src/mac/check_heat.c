#include "mac/check_heat.h"

#include <string.h>

#include "method/check.h"

bool mac_gives_among(const fr_scalar_value *values, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(values[i].name, name))
            return true;
    return false;
}

const char *mac_gives(const fr_scene_def *def, const char *name)
{
    const char *key = mac_gives_among(def->initial, def->initial_count, name) ? "initial" : NULL;
    for (int i = 0; i < 2 * def->domain.dims; i++)
        key = mac_gives_among(def->walls[i].scalars, def->walls[i].scalar_count, name) ? "walls" : key;
    for (int i = 0; i < def->source_count; i++)
        key = mac_gives_among(def->sources[i].scalars, def->sources[i].scalar_count, name) ? "sources" : key;
    for (int i = 0; i < def->fill_count; i++)
        key = mac_gives_among(def->fill[i].scalars, def->fill[i].scalar_count, name) ? "fill" : key;
    return key;
}

/* Temperatures without heat would be ignored. */
static fr_result check_cold(const fr_scene_def *def)
{
    const char *key = mac_gives(def, "temperature");
    for (int i = 0; i < def->obstacle_count; i++)
        key = def->obstacles[i].has_temperature ? "obstacles" : key;
    for (int i = 0; i < def->body_count; i++)
        key = def->bodies[i].has_temperature ? "bodies" : key;
    return key ? fr_fail_key(key,
                             "%s: a temperature means something only to a liquid with heat; give heat = { "
                             "diffusivity = …, ambient = … }",
                             key)
               : FR_OK;
}

static fr_result check_melt(const fr_scene_def *def)
{
    const fr_melt_def *melt = &def->heat.melt;
    if (!melt->set)
        return def->heat.latent > 0 ? fr_fail_key("heat.latent", "heat.latent is taken up between heat.melt.from and "
                                                                 "heat.melt.to; give heat.melt, or leave it out")
                                    : FR_OK;
    if (!(melt->to >= melt->from))
        return fr_fail_key("heat.melt", "heat.melt: it melts from a lower to a higher temperature, not from %g to %g",
                           melt->from, melt->to);
    FR_TRY(check_positive("heat.melt", melt->solid, "m²/s"));
    FR_TRY(check_positive("heat.melt", melt->liquid, "m²/s"));
    if (def->fluid.viscosity > 0 || def->fluid.viscosity_law)
        return fr_fail_key("heat.melt", "heat.melt says the viscosity, and so does fluid.viscosity; leave one out");
    return FR_OK;
}

fr_result mac_check_heat(const fr_scene_def *def)
{
    const fr_heat_def *heat = &def->heat;
    if (!heat->set)
        return check_cold(def);
    if ((unsigned)heat->conduction > FR_CONDUCTION_LOD)
        return check_no_choice("heat.conduction", (int)heat->conduction);
    FR_TRY(check_not_negative("heat.diffusivity", heat->diffusivity));
    FR_TRY(check_finite("heat.ambient", &heat->ambient, 1));
    FR_TRY(check_not_negative("heat.loss", heat->loss));
    FR_TRY(check_finite("heat.expansion", &heat->expansion, 1));
    FR_TRY(check_not_negative("heat.latent", heat->latent));
    FR_TRY(check_not_negative("heat.capacity", heat->capacity));
    return check_melt(def);
}

fr_result mac_check_heat_field(const fr_scene_def *def, const char *key, const char *field)
{
    if (!strcmp(field, "liquid_fraction") && !(def->heat.latent > 0))
        return fr_fail_key(key, "%s: the field liquid_fraction is there with heat.latent alone", key);
    if (!strcmp(field, "temperature") && !def->heat.set)
        return fr_fail_key(key, "%s: the field temperature is there with heat = { … } alone", key);
    return FR_OK;
}

fr_result mac_check_rheology(const fr_fluid_def *fluid)
{
    static const double MOST_POWER = 1.5; /* from 2 on, the viscosity of the last shear rate swings */
    FR_TRY(check_not_negative("fluid.yield", fluid->yield));
    if (!(fluid->power > 0 && fluid->power <= MOST_POWER))
        return fr_fail_key("fluid.power",
                           "fluid.power must lie above 0 and up to %g, not %g; below 1 the liquid thins when sheared, "
                           "above 1 it thickens",
                           MOST_POWER, fluid->power);
    return FR_OK;
}
