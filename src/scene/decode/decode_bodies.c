/* Rigid bodies, the joints between them, and how they and the flow act on each other. */
#include <string.h>

#include <freshet/method.h>

#include "scene/decode/decode.h"
#include "scene/decode/suggest.h"
#include "scene/lua/constructors.h"
#include "scene/lua/functions.h"

/* Methods that have no bodies would ignore them. */
static fr_result bodies_of_method(decoder *d)
{
    const fr_method_info *info = fr_method_describe(d->def->method);
    if (info->has_bodies)
        return FR_OK;
    decode_fail(d, "%s is not built yet for method = \"%s\"; method = \"liquid\" and \"smoke\" have it", d->key,
                info->name);
    return FR_ERROR_UNSUPPORTED;
}

static fr_result body_density(decoder *d, const key *key, void *target)
{
    fr_number *density = target;
    if (lua_isfunction(d->lua, -1))
        return functions_of(d, (function_form){3, 1, 0}, &density->function, &density->context);
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_fail_type(d, "a number (kg/m³) or a function(x, y, z) of a place in the body");
    return value_positive(d, key, &density->value);
}

static fr_result body_force(decoder *d, const key *key, void *target)
{
    const int dims = d->def->domain.dims;
    fr_vector *force = target;
    if (lua_isfunction(d->lua, -1))
        return functions_of(d, (function_form){1, dims, 0}, &force->function, &force->context);
    if (!lua_istable(d->lua, -1))
        return decode_fail_type(d, dims == 2 ? "a list of two numbers (N) or a function(t)"
                                             : "a list of three numbers (N) or a function(t)");
    return value_point(d, key, force->value);
}

/* What turns: a vector; in 2D also a number, about z. */
static fr_result body_turn(decoder *d, const key *key, double *turn, const char *wanted)
{
    int found;
    number_list list = {3, 3, wanted};
    if (d->def->domain.dims == 3 || lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_numbers(d, &list, turn, &found);
    turn[0] = turn[1] = 0;
    return value_number(d, key, &turn[2]);
}

static fr_result body_spin(decoder *d, const key *key, void *target)
{
    return body_turn(d, key, target,
                     d->def->domain.dims == 2 ? "a number (rad/s), about z" : "a list of three numbers (rad/s)");
}

static fr_result body_torque(decoder *d, const key *key, void *target)
{
    fr_vector *torque = target;
    if (lua_isfunction(d->lua, -1))
        return functions_turn(d, torque);
    return body_turn(d, key, torque->value,
                     d->def->domain.dims == 2 ? "a number (N m), about z, or a function(t)"
                                              : "a list of three numbers (N m) or a function(t)");
}

static fr_result body_slip(decoder *d, const key *key, void *target)
{
    int free_slip;
    FR_TRY(value_choice(d, key, &free_slip));
    *(bool *)target = free_slip != 0;
    return FR_OK;
}

static const choice slip_choices[] = {{"no_slip", 0}, {"free_slip", 1}, {NULL, 0}};
static const key body_keys[] = {
    DECODE_PLACED_KEYS(fr_body_def),
    {"name", value_string, offsetof(fr_body_def, name), NULL, NULL},
    {"density", body_density, offsetof(fr_body_def, density), NULL, "kg/m³"},
    {"mass", value_positive, offsetof(fr_body_def, mass), NULL, "kg"},
    {"velocity", value_point, offsetof(fr_body_def, velocity), NULL, "m/s"},
    {"spin", body_spin, offsetof(fr_body_def, spin), NULL, "rad/s"},
    {"force", body_force, offsetof(fr_body_def, force), NULL, "N"},
    {"torque", body_torque, offsetof(fr_body_def, torque), NULL, "N m"},
    {"bounce", value_number, offsetof(fr_body_def, bounce), NULL, NULL},
    {"friction", value_not_negative, offsetof(fr_body_def, friction), NULL, NULL},
    {"fixed", value_bool, offsetof(fr_body_def, fixed), NULL, NULL},
    {"slip", body_slip, offsetof(fr_body_def, free_slip), slip_choices, NULL},
    {"from", value_not_negative, offsetof(fr_body_def, from), NULL, "s"},
    {"temperature", value_number, offsetof(fr_body_def, temperature), NULL, "K"},
    {"heat_capacity", value_not_negative, offsetof(fr_body_def, heat_capacity), NULL, "J/(kg K)"},
    DECODE_BODY_LOOK_KEYS,
    {0}};
static const key_set body_set = {"body", body_keys, false, false};

static fr_result body_value(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_body_def *body = target;
    *body = fr_default_body();
    FR_TRY(decode_expect(d, "body"));
    FR_TRY(decode_keys(d, &body_set, body));
    body->has_temperature = decode_has(d, "temperature");
    if (!body->shape.shape)
        return decode_fail(d, "%s needs a shape: body{ shape = sphere{ radius = 0.1 }, … }", d->key);
    if (body->mass > 0 && decode_has(d, "density"))
        return decode_fail(d, "%s: density and mass both say what it weighs; leave one out", d->key);
    return FR_OK;
}

fr_result value_bodies(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"body{…}", sizeof(fr_body_def), body_value};
    FR_TRY(bodies_of_method(d));
    return decode_list(d, &spec, &def->bodies, &def->body_count);
}

/* The body of that name; names were charged for, because a scene may look up many. */
static fr_result joint_find(decoder *d, const char *name, int *number)
{
    const fr_scene_def *def = d->def;
    suggestion best = suggest_begin(name);
    char hint[128];
    sandbox_charge(d->lua, def->body_count);
    for (int i = 0; i < def->body_count; i++)
        if (def->bodies[i].name && !strcmp(def->bodies[i].name, name)) {
            *number = i;
            return FR_OK;
        }
    for (int i = 0; i < def->body_count; i++)
        if (def->bodies[i].name)
            suggest_offer(&best, def->bodies[i].name);
    suggest_text(&best, hint, sizeof hint);
    return decode_fail(d, "%s: there is no body of the name '%.40s'%s", d->key, name, hint);
}

static fr_result joint_body(decoder *d, const key *key, void *target)
{
    int *number = target;
    if (lua_type(d->lua, -1) == LUA_TSTRING)
        return joint_find(d, lua_tostring(d->lua, -1), number);
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_fail_type(d, "the number of a body, counted from 1, or its name");
    FR_TRY(value_integer(d, key, number));
    if (*number < 1 || *number > d->def->body_count)
        return decode_fail(d, "%s: there is no body %d; the scene has %d, counted from 1", d->key, *number,
                           d->def->body_count);
    --*number;
    return FR_OK;
}

static fr_result joint_bodies(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_joint_def *joint = target;
    static const list_spec spec = {"1, \"lid\"", sizeof(int), joint_body};
    const int *listed;
    int count;
    FR_TRY(decode_list(d, &spec, &listed, &count));
    if (count < 1 || count > 2)
        return decode_fail(d, "%s must name two bodies, or one that is held by the world; found %d", d->key, count);
    joint->bodies[0] = listed[0];
    joint->bodies[1] = count == 2 ? listed[1] : -1;
    return FR_OK;
}

/* A letter or a vector; in 2D a hinge turns about z, which is no vector of the plane. */
static fr_result joint_axis(decoder *d, const key *key, void *target)
{
    double *axis = target;
    int letter, found;
    const number_list list = {d->def->domain.dims, 3, "\"x\", \"y\", \"z\" or a list of three numbers"};
    memset(axis, 0, 3 * sizeof *axis);
    if (lua_type(d->lua, -1) != LUA_TSTRING)
        return decode_numbers(d, &list, axis, &found);
    FR_TRY(value_axis(d, key, &letter));
    axis[letter] = 1;
    return FR_OK;
}

static fr_result joint_limits(decoder *d, const key *key, void *target)
{
    int found;
    const number_list list = {2, 2, key->detail};
    return decode_numbers(d, &list, target, &found);
}

static fr_result joint_motor(decoder *d, const key *key, void *target)
{
    fr_number *motor = target;
    if (lua_isfunction(d->lua, -1))
        return functions_of(d, (function_form){1, 1, 0}, &motor->function, &motor->context);
    if (lua_type(d->lua, -1) != LUA_TNUMBER)
        return decode_fail_type(d, key->detail);
    return value_number(d, key, &motor->value);
}

/* clang-format off */
#define JOINT_KEYS {"bodies", joint_bodies, 0, NULL, NULL}, {"at", value_point, offsetof(fr_joint_def, at), NULL, "m"}
#define DRIVEN_KEYS(angle, speed, force) \
    {"axis", joint_axis, offsetof(fr_joint_def, axis), NULL, NULL}, \
    {"limits", joint_limits, offsetof(fr_joint_def, limits), "two numbers (" angle "), {least, greatest}", NULL}, \
    {"motor", joint_motor, offsetof(fr_joint_def, motor), "a number (" speed ") or a function(t)", speed}, \
    {"torque", value_positive, offsetof(fr_joint_def, torque), NULL, force}
/* clang-format on */
static const key hinge_keys[] = {JOINT_KEYS, DRIVEN_KEYS("rad", "rad/s", "N m"), {0}};
static const key slider_keys[] = {JOINT_KEYS, DRIVEN_KEYS("m", "m/s", "N"), {0}};
static const key ball_keys[] = {JOINT_KEYS, {0}};
static const key_set joint_sets[] = {[FR_JOINT_HINGE] = {"hinge", hinge_keys, false, false},
                                     [FR_JOINT_BALL] = {"ball", ball_keys, false, false},
                                     [FR_JOINT_SLIDER] = {"slider", slider_keys, false, false}};
enum { JOINT_KINDS = sizeof joint_sets / sizeof *joint_sets };

/* The kind of the joint that the value is; JOINT_KINDS: none. */
static int joint_kind(decoder *d)
{
    int kind = 0;
    const char *made = constructor_of(d->lua, -1, NULL);
    while (kind < JOINT_KINDS && (!made || strcmp(joint_sets[kind].what, made) != 0))
        kind++;
    return kind;
}

static fr_result joint_value(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_joint_def *joint = target;
    const int kind = joint_kind(d);
    if (kind == JOINT_KINDS)
        return decode_fail_type(d, "hinge{…}, ball{…} or slider{…}");
    const char *made = joint_sets[kind].what, *needed = kind == FR_JOINT_SLIDER ? "axis" : "at";
    *joint = fr_default_joint((fr_joint_kind)kind);
    FR_TRY(decode_expect(d, made));
    FR_TRY(decode_keys(d, &joint_sets[kind], joint));
    joint->has_limits = decode_has(d, "limits");
    joint->has_motor = decode_has(d, "motor");
    if (!decode_has(d, "bodies") || !decode_has(d, needed))
        return decode_fail(d, "%s needs bodies and %s: %s{ bodies = {1, 2}, %s = {…} }", d->key, needed, made, needed);
    if (joint->torque > 0 && !joint->has_motor)
        return decode_fail(d, "%s: torque is the most that a motor gives; give it a motor, 0 to hold still", d->key);
    return FR_OK;
}

fr_result value_joints(decoder *d, const key *key, void *target)
{
    (void)key;
    fr_scene_def *def = target;
    static const list_spec spec = {"hinge{…}", sizeof(fr_joint_def), joint_value};
    FR_TRY(bodies_of_method(d));
    return decode_list(d, &spec, &def->joints, &def->joint_count);
}

fr_result value_coupling(decoder *d, const key *key_of_coupling, void *target)
{
    (void)key_of_coupling;
    static const choice couplings[] = {{"monolithic", FR_COUPLING_MONOLITHIC},
                                       {"rigid_fluid", FR_COUPLING_RIGID_FLUID},
                                       {"one_way", FR_COUPLING_ONE_WAY},
                                       {"carried", FR_COUPLING_CARRIED},
                                       {NULL, 0}};
    const key with_choices = {.detail = couplings};
    int coupling;
    FR_TRY(bodies_of_method(d));
    FR_TRY(value_choice(d, &with_choices, &coupling));
    *(fr_coupling *)target = (fr_coupling)coupling;
    return FR_OK;
}
