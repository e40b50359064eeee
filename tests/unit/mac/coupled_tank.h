/* A closed box of fluid with one body in it, and the steps that a method would make: no transport, so that what is
   measured is the coupling alone. The body does not leave its place: what it would move in a few steps is nothing. */
#ifndef TESTS_UNIT_MAC_COUPLED_TANK_H
#define TESTS_UNIT_MAC_COUPLED_TANK_H

#include "mac/coupling/rigid_fluid.h"

#include "base/memory.h"
#include "grid/operators.h"
#include "grid/projection.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;
static const double TURN_AXIS[3] = {1, 2, 3}, Z_AXIS[3] = {0, 0, 1};
static const double GRAVITY = 9.81, DENSITY = 1000;

typedef struct tank {
    domain d;
    field velocity[3], b, x;
    float *spare;
    projection *p;
    fr_shape_def form;
    shape *shape;
    body_cover cover;
    rigid_state before, state;
    rigid_fluid_body body;
    double volume, mass;
    double dt;
} tank;

static inline domain tank_domain(int dims, int n, double h)
{
    return (domain){.dims = dims, .n = {n, n, dims == 3 ? n : 1}, .h = {h, h, dims == 3 ? h : 1}};
}

static inline rigid_fluid_flow tank_flow(tank *t)
{
    return (rigid_fluid_flow){.d = &t->d, .density = DENSITY, .velocity = t->velocity, .spare = t->spare};
}

static inline void tank_place(tank *t, const double axis[3], double degrees, const double at[3])
{
    pose where = pose_of(axis, degrees, at);
    shape_place(t->shape, &where);
    assert_ok(body_cover_make(&t->cover, t->shape));
    body_cover *covers[1] = {&t->cover};
    body_cover_limit(covers, 1, &(body_space){.spare = t->spare});
    for (int a = 0; a < 3; a++)
        t->before.position[a] = t->state.position[a] = at[a];
}

/* The shape `form` at rest in a box of n cells of edge h along each axis. */
static inline void tank_make(tank *t, int dims, int n, double h, fr_shape_def form)
{
    *t = (tank){.d = tank_domain(dims, n, h), .form = form, .dt = 0.01};
    for (int a = 0; a < dims; a++)
        assert_ok(field_create(&t->d, field_face(a), &t->velocity[a]));
    assert_ok(field_create(&t->d, FR_AT_CELL, &t->b));
    assert_ok(field_create(&t->d, FR_AT_CELL, &t->x));
    size_t most = 0;
    for (int a = 0; a < dims; a++)
        most = t->velocity[a].count > most ? t->velocity[a].count : most;
    t->spare = MEMORY_NEW(float, most);
    assert_ok(projection_create(&t->d, false, &t->p));
    field work;
    assert_ok(field_create(&t->d, FR_AT_CELL, &work));
    projection_build(t->p, &(projection_geometry){0}, &work);
    field_destroy(&work);
    assert_ok(shape_create(&(fr_placed_shape){.shape = &t->form}, dims, "shape", &t->shape));
    t->before.rotation[0] = t->state.rotation[0] = 1;
    assert_ok(body_cover_create(&t->d, t->shape, &t->cover));
    t->body = (rigid_fluid_body){.cover = &t->cover, .before = &t->before, .state = &t->state};
}

/* A homogeneous body of this volume (in 2D area), and `inertia`, that of a volume of density 1, about each axis. */
static inline void tank_weigh(tank *t, double relative, double volume, double inertia)
{
    t->volume = volume;
    t->mass = relative * DENSITY * volume;
    t->body.relative = relative;
    t->body.inverse = (rigid_inverse){.mass = 1 / t->mass};
    for (int a = t->d.dims == 3 ? 0 : 2; a < 3; a++)
        t->body.inverse.inertia[a][a] = 1 / (relative * DENSITY * inertia);
    rigid_fluid_remedy(&t->body);
}

static inline void tank_destroy(tank *t)
{
    for (int a = 0; a < t->d.dims; a++)
        field_destroy(&t->velocity[a]);
    field_destroy(&t->b);
    field_destroy(&t->x);
    memory_free(t->spare);
    projection_destroy(t->p);
    body_cover_destroy(&t->cover);
    shape_destroy(t->shape);
}

static inline void tank_solve(tank *t)
{
    solve_limits limits = {.tolerance = 1e-7, .max_iterations = 100};
    operators_divergence(&t->d, t->velocity, NULL, &t->b);
    for (size_t i = 0; i < t->b.count; i++)
        t->b.block[i] *= (float)(-DENSITY / t->dt * domain_cell_volume(&t->d));
    projection_solve(t->p, &(projection_task){.b = &t->b, .limits = &limits}, &t->x);
    projection_correct(t->p, &t->x, t->dt, DENSITY, t->velocity);
}

/* The faces inside the box. */
static inline bool tank_next(const tank *t, int axis, int at[3])
{
    const field *u = &t->velocity[axis];
    for (int a = 0; a < 3; a++) {
        const int first = a == axis, end = u->size[a] - (a == axis);
        if (++at[a] < end)
            return true;
        at[a] = first;
    }
    return false;
}

#define EACH_FACE(t, axis, at)                                                                                         \
    for (int at[3] = {(axis) == 0, (axis) == 1, (axis) == 2}, more_ = 1; more_; more_ = tank_next(t, axis, at))

static inline float *tank_face(const tank *t, int axis, const int at[3])
{
    return field_row(&t->velocity[axis], at[1], at[2]) + at[0];
}

/* The fluid's own gravity, which a closed box takes away again; the body's weight, by `fall` as much as it has; the
   pressure; the coupling. */
static inline void tank_step(tank *t, double fall)
{
    rigid_fluid_flow flow = tank_flow(t);
    t->before = t->state;
    t->state.velocity[1] -= fall * (1 - 1 / t->body.relative) * GRAVITY * t->dt;
    EACH_FACE(t, 1, at)
    *tank_face(t, 1, at) -= (float)(GRAVITY * t->dt);
    rigid_fluid_push(&t->body, 1, &flow);
    tank_solve(t);
    rigid_fluid_project(&t->body, 1, &flow);
}

static inline fr_shape_def ball_form(double radius)
{
    fr_shape_def form = fr_default_shape(FR_SHAPE_SPHERE);
    form.radius = radius;
    return form;
}

static inline fr_shape_def plate_form(double width, double thickness)
{
    fr_shape_def form = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        form.min[a] = a == 1 ? -thickness / 2 : -width / 2;
        form.max[a] = -form.min[a];
    }
    return form;
}

/* A ball, in 2D a disc, in the middle of a box. */
static inline void tank_ball(tank *t, int dims, int n, double radius, double relative)
{
    const double h = 1.0 / n, middle[3] = {0.5, 0.5, dims == 3 ? 0.5 : 0}, none[3] = {0, 0, 1};
    const double volume = dims == 3 ? 4 * PI / 3 * pow(radius * h, 3) : PI * pow(radius * h, 2);
    tank_make(t, dims, n, h, ball_form(radius * h));
    tank_weigh(t, relative, volume, (dims == 3 ? 0.4 : 0.5) * volume * pow(radius * h, 2));
    tank_place(t, none, 0, middle);
}

#endif
