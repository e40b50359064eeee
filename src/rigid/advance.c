/* Advances the bodies: sub-steps as short as what may meet asks for. Bodies that touch nothing and hang on nothing fly
   exactly: parabolas, and rotations that keep angular momentum and energy. */
#include <float.h>
#include <string.h>

#include "rigid/islands.h"

/* In a sub-step, of the length unit: how far what may meet something moves. */
static const double MOVE = 0.25;

/* rad, in a sub-step: how far what may meet something turns, and what is jointed. */
static const double TURN = 0.2, TURN_JOINTED = 0.03;

enum { SUBSTEPS_MOST = 4096, ROUNDS = 4, SHORTEN = 8 };

/* The room of a body that is faster than was thought, in ways that it goes. */
static const double SPARE = 1.25;

/* s: after this time of calm bodies sleep. */
static const double SLEEPY = 0.5;

/* Of √(gravity·length): the speed of what is calm. Of gravity: the acceleration that wakes, after an exact solution and
   after iteration. */
static const double CALM = 3e-3, WAKE = 1e-4, WAKE_LARGE = 2e-2;

/* m/s and m: nothing physical goes beyond. */
static const double LARGEST = 1e12;

vec3 rigid_push(const rigid *r, int body)
{
    const vec3 force = vec3_of(r->loads[body].force);
    return vec3_scale((vec3){force.x, force.y, r->setup.dims == 2 ? 0 : force.z}, 1 / r->bodies[body].mass.mass);
}

static vec3 rigid_twist(const rigid *r, int body)
{
    const vec3 torque = vec3_of(r->loads[body].torque);
    return r->setup.dims == 2 ? (vec3){0, 0, torque.z} : torque;
}

void rigid_kick(const rigid *r, int body, double seconds, rigid_state *s)
{
    const principal *p = &r->bodies[body].principal;
    const vec3 push = rigid_push(r, body), twist = rigid_twist(r, body);
    s->velocity[0] += seconds * push.x;
    s->velocity[1] += seconds * push.y;
    s->velocity[2] += seconds * push.z;
    if (vec3_length(twist) > 0)
        rigid_set_spin(vec3_add(vec3_of(s->spin), principal_spin(p, s->rotation, vec3_scale(twist, seconds))), s);
}

rigid_state rigid_drift(const rigid *r, int body, const rigid_state *state, double seconds)
{
    rigid_state s = *state;
    if (s.present == 0 || r->bodies[body].def->fixed)
        return s;
    const principal *p = &r->bodies[body].principal;
    const vec3 momentum = principal_momentum(p, s.rotation, vec3_of(s.spin));
    for (int a = 0; a < 3; a++)
        s.position[a] += seconds * s.velocity[a];
    principal_turn(p, momentum, seconds, s.rotation, s.rotation);
    if (vec3_length(momentum) > 0)
        rigid_set_spin(principal_spin(p, s.rotation, momentum), &s);
    return s;
}

static void advance_fly(const rigid *r, int body, double seconds, rigid_state *s)
{
    rigid_kick(r, body, 0.5 * seconds, s);
    *s = rigid_drift(r, body, s, seconds);
    rigid_kick(r, body, 0.5 * seconds, s);
}

/* m/s: how fast a body's fastest point is, at most. */
static double body_speed(const rigid *r, int body, const rigid_state *s)
{
    return vec3_length(vec3_of(s->velocity)) + r->bodies[body].radius * vec3_length(vec3_of(s->spin));
}

/* m: how far the points of all solids may move within a time. */
static void advance_room(rigid *r, double seconds)
{
    for (int b = 0; b < r->setup.body_count; b++) {
        const rigid_body *own = &r->bodies[b];
        const double *m = own->principal.moment, least = fmin(m[0], fmin(m[1], m[2]));
        const double push = vec3_length(rigid_push(r, b)) + own->radius * vec3_length(rigid_twist(r, b)) / least;
        r->solids[b].room = rigid_moves(r, b) ? seconds * (body_speed(r, b, &r->states[b]) + seconds * push) : 0;
    }
    for (int i = r->setup.body_count; i < r->setup.body_count + r->setup.obstacle_count; i++) {
        solid *s = &r->solids[i];
        const double reach = shape_radius(s->shape), turn = vec3_length(s->spin);
        s->room = seconds * (vec3_length(s->velocity) + (turn > 0 ? turn * reach : 0));
    }
}

static fr_result advance_engage(rigid *r, int body, int other)
{
    r->engaged[body] = r->engaged[other] = true;
    return FR_OK;
}

static bool rigid_sleeps(const rigid *r, int body) { return r->states[body].calm >= SLEEPY; }

/* s: the longest sub-step that a body allows. */
static double advance_limit(const rigid *r, int body)
{
    const rigid_body *own = &r->bodies[body];
    const double move = MOVE * r->setup.length, turn = own->jointed ? TURN_JOINTED : TURN;
    const double spin = vec3_length(vec3_of(r->states[body].spin)), push = vec3_length(rigid_push(r, body));
    const double speed = body_speed(r, body, &r->states[body]);
    double limit = INFINITY;
    if (r->engaged[body])
        limit = fmin(move / fmax(speed, DBL_MIN), sqrt(move / fmax(push, DBL_MIN)));
    if (own->jointed)
        limit = fmin(limit, turn * sqrt(own->radius / fmax(push, DBL_MIN)));
    if (own->jointed || r->engaged[body])
        limit = fmin(limit, turn / fmax(spin, DBL_MIN));
    return limit;
}

/* The next sub-step: the rest of the time in equal parts, or up to where a body appears. */
static fr_result advance_choose(rigid *r, double t, double to, double *seconds)
{
    double limit = INFINITY, rest = to - t;
    FR_TRY(rigid_place_obstacles(r, t, to));
    for (int b = 0; b < r->setup.body_count; b++) {
        const double from = r->bodies[b].def->from;
        rest = from > t && from < t + rest ? from - t : rest;
    }
    advance_room(r, rest);
    memset(r->engaged, 0, sizeof *r->engaged * (size_t)r->solid_count);
    FR_TRY(near_pairs(r, advance_engage));
    for (int b = 0; b < r->setup.body_count; b++)
        if (rigid_moves(r, b))
            limit = fmin(limit, advance_limit(r, b));
    for (int i = r->setup.body_count; i < r->setup.body_count + r->setup.obstacle_count; i++)
        if (r->engaged[i] && r->solids[i].room > 0)
            limit = fmin(limit, MOVE * r->setup.length * rest / r->solids[i].room);
    const double parts = ceil(rest / fmax(limit, (to - t) / SUBSTEPS_MOST));
    *seconds = parts > 1 ? rest / parts : rest;
    return FR_OK;
}

/* Marks the islands in which something moves. A body that sleeps wakes when its loads are no longer balanced. */
static void advance_wake(rigid *r, double seconds)
{
    const double calm = CALM * sqrt(r->gravity * r->setup.length);
    for (int b = 0; b < r->setup.body_count; b++) {
        island *own = island_of(r, b);
        rigid_state *s = &r->states[b];
        const double speed = body_speed(r, b, s);
        if (!own || !(own->marks & ISLAND_TOUCHES) || speed > calm) {
            s->calm = 0;
        } else if (rigid_sleeps(r, b)) {
            const double wake = own->marks & ISLAND_LARGE ? WAKE_LARGE : WAKE;
            s->calm = speed > wake * r->gravity * seconds ? 0 : s->calm;
        } else {
            s->calm += seconds;
        }
        if (own && !rigid_sleeps(r, b))
            own->marks |= ISLAND_AWAKE;
    }
}

bool rigid_flies(const rigid *r, int body)
{
    const rigid_state *s = &r->states[body], *kicked = &r->trial[body];
    return memcmp(s->velocity, kicked->velocity, sizeof s->velocity) == 0 &&
           memcmp(s->spin, kicked->spin, sizeof s->spin) == 0;
}

static void advance_move(rigid *r, double seconds)
{
    for (int b = 0; b < r->setup.body_count; b++) {
        const island *own = island_of(r, b);
        rigid_state *s = &r->states[b];
        if (!rigid_moves(r, b) || (own && own->marks & ISLAND_SWINGS))
            continue;
        if (own && !(own->marks & ISLAND_AWAKE)) {
            memset(s->velocity, 0, sizeof s->velocity);
            memset(s->spin, 0, sizeof s->spin);
        } else if (!own || rigid_flies(r, b)) {
            memcpy(s->velocity, r->before[b].velocity, sizeof s->velocity);
            memcpy(s->spin, r->before[b].spin, sizeof s->spin);
            advance_fly(r, b, seconds, s);
        } else {
            *s = rigid_drift(r, b, s, seconds);
        }
    }
}

static fr_result advance_check(const rigid *r, double t)
{
    for (int b = 0; b < r->setup.body_count; b++) {
        const rigid_state *s = &r->states[b];
        const double size = vec3_length(vec3_of(s->position)) + body_speed(r, b, s), q = s->rotation[0];
        if (!(size <= LARGEST) || !(fabs(q) <= 2))
            return fr_fail(FR_ERROR_NUMERIC, "body %d is lost at t = %g s: its place or its speed is %g", b + 1, t,
                           size);
    }
    return FR_OK;
}

static void advance_watch(rigid *r)
{
    int touching = 0;
    for (int i = 0; i < r->contacts.count; i++) {
        touching += r->contacts.of[i].gap <= rigid_slop(r);
        r->report.deepest = fmax(r->report.deepest, -r->contacts.of[i].gap);
    }
    r->report.contacts = touching;
    r->report.substeps++;
}

/* Whether bodies are so much faster after the last solution that they may meet what was not looked at, or turn too far;
   then there is more room for them, and less time. */
static bool advance_outruns(rigid *r, double *seconds)
{
    bool outruns = false;
    double limit = *seconds;
    for (int b = 0; b < r->setup.body_count; b++) {
        const double way = *seconds * body_speed(r, b, &r->states[b]);
        if (!rigid_moves(r, b) || way <= r->solids[b].room)
            continue;
        r->solids[b].room = SPARE * way;
        limit = fmin(limit, advance_limit(r, b));
        outruns = true;
    }
    *seconds = fmax(limit, *seconds / SHORTEN);
    return outruns;
}

/* Advances by the time, or by less when collisions make bodies so fast. Nothing moves before all velocities are known.
 */
static fr_result advance_step(rigid *r, double t, double *seconds)
{
    const size_t bytes = sizeof *r->states * (size_t)r->setup.body_count;
    advance_room(r, *seconds);
    for (int round = 1;; round++) {
        FR_TRY(rigid_place_obstacles(r, t, t + *seconds));
        FR_TRY(near_find(r));
        islands_find(r, *seconds);
        if (round == 1) {
            advance_watch(r);
            FR_TRY(islands_correct(r, t, *seconds));
        }
        FR_TRY(islands_bounce(r, t, *seconds));
        const rigid_report report = r->report;
        memcpy(r->before, r->states, bytes);
        FR_TRY(islands_swing(r, t, *seconds));
        FR_TRY(islands_kick(r, t + *seconds, *seconds));
        if (round == ROUNDS || !advance_outruns(r, seconds))
            break;
        r->report = report;
        rigid_set(r, r->before);
    }
    advance_wake(r, *seconds);
    advance_move(r, *seconds);
    rigid_place(r);
    return advance_check(r, t + *seconds);
}

static void advance_appear(rigid *r, double t)
{
    for (int b = 0; b < r->setup.body_count; b++)
        if (r->bodies[b].def->from <= t)
            r->states[b].present = 1;
}

static fr_result advance_all(rigid *r, double from, double to)
{
    advance_appear(r, from);
    for (double t = from; t < to;) {
        double seconds;
        FR_TRY(advance_choose(r, t, to, &seconds));
        FR_TRY(advance_step(r, t, &seconds));
        t = t + seconds < to && t + seconds > t ? t + seconds : to;
        advance_appear(r, t);
    }
    return FR_OK;
}

/* Loads that are not finite, or would throw a body out of the world. */
static fr_result advance_check_loads(const rigid *r, double from, double to)
{
    for (int b = 0; b < r->setup.body_count; b++) {
        const double *m = r->bodies[b].principal.moment, least = fmin(m[0], fmin(m[1], m[2]));
        const double push = vec3_length(rigid_push(r, b)), twist = vec3_length(rigid_twist(r, b)) / least;
        if (!((push + r->bodies[b].radius * twist) * (to - from) <= LARGEST))
            return fr_fail(FR_ERROR_NUMERIC, "body %d gets a load of %g N at t = %g s", b + 1,
                           vec3_length(vec3_of(r->loads[b].force)), from);
    }
    return FR_OK;
}

fr_result rigid_advance(rigid *r, double from, double to, const rigid_load *loads)
{
    const size_t bytes = sizeof *r->states * (size_t)r->setup.body_count;
    memcpy(r->start, r->states, bytes);
    r->loads = loads;
    r->report = (rigid_report){0};
    fr_result result = advance_check_loads(r, from, to);
    if (result == FR_OK)
        result = advance_all(r, from, to);
    if (result != FR_OK)
        rigid_set(r, r->start);
    return result;
}

rigid_report rigid_last(const rigid *r) { return r->report; }
