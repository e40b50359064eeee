#include "rigid/engine.h"

#ifdef FR_HAVE_ODE
#include <ode/ode.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { ITERATIONS = 150 };

/* How much softer than rigid a contact may be, as a part of its own inverse mass: what makes redundant contacts
   solvable. */
static const double SOFT = 1e-10;

/* Relative to their speeds: by which contacts are moved, so that no two of them say the same. */
static const double HAIR = 1e-8;

/* The part of an angle by which a limit is put before a joint that is about to pass it. */
static const double BEFORE = 1e-12;

struct engine {
    dWorldID world;
    dJointGroupID touching;
    dBodyID *bodies;             /* NULL: fixed */
    dJointID *joints;            /* NULL: between bodies that are fixed */
    dJointFeedback *loads;       /* of the joints */
    dJointFeedback *touches;     /* of the contacts */
    int touch_room;
    double softest;              /* 1/kg, of the heaviest body */
};

/* ODE keeps its random numbers and its messages for the whole process. */
static pthread_mutex_t ode_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t ode_once = PTHREAD_ONCE_INIT;

/* A problem that cannot be solved exactly is solved again by iteration; ODE need not say so. */
static void ode_quiet(int number, const char *message, va_list args)
{
    (void)number;
    (void)message;
    (void)args;
}

static void ode_begin(void)
{
    dInitODE2(0);
    dSetMessageHandler(ode_quiet);
}

static void engine_pose(dBodyID b, const rigid_state *s)
{
    const dQuaternion q = {s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]};
    dBodySetPosition(b, s->position[0], s->position[1], s->position[2]);
    dBodySetQuaternion(b, q);
}

static void engine_add_body(engine *e, const rigid *r, int body)
{
    const rigid_body *own = &r->bodies[body];
    const double (*in)[3] = own->mass.inertia;
    const bool flat = r->setup.dims == 2;
    dMass mass;
    if (own->def->fixed)
        return;
    dBodyID b = e->bodies[body] = dBodyCreate(e->world);
    dMassSetParameters(&mass, own->mass.mass, 0, 0, 0, flat ? in[2][2] : in[0][0], flat ? in[2][2] : in[1][1], in[2][2],
                       in[0][1], in[0][2], in[1][2]);
    dBodySetMass(b, &mass);
    dBodySetGyroscopicMode(b, 0);
    engine_pose(b, &r->states[body]);
    e->softest = fmin(e->softest, 1 / own->mass.mass);
}

static void engine_add_joint(engine *e, const rigid *r, int index)
{
    const joint *j = &r->joints[index];
    if (j->body[0] < 0)
        return;
    const vec3 at = joint_anchor(r, j, 0), axis = joint_axis(r, j);
    dBodyID first = e->bodies[j->body[0]], second = j->body[1] < 0 ? 0 : e->bodies[j->body[1]];
    dJointID d;
    if (j->def->kind == FR_JOINT_BALL) {
        d = dJointCreateBall(e->world, 0);
        dJointAttach(d, first, second);
        dJointSetBallAnchor(d, at.x, at.y, at.z);
    } else if (j->def->kind == FR_JOINT_HINGE) {
        d = dJointCreateHinge(e->world, 0);
        dJointAttach(d, first, second);
        dJointSetHingeAnchor(d, at.x, at.y, at.z);
        dJointSetHingeAxis(d, axis.x, axis.y, axis.z);
    } else {
        d = dJointCreateSlider(e->world, 0);
        dJointAttach(d, first, second);
        dJointSetSliderAxis(d, axis.x, axis.y, axis.z);
    }
    dJointSetFeedback(d, &e->loads[index]);
    e->joints[index] = d;
}

fr_result engine_create(const rigid *r, engine **out)
{
    const size_t bodies = (size_t)r->setup.body_count, joints = (size_t)r->setup.joint_count;
    pthread_once(&ode_once, ode_begin);
    engine *e = *out = calloc(1, sizeof *e);
    if (!e)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for a world of bodies");
    e->bodies = calloc(bodies + 1, sizeof *e->bodies);
    e->joints = calloc(joints + 1, sizeof *e->joints);
    e->loads = calloc(joints + 1, sizeof *e->loads);
    if (!e->bodies || !e->joints || !e->loads)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for a world of bodies");
    e->softest = INFINITY;
    e->world = dWorldCreate();
    e->touching = dJointGroupCreate(0);
    dWorldSetAutoDisableFlag(e->world, 0);
    dWorldSetQuickStepNumIterations(e->world, ITERATIONS);
    for (int b = 0; b < r->setup.body_count; b++)
        engine_add_body(e, r, b);
    for (int j = 0; j < r->setup.joint_count; j++)
        engine_add_joint(e, r, j);
    return FR_OK;
}

void engine_destroy(engine *e)
{
    if (!e)
        return;
    if (e->touching)
        dJointGroupDestroy(e->touching);
    if (e->world)
        dWorldDestroy(e->world);
    free(e->bodies);
    free(e->joints);
    free(e->loads);
    free(e->touches);
    free(e);
}

/* Bodies that do not take part are disabled. Gives how many do. */
static int engine_enter(rigid *r, const engine_task *task, const rigid_state *states)
{
    int count = 0;
    for (int b = 0; b < r->setup.body_count; b++) {
        dBodyID body = r->engine->bodies[b];
        if (!body)
            continue;
        if (!engine_takes(r, task, b)) {
            dBodyDisable(body);
            continue;
        }
        const rigid_state *s = &states[b];
        dBodyEnable(body);
        engine_pose(body, s);
        dBodySetLinearVel(body, s->velocity[0], s->velocity[1], s->velocity[2]);
        dBodySetAngularVel(body, s->spin[0], s->spin[1], s->spin[2]);
        count++;
    }
    return count;
}

static void joint_parameter(const joint *j, dJointID d, int parameter, double value)
{
    if (j->def->kind == FR_JOINT_HINGE)
        dJointSetHingeParam(d, parameter, value);
    else
        dJointSetSliderParam(d, parameter, value);
}

static double joint_at(const joint *j, dJointID d)
{
    return j->def->kind == FR_JOINT_HINGE ? dJointGetHingeAngle(d) : dJointGetSliderPosition(d);
}

/* A limit that would be passed within the time stops the joint where it is; on the way back nothing holds it. Tells
   whether it stops. */
static bool engine_limit(const joint *j, dJointID d, const engine_task *task, const double fastest[2])
{
    double limits[2], stops[2] = {-dInfinity, dInfinity};
    const double at = joint_at(j, d);
    if (joint_limits(j, limits) && task->joints != ENGINE_JOINTS_FREE) {
        if (task->joints == ENGINE_JOINTS_CORRECT)
            memcpy(stops, limits, sizeof stops);
        else if (at + task->seconds * fastest[0] < limits[0])
            stops[0] = at + BEFORE * (1 + fabs(at));
        else if (at + task->seconds * fastest[1] > limits[1])
            stops[1] = at - BEFORE * (1 + fabs(at));
    }
    joint_parameter(j, d, dParamLoStop, stops[0]);
    joint_parameter(j, d, dParamHiStop, stops[1]);
    joint_parameter(j, d, dParamStopERP, task->joints == ENGINE_JOINTS_CORRECT ? 1 : 0);
    return at <= stops[0] || at >= stops[1];
}

/* A motor of any strength that drives into a limit stands; one that drives away from it is held by nothing else. */
static fr_result engine_joint(rigid *r, const engine_task *task, int index)
{
    const joint *j = &r->joints[index];
    dJointID d = r->engine->joints[index];
    if (!d)
        return FR_OK;
    if (!joint_holds(r, j) || !engine_takes(r, task, j->body[0])) {
        dJointDisable(d);
        return FR_OK;
    }
    dJointEnable(d);
    if (j->def->kind == FR_JOINT_BALL)
        return FR_OK;
    const double now = j->def->kind == FR_JOINT_HINGE ? dJointGetHingeAngleRate(d) : dJointGetSliderPositionRate(d);
    double speed = 0, fastest[2] = {now, now};
    bool driven = false;
    if (task->joints == ENGINE_JOINTS_DRIVE)
        FR_TRY(joint_motor(r, j, task->t, &driven, &speed));
    const bool strong = driven && j->def->torque == 0;
    if (driven) {
        fastest[0] = strong ? speed : fmin(now, speed);
        fastest[1] = strong ? speed : fmax(now, speed);
    }
    const bool stops = engine_limit(j, d, task, fastest);
    joint_parameter(j, d, dParamVel, speed);
    joint_parameter(j, d, dParamFMax, !driven || (strong && stops) ? 0 : strong ? dInfinity : j->def->torque);
    return FR_OK;
}

static double engine_inverse_mass(const rigid *r, int body)
{
    return body < 0 ? 0 : 1 / r->bodies[body].mass.mass;
}

/* Across the normal, the way in which the bodies slide: friction along it is Coulomb's to the last digit. */
static vec3 engine_slide(const rigid *r, const contact *c, const rigid_state *states)
{
    const vec3 n = c->normal, v = contact_velocity(c, states);
    const vec3 across = vec3_sub(v, vec3_scale(n, vec3_dot(v, n)));
    if (r->setup.dims == 2)
        return (vec3){-n.y, n.x, 0};
    if (vec3_length(across) > 1e-9 * vec3_length(v))
        return vec3_unit(across);
    return vec3_unit(fabs(n.x) < 0.6 ? (vec3){0, n.z, -n.y} : (vec3){-n.z, 0, n.x});
}

static void engine_touch(rigid *r, const engine_task *task, const rigid_state *states, int index)
{
    const contact *c = &r->contacts.of[index];
    engine *e = r->engine;
    const vec3 n = c->normal, slide = engine_slide(r, c, states), side = vec3_cross(n, slide);
    const double soft =
        SOFT * task->seconds * (engine_inverse_mass(r, c->body[0]) + engine_inverse_mass(r, c->body[1]));
    const double hair = HAIR * (1 + task->attempt) * random_unit((uint64_t)task->attempt, (uint64_t)index);
    dContact d = {.surface = {.mode = dContactMu2 | dContactSoftCFM | dContactMotion1 | dContactMotion2 |
                                      dContactMotionN | dContactSlip1 | dContactSlip2 | dContactApprox1 | dContactFDir1,
                              .soft_cfm = soft, .slip1 = soft, .slip2 = soft},
                  .geom = {.pos = {c->at.x, c->at.y, c->at.z}, .normal = {n.x, n.y, n.z}},
                  .fdir1 = {slide.x, slide.y, slide.z}};
    if (task->friction) {
        d.surface.mu = c->friction;
        d.surface.mu2 = r->setup.dims == 2 ? 0 : c->friction;
        d.surface.motion1 = vec3_dot(c->surface, slide);
        d.surface.motion2 = vec3_dot(c->surface, side);
    }
    d.surface.motionN = c->speed - hair * contact_fast(r, c, states, task->seconds);
    dJointID joint = dJointCreateContact(e->world, e->touching, &d);
    dJointAttach(joint, e->bodies[c->body[0]], c->body[1] < 0 ? 0 : e->bodies[c->body[1]]);
    if (c->moving)
        dJointSetFeedback(joint, &e->touches[index]);
}

static fr_result engine_reserve(engine *e, int contacts)
{
    if (contacts <= e->touch_room)
        return FR_OK;
    dJointFeedback *more = realloc(e->touches, sizeof *more * (size_t)(2 * contacts));
    if (!more)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for the contacts of bodies");
    e->touches = more;
    e->touch_room = 2 * contacts;
    return FR_OK;
}

static fr_result engine_run(engine *e, const engine_task *task)
{
    dWorldSetERP(e->world, task->joints == ENGINE_JOINTS_CORRECT ? 1 : 0);
    dWorldSetCFM(e->world, SOFT * task->seconds * e->softest);
    pthread_mutex_lock(&ode_lock);
    dRandSetSeed(1);
    const int done = task->direct ? dWorldStep(e->world, task->seconds) : dWorldQuickStep(e->world, task->seconds);
    pthread_mutex_unlock(&ode_lock);
    return done ? FR_OK : fr_fail(FR_ERROR_MEMORY, "out of memory for the forces between bodies");
}

/* What motors gave: the torque about the axis, or the force along it, at the mean speed of the step. */
static double engine_motors(const rigid *r, const engine_task *task, const rigid_state *states)
{
    double work = 0;
    for (int i = 0; i < r->setup.joint_count && task->joints == ENGINE_JOINTS_DRIVE; i++) {
        const joint *j = &r->joints[i];
        if (!j->def->has_motor || !r->engine->joints[i] || !joint_holds(r, j) || !engine_takes(r, task, j->body[0]))
            continue;
        const dJointFeedback *f = &r->engine->loads[i];
        const vec3 axis = joint_axis(r, j), force = vec3_of(f->f1), torque = vec3_of(f->t1);
        const vec3 arm = vec3_sub(joint_anchor(r, j, 0), vec3_of(r->states[j->body[0]].position));
        const double speed = 0.5 * (joint_speed(r, j, r->before) + joint_speed(r, j, states));
        if (j->def->kind == FR_JOINT_HINGE)
            work += task->seconds * speed * vec3_dot(axis, vec3_sub(torque, vec3_cross(arm, force)));
        else
            work += task->seconds * speed * vec3_dot(axis, force);
    }
    return work;
}

static void engine_leave(rigid *r, const engine_task *task, rigid_state *states)
{
    for (int b = 0; b < r->setup.body_count; b++) {
        if (!r->engine->bodies[b] || !engine_takes(r, task, b))
            continue;
        memcpy(states[b].velocity, dBodyGetLinearVel(r->engine->bodies[b]), sizeof states[b].velocity);
        memcpy(states[b].spin, dBodyGetAngularVel(r->engine->bodies[b]), sizeof states[b].spin);
    }
}

fr_result engine_solve(rigid *r, const engine_task *task, rigid_state *states, engine_work *work)
{
    engine *e = r->engine;
    fr_result result = FR_OK;
    *work = (engine_work){0};
    if (engine_enter(r, task, states) == 0)
        return FR_OK;
    for (int j = 0; j < r->setup.joint_count; j++)
        FR_TRY(engine_joint(r, task, j));
    FR_TRY(engine_reserve(e, r->contacts.count));
    for (int i = 0; i < r->contacts.count && task->contacts; i++)
        if (engine_takes(r, task, r->contacts.of[i].body[0]))
            engine_touch(r, task, states, i);
    result = engine_run(e, task);
    if (result == FR_OK) {
        for (int i = 0; i < r->contacts.count && task->contacts; i++)
            if (r->contacts.of[i].moving && engine_takes(r, task, r->contacts.of[i].body[0]))
                work->obstacles += task->seconds * vec3_dot(vec3_of(e->touches[i].f1), r->contacts.of[i].surface);
        engine_leave(r, task, states);
        work->motors = engine_motors(r, task, states);
    }
    dJointGroupEmpty(e->touching);
    return result;
}
#else
fr_result engine_create(const rigid *r, engine **out)
{
    (void)r;
    *out = NULL;
    return fr_fail(FR_ERROR_UNSUPPORTED, "bodies need ODE, which this build lacks; install it and build again");
}

void engine_destroy(engine *e)
{
    (void)e;
}

fr_result engine_solve(rigid *r, const engine_task *task, rigid_state *states, engine_work *work)
{
    (void)task;
    (void)states;
    (void)work;
    return engine_create(r, &r->engine);
}
#endif
