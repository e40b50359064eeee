/* Joints between bodies: what they hold, how far they have turned, their limits and motors. */
#include <stdio.h>

#include "rigid/parts.h"
#include "rigid/quaternion.h"

static vec3 turned_by(const double rotation[4], vec3 v)
{
    double t[3][3];
    quaternion_matrix(rotation, t);
    return (vec3){t[0][0] * v.x + t[0][1] * v.y + t[0][2] * v.z, t[1][0] * v.x + t[1][1] * v.y + t[1][2] * v.z,
                  t[2][0] * v.x + t[2][1] * v.y + t[2][2] * v.z};
}

static vec3 turned_back(const double rotation[4], vec3 v)
{
    const double back[4] = {rotation[0], -rotation[1], -rotation[2], -rotation[3]};
    return turned_by(back, v);
}

static const rigid_state rigid_nowhere = {.rotation = {1, 0, 0, 0}};

static const rigid_state *joint_state(const rigid *r, const joint *j, int end)
{
    return j->body[end] < 0 ? &rigid_nowhere : &r->states[j->body[end]];
}

static fr_result joint_check_limits(const fr_joint_def *def, const char *key)
{
    const double most = def->kind == FR_JOINT_HINGE ? FR_PI : INFINITY;
    if (def->kind == FR_JOINT_BALL && (def->has_limits || def->has_motor))
        return fr_fail_key(key, "a ball joint has no limits and no motor");
    if (def->has_limits && !(def->limits[0] <= 0 && def->limits[1] >= 0 && def->limits[0] < def->limits[1]))
        return fr_fail_key(key, "its limits must enclose 0, where it starts; they are %g and %g", def->limits[0],
                           def->limits[1]);
    if (def->has_limits && (def->limits[0] < -most || def->limits[1] > most))
        return fr_fail_key(key, "a hinge's limits must lie within half a turn of its start");
    if (!(def->torque >= 0))
        return fr_fail_key(key, "its motor's torque must not be below 0, it is %g", def->torque);
    return FR_OK;
}

static fr_result joint_check(const rigid *r, const fr_joint_def *def, const char *key)
{
    const vec3 axis = vec3_of(def->axis);
    const double across = hypot(def->axis[0], def->axis[1]);
    for (int k = 0; k < 2; k++)
        if (def->bodies[k] < (k == 0 ? 0 : -1) || def->bodies[k] >= r->setup.body_count)
            return fr_fail_key(key, "there is no body %d", def->bodies[k] + 1);
    if (def->bodies[0] == def->bodies[1])
        return fr_fail_key(key, "it holds a body to itself");
    if (def->kind != FR_JOINT_BALL && !(vec3_length(axis) > 0 && isfinite(vec3_length(axis))))
        return fr_fail_key(key, "its axis must not be zero");
    if (r->setup.dims == 2 && def->kind == FR_JOINT_HINGE && across > 0)
        return fr_fail_key(key, "in 2D the axis of a hinge is that of z");
    if (r->setup.dims == 2 && def->kind == FR_JOINT_SLIDER && def->axis[2] != 0)
        return fr_fail_key(key, "in 2D the axis of a slider lies in the plane");
    return joint_check_limits(def, key);
}

static vec3 joint_across(vec3 axis)
{
    return vec3_unit(fabs(axis.x) < 0.6 ? (vec3){0, axis.z, -axis.y} : (vec3){-axis.z, 0, axis.x});
}

static void joint_make(rigid *r, const fr_joint_def *def, joint *j)
{
    *j = (joint){.def = def, .sign = 1};
    for (int k = 0; k < 2; k++)
        j->body[k] = def->bodies[k] < 0 || r->bodies[def->bodies[k]].def->fixed ? -1 : def->bodies[k];
    if (j->body[0] < 0) {
        j->body[0] = j->body[1];
        j->body[1] = -1;
        j->sign = -1;
    }
    if (j->body[0] < 0)
        return;
    const vec3 axis = vec3_unit(vec3_of(def->axis)), across = joint_across(axis);
    const vec3 at = def->kind == FR_JOINT_SLIDER ? vec3_of(r->states[j->body[0]].position) : vec3_of(def->at);
    for (int k = 0; k < 2; k++) {
        const rigid_state *s = joint_state(r, j, k);
        j->anchor[k] = turned_back(s->rotation, vec3_sub(at, vec3_of(s->position)));
        j->axis[k] = turned_back(s->rotation, axis);
        if (j->body[k] >= 0)
            r->bodies[j->body[k]].jointed = true;
    }
    j->across = turned_back(joint_state(r, j, 0)->rotation, across);
    j->across_second = turned_back(joint_state(r, j, 1)->rotation, across);
}

fr_result joints_make(rigid *r)
{
    for (int i = 0; i < r->setup.joint_count; i++) {
        char key[32];
        snprintf(key, sizeof key, "joints[%d]", i + 1);
        FR_TRY(joint_check(r, &r->setup.joints[i], key));
        joint_make(r, &r->setup.joints[i], &r->joints[i]);
    }
    return FR_OK;
}

bool joints_connect(const rigid *r, int body, int other)
{
    for (int i = 0; i < r->setup.joint_count; i++) {
        const int *pair = r->setup.joints[i].bodies;
        if ((pair[0] == body && pair[1] == other) || (pair[1] == body && pair[0] == other))
            return true;
    }
    return false;
}

bool joint_holds(const rigid *r, const joint *j)
{
    const int *pair = j->def->bodies;
    return j->body[0] >= 0 && r->states[pair[0]].present != 0 && (pair[1] < 0 || r->states[pair[1]].present != 0);
}

vec3 joint_axis(const rigid *r, const joint *j)
{
    return turned_by(joint_state(r, j, 1)->rotation, j->axis[1]);
}

vec3 joint_anchor(const rigid *r, const joint *j, int end)
{
    const rigid_state *s = joint_state(r, j, end);
    return vec3_add(vec3_of(s->position), turned_by(s->rotation, j->anchor[end]));
}

double joint_position(const rigid *r, const joint *j)
{
    const vec3 axis = joint_axis(r, j);
    if (j->def->kind == FR_JOINT_SLIDER)
        return vec3_dot(axis, vec3_sub(joint_anchor(r, j, 0), joint_anchor(r, j, 1)));
    const vec3 own = turned_by(joint_state(r, j, 0)->rotation, j->across);
    const vec3 start = turned_by(joint_state(r, j, 1)->rotation, j->across_second);
    return atan2(vec3_dot(axis, vec3_cross(start, own)), vec3_dot(start, own));
}

double joint_speed(const rigid *r, const joint *j, const rigid_state *states)
{
    const rigid_state *a = &states[j->body[0]], *b = j->body[1] < 0 ? &rigid_nowhere : &states[j->body[1]];
    const vec3 axis = joint_axis(r, j);
    if (j->def->kind == FR_JOINT_SLIDER)
        return vec3_dot(axis, vec3_sub(vec3_of(a->velocity), rigid_velocity(b, vec3_of(a->position))));
    return vec3_dot(axis, vec3_sub(vec3_of(a->spin), vec3_of(b->spin)));
}

bool joint_limits(const joint *j, double limits[2])
{
    limits[0] = j->sign > 0 ? j->def->limits[0] : -j->def->limits[1];
    limits[1] = j->sign > 0 ? j->def->limits[1] : -j->def->limits[0];
    return j->def->has_limits;
}

fr_result joint_motor(const rigid *r, const joint *j, double t, bool *driven, double *speed)
{
    const fr_number *motor = &j->def->motor;
    *driven = j->def->has_motor;
    *speed = motor->value;
    if (*driven && motor->function)
        FR_TRY(motor->function(motor->context, &t, speed));
    if (!*driven || isfinite(*speed)) {
        *speed *= j->sign;
        return FR_OK;
    }
    char key[32];
    snprintf(key, sizeof key, "joints[%d].motor", (int)(j - r->joints) + 1);
    return fr_fail_key(key, "its function gave %g at t = %g s; speeds must be finite", *speed, t);
}
