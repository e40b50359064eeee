/* Liquids: initial fills and sinks. */
#include <math.h>
#include <string.h>

#include "scene/decode/decode.h"
#include "scene/lua/constructors.h"

/* Liquids on the grid carry it as one of their scalars, which are decoded with the others. */
static fr_result fill_viscosity(decoder *d, const key *key, void *target)
{
    return d->def->method == FR_METHOD_LIQUID ? FR_OK : value_unbuilt(d, key, target);
}

static const key fill_keys[] = {{"shape", value_shape, offsetof(fr_fill_def, shape.shape), NULL, NULL},
                                {"at", value_point, offsetof(fr_fill_def, shape.at), NULL, "m"},
                                {"rotation", value_rotation, offsetof(fr_fill_def, shape), NULL, NULL},
                                {"velocity", value_varying_vector, offsetof(fr_fill_def, velocity), NULL, "m/s"},
                                {"from", value_not_negative, offsetof(fr_fill_def, from), NULL, "s"},
                                {"viscosity", fill_viscosity, 0, NULL, NULL},
                                {"density", value_unbuilt, 0, NULL, NULL},
                                {0}};
static const key_set fill_set = {"fluid_in", fill_keys, true, false};

/* A shape, or fluid_in{…} around a shape. */
static fr_result fill_value(decoder *d, const key *key, void *target)
{
    fr_fill_def *fill = target;
    const char *made = constructor_of(d->lua, -1, NULL);
    if (!made)
        return decode_fail_type(d,
                                "a shape such as box{ min = {…}, max = {…} } or fluid_in{ shape = …, velocity = {…} }");
    if (strcmp(made, "fluid_in") != 0)
        return value_shape(d, key, &fill->shape.shape);
    FR_TRY(decode_expect(d, "fluid_in"));
    FR_TRY(decode_keys(d, &fill_set, fill));
    FR_TRY(decode_scalar_values(d, &fill->scalars, &fill->scalar_count));
    return fill->shape.shape
               ? FR_OK
               : decode_fail(d, "%s needs a shape: fluid_in{ shape = sphere{ radius = 0.1 }, at = {…} }", d->key);
}

fr_result value_fill(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"box{…}, fluid_in{…}", sizeof(fr_fill_def), fill_value};
    return decode_list(d, &spec, &def->fill, &def->fill_count);
}

static const key sink_keys[] = {{"shape", value_shape, offsetof(fr_sink_def, shape.shape), NULL, NULL},
                                {"at", value_point, offsetof(fr_sink_def, shape.at), NULL, "m"},
                                {"rotation", value_rotation, offsetof(fr_sink_def, shape), NULL, NULL},
                                {"from", value_number, offsetof(fr_sink_def, from), NULL, "s"},
                                {"to", value_end, offsetof(fr_sink_def, to), NULL, "s"},
                                {0}};
static const key_set sink_set = {"sink", sink_keys, false, false};

static fr_result sink_value(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_sink_def *sink = target;
    sink->to = INFINITY;
    FR_TRY(decode_expect(d, "sink"));
    FR_TRY(decode_keys(d, &sink_set, sink));
    return sink->shape.shape
               ? FR_OK
               : decode_fail(d, "%s needs a shape: sink{ shape = sphere{ radius = 0.1 }, at = {…} }", d->key);
}

fr_result value_sinks(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"sink{…}", sizeof(fr_sink_def), sink_value};
    return decode_list(d, &spec, &def->sinks, &def->sink_count);
}
