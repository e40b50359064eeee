/* Bodies over a step: where they are, what the scene does to them, and how they move. */
#include "mac/coupling/coupling.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mac/coupling/parts.h"

/* Contacts closer than this many cells hold in the pressure. */
static const double REACH = 0.05;

static fr_result coupling_obstacle(void *context, int obstacle, double from, double to, rigid_motion *out)
{
    const model *m = context;
    motion moved;
    FR_TRY(motion_over(&m->obstacles[obstacle], from, to, &moved));
    *out = (rigid_motion){.pose = moved.pose, .velocity = moved.velocity, .spin = moved.spin};
    return FR_OK;
}

static rigid_setup coupling_setup(const model *m)
{
    const domain *d = &m->domain;
    rigid_setup setup = {.dims = d->dims,
                         .length = domain_min_h(d),
                         .bodies = m->bodies.of,
                         .body_count = m->bodies.count,
                         .joints = m->bodies.joints,
                         .joint_count = m->bodies.joint_count,
                         .obstacles = m->obstacles,
                         .obstacle_count = m->obstacle_count,
                         .obstacle_motion = coupling_obstacle,
                         .obstacle_context = (void *)m};
    for (int a = 0; a < 3; a++) {
        setup.low[a] = a < d->dims ? d->origin[a] : 0;
        setup.high[a] = setup.low[a] + (a < d->dims ? d->n[a] * d->h[a] : 0);
        setup.gravity[a] = a < d->dims ? m->bodies.gravity[a] : 0;
    }
    for (int side = 0; side < 2 * d->dims; side++)
        setup.wall[side] = m->walls[side].kind == FR_WALL_NO_SLIP || m->walls[side].kind == FR_WALL_FREE_SLIP;
    return setup;
}

static rigid_vector coupling_velocity(const rigid_state *of)
{
    return (rigid_vector){
        {of->velocity[0], of->velocity[1], of->velocity[2], of->spin[0], of->spin[1], of->spin[2]}};
}

static fr_result coupling_fill(const model *m, coupling *c)
{
    const int n = m->bodies.count;
    const rigid_setup setup = coupling_setup(m);
    c->m = m;
    c->count = n;
    FR_TRY(rigid_create(&setup, &c->world));
    FR_TRY(constraints_create(n, 8 * (n + m->bodies.joint_count), &c->rows));
    c->of = MEMORY_NEW(coupling_body, n);
    c->before = MEMORY_NEW(coupling_body, n);
    c->next = MEMORY_NEW(coupling_body, n);
    c->states = MEMORY_NEW(rigid_state, n);
    c->given = MEMORY_NEW(rigid_load, n);
    c->loads = MEMORY_NEW(rigid_load, n);
    c->inverse = MEMORY_NEW(rigid_inverse, n);
    c->free = MEMORY_NEW(rigid_vector, n);
    c->velocity = MEMORY_NEW(rigid_vector, n);
    c->impulse = MEMORY_NEW(rigid_vector, n);
    c->last_impulse = MEMORY_NEW(rigid_vector, n);
    c->warmth = MEMORY_NEW(warmth_sum, n);
    c->pushed = MEMORY_NEW(poisson_body, n);
    c->held = MEMORY_NEW(poisson_row, COUPLING_ROWS);
    if (!c->of || !c->before || !c->next || !c->states || !c->given || !c->loads || !c->inverse || !c->free ||
        !c->velocity || !c->impulse || !c->last_impulse || !c->warmth || !c->pushed || !c->held)
        return FR_ERROR_MEMORY;
    rigid_get(c->world, c->states);
    for (int b = 0; b < n; b++) {
        c->of[b].now = c->of[b].laid = c->states[b];
        c->of[b].temperature = m->bodies.of[b].temperature;
        c->free[b] = coupling_velocity(&c->states[b]);
    }
    FR_TRY(drag_create(c));
    return through_create(c);
}

fr_result coupling_create(const model *m, coupling **out)
{
    *out = NULL;
    coupling *c = MEMORY_NEW(coupling, 1);
    if (!c)
        return FR_ERROR_MEMORY;
    fr_result result = coupling_fill(m, c);
    if (result != FR_OK)
        coupling_destroy(c);
    else
        *out = c;
    return result;
}

void coupling_destroy(coupling *c)
{
    if (!c)
        return;
    through_destroy(c);
    drag_destroy(c);
    rigid_destroy(c->world);
    constraints_destroy(&c->rows);
    memory_free(c->of);
    memory_free(c->before);
    memory_free(c->next);
    memory_free(c->states);
    memory_free(c->given);
    memory_free(c->loads);
    memory_free(c->inverse);
    memory_free(c->free);
    memory_free(c->velocity);
    memory_free(c->impulse);
    memory_free(c->last_impulse);
    memory_free(c->warmth);
    memory_free(c->pushed);
    memory_free(c->held);
    memory_free(c);
}

/* Of bodies that are meshes. Shapes that cannot be made are found fault with elsewhere. */
static double coupling_grid_bytes(const model *m)
{
    double bytes = 0;
    int count = 0;
    shape **shapes = MEMORY_NEW(shape *, m->bodies.count);
    for (int b = 0; b < m->bodies.count && shapes; b++)
        count += shape_create(&m->bodies.of[b].shape, m->domain.dims, "bodies", &shapes[count]) == FR_OK;
    if (shape_bake_bytes(shapes, count, domain_min_h(&m->domain), &bytes) != FR_OK)
        bytes = 0;
    for (int b = 0; b < count; b++)
        shape_destroy(shapes[b]);
    memory_free(shapes);
    return bytes;
}

double coupling_bytes(const model *m)
{
    const rigid_setup setup = coupling_setup(m);
    const double own = 4096.0 * m->bodies.count;
    return m->bodies.count > 0 ? rigid_bytes(&setup) + coupling_grid_bytes(m) + drag_bytes(m) + own : 0;
}

void coupling_lay(const coupling *c, bodies *b)
{
    for (int i = 0; i < c->count && c->m->bodies.are_solid; i++) {
        const rigid_state *laid = &c->of[i].laid;
        body *to = &b->of[c->m->obstacle_count + i];
        const pose where = rigid_pose(c->world, i, laid);
        const vec3 spin = vec3_of(laid->spin), arm = vec3_sub(vec3_of(where.at), vec3_of(laid->position));
        to->motion = (motion){.begin = to->motion.pose,
                              .pose = where,
                              .velocity = vec3_add(vec3_of(laid->velocity), vec3_cross(spin, arm)),
                              .spin = spin};
        memcpy(to->centre, laid->position, sizeof to->centre);
        to->filled = rigid_body_mass(c->world, i)->volume;
        to->present = laid->present > 0;
        to->temperature = c->of[i].temperature;
    }
}

bool coupling_is_ball(const fr_body_def *def)
{
    return def->shape.shape->kind == FR_SHAPE_SPHERE && !def->density.function;
}

/* The leapfrog neither damps nor feeds waves in steps up to 2/ω, but in steps near that limit bodies that float ring
   ever louder. So a step is no longer than 1/ω of the shortest wave of the grid, ω² = gπ/h. */
static double coupling_wave(const coupling *c, double gravity)
{
    const bool floats = c->m->choice.has_surface && c->m->bodies.coupling == FR_COUPLING_MONOLITHIC;
    return floats && gravity > 0 ? sqrt(domain_min_h(&c->m->domain) / (FR_PI * gravity)) : INFINITY;
}

void coupling_limit(const coupling *c, double most, double *dt)
{
    double gravity = vec3_length(vec3_of(c->m->bodies.gravity));
    *dt = fmin(*dt, coupling_wave(c, gravity));
    for (int b = 0; b < c->count; b++) {
        const rigid_state *now = &c->of[b].now;
        const bool ball = coupling_is_ball(&c->m->bodies.of[b]);
        double speed = vec3_length(vec3_of(now->velocity));
        double radius = ball ? 0 : shape_radius(rigid_body_shape(c->world, b));
        if (!(now->present > 0))
            continue;
        speed += vec3_length(vec3_of(now->spin)) * radius;
        /* ½ g dt² + speed dt = most */
        *dt = fmin(*dt, 2 * most / (speed + sqrt(speed * speed + 2 * gravity * most)));
    }
}

void coupling_drift(coupling *c, double dt)
{
    memcpy(c->before, c->of, sizeof *c->before * (size_t)c->count);
    memcpy(c->next, c->of, sizeof *c->next * (size_t)c->count);
    c->stepping = true;
    c->turns = 0;
    for (int b = 0; b < c->count; b++) {
        c->of[b].laid = rigid_drift(c->world, b, &c->of[b].now, dt / 2);
        memset(&c->impulse[b], 0, sizeof c->impulse[b]);
        memset(&c->drag.impulse[b], 0, sizeof c->drag.impulse[b]);
    }
}

/* In smoke pressures are relative to the hydrostatic one: what air lifts is taken off the weight. */
static void coupling_lift(const coupling *c, int b, rigid_load *load)
{
    const double mass = c->m->fluid.density * rigid_body_mass(c->world, b)->volume;
    for (int a = 0; a < c->m->domain.dims; a++)
        load->force[a] -= mass * c->m->bodies.gravity[a];
}

static void coupling_states(coupling *c, bool laid)
{
    for (int b = 0; b < c->count; b++)
        c->states[b] = laid ? c->of[b].laid : c->of[b].now;
    rigid_set(c->world, c->states);
}

static void coupling_add(const coupling *c, int b, const rigid_load *load, double dt, rigid_vector *to)
{
    rigid_vector impulse;
    for (int a = 0; a < 3; a++) {
        impulse.of[a] = load->force[a] * dt;
        impulse.of[3 + a] = load->torque[a] * dt;
    }
    const rigid_vector change = constraints_response(&c->inverse[b], &impulse);
    for (int d = 0; d < 6; d++)
        to->of[d] += change.of[d];
}

fr_result coupling_kick(const model *m, state *s)
{
    coupling *c = s->coupling;
    const double dt = s->now.end - s->now.time, middle = s->now.time + dt / 2;
    const rigid_row *row;
    int count;
    coupling_states(c, true);
    FR_TRY(rigid_given_loads(c->world, middle, c->given));
    for (int b = 0; b < c->count; b++) {
        const rigid_state *now = &c->of[b].now;
        if (!m->choice.has_surface && m->bodies.are_solid)
            coupling_lift(c, b, &c->given[b]);
        c->inverse[b] = rigid_inverse_of(c->world, b, &c->of[b].laid);
        c->free[b] = coupling_velocity(now);
        coupling_add(c, b, &c->given[b], dt, &c->free[b]);
    }
    if (m->bodies.coupling == FR_COUPLING_RIGID_FLUID)
        return through_advance(c, s);
    if (!m->bodies.are_solid)
        return FR_OK;
    FR_TRY(rigid_constraints(c->world, REACH * domain_min_h(&m->domain), middle, &row, &count));
    FR_TRY(constraints_take(&c->rows, c->inverse, &(constraints_rows){row, count, dt}));
    /* what the pressure will give is about what it gave last */
    memcpy(c->velocity, c->free, sizeof *c->velocity * (size_t)c->count);
    for (int b = 0; b < c->count; b++)
        coupling_add(c, b, &c->of[b].load, dt, &c->velocity[b]);
    constraints_choose(&c->rows, c->velocity);
    return FR_OK;
}

void coupling_give(coupling *c, int b, const rigid_vector *impulse)
{
    const rigid_vector change = constraints_response(&c->inverse[b], impulse);
    for (int d = 0; d < 6; d++) {
        c->free[b].of[d] += change.of[d];
        c->impulse[b].of[d] += impulse->of[d];
    }
}

void coupling_push(coupling *c, double dt)
{
    for (int b = 0; b < c->count && c->m->bodies.coupling == FR_COUPLING_MONOLITHIC; b++) {
        const rigid_load *load = &c->of[b].load;
        rigid_vector impulse;
        for (int a = 0; a < 3; a++) {
            impulse.of[a] = load->force[a] * dt;
            impulse.of[3 + a] = load->torque[a] * dt;
        }
        coupling_give(c, b, &impulse);
    }
}

/* What the scene's own forces do in a step, J. */
static double coupling_given_work(const coupling *c, double dt)
{
    double work = 0;
    for (int b = 0; b < c->count; b++) {
        const rigid_state *now = &c->of[b].now, *next = &c->next[b].now;
        const double mass = rigid_body_mass(c->world, b)->mass;
        for (int a = 0; a < 3 && now->present > 0; a++) {
            const double force = c->given[b].force[a] - mass * c->m->bodies.gravity[a];
            work += force * (next->position[a] - now->position[a]);
            work += c->given[b].torque[a] * (now->spin[a] + next->spin[a]) / 2 * dt;
        }
    }
    return work;
}

fr_result coupling_move(coupling *c, state *s)
{
    const double dt = s->now.end - s->now.time;
    coupling_states(c, false);
    FR_TRY(rigid_advance(c->world, s->now.time, s->now.end, c->loads));
    rigid_get(c->world, c->states);
    for (int b = 0; b < c->count; b++) {
        c->next[b].now = c->states[b];
        c->next[b].laid = c->of[b].laid;
    }
    const rigid_report report = rigid_last(c->world);
    c->next_sums.work = c->sums.work + report.motor_work + coupling_given_work(c, dt);
    c->next_sums.lost = c->sums.lost + report.lost;
    c->deepest = report.deepest;
    return FR_OK;
}

fr_result coupling_advance(state *s)
{
    coupling *c = s->coupling;
    const double dt = s->now.end - s->now.time;
    if (c->m->bodies.coupling == FR_COUPLING_RIGID_FLUID)
        return FR_OK; /* they have moved before the pressure */
    coupling_states(c, false);
    for (int b = 0; b < c->count; b++) {
        rigid_load *load = &c->next[b].load;
        for (int a = 0; a < 3; a++) {
            load->force[a] = c->impulse[b].of[a] / dt;
            load->torque[a] = c->impulse[b].of[3 + a] / dt;
            const double *drag = c->drag.impulse[b].of;
            c->loads[b].force[a] = c->given[b].force[a] + load->force[a] + drag[a] / dt;
            c->loads[b].torque[a] = c->given[b].torque[a] + load->torque[a] + drag[3 + a] / dt;
        }
    }
    FR_TRY(through_carry(c, s));
    return coupling_move(c, s);
}

void coupling_accept(coupling *c)
{
    memcpy(c->of, c->next, sizeof *c->of * (size_t)c->count);
    c->sums = c->next_sums;
    c->stepping = false;
}

void coupling_undo(coupling *c)
{
    if (c->stepping)
        memcpy(c->of, c->before, sizeof *c->of * (size_t)c->count);
    c->stepping = false;
}
