/* Bodies that hang together by contacts and joints, and how their velocities change at once.

   A step of an island: what overlaps or has come out of joint is put right, by moving and not by speeding up; what
   bounces gets its new velocity (Newton's rule); then all are kicked by their loads and held by contacts, friction and
   joints, and move. Contacts that are still open let them come closer as far as the gap goes. */
#include "rigid/islands.h"

#include <string.h>

#include "rigid/engine.h"
#include "rigid/quaternion.h"

/* Constraints of an island beyond which they are solved by iteration. */
enum { DIRECT_MOST = 240, ATTEMPTS = 4 };

/* The part of an overlap that is put right in a step, and of the length unit at most. */
static const double RECOVER = 0.2, RECOVER_MOST = 0.1;

/* m/s relative to the fastest: what an exact solution may miss its constraints by. */
static const double MISSED = 1e-5;

/* The root of a body's island, by halving the way to it. */
static int island_root(rigid *r, int body)
{
    island *all = r->islands;
    while (all[body].of != body)
        body = all[body].of = all[all[body].of].of;
    return body;
}

static void island_join(rigid *r, int a, int b)
{
    if (b < 0)
        return;
    const int first = island_root(r, a), second = island_root(r, b);
    r->islands[first > second ? first : second].of = first > second ? second : first;
}

static bool joint_pulled(const rigid *r, const joint *j, double seconds)
{
    double limits[2];
    const bool limited = joint_limits(j, limits);
    const double at = joint_position(r, j), way = 2 * seconds * fabs(joint_speed(r, j, r->states));
    return j->def->has_motor || (limited && (at - way <= limits[0] || at + way >= limits[1]));
}

static void islands_mark(rigid *r, double seconds)
{
    for (int i = 0; i < r->contacts.count; i++) {
        const contact *c = &r->contacts.of[i];
        island *own = &r->islands[island_root(r, c->body[0])];
        own->marks |= ISLAND_TOUCHES | (c->gap < -rigid_slop(r) ? ISLAND_PULLED : 0) | (c->moving ? ISLAND_DRIVEN : 0);
        own->rows += c->friction > 0 ? r->setup.dims : 1;
    }
    for (int i = 0; i < r->setup.joint_count; i++) {
        const joint *j = &r->joints[i];
        if (!joint_holds(r, j))
            continue;
        island *own = &r->islands[island_root(r, j->body[0])];
        own->marks |= ISLAND_PULLED | (j->def->has_motor ? ISLAND_DRIVEN : 0);
        own->rows += 6;
        if (!joint_pulled(r, j, seconds))
            own->marks |= ISLAND_SWINGS;
    }
    for (int i = 0; i < r->setup.joint_count; i++)
        if (joint_holds(r, &r->joints[i]) && joint_pulled(r, &r->joints[i], seconds))
            r->islands[island_root(r, r->joints[i].body[0])].marks &= (uint8_t)~ISLAND_SWINGS;
}

void islands_find(rigid *r, double seconds)
{
    for (int b = 0; b < r->setup.body_count; b++)
        r->islands[b] = (island){.of = b};
    for (int i = 0; i < r->contacts.count; i++)
        island_join(r, r->contacts.of[i].body[0], r->contacts.of[i].body[1]);
    for (int i = 0; i < r->setup.joint_count; i++)
        if (joint_holds(r, &r->joints[i]))
            island_join(r, r->joints[i].body[0], r->joints[i].body[1]);
    islands_mark(r, seconds);
    for (int b = 0; b < r->setup.body_count; b++)
        island_root(r, b);
    for (int b = 0; b < r->setup.body_count; b++) {
        island *own = &r->islands[b];
        if (own->of == b) {
            own->marks &= own->marks & ISLAND_TOUCHES ? (uint8_t)~ISLAND_SWINGS : 0xff;
            own->marks |= own->rows > DIRECT_MOST ? ISLAND_LARGE : 0;
        }
    }
    for (int b = 0; b < r->setup.body_count; b++)
        r->islands[b].of = island_root(r, b);
    for (int b = 0; b < r->setup.body_count; b++)
        if (r->islands[r->islands[b].of].rows == 0)
            r->islands[b].of = -1;
}

vec3 contact_velocity(const contact *c, const rigid_state *states)
{
    const vec3 own = rigid_velocity(&states[c->body[0]], c->at);
    return vec3_sub(own, c->body[1] < 0 ? c->surface : rigid_velocity(&states[c->body[1]], c->at));
}

double contact_fast(const rigid *r, const contact *c, const rigid_state *states, double seconds)
{
    double fast = fabs(c->speed) + rigid_slop(r) / seconds;
    for (int k = 0; k < 2; k++)
        if (c->body[k] >= 0)
            fast += vec3_length(rigid_velocity(&states[c->body[k]], c->at));
    return fast;
}

/* After an exact solution: islands that it misses stay open, with the velocities before; the others are closed. */
static void islands_close(rigid *r, const engine_task *task, rigid_state *states)
{
    for (int b = 0; b < r->setup.body_count; b++)
        r->islands[b].missed = false;
    for (int i = 0; i < r->contacts.count && task->contacts; i++) {
        const contact *c = &r->contacts.of[i];
        const double parts = vec3_dot(c->normal, vec3_add(contact_velocity(c, states), c->surface));
        if (engine_takes(r, task, c->body[0]) &&
            !(parts >= c->speed - MISSED * contact_fast(r, c, r->trial, task->seconds)))
            island_of(r, c->body[0])->missed = true;
    }
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        if (own && own->marks & ISLAND_OPEN && own->missed) {
            memcpy(states[b].velocity, r->trial[b].velocity, sizeof states[b].velocity);
            memcpy(states[b].spin, r->trial[b].spin, sizeof states[b].spin);
        }
    }
    for (int b = 0; b < r->setup.body_count; b++)
        if (!r->islands[b].missed && !(r->islands[b].marks & ISLAND_LARGE))
            r->islands[b].marks &= (uint8_t)~ISLAND_OPEN;
}

/* Solves all islands of a task: the small ones exactly. Where several contacts do the same, as under a box, the problem
   is degenerate and ODE may lose its way; so each contact is moved from its place by a random hair, and if it is lost
   all the same by another. What is missed still is solved by iteration, in the last attempt. */
static fr_result islands_solve(rigid *r, engine_task task, rigid_state *states, engine_work *work)
{
    engine_work more;
    memcpy(r->trial, states, sizeof *states * (size_t)r->setup.body_count);
    *work = (engine_work){0};
    for (int b = 0; b < r->setup.body_count; b++)
        r->islands[b].marks |= ISLAND_OPEN;
    task.with |= ISLAND_OPEN;
    for (task.attempt = 0; task.attempt < ATTEMPTS; task.attempt++) {
        task.direct = task.attempt < ATTEMPTS - 1;
        task.without = (uint8_t)(task.direct ? task.without | ISLAND_LARGE : task.without & ~ISLAND_LARGE);
        FR_TRY(engine_solve(r, &task, states, &more));
        work->motors += more.motors;
        work->obstacles += more.obstacles;
        if (task.direct)
            islands_close(r, &task, states);
        for (int b = 0; b < r->setup.body_count && task.attempt == ATTEMPTS - 2; b++)
            r->islands[b].marks |= r->islands[b].missed ? ISLAND_LARGE : 0;
    }
    return FR_OK;
}

/* The change Δ of the velocities does the work v·MΔ + Δ·MΔ/2; both parts are summed for each island. */
static void islands_work(rigid *r)
{
    for (int b = 0; b < r->setup.body_count; b++)
        r->islands[b].work = r->islands[b].square = 0;
    for (int b = 0; b < r->setup.body_count; b++) {
        island *own = island_of(r, b);
        if (!own)
            continue;
        const rigid_state *s = &r->states[b], *was = &r->trial[b];
        const vec3 v = vec3_of(was->velocity), dv = vec3_sub(vec3_of(s->velocity), v);
        const vec3 w = vec3_of(was->spin), dw = vec3_sub(vec3_of(s->spin), w);
        const vec3 push = vec3_scale(dv, r->bodies[b].mass.mass);
        const vec3 twist = principal_momentum(&r->bodies[b].principal, s->rotation, dw);
        own->work += vec3_dot(v, push) + vec3_dot(w, twist);
        own->square += 0.5 * (vec3_dot(dv, push) + vec3_dot(dw, twist));
    }
}

static void towards(double to[3], const double from[3], double part)
{
    for (int a = 0; a < 3; a++)
        to[a] = from[a] + part * (to[a] - from[a]);
}

/* Contacts give no energy. Newton's rule may, where several bounce at once and rub (Kane 1984), and an iteration that
   has not converged: then all impulses of the island are taken less by the same part. */
static void islands_guard(rigid *r)
{
    islands_work(r);
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        if (!own || own->marks & ISLAND_DRIVEN || !(own->work + own->square > 0))
            continue;
        const double part = clampd(-own->work / own->square, 0, 1);
        towards(r->states[b].velocity, r->trial[b].velocity, part);
        towards(r->states[b].spin, r->trial[b].spin, part);
    }
}

static double body_energy(const rigid *r, int body, const rigid_state *s)
{
    const vec3 v = vec3_of(s->velocity), w = vec3_of(s->spin);
    return 0.5 * (r->bodies[body].mass.mass * vec3_dot(v, v) +
                  vec3_dot(w, principal_momentum(&r->bodies[body].principal, s->rotation, w)));
}

/* What a step takes from the energy of motion, beyond what loads, motors and obstacles give it. */
static void islands_lose(rigid *r, const rigid_state *from, double seconds, const engine_work *work)
{
    r->report.lost += work->motors + work->obstacles;
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        const rigid_state *s = &r->states[b];
        if (!own || own->marks & ISLAND_SWINGS || rigid_flies(r, b))
            continue;
        r->report.lost += body_energy(r, b, &from[b]) - body_energy(r, b, s);
        r->report.lost += seconds * (vec3_dot(vec3_of(r->loads[b].force), vec3_of(s->velocity)) +
                                     vec3_dot(vec3_of(r->loads[b].torque), vec3_of(s->spin)));
    }
}

/* How a contact parts at least: as its gap closes. */
static double contact_opens(const contact *c, double seconds)
{
    return vec3_dot(c->normal, c->surface) - fmax(c->gap, 0) / seconds;
}

fr_result islands_correct(rigid *r, double t, double seconds)
{
    const engine_task task = {.t = t, .seconds = seconds, .with = ISLAND_PULLED, .joints = ENGINE_JOINTS_CORRECT,
                              .contacts = true};
    engine_work work;
    for (int b = 0; b < r->setup.body_count; b++) {
        r->ghost[b] = r->states[b];
        memset(r->ghost[b].velocity, 0, sizeof r->ghost[b].velocity);
        memset(r->ghost[b].spin, 0, sizeof r->ghost[b].spin);
    }
    for (int i = 0; i < r->contacts.count; i++) {
        contact *c = &r->contacts.of[i];
        const double deep = fmin(RECOVER * (-c->gap - rigid_slop(r)), RECOVER_MOST * r->setup.length);
        c->speed = (deep > 0 ? deep : -fmax(c->gap, 0)) / seconds;
    }
    FR_TRY(islands_solve(r, task, r->ghost, &work));
    for (int i = 0; i < r->contacts.count; i++) {
        contact *c = &r->contacts.of[i];
        c->gap += seconds * vec3_dot(c->normal, vec3_add(contact_velocity(c, r->ghost), c->surface));
    }
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        if (!own || !(own->marks & ISLAND_PULLED))
            continue;
        for (int a = 0; a < 3; a++)
            r->states[b].position[a] += seconds * r->ghost[b].velocity[a];
        quaternion_turn(r->states[b].rotation, vec3_scale(vec3_of(r->ghost[b].spin), seconds), r->states[b].rotation);
    }
    return FR_OK;
}

/* m/s: slower than this nothing bounces; what rests on another has this from its weight in a step or two. */
static double contact_calm(const rigid *r, const contact *c, double seconds)
{
    double push = vec3_length(rigid_push(r, c->body[0]));
    if (c->body[1] >= 0)
        push += vec3_length(rigid_push(r, c->body[1]));
    return 2 * push * seconds;
}

fr_result islands_bounce(rigid *r, double t, double seconds)
{
    const engine_task task = {.t = t, .seconds = seconds, .with = ISLAND_BOUNCES, .joints = ENGINE_JOINTS_HOLD,
                              .contacts = true, .friction = true};
    engine_work work;
    for (int i = 0; i < r->contacts.count; i++) {
        contact *c = &r->contacts.of[i];
        const double meet = -vec3_dot(c->normal, contact_velocity(c, r->states)), calm = contact_calm(r, c, seconds);
        c->speed = contact_opens(c, seconds);
        if (c->bounce > 0 && meet > calm && c->gap < (meet + calm) * seconds) {
            c->speed = vec3_dot(c->normal, c->surface) + c->bounce * meet;
            island_of(r, c->body[0])->marks |= ISLAND_BOUNCES;
        }
    }
    FR_TRY(islands_solve(r, task, r->states, &work));
    islands_guard(r);
    islands_lose(r, r->trial, 0, &work);
    return FR_OK;
}

fr_result islands_kick(rigid *r, double t, double seconds)
{
    const engine_task task = {.t = t, .seconds = seconds, .without = ISLAND_SWINGS, .joints = ENGINE_JOINTS_DRIVE,
                              .contacts = true, .friction = true};
    engine_work work;
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        if (own && !(own->marks & ISLAND_SWINGS))
            rigid_kick(r, b, seconds, &r->states[b]);
    }
    for (int i = 0; i < r->contacts.count; i++)
        r->contacts.of[i].speed = contact_opens(&r->contacts.of[i], seconds);
    FR_TRY(islands_solve(r, task, r->states, &work));
    islands_guard(r);
    islands_lose(r, r->before, seconds, &work);
    r->report.motor_work += work.motors;
    return FR_OK;
}

/* What the joints do not allow is taken from the velocities first. Then half a kick, half the way; there the joints
   take what they must of the velocities, which then carry the bodies all the way; the joints take the same again, and
   the other half of the kick follows. The joints reflect the velocities at what they allow halfway: that costs no
   energy, and the step can be run backwards. */
fr_result islands_swing(rigid *r, double t, double seconds)
{
    const engine_task task = {.t = t, .seconds = seconds, .with = ISLAND_SWINGS, .joints = ENGINE_JOINTS_FREE};
    engine_work work;
    FR_TRY(islands_solve(r, task, r->states, &work));
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        if (!own || !(own->marks & ISLAND_SWINGS))
            continue;
        rigid_kick(r, b, 0.5 * seconds, &r->states[b]);
        r->ghost[b] = rigid_drift(r, b, &r->states[b], 0.5 * seconds);
    }
    FR_TRY(islands_solve(r, task, r->ghost, &work));
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        if (!own || !(own->marks & ISLAND_SWINGS))
            continue;
        rigid_state *s = &r->states[b], *half = &r->ghost[b];
        const principal *p = &r->bodies[b].principal;
        const vec3 first = principal_momentum(p, s->rotation, vec3_of(s->spin));
        const vec3 middle = principal_momentum(p, half->rotation, vec3_of(half->spin));
        principal_turn(p, middle, seconds, s->rotation, s->rotation);
        rigid_set_spin(principal_spin(p, s->rotation, vec3_sub(vec3_scale(middle, 2), first)), s);
        for (int a = 0; a < 3; a++) {
            s->position[a] += seconds * half->velocity[a];
            s->velocity[a] = 2 * half->velocity[a] - s->velocity[a];
        }
        rigid_kick(r, b, 0.5 * seconds, s);
    }
    return FR_OK;
}
