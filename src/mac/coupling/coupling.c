/* Bodies over a step: where they are, what the scene does to them, and how they move. */
#include "mac/coupling/coupling.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mac/coupling/parts.h"

/* Contacts closer than this many cells hold in the pressure. */
static const double REACH = 0.05;

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
                         .obstacle_motion = bodies_obstacle_motion,
                         .obstacle_context = (void *)m->obstacles};
    for (int a = 0; a < 3; a++) {
        setup.low[a] = a < d->dims ? d->origin[a] : 0;
        setup.high[a] = setup.low[a] + (a < d->dims ? d->n[a] * d->h[a] : 0);
        setup.gravity[a] = a < d->dims ? m->bodies.gravity[a] : 0;
    }
    for (int side = 0; side < 2 * d->dims; side++)
        setup.wall[side] = m->walls[side].kind == FR_WALL_NO_SLIP || m->walls[side].kind == FR_WALL_FREE_SLIP;
    return setup;
}

static fr_result coupling_fill(const model *m, coupling *c)
{
    const int n = m->bodies.count;
    const rigid_setup setup = coupling_setup(m);
    c->m = m;
    FR_TRY(fleet_create(&setup, &c->fleet));
    c->last_impulse = MEMORY_NEW(rigid_vector, n);
    c->warmth = MEMORY_NEW(warmth_sum, n);
    c->pushed = MEMORY_NEW(poisson_body, n);
    c->held = MEMORY_NEW(poisson_row, COUPLING_ROWS);
    if (!c->last_impulse || !c->warmth || !c->pushed || !c->held)
        return FR_ERROR_MEMORY;
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
    fleet_destroy(&c->fleet);
    memory_free(c->last_impulse);
    memory_free(c->warmth);
    memory_free(c->pushed);
    memory_free(c->held);
    memory_free(c);
}

double coupling_bytes(const model *m)
{
    const rigid_setup setup = coupling_setup(m);
    const double own = 4096.0 * m->bodies.count;
    return m->bodies.count > 0 ? fleet_bytes(&setup) + drag_bytes(m) + own : 0;
}

void coupling_lay(const coupling *c, bodies *b)
{
    for (int i = 0; i < c->fleet.count && c->m->bodies.are_solid; i++)
        bodies_lay(b, c->m->obstacle_count + i, &c->fleet, i);
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
    fleet_limit(&c->fleet, most, dt);
}

void coupling_drift(coupling *c, double dt)
{
    fleet_begin(&c->fleet);
    c->turns = 0;
    for (int b = 0; b < c->fleet.count; b++) {
        c->fleet.of[b].laid = rigid_drift(c->fleet.world, b, &c->fleet.of[b].now, dt / 2);
        memset(&c->drag.impulse[b], 0, sizeof c->drag.impulse[b]);
    }
}

/* In smoke pressures are relative to the hydrostatic one: what air lifts is taken off the weight. */
static void coupling_lift(const coupling *c, int b, rigid_load *load)
{
    const double mass = c->m->fluid.density * rigid_body_mass(c->fleet.world, b)->volume;
    for (int a = 0; a < c->m->domain.dims; a++)
        load->force[a] -= mass * c->m->bodies.gravity[a];
}

fr_result coupling_kick(const model *m, state *s)
{
    coupling *c = s->coupling;
    const double dt = s->now.end - s->now.time, middle = s->now.time + dt / 2;
    fleet_stand(&c->fleet, true);
    FR_TRY(rigid_given_loads(c->fleet.world, middle, c->fleet.given));
    for (int b = 0; b < c->fleet.count; b++) {
        const rigid_state *now = &c->fleet.of[b].now;
        if (!m->choice.has_surface && m->bodies.are_solid)
            coupling_lift(c, b, &c->fleet.given[b]);
        c->fleet.inverse[b] = rigid_inverse_of(c->fleet.world, b, &c->fleet.of[b].laid);
        c->fleet.free[b] = fleet_velocity(now);
        fleet_add(&c->fleet, b, &c->fleet.given[b], dt, &c->fleet.free[b]);
    }
    if (m->bodies.coupling == FR_COUPLING_RIGID_FLUID)
        return through_advance(c, s);
    if (!m->bodies.are_solid)
        return FR_OK;
    FR_TRY(fleet_find_rows(&c->fleet, REACH * domain_min_h(&m->domain), middle, dt));
    /* what the pressure will give is about what it gave last */
    memcpy(c->fleet.velocity, c->fleet.free, sizeof *c->fleet.velocity * (size_t)c->fleet.count);
    for (int b = 0; b < c->fleet.count; b++)
        fleet_add(&c->fleet, b, &c->fleet.of[b].load, dt, &c->fleet.velocity[b]);
    constraints_choose(&c->fleet.rows, c->fleet.velocity);
    return FR_OK;
}

void coupling_push(coupling *c, double dt)
{
    for (int b = 0; b < c->fleet.count && c->m->bodies.coupling == FR_COUPLING_MONOLITHIC; b++) {
        const rigid_load *load = &c->fleet.of[b].load;
        rigid_vector impulse;
        for (int a = 0; a < 3; a++) {
            impulse.of[a] = load->force[a] * dt;
            impulse.of[3 + a] = load->torque[a] * dt;
        }
        fleet_give(&c->fleet, b, &impulse);
    }
}

fr_result coupling_move(coupling *c, state *s)
{
    fleet_stand(&c->fleet, false);
    return fleet_move(&c->fleet, s->now.time, s->now.end);
}

fr_result coupling_advance(state *s)
{
    coupling *c = s->coupling;
    const double dt = s->now.end - s->now.time;
    if (c->m->bodies.coupling == FR_COUPLING_RIGID_FLUID)
        return FR_OK; /* they have moved before the pressure */
    fleet_stand(&c->fleet, false);
    for (int b = 0; b < c->fleet.count; b++) {
        rigid_load *load = &c->fleet.next[b].load;
        for (int a = 0; a < 3; a++) {
            load->force[a] = c->fleet.impulse[b].of[a] / dt;
            load->torque[a] = c->fleet.impulse[b].of[3 + a] / dt;
            const double *drag = c->drag.impulse[b].of;
            c->fleet.loads[b].force[a] = c->fleet.given[b].force[a] + load->force[a] + drag[a] / dt;
            c->fleet.loads[b].torque[a] = c->fleet.given[b].torque[a] + load->torque[a] + drag[3 + a] / dt;
        }
    }
    FR_TRY(through_carry(c, s));
    return coupling_move(c, s);
}

void coupling_accept(coupling *c) { fleet_accept(&c->fleet); }

void coupling_undo(coupling *c) { fleet_undo(&c->fleet); }
