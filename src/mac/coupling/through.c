/* Bodies that the flow goes through, because they are no obstacles: carried along by it (carried.h), or fluid that is
   made rigid (rigid_fluid.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "grid/halo.h"
#include "mac/coupling/parts.h"

static bool through_joins(const coupling *c)
{
    return c->m->bodies.coupling == FR_COUPLING_RIGID_FLUID;
}

static fr_result through_make(coupling *c, int b)
{
    const model *m = c->m;
    through *t = &c->through;
    const fr_placed_shape plain = {.shape = m->bodies.of[b].shape.shape, .axis = {0, 0, 1}};
    double min[3], max[3];
    char key[64];
    snprintf(key, sizeof key, "bodies[%d]", b + 1);
    FR_TRY(shape_create(&plain, m->domain.dims, key, &t->shape[b]));
    FR_TRY(shape_bake(t->shape[b], domain_min_h(&m->domain)));
    t->covers[b] = &t->cover[b];
    shape_bounds(t->shape[b], min, max);
    t->form[b] = carried_form_of(m->domain.dims, min, max, rigid_body_mass(c->fleet.world, b)->volume);
    return body_cover_create(&m->domain, t->shape[b], &t->cover[b]);
}

fr_result through_create(coupling *c)
{
    const int n = c->fleet.count;
    through *t = &c->through;
    if (c->m->bodies.are_solid)
        return FR_OK;
    t->shape = MEMORY_NEW(shape *, n);
    t->cover = MEMORY_NEW(body_cover, n);
    t->covers = MEMORY_NEW(body_cover *, n);
    t->form = MEMORY_NEW(carried_form, n);
    t->carried = MEMORY_NEW(carried_body, n);
    t->joined = MEMORY_NEW(rigid_fluid_body, n);
    t->after = MEMORY_NEW(rigid_state, n);
    t->wet = MEMORY_NEW(bool, n);
    if (!t->shape || !t->cover || !t->covers || !t->form || !t->carried || !t->joined || !t->after || !t->wet)
        return FR_ERROR_MEMORY;
    for (int b = 0; b < n; b++)
        FR_TRY(through_make(c, b));
    return through_joins(c) && c->m->choice.has_surface ? field_create(&c->m->domain, FR_AT_CELL, &t->surface) : FR_OK;
}

void through_destroy(coupling *c)
{
    through *t = &c->through;
    for (int b = 0; b < c->fleet.count; b++) {
        if (t->shape)
            shape_destroy(t->shape[b]);
        if (t->cover)
            body_cover_destroy(&t->cover[b]);
    }
    memory_free(t->shape);
    memory_free(t->cover);
    memory_free(t->covers);
    memory_free(t->form);
    memory_free(t->carried);
    memory_free(t->joined);
    memory_free(t->after);
    memory_free(t->wet);
    field_destroy(&t->surface);
}

/* Covers where the bodies are in these states, and which of them touch liquid. */
static fr_result through_cover(coupling *c, const state *s, const rigid_state *states)
{
    through *t = &c->through;
    for (int b = 0; b < c->fleet.count; b++) {
        const pose where = rigid_pose(c->fleet.world, b, &states[b]);
        shape_place(t->shape[b], &where);
        FR_TRY(body_cover_make(&t->cover[b], t->shape[b]));
        t->wet[b] = states[b].present > 0 && body_cover_wet(&t->cover[b], s->surface) > 0;
    }
    return FR_OK;
}

fr_result through_carry(coupling *c, state *s)
{
    through *t = &c->through;
    if (c->m->bodies.coupling != FR_COUPLING_CARRIED)
        return FR_OK;
    FR_TRY(through_cover(c, s, c->fleet.states));
    for (int b = 0; b < c->fleet.count; b++)
        t->carried[b] = (carried_body){.cover = &t->cover[b],
                                       .form = &t->form[b],
                                       .state = &c->fleet.states[b],
                                       .inverse = rigid_inverse_of(c->fleet.world, b, &c->fleet.states[b]),
                                       .given = c->fleet.given[b]};
    carried_flow flow = {.d = &c->m->domain,
                         .velocity = s->next_velocity,
                         .before = s->velocity,
                         .surface = s->surface,
                         .density = c->m->fluid.density,
                         .viscosity = c->m->fluid.viscosity,
                         .past = s->now.end - s->now.time,
                         .dt = s->now.end - s->now.time};
    memcpy(flow.gravity, c->m->bodies.gravity, sizeof flow.gravity);
    carried_loads(t->carried, c->fleet.count, &flow, c->fleet.loads);
    return FR_OK;
}

/* Takes the weight of the fluid in a body's place off its own, at the middle of its volume. */
static void through_lift(const coupling *c, int b, rigid_load *load)
{
    const domain *d = &c->m->domain;
    const body_cover *cover = &c->through.cover[b];
    field layout;
    body_piece piece;
    double middle[3] = {0, 0, 0}, sum = 0, lift[3] = {0, 0, 0};
    const double mass = c->m->fluid.density * rigid_body_mass(c->fleet.world, b)->volume;
    field_layout(d, FR_AT_CELL, &layout);
    for (body_walk w = body_walk_on(cover, &layout); body_walk_next(&w, &piece);) {
        for (int a = 0; a < 3; a++)
            middle[a] += (double)*piece.share * piece.place[a];
        sum += (double)*piece.share;
    }
    for (int a = 0; a < d->dims; a++)
        load->force[a] += lift[a] = -mass * c->m->bodies.gravity[a];
    const double share = sum > 0 ? 1 / sum : 0;
    const vec3 arm = vec3_sub(vec3_scale(vec3_of(middle), share), vec3_of(c->fleet.states[b].position));
    const vec3 torque = vec3_cross(arm, vec3_of(lift));
    if (d->dims == 3) {
        load->torque[0] += torque.x;
        load->torque[1] += torque.y;
    }
    load->torque[2] += torque.z;
}

/* Liquid and bodies together. */
static fr_result through_join_surface(coupling *c, state *s)
{
    through *t = &c->through;
    if (!s->surface)
        return FR_OK;
    field_copy(&t->surface, s->surface);
    for (int b = 0; b < c->fleet.count; b++)
        if (t->wet[b])
            FR_TRY(body_cover_join(&c->m->domain, t->shape[b], &t->surface));
    halo_fill_even(&t->surface, &c->m->domain);
    s->pressure_surface = &t->surface;
    return FR_OK;
}

/* The world of bodies goes on first, by what is not the fluid; then the fluid is solved where they have come to. */
fr_result through_advance(coupling *c, state *s)
{
    const model *m = c->m;
    through *t = &c->through;
    bool open_side[FR_SIDES];
    for (int b = 0; b < c->fleet.count; b++)
        c->fleet.states[b] = c->fleet.of[b].now;
    FR_TRY(through_cover(c, s, c->fleet.states));
    for (int b = 0; b < c->fleet.count; b++) {
        c->fleet.loads[b] = c->fleet.given[b];
        if (t->wet[b])
            through_lift(c, b, &c->fleet.loads[b]);
    }
    FR_TRY(coupling_move(c, s));
    FR_TRY(through_cover(c, s, c->fleet.states));
    for (int side = 0; side < FR_SIDES; side++)
        open_side[side] = m->walls[side].kind == FR_WALL_OPEN;
    body_cover_limit(t->covers, c->fleet.count,
                     &(body_space){s->solids.any ? s->solids.open : NULL, open_side, s->scratch[0]});
    t->joined_count = 0;
    for (int b = 0; b < c->fleet.count; b++) {
        t->after[b] = c->fleet.states[b];
        if (!t->wet[b])
            continue;
        rigid_fluid_body *body = &t->joined[t->joined_count++];
        *body = (rigid_fluid_body){.cover = &t->cover[b],
                                   .before = &c->fleet.before[b].now,
                                   .state = &t->after[b],
                                   .inverse = rigid_inverse_of(c->fleet.world, b, &c->fleet.states[b]),
                                   .relative = rigid_body_mass(c->fleet.world, b)->mass /
                                               (rigid_body_mass(c->fleet.world, b)->volume * m->fluid.density)};
        rigid_fluid_remedy(body);
    }
    return through_join_surface(c, s);
}

fr_result coupling_restored(state *s)
{
    coupling *c = s->coupling;
    if (!through_joins(c) || s->now.steps == 0)
        return FR_OK;
    for (int b = 0; b < c->fleet.count; b++)
        c->fleet.states[b] = c->fleet.of[b].now;
    FR_TRY(through_cover(c, s, c->fleet.states));
    return through_join_surface(c, s);
}

static rigid_fluid_flow through_flow(const coupling *c, state *s)
{
    return (rigid_fluid_flow){.d = &c->m->domain,
                              .open = s->solids.any ? s->solids.open : NULL,
                              .density = c->m->fluid.density,
                              .velocity = s->next_velocity,
                              .spare = s->scratch[0]};
}

void coupling_weigh(coupling *c, state *s)
{
    rigid_fluid_flow flow = through_flow(c, s);
    if (through_joins(c))
        rigid_fluid_push(c->through.joined, c->through.joined_count, &flow);
}

bool coupling_make_rigid(coupling *c, state *s)
{
    rigid_fluid_flow flow = through_flow(c, s);
    if (!through_joins(c))
        return false;
    rigid_fluid_project(c->through.joined, c->through.joined_count, &flow);
    for (int b = 0; b < c->fleet.count; b++)
        c->fleet.next[b].now = c->fleet.next[b].laid = c->through.after[b];
    return true;
}

const field *coupling_surface(const coupling *c, const field *surface)
{
    return through_joins(c) && surface ? &c->through.surface : surface;
}
