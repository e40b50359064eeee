/* Heat in a liquid, and how it melts; of smoke what its own keys say as well. */
#include <string.h>

#include "scene/decode/decode.h"
#include "scene/lua/functions.h"

static const choice curve_choices[] = {
    {"log", FR_MELT_LOG}, {"linear", FR_MELT_LINEAR}, {"quadratic", FR_MELT_QUADRATIC}, {NULL, 0}};
static const choice conduction_choices[] = {
    {"implicit", FR_CONDUCTION_IMPLICIT}, {"lod", FR_CONDUCTION_LOD}, {NULL, 0}};

static fr_result melt_curve(decoder *d, const key *key_of_curve, void *target)
{
    int curve;
    FR_TRY(value_choice(d, key_of_curve, &curve));
    *(fr_melt_curve *)target = (fr_melt_curve)curve;
    return FR_OK;
}

static const key melt_keys[] = {{"from", value_number, offsetof(fr_melt_def, from), NULL, "K"},
                                {"to", value_number, offsetof(fr_melt_def, to), NULL, "K"},
                                {"solid", value_positive, offsetof(fr_melt_def, solid), NULL, "m²/s"},
                                {"liquid", value_positive, offsetof(fr_melt_def, liquid), NULL, "m²/s"},
                                {"curve", melt_curve, offsetof(fr_melt_def, curve), curve_choices, NULL},
                                {0}};
static const key_set melt_set = {"heat.melt", melt_keys, false, false};

static fr_result heat_melt(decoder *d, const key *key_of_melt, void *target)
{
    (void)key_of_melt;
    fr_melt_def *melt = target;
    FR_TRY(decode_keys(d, &melt_set, melt));
    for (const key *k = melt_keys; k->name && k->decode != melt_curve; k++)
        if (!decode_has(d, k->name))
            return decode_fail(d, "%s needs %s: { from = K, to = K, solid = m²/s, liquid = m²/s }", d->key, k->name);
    melt->set = true;
    return FR_OK;
}

static fr_result heat_diffusivity(decoder *d, const key *key_of_diffusivity, void *target)
{
    fr_heat_def *heat = target;
    if (lua_isfunction(d->lua, -1))
        return functions_of(d, (function_form){1, 1, 0}, &heat->diffusivity_of, &heat->diffusivity_context);
    return value_not_negative(d, key_of_diffusivity, &heat->diffusivity);
}

static fr_result heat_conduction(decoder *d, const key *key_of_conduction, void *target)
{
    int conduction;
    FR_TRY(value_choice(d, key_of_conduction, &conduction));
    *(fr_conduction *)target = (fr_conduction)conduction;
    return FR_OK;
}

static const key heat_keys[] = {
    {"diffusivity", heat_diffusivity, 0, NULL, "m²/s"},
    {"ambient", value_number, offsetof(fr_heat_def, ambient), NULL, "K"},
    {"loss", value_not_negative, offsetof(fr_heat_def, loss), NULL, "m/s"},
    {"expansion", value_number, offsetof(fr_heat_def, expansion), NULL, "1/K"},
    {"capacity", value_positive, offsetof(fr_heat_def, capacity), NULL, "J/(kg K)"},
    {"latent", value_not_negative, offsetof(fr_heat_def, latent), NULL, "K"},
    {"conduction", heat_conduction, offsetof(fr_heat_def, conduction), conduction_choices, NULL},
    {"melt", heat_melt, offsetof(fr_heat_def, melt), NULL, NULL},
    {0}};
static const key_set heat_set = {"heat", heat_keys, false, false};

/* What of it has no meaning for smoke, and why. */
typedef struct heat_refusal {
    const char *name, *why;
} heat_refusal;

static const heat_refusal smoke_refusals[] = {
    {"melt", "smoke does not melt, and its viscosity is fluid.viscosity"},
    {"latent", "smoke does not melt"},
    {"loss",
     "smoke has no surface through which it could cool; scalars.temperature.dissipation lets it cool everywhere"},
    {"expansion", "how fast warm smoke rises is smoke.buoyancy = { temperature = m/s² per kelvin }"},
    {"conduction", "smoke's scalars are always conducted in all directions at once"},
    {NULL, NULL}};

/* Whether the scene, in whose table this one is, has such a number: `inner` may be NULL. */
static bool heat_scene_has(decoder *d, const char *part, const char *inner, const char *name)
{
    const int top = lua_gettop(d->lua);
    const char *const way[] = {part, inner, name};
    bool has = true;
    lua_pushvalue(d->lua, -2);
    for (int i = 0; i < 3 && has; i++)
        if (way[i]) {
            has = lua_istable(d->lua, -1);
            if (has) {
                lua_pushstring(d->lua, way[i]);
                has = lua_rawget(d->lua, -2) != LUA_TNIL;
            }
        }
    lua_settop(d->lua, top);
    return has;
}

static fr_result heat_twice(decoder *d, const char *name, const char *other)
{
    decode_enter(d, name);
    return decode_fail(d, "%s and %s say the same of smoke; leave one out", d->key, other);
}

/* Becomes that of the scalar, which the scene may have declared. */
static fr_result heat_set_diffusion(decoder *d, double diffusivity)
{
    fr_scene_def *def = d->def;
    fr_scalar_def *all = ARENA_NEW(d->arena, fr_scalar_def, def->scalar_count + 1);
    int at = 0;
    if (!all)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->scalar_count; i++)
        all[i] = def->scalars[i];
    while (at < def->scalar_count && strcmp(all[at].name, "temperature"))
        at++;
    if (at == def->scalar_count)
        all[def->scalar_count++] = (fr_scalar_def){.name = "temperature"};
    all[at].diffusion = diffusivity;
    def->scalars = all;
    return FR_OK;
}

static fr_result heat_of_smoke(decoder *d)
{
    fr_heat_def heat = {0};
    FR_TRY(decode_keys(d, &heat_set, &heat));
    for (const heat_refusal *r = smoke_refusals; r->name; r++)
        if (decode_has(d, r->name)) {
            decode_enter(d, r->name);
            return decode_fail(d, "%s: %s; leave it out", d->key, r->why);
        }
    if (decode_has(d, "ambient") && heat_scene_has(d, "smoke", NULL, "ambient"))
        return heat_twice(d, "ambient", "smoke.ambient");
    if (decode_has(d, "diffusivity") && heat_scene_has(d, "scalars", "temperature", "diffusion"))
        return heat_twice(d, "diffusivity", "scalars.temperature.diffusion");
    if (heat.diffusivity_of) {
        decode_enter(d, "diffusivity");
        return decode_fail(d,
                           "%s is a number for smoke, as scalars.temperature.diffusion is; a function of the "
                           "temperature is for method = \"liquid\"",
                           d->key);
    }
    if (decode_has(d, "capacity"))
        d->def->heat.capacity = heat.capacity;
    if (decode_has(d, "ambient"))
        d->def->smoke.ambient = heat.ambient;
    return decode_has(d, "diffusivity") ? heat_set_diffusion(d, heat.diffusivity) : FR_OK;
}

fr_result value_heat(decoder *d, const key *key_of_heat, void *target)
{
    (void)key_of_heat;
    fr_heat_def *heat = target;
    if (d->def->method == FR_METHOD_SMOKE)
        return heat_of_smoke(d);
    if (d->def->method != FR_METHOD_LIQUID && d->def->method != FR_METHOD_SPH) {
        decode_fail(d, "heat is not built yet for method = \"%s\"; leave it out",
                    fr_method_describe(d->def->method)->name);
        return FR_ERROR_UNSUPPORTED;
    }
    heat->set = true;
    return decode_keys(d, &heat_set, heat);
}
