/* Heat in a liquid, and how it melts. */
#include "scene/decode/decode.h"

static const choice curve_choices[] = {
    {"log", FR_MELT_LOG}, {"linear", FR_MELT_LINEAR}, {"quadratic", FR_MELT_QUADRATIC}, {NULL, 0}};
static const choice conduction_choices[] = {{"implicit", 0}, {"lod", CHOICE_UNBUILT}, {NULL, 0}};

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
    if (lua_isfunction(d->lua, -1))
        return decode_fail_unbuilt(d, "heat.diffusivity as a function of temperature");
    return value_not_negative(d, key_of_diffusivity, target);
}

/* The one that is built is the default: there is nothing to keep. */
static fr_result heat_conduction(decoder *d, const key *key_of_conduction, void *target)
{
    (void)target;
    int conduction;
    return value_choice(d, key_of_conduction, &conduction);
}

static const key heat_keys[] = {{"diffusivity", heat_diffusivity, offsetof(fr_heat_def, diffusivity), NULL, "m²/s"},
                                {"ambient", value_number, offsetof(fr_heat_def, ambient), NULL, "K"},
                                {"loss", value_not_negative, offsetof(fr_heat_def, loss), NULL, "m/s"},
                                {"expansion", value_number, offsetof(fr_heat_def, expansion), NULL, "1/K"},
                                {"latent", value_not_negative, offsetof(fr_heat_def, latent), NULL, "K"},
                                {"conduction", heat_conduction, 0, conduction_choices, NULL},
                                {"melt", heat_melt, offsetof(fr_heat_def, melt), NULL, NULL},
                                {0}};
static const key_set heat_set = {"heat", heat_keys, false, false};

fr_result value_heat(decoder *d, const key *key_of_heat, void *target)
{
    (void)key_of_heat;
    fr_heat_def *heat = target;
    const fr_method_info *method = fr_method_describe(d->def->method);
    if (d->def->method != FR_METHOD_LIQUID) {
        decode_fail(d, "heat is not built yet for method = \"%s\"%s; leave it out", method->name,
                    d->def->method == FR_METHOD_SMOKE ? ", which has smoke.ambient and scalars.temperature.diffusion"
                                                      : "");
        return FR_ERROR_UNSUPPORTED;
    }
    heat->set = true;
    return decode_keys(d, &heat_set, heat);
}
