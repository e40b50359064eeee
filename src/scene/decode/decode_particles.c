/* Passive particles, turbulence and jets. */
#include <math.h>

#include "base/vec.h"
#include "scene/decode/decode.h"

static const key tracer_keys[] = {
    {"shape", value_shape, offsetof(fr_tracers_def, shape.shape), NULL, NULL},
    {"at", value_point, offsetof(fr_tracers_def, shape.at), NULL, "m"},
    {"rotation", value_rotation, offsetof(fr_tracers_def, shape), NULL, NULL},
    {"per_cell", value_not_negative, offsetof(fr_tracers_def, per_cell), NULL, "particles per cell"},
    {"count", value_integer, offsetof(fr_tracers_def, count), NULL, NULL},
    {"rate", value_not_negative, offsetof(fr_tracers_def, rate), NULL, "particles per second"},
    {"from", value_number, offsetof(fr_tracers_def, from), NULL, "s"},
    {"to", value_end, offsetof(fr_tracers_def, to), NULL, "s"},
    {"lifetime", value_positive, offsetof(fr_tracers_def, lifetime), NULL, "s"},
    {"settle", value_number, offsetof(fr_tracers_def, settle), NULL, "m/s"},
    {"response", value_not_negative, offsetof(fr_tracers_def, response), NULL, "s"},
    {"velocity", value_point, offsetof(fr_tracers_def, velocity), NULL, "m/s"},
    {"seed", value_integer, offsetof(fr_tracers_def, seed), NULL, NULL},
    {0}};
static const key_set tracer_set = {"tracers", tracer_keys, false, false};

static fr_result tracers_value(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_tracers_def *tracers = target;
    tracers->to = INFINITY;
    FR_TRY(decode_expect(d, "tracers"));
    FR_TRY(decode_keys(d, &tracer_set, tracers));
    tracers->has_velocity = decode_has(d, "velocity");
    if ((decode_has(d, "at") || decode_has(d, "rotation")) && !tracers->shape.shape)
        return decode_fail(d, "%s: at and rotation place a shape; without one the particles fill the whole domain",
                           d->key);
    if ((decode_has(d, "from") || decode_has(d, "to")) && !decode_has(d, "rate"))
        return decode_fail(d, "%s: from and to say when particles come one by one; give their rate", d->key);
    return FR_OK;
}

fr_result value_particles(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"tracers{…}", sizeof(fr_tracers_def), tracers_value};
    return decode_list(d, &spec, &def->tracers, &def->tracer_count);
}

static const key turbulence_keys[] = {{"speed", value_positive, offsetof(fr_turbulence_def, speed), NULL, "m/s"},
                                      {"length", value_positive, offsetof(fr_turbulence_def, length), NULL, "m"},
                                      {"modes", value_integer, offsetof(fr_turbulence_def, modes), NULL, NULL},
                                      {"seed", value_integer, offsetof(fr_turbulence_def, seed), NULL, NULL},
                                      {0}};
static const key_set turbulence_set = {"turbulence", turbulence_keys, false, false};

fr_result value_turbulence(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_turbulence_def *turbulence = target;
    FR_TRY(decode_expect(d, "turbulence"));
    FR_TRY(decode_keys(d, &turbulence_set, turbulence));
    if (!decode_has(d, "speed") || !decode_has(d, "length"))
        return decode_fail(d, "%s needs speed and length: turbulence{ speed = 0.2, length = 0.1 }", d->key);
    return !decode_has(d, "modes") || turbulence->modes > 0 ? FR_OK
                                                            : decode_fail(d, "%s: modes must be at least 1", d->key);
}

/* The keys of a jet beyond those of a source. */
typedef struct jet_table {
    fr_source_def source;
    double direction[3], radius, length, speed;
} jet_table;

static const key jet_keys[] = {{"at", value_point, offsetof(jet_table, source.shape.at), NULL, "m"},
                               {"direction", value_point, offsetof(jet_table, direction), NULL, NULL},
                               {"radius", value_positive, offsetof(jet_table, radius), NULL, "m"},
                               {"length", value_positive, offsetof(jet_table, length), NULL, "m"},
                               {"speed", value_number, offsetof(jet_table, speed), NULL, "m/s"},
                               {"from", value_number, offsetof(jet_table, source.from), NULL, "s"},
                               {"to", value_end, offsetof(jet_table, source.to), NULL, "s"},
                               {"turbulence", value_turbulence, offsetof(jet_table, source.turbulence), NULL, NULL},
                               {0}};
static const key_set jet_set = {"jet", jet_keys, true, false};

/* A cylinder along y (in 2D a rectangle), rotated to the jet's direction. */
static fr_result jet_shape(decoder *d, const jet_table *table, fr_source_def *source)
{
    fr_shape_def *shape = ARENA_NEW(d->arena, fr_shape_def, 1);
    if (!shape)
        return FR_ERROR_MEMORY;
    bool flat = d->def->domain.dims == 2;
    *shape = fr_default_shape(flat ? FR_SHAPE_BOX : FR_SHAPE_CYLINDER);
    shape->radius = table->radius;
    shape->height = table->length;
    const double half[3] = {table->radius, table->length / 2, table->radius};
    for (int a = 0; a < 3; a++) {
        shape->min[a] = -half[a];
        shape->max[a] = half[a];
    }
    vec3 along = vec3_unit(vec3_of(table->direction)), axis = vec3_cross((vec3){0, 1, 0}, along);
    source->shape.shape = shape;
    source->shape.axis[0] = axis.x;
    source->shape.axis[1] = axis.y;
    source->shape.axis[2] = axis.z;
    /* no rotation if the direction is parallel to y */
    source->shape.degrees = vec3_length(axis) > 1e-9 ? acos(clampd(along.y, -1, 1)) * 180 / FR_PI : 0;
    source->velocity.value[0] = table->speed * along.x;
    source->velocity.value[1] = table->speed * along.y;
    source->velocity.value[2] = table->speed * along.z;
    return FR_OK;
}

fr_result value_jet(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_source_def *source = target;
    jet_table table = {.source = *source};
    FR_TRY(decode_keys(d, &jet_set, &table));
    if (!decode_has(d, "direction") || !decode_has(d, "radius") || !decode_has(d, "speed"))
        return decode_fail(
            d, "%s needs direction, radius and speed: jet{ at = {…}, direction = {0, 1}, radius = 0.05, speed = 1 }",
            d->key);
    if (vec3_length(vec3_of(table.direction)) == 0)
        return decode_fail(d, "%s: direction must not be zero", d->key);
    if (!decode_has(d, "length"))
        table.length = table.radius;
    *source = table.source;
    source->sets_velocity = true;
    FR_TRY(decode_scalar_values(d, &source->scalars, &source->scalar_count));
    return jet_shape(d, &table, source);
}
