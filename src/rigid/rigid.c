#include "rigid/rigid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "rigid/engine.h"
#include "rigid/quaternion.h"

/* m, beyond the domain: points of obstacles that nothing in it reaches are left out. */
static const double BEYOND = 2;

static bool rigid_obstacle_moves(const fr_obstacle_def *def) { return def->path || def->spin != 0; }

/* m, of the points on surfaces; in 2D they cost little. */
static double rigid_spacing(const rigid_setup *setup) { return setup->dims == 2 ? 0.5 * setup->length : setup->length; }

/* A ball touches others exactly. */
static double shape_ball(const fr_shape_def *def) { return def->kind == FR_SHAPE_SPHERE ? def->radius : 0; }

static double body_radius(const shape *s, int dims, const double centre[3])
{
    double low[3], high[3], square = 0;
    shape_bounds(s, low, high);
    for (int a = 0; a < dims; a++) {
        const double far = fmax(fabs(low[a] - centre[a]), fabs(high[a] - centre[a]));
        square += far * far;
    }
    return sqrt(square);
}

static principal body_principal(const rigid_mass *mass, int dims)
{
    const double i = mass->inertia[2][2], flat[3][3] = {{i, 0, 0}, {0, i, 0}, {0, 0, i}};
    return principal_of(dims == 2 ? flat : mass->inertia);
}

/* Where the body starts. */
static fr_result body_start(const rigid *r, int index, const char *key, rigid_state *s)
{
    const rigid_body *b = &r->bodies[index];
    const fr_placed_shape *placed = &b->def->shape;
    const pose p = pose_of(placed->axis, placed->degrees, placed->at);
    *s = (rigid_state){.present = b->def->from <= 0};
    if (r->setup.dims == 2 && fabs(p.turn[2][2] - 1) > 1e-12)
        return fr_fail_key(key, "in 2D its rotation must be about the axis z");
    for (int a = 0; a < r->setup.dims; a++) {
        s->position[a] = p.at[a];
        for (int k = 0; k < 3; k++)
            s->position[a] += p.turn[a][k] * b->mass.centre[k];
        s->velocity[a] = b->def->fixed ? 0 : b->def->velocity[a];
    }
    for (int a = r->setup.dims == 2 ? 2 : 0; a < 3; a++)
        s->spin[a] = b->def->fixed ? 0 : b->def->spin[a];
    quaternion_of(p.turn, s->rotation);
    return FR_OK;
}

/* What takes long: its mass, and points on its surface. */
static fr_result body_measure(rigid *r, int index)
{
    solid *s = &r->solids[index];
    box bounds;
    char key[32];
    snprintf(key, sizeof key, "bodies[%d]", index + 1);
    surface_free(&s->surface);
    shape_bounds(s->shape, bounds.min, bounds.max);
    FR_TRY(rigid_mass_of(r->bodies[index].def, r->setup.dims, key, &r->bodies[index].mass));
    return surface_sample(s->shape, r->setup.dims, &bounds, rigid_spacing(&r->setup), &s->surface);
}

static bool body_is_parallel(const rigid *r, int index)
{
    return shape_is_parallel(r->solids[index].shape) && !r->setup.bodies[index].density.function;
}

/* Only those that are the first of their kind. */
static void bodies_measure(void *context, int begin, int end)
{
    rigid *r = context;
    for (int i = begin; i < end; i++)
        r->engaged[i] = r->order[i] == i && body_is_parallel(r, i) && body_measure(r, i) == FR_OK;
}

/* Sets `order` of each to the first body of the same shape and density, which may be itself. */
static fr_result bodies_sort(rigid *r)
{
    const fr_body_def *def = r->setup.bodies;
    uint64_t *digest = MEMORY_NEW(uint64_t, r->setup.body_count + 1);
    if (!digest)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < r->setup.body_count; i++) {
        digest[i] = shape_digest(r->solids[i].shape);
        r->order[i] = i;
        for (int k = 0; k < i && r->order[i] == i && body_is_parallel(r, i); k++)
            if (digest[k] == digest[i] && body_is_parallel(r, k) && def[k].density.value == def[i].density.value &&
                def[k].mass == def[i].mass)
                r->order[i] = k;
    }
    memory_free(digest);
    return FR_OK;
}

static fr_result body_shape(rigid *r, int index)
{
    const fr_placed_shape own = {.shape = r->setup.bodies[index].shape.shape};
    char key[40];
    snprintf(key, sizeof key, "bodies[%d].shape", index + 1);
    r->bodies[index].def = &r->setup.bodies[index];
    return shape_create(&own, r->setup.dims, key, &r->solids[index].shape);
}

static fr_result body_finish(rigid *r, int index)
{
    rigid_body *b = &r->bodies[index];
    const fr_body_def *def = b->def;
    solid *s = &r->solids[index];
    char key[32];
    snprintf(key, sizeof key, "bodies[%d]", index + 1);
    FR_TRY(body_start(r, index, key, &r->states[index]));
    b->principal = body_principal(&b->mass, r->setup.dims);
    b->radius = body_radius(s->shape, r->setup.dims, b->mass.centre);
    s->ball = shape_ball(def->shape.shape);
    s->friction = def->friction;
    s->bounce = def->bounce;
    return FR_OK;
}

/* What the first of its kind was measured. */
static fr_result body_repeat(rigid *r, int index)
{
    const int first = r->order[index];
    r->bodies[index].mass = r->bodies[first].mass;
    return surface_copy(&r->solids[first].surface, &r->solids[index].surface);
}

/* Those with functions of the scene are measured by this thread, and those again that fail: what is wrong is told
   here. */
static fr_result bodies_make(rigid *r)
{
    enum { COST = 10000000 }; /* ns of one */
    for (int i = 0; i < r->setup.body_count; i++)
        FR_TRY(body_shape(r, i));
    FR_TRY(bodies_sort(r));
    threads_for_cost(r->setup.body_count, COST, bodies_measure, r);
    for (int i = 0; i < r->setup.body_count; i++) {
        if (r->order[i] < i)
            FR_TRY(body_repeat(r, i));
        else if (!r->engaged[i])
            FR_TRY(body_measure(r, i));
        FR_TRY(body_finish(r, i));
    }
    return FR_OK;
}

/* Those that stand still have their points where they are in the world, those that move in their own coordinates. */
static fr_result obstacle_make(rigid *r, int index)
{
    const fr_obstacle_def *def = &r->setup.obstacles[index];
    const bool moves = rigid_obstacle_moves(def);
    solid *s = &r->solids[r->setup.body_count + index];
    const fr_placed_shape own = {.shape = def->shape.shape};
    char key[40];
    snprintf(key, sizeof key, "obstacles[%d].shape", index + 1);
    FR_TRY(shape_create(moves ? &own : &def->shape, r->setup.dims, key, &s->shape));
    s->flat = def->shape.shape->kind == FR_SHAPE_PLANE;
    s->pose = pose_of((double[3]){0}, 0, (double[3]){0});
    box in, domain;
    shape_bounds(s->shape, in.min, in.max);
    memcpy(domain.min, r->setup.low, sizeof domain.min);
    memcpy(domain.max, r->setup.high, sizeof domain.max);
    if (!moves)
        in = box_common(in, box_grow(domain, BEYOND * r->setup.length));
    for (int a = 0; a < r->setup.dims; a++)
        s->flat = s->flat || !isfinite(in.min[a]) || !isfinite(in.max[a]) || !(in.max[a] > in.min[a]);
    return s->flat ? FR_OK : surface_sample(s->shape, r->setup.dims, &in, rigid_spacing(&r->setup), &s->surface);
}

static void walls_make(rigid *r)
{
    solid *s = &r->solids[r->setup.body_count + r->setup.obstacle_count];
    for (int side = 0; side < 2 * r->setup.dims; side++) {
        if (!r->setup.wall[side])
            continue;
        *s = (solid){.side = side, .flat = true};
        (s++)->place = side % 2 == 0 ? r->setup.low[side / 2] : r->setup.high[side / 2];
    }
    r->solid_count = (int)(s - r->solids);
}

static fr_result rigid_make(rigid *r)
{
    FR_TRY(bodies_make(r));
    for (int i = 0; i < r->setup.obstacle_count; i++)
        FR_TRY(obstacle_make(r, i));
    walls_make(r);
    for (int i = 0; i < r->setup.body_count + r->setup.obstacle_count; i++)
        r->order[i] = i;
    FR_TRY(joints_make(r));
    rigid_place(r);
    return engine_create(r, &r->engine);
}

static bool rigid_alloc(rigid *r)
{
    const size_t bodies = (size_t)r->setup.body_count + 1, joints = (size_t)r->setup.joint_count + 1;
    const size_t solids = bodies + (size_t)r->setup.obstacle_count + FR_SIDES;
    r->solids = calloc(solids, sizeof *r->solids);
    r->bodies = calloc(bodies, sizeof *r->bodies);
    r->joints = calloc(joints, sizeof *r->joints);
    r->states = calloc(5 * bodies, sizeof *r->states);
    r->order = calloc(solids, sizeof *r->order);
    r->engaged = calloc(solids, sizeof *r->engaged);
    r->islands = calloc(bodies, sizeof *r->islands);
    if (!r->solids || !r->bodies || !r->joints || !r->states || !r->order || !r->engaged || !r->islands)
        return false;
    r->start = r->states + bodies;
    r->before = r->start + bodies;
    r->trial = r->before + bodies;
    r->ghost = r->trial + bodies;
    return true;
}

fr_result rigid_create(const rigid_setup *setup, rigid **out)
{
    rigid *r = *out = calloc(1, sizeof *r);
    if (!r)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for a world of bodies");
    r->setup = *setup;
    r->gravity = vec3_length(vec3_of(setup->gravity));
    fr_result result = rigid_alloc(r) ? rigid_make(r) : fr_fail(FR_ERROR_MEMORY, "out of memory for a world of bodies");
    if (result != FR_OK) {
        rigid_destroy(r);
        *out = NULL;
    }
    return result;
}

void rigid_destroy(rigid *r)
{
    if (!r)
        return;
    engine_destroy(r->engine);
    for (int i = 0; r->solids && i < r->setup.body_count + r->setup.obstacle_count; i++) {
        shape_destroy(r->solids[i].shape);
        surface_free(&r->solids[i].surface);
    }
    free(r->solids);
    free(r->bodies);
    free(r->joints);
    free(r->states);
    free(r->order);
    free(r->engaged);
    free(r->islands);
    free(r->contacts.of);
    free(r->candidates);
    free(r->rows);
    free(r);
}

double rigid_bytes(const rigid_setup *setup)
{
    const int count = setup->body_count + setup->obstacle_count;
    double bytes = sizeof(rigid) + (double)count * (sizeof(solid) + sizeof(rigid_body) + 6 * sizeof(rigid_state));
    for (int i = 0; i < count; i++) {
        const bool body = i < setup->body_count;
        const fr_placed_shape *of = body ? &setup->bodies[i].shape : &setup->obstacles[i - setup->body_count].shape;
        shape *s;
        box in;
        if (shape_create(of, setup->dims, "shape", &s) != FR_OK)
            continue;
        shape_bounds(s, in.min, in.max);
        for (int a = 0; a < setup->dims; a++) {
            in.min[a] = fmax(in.min[a], setup->low[a]);
            in.max[a] = fmax(fmin(in.max[a], setup->high[a]), in.min[a]);
        }
        bytes += surface_bytes(setup->dims, &in, rigid_spacing(setup));
        shape_destroy(s);
    }
    return bytes;
}

const rigid_mass *rigid_body_mass(const rigid *r, int body) { return &r->bodies[body].mass; }

const shape *rigid_body_shape(const rigid *r, int body) { return r->solids[body].shape; }

void rigid_get(const rigid *r, rigid_state *states)
{
    memcpy(states, r->states, sizeof *states * (size_t)r->setup.body_count);
}

void rigid_set(rigid *r, const rigid_state *states)
{
    memmove(r->states, states, sizeof *states * (size_t)r->setup.body_count);
    rigid_place(r);
}

pose rigid_pose(const rigid *r, int body, const rigid_state *state)
{
    pose p;
    quaternion_matrix(state->rotation, p.turn);
    for (int a = 0; a < 3; a++) {
        p.at[a] = state->position[a];
        for (int k = 0; k < 3; k++)
            p.at[a] -= p.turn[a][k] * r->bodies[body].mass.centre[k];
    }
    return p;
}

void rigid_place(rigid *r)
{
    for (int b = 0; b < r->setup.body_count; b++) {
        r->solids[b].pose = rigid_pose(r, b, &r->states[b]);
        shape_place(r->solids[b].shape, &r->solids[b].pose);
    }
}

fr_result rigid_place_obstacles(rigid *r, double t, double to)
{
    for (int i = 0; i < r->setup.obstacle_count; i++) {
        solid *s = &r->solids[r->setup.body_count + i];
        rigid_motion at, over;
        if (!rigid_obstacle_moves(&r->setup.obstacles[i]))
            continue;
        FR_TRY(r->setup.obstacle_motion(r->setup.obstacle_context, i, t, t, &at));
        FR_TRY(r->setup.obstacle_motion(r->setup.obstacle_context, i, t, to, &over));
        if (!isfinite(vec3_length(over.velocity) + vec3_length(over.spin) + vec3_length(vec3_of(at.pose.at))))
            return fr_fail(FR_ERROR_NUMERIC, "the path of obstacle %d leaves all bounds at t = %g s", i + 1, t);
        s->pose = at.pose;
        s->velocity = over.velocity;
        s->spin = over.spin;
        shape_place(s->shape, &s->pose);
    }
    return FR_OK;
}

static fr_result given_vector(const fr_vector *v, double t, const char *key, double out[3])
{
    memcpy(out, v->value, sizeof v->value);
    if (v->function)
        FR_TRY(v->function(v->context, &t, out));
    if (isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]))
        return FR_OK;
    return fr_fail_key(key, "at t = %g s it is (%g, %g, %g); it must be finite", t, out[0], out[1], out[2]);
}

fr_result rigid_given_loads(const rigid *r, double t, rigid_load *loads)
{
    for (int b = 0; b < r->setup.body_count; b++) {
        const fr_body_def *def = &r->setup.bodies[b];
        rigid_load *l = &loads[b];
        char key[40];
        snprintf(key, sizeof key, "bodies[%d].force", b + 1);
        FR_TRY(given_vector(&def->force, t, key, l->force));
        snprintf(key, sizeof key, "bodies[%d].torque", b + 1);
        FR_TRY(given_vector(&def->torque, t, key, l->torque));
        for (int a = 0; a < 3; a++)
            l->force[a] = a < r->setup.dims ? l->force[a] + r->bodies[b].mass.mass * r->setup.gravity[a] : 0;
        for (int a = 0; a < 2 && r->setup.dims == 2; a++)
            l->torque[a] = 0;
    }
    return FR_OK;
}

rigid_inverse rigid_inverse_of(const rigid *r, int body, const rigid_state *state)
{
    rigid_inverse inverse = {0};
    const rigid_body *b = &r->bodies[body];
    if (b->def->fixed || state->present == 0)
        return inverse;
    inverse.mass = 1 / b->mass.mass;
    if (r->setup.dims == 2) {
        inverse.inertia[2][2] = 1 / b->mass.inertia[2][2];
        return inverse;
    }
    for (int a = 0; a < 3; a++) {
        const vec3 unit = {a == 0, a == 1, a == 2};
        const vec3 column = principal_spin(&b->principal, state->rotation, unit);
        inverse.inertia[0][a] = column.x;
        inverse.inertia[1][a] = column.y;
        inverse.inertia[2][a] = column.z;
    }
    return inverse;
}
