/* Conservative advection of scalars around moving obstacles, whose open volumes change in every step. */
#include "smoke/parts.h"
#include "mac/stage/ledger.h"
#include "mac/stage/transport.h"
#include "support/worlds.h"
#include "support/runs.h"

enum { CELLS = 48 };

static fr_result stripes(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[0] > 0.45 && args[0] < 0.75 ? 1 : 0;
    return FR_OK;
}

static fr_result one(void *context, const double *args, double *out)
{
    (void)context;
    (void)args;
    *out = 1;
    return FR_OK;
}

typedef struct tank {
    fr_shape_def ball;
    fr_obstacle_def solid;
    fr_scalar_def ink;
    fr_scene_def def;
    fr_world *world;
} tank;

/* Everything goes with the flow, 1 m/s along x through a periodic box: ink and ball alike. */
static void tank_make(tank *t, fr_function initial)
{
    *t = (tank){.ball = fr_default_shape(FR_SHAPE_SPHERE)};
    t->ball.radius = 0.15;
    t->solid = (fr_obstacle_def){.shape = {.shape = &t->ball, .at = {0.3, 0.5, 0}}};
    t->ink = (fr_scalar_def){
        .name = "ink", .transport = FR_TRANSPORT_CONSERVATIVE, .has_initial = true, .initial.function = initial};
    t->def = fr_default_scene(FR_METHOD_SMOKE);
    t->def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {CELLS, 0, 0}};
    t->def.walls[FR_LEFT].kind = t->def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    t->def.has_prescribed = true;
    t->def.prescribed.value[0] = 1;
    t->def.scalars = &t->ink;
    t->def.scalar_count = 1;
    t->def.obstacles = &t->solid;
    t->def.obstacle_count = 1;
    t->world = worlds_create(&t->def);
    smoke_of(t->world)->state->solids.moving = true;
}

/* Moves the ball by some cells while the scalars go through a step of that length. */
static void tank_step(tank *t, double cells)
{
    const model *m = smoke_of(t->world)->model;
    state *s = smoke_of(t->world)->state;
    double dt = cells / CELLS;
    field_fill(&s->velocity[0], 1);     /* also where the ball stood at first */
    stage_transport_begin(m, s);
    t->solid.shape.at[0] += dt;
    solids_destroy(&s->solids);
    bodies_destroy(&s->bodies);
    assert_ok(bodies_create(&t->solid, 1, &s->bodies));
    assert_ok(solids_create(&s->bodies, &m->domain, &s->solids));
    s->solids.moving = true;
    assert_ok(stage_transport_scalars(m, s, s->velocity, dt));
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            field_swap(&s->scalars[i], &s->next_scalars[i]);
    stage_transport_accept(m, s);
    mac_finish_scalars(m, s, s->scalars, s->velocity);
}

static void tank_range(const tank *t, double *least, double *most)
{
    const state *s = smoke_of(t->world)->state;
    *least = 1e30, *most = -1e30;
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            double v = field_row(&s->scalars[SMOKE_FIRST_INK], j, 0)[i];
            if (field_row(&s->solids.volume, j, 0)[i] > 0) {
                *least = fmin(*least, v);
                *most = fmax(*most, v);
            } else {
                assert_near(v, 0, 0);      /* nothing inside the ball */
            }
        }
}

/* The total stays, and what is even stays so but for the ball's size on the grid, which changes with its place. */
static void check_tank(fr_function initial, double cells, int steps, double spread)
{
    tank t;
    tank_make(&t, initial);
    const mac_run *flow = smoke_of(t.world);
    double before = stage_ledger_total(flow->model, flow->state, SMOKE_FIRST_INK, NULL), least, most;
    for (int i = 0; i < steps; i++)
        tank_step(&t, cells);
    double drift = stage_ledger_total(flow->model, flow->state, SMOKE_FIRST_INK, NULL) / before - 1;
    tank_range(&t, &least, &most);
    print_message("%s ink, %g cells a step: total %+.1e, between %.4f and %.4f\n", initial == one ? "even" : "striped",
                  cells, drift, least, most);
    assert_near(drift, 0, 2.4e-7);
    assert_true(least >= (initial == one ? 1 - spread : -1e-6) && most <= 1 + spread);
    fr_world_destroy(t.world);
}

static void test_a_moving_ball_keeps_the_total(void **state)
{
    (void)state;
    check_tank(one, 0.5, 40, 0.1);
    check_tank(stripes, 0.5, 40, 0.1);
    check_tank(stripes, 6, 3, 1);
}

static fr_result upper_half(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] > 0.5 ? 1 : 0;
    return FR_OK;
}

/* Ink in cells that lie wholly inside the blades. */
static double ink_inside(const fr_frame *frame, int cells)
{
    double most = 0;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++)
            if (worlds_value(frame, "solid", i, j, 0) < -1.0 / cells)
                most = fmax(most, fabs(worlds_value(frame, "ink", i, j, 0)));
    return most;
}

/* A cross that turns in a closed tank, by steps as chosen and at a Courant number of ten. */
static void check_stirrer(fr_advection scheme, double dt, int frames)
{
    fr_shape_def bars[2] = {fr_default_shape(FR_SHAPE_BOX), fr_default_shape(FR_SHAPE_BOX)},
                 cross = fr_default_shape(FR_SHAPE_UNION);
    for (int b = 0; b < 2; b++)
        for (int a = 0; a < 2; a++) {
            bars[b].max[a] = a == b ? 0.3 : 0.045;
            bars[b].min[a] = -bars[b].max[a];
        }
    const fr_shape_def *children[2] = {&bars[0], &bars[1]};
    cross.children = children;
    cross.child_count = 2;
    fr_obstacle_def stirrer = {
        .shape = {.shape = &cross, .at = {0.5, 0.5, 0}}, .no_slip = true, .spin_axis = {0, 0, 1}, .spin = 90};
    fr_scalar_def ink = {
        .name = "ink", .transport = FR_TRANSPORT_CONSERVATIVE, .has_initial = true, .initial.function = upper_half};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {CELLS, 0, 0}};
    def.fluid = (fr_fluid_def){.density = 1000, .viscosity = 1e-4};
    def.time = (fr_time_def){.duration = frames, .fps = 1, .dt = dt};
    def.smoke.advection = scheme;
    for (int side = 0; side < 4; side++)
        def.walls[side].kind = FR_WALL_NO_SLIP;
    def.obstacles = &stirrer;
    def.obstacle_count = 1;
    def.scalars = &ink;
    def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    double before = worlds_ledger(world, "total_ink"), inside = 0;
    for (int i = 0; i < frames; i++) {
        assert_ok(fr_world_step_frame(world));
        inside = fmax(inside, ink_inside(fr_world_frame(world), CELLS));
    }
    double after = worlds_ledger(world, "total_ink"), courant = worlds_ledger(world, "courant");
    print_message("stirred for %d s, scheme %d, Courant number %.2g: total %+.1e, inside the blades %g\n", frames,
                  (int)scheme, courant, after / before - 1, inside);
    assert_near(after / before, 1, 1e-6);
    assert_near(inside, 0, 0);
    fr_world_destroy(world);
}

static void test_a_stirrer_keeps_the_ink(void **state)
{
    (void)state;
    check_stirrer(FR_ADVECTION_MACCORMACK, 0, 20);
    check_stirrer(FR_ADVECTION_CENTRAL, 0, 4);
    const fr_advection schemes[] = {FR_ADVECTION_MACCORMACK, FR_ADVECTION_LINEAR, FR_ADVECTION_CUBIC,
                                    FR_ADVECTION_REFLECTION};
    for (int i = 0; i < 4; i++)
        check_stirrer(schemes[i], 0.45, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_moving_ball_keeps_the_total),
                                       cmocka_unit_test(test_a_stirrer_keeps_the_ink)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
