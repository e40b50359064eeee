/* Checks of rigid bodies, of the joints between them, and of how they and the flow act on each other. */
#include "method/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

/* Each is looked at with every other one. */
enum { CHECK_MOST_BODIES = 10000 };

/* The key of a part of a list's element: "bodies[2].bounce". */
typedef struct check_part {
    char key[CHECK_KEY];
} check_part;

static check_part check_part_of(const char *list, int index, const char *part)
{
    check_part made;
    snprintf(made.key, sizeof made.key, "%s[%d].%s", list, index + 1, part);
    return made;
}

static fr_result check_weight(const fr_body_def *body, int index)
{
    if (body->mass != 0 && body->density.function)
        return fr_fail_key(check_part_of("bodies", index, "mass").key,
                           "bodies[%d]: density and mass both say what it weighs; leave one out", index + 1);
    if (body->mass != 0)
        return check_positive(check_part_of("bodies", index, "mass").key, body->mass, "kg");
    return body->density.function
               ? FR_OK
               : check_positive(check_part_of("bodies", index, "density").key, body->density.value, "kg/m³");
}

/* In 2D nothing goes along z, and nothing turns about another axis. */
static fr_result check_motion(const fr_scene_def *def, int index)
{
    const fr_body_def *body = &def->bodies[index];
    const struct {
        const char *part;
        const double *value;
        bool turns;
    } motions[] = {
        {"velocity", body->velocity, false},
        {"spin", body->spin, true},
        {"force", body->force.value, false},
        {"torque", body->torque.value, true},
    };
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        const double *v = motions[i].value;
        const check_part part = check_part_of("bodies", index, motions[i].part);
        FR_TRY(check_finite(part.key, v, 3));
        if (def->domain.dims == 2 && (motions[i].turns ? v[0] != 0 || v[1] != 0 : v[2] != 0))
            return fr_fail_key(part.key, "%s leaves the plane: in 2D a body moves along x and y and turns about z",
                               part.key);
    }
    return FR_OK;
}

static fr_result check_heat(const fr_body_def *body, int index)
{
    const check_part capacity = check_part_of("bodies", index, "heat_capacity");
    FR_TRY(check_finite(check_part_of("bodies", index, "temperature").key, &body->temperature, 1));
    FR_TRY(check_not_negative(capacity.key, body->heat_capacity));
    if (body->heat_capacity > 0 && !body->has_temperature)
        return fr_fail_key(capacity.key, "%s: give it a temperature too, that of its start", capacity.key);
    return FR_OK;
}

static fr_result check_body(const fr_scene_def *def, int index)
{
    const fr_body_def *body = &def->bodies[index];
    const check_part bounce = check_part_of("bodies", index, "bounce");
    char key[CHECK_KEY];
    snprintf(key, sizeof key, "bodies[%d]", index + 1);
    FR_TRY(check_placed(key, &body->shape));
    FR_TRY(check_weight(body, index));
    FR_TRY(check_motion(def, index));
    if (!(body->bounce >= 0 && body->bounce <= 1))
        return fr_fail_key(bounce.key,
                           "%s is the share of the speed that a collision leaves and must lie between 0 "
                           "and 1, not %g",
                           bounce.key, body->bounce);
    FR_TRY(check_not_negative(check_part_of("bodies", index, "friction").key, body->friction));
    FR_TRY(check_not_negative(check_part_of("bodies", index, "from").key, body->from));
    return check_heat(body, index);
}

/* A joint that names a body must mean one. */
static fr_result check_names(const fr_scene_def *def)
{
    for (int i = 0; i < def->body_count; i++)
        for (int k = 0; k < i && def->bodies[i].name; k++)
            if (def->bodies[k].name && !strcmp(def->bodies[i].name, def->bodies[k].name))
                return fr_fail_key(check_part_of("bodies", i, "name").key,
                                   "bodies[%d]: bodies[%d] has the name '%.40s' already; choose another", i + 1, k + 1,
                                   def->bodies[i].name);
    return FR_OK;
}

static fr_result check_ends(const fr_scene_def *def, const fr_joint_def *joint, const char *key)
{
    for (int end = 0; end < 2; end++)
        if (joint->bodies[end] < -end || joint->bodies[end] >= def->body_count)
            return fr_fail_key(key, "%s holds bodies by their numbers in the list, of which there are %d; not %d", key,
                               def->body_count, joint->bodies[end]);
    if (joint->bodies[0] == joint->bodies[1])
        return fr_fail_key(key, "%s holds bodies[%d] to itself; name two different ones, or one that the world holds",
                           key, joint->bodies[0] + 1);
    return FR_OK;
}

static fr_result check_axis(const fr_scene_def *def, const fr_joint_def *joint, const char *key)
{
    const double *axis = joint->axis;
    const bool hinge = joint->kind == FR_JOINT_HINGE, flat = def->domain.dims == 2;
    FR_TRY(check_finite(key, axis, 3));
    if (!(vec3_length(vec3_unit(vec3_of(axis))) > 0.5))
        return fr_fail_key(key, "%s must not be zero; its length does not matter", key);
    if (flat && (hinge ? axis[0] != 0 || axis[1] != 0 : axis[2] != 0))
        return fr_fail_key(key, "%s: in 2D %s", key,
                           hinge ? "a hinge turns about z; leave the axis out"
                                 : "a slider lies in the plane of x and y");
    return FR_OK;
}

/* A joint starts at 0. */
static fr_result check_limits(const fr_joint_def *joint, const char *key)
{
    const double *limits = joint->limits;
    FR_TRY(check_finite(key, limits, 2));
    if (!(limits[0] < limits[1]))
        return fr_fail_key(key, "%s must be {least, greatest}, not {%g, %g}", key, limits[0], limits[1]);
    if (!(limits[0] <= 0 && limits[1] >= 0))
        return fr_fail_key(key, "%s must enclose 0, where a joint starts, and are {%g, %g}", key, limits[0], limits[1]);
    if (joint->kind == FR_JOINT_HINGE && (limits[0] < -FR_PI || limits[1] > FR_PI))
        return fr_fail_key(key, "%s are angles in radians from -pi to pi, not {%g, %g}; math.rad makes them of degrees",
                           key, limits[0], limits[1]);
    return FR_OK;
}

static fr_result check_joint(const fr_scene_def *def, int index)
{
    const fr_joint_def *joint = &def->joints[index];
    char key[CHECK_KEY];
    snprintf(key, sizeof key, "joints[%d]", index + 1);
    if ((unsigned)joint->kind > FR_JOINT_SLIDER)
        return check_no_choice(key, (int)joint->kind);
    FR_TRY(check_ends(def, joint, check_part_of("joints", index, "bodies").key));
    FR_TRY(check_finite(check_part_of("joints", index, "at").key, joint->at, 3));
    if (joint->kind == FR_JOINT_BALL)
        return joint->has_limits || joint->has_motor
                   ? fr_fail_key(key, "%s: a ball joint has neither limits nor a motor; a hinge has", key)
                   : FR_OK;
    FR_TRY(check_axis(def, joint, check_part_of("joints", index, "axis").key));
    if (joint->has_limits)
        FR_TRY(check_limits(joint, check_part_of("joints", index, "limits").key));
    FR_TRY(check_finite(check_part_of("joints", index, "motor").key, &joint->motor.value, 1));
    if (joint->torque != 0 && !joint->has_motor)
        return fr_fail_key(key, "%s: torque is the most that a motor gives; give it a motor, 0 to hold still", key);
    return check_not_negative(check_part_of("joints", index, "torque").key, joint->torque);
}

static fr_result check_coupling(const fr_scene_def *def)
{
    if ((unsigned)def->coupling > FR_COUPLING_CARRIED)
        return check_no_choice("coupling", (int)def->coupling);
    const bool pushes = def->coupling == FR_COUPLING_MONOLITHIC || def->coupling == FR_COUPLING_RIGID_FLUID;
    if (def->has_prescribed && def->body_count > 0 && pushes)
        return fr_fail_key("prescribed", "prescribed: the flow is given, and bodies cannot push it; write coupling = "
                                         "\"carried\" (they feel the flow) or \"one_way\" (they do not)");
    return FR_OK;
}

static fr_result check_number(const char *key, int count)
{
    if (count > CHECK_MOST_BODIES)
        return fr_fail_key(key, "%s has %d entries; the limit is %d", key, count, CHECK_MOST_BODIES);
    return FR_OK;
}

fr_result check_bodies(const fr_scene_def *def, const fr_method_info *method)
{
    if ((def->body_count > 0 || def->joint_count > 0) && !method->has_bodies)
        return fr_fail_key("bodies",
                           "bodies is not built yet for method = \"%s\"; method = \"liquid\", \"sph\" and "
                           "\"smoke\" have it",
                           method->name);
    FR_TRY(check_number("bodies", def->body_count));
    FR_TRY(check_number("joints", def->joint_count));
    for (int i = 0; i < def->body_count; i++)
        FR_TRY(check_body(def, i));
    FR_TRY(check_names(def));
    for (int i = 0; i < def->joint_count; i++)
        FR_TRY(check_joint(def, i));
    return check_coupling(def);
}
