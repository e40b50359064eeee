/* Bodies that the flow carries: terminal speeds, added mass, spin, floating; any density and step. */
#include "mac/coupling/carried.h"

#include "rigid/quaternion.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81, DENSITY = 1000;

/* A body in a box of one metre, 24 cells along each axis, whose flow the tests set. */
typedef struct pond {
    domain d;
    field velocity[3], before[3], surface;
    fr_shape_def form;
    shape *shape;
    body_cover cover;
    carried_form carried;
    rigid_state state;
    carried_body body;
    carried_flow flow;
    double mass, inertia[3];
} pond;

static void pond_place(pond *p)
{
    const double turn = 2 * acos(fmin(1, p->state.rotation[0])) * 180 / PI;
    const double *axis = p->state.rotation + 1;
    pose where = pose_of(turn == 0 ? (const double[3]){0, 0, 1} : axis, turn, p->state.position);
    shape_place(p->shape, &where);
    assert_ok(body_cover_make(&p->cover, p->shape));
}

/* A box with these edges, metres, or a ball with the first as its diameter; `relative`: density over the fluid's. */
static void pond_make(pond *p, int dims, fr_shape_kind kind, const double size[3], double relative)
{
    *p = (pond){.d = {.dims = dims, .n = {24, 24, dims == 3 ? 24 : 1}}};
    for (int a = 0; a < 3; a++)
        p->d.h[a] = a < dims ? 1.0 / 24 : 1;
    p->form = fr_default_shape(kind);
    double low[3], high[3], volume = kind == FR_SHAPE_BOX ? 1 : dims == 3 ? PI / 6 : PI / 4;
    for (int a = 0; a < 3; a++) {
        p->form.max[a] = size[a] / 2;
        p->form.min[a] = -size[a] / 2;
        volume *= a < dims ? size[a] : 1;
    }
    p->form.radius = size[0] / 2;
    assert_ok(shape_create(&(fr_placed_shape){.shape = &p->form}, dims, "shape", &p->shape));
    shape_bounds(p->shape, low, high);
    p->carried = carried_form_of(dims, low, high, volume);
    p->mass = relative * DENSITY * volume;
    p->body.inverse.mass = 1 / p->mass;
    for (int a = dims == 3 ? 0 : 2; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const double share = kind == FR_SHAPE_BOX ? 12 : dims == 3 ? 20 : 16;
        p->inertia[a] = p->mass * (size[b] * size[b] + size[c] * size[c]) / share;
        p->body.inverse.inertia[a][a] = 1 / p->inertia[a];
    }
    p->state = (rigid_state){.position = {0.5, 0.5, dims == 3 ? 0.5 : 0}, .rotation = {1, 0, 0, 0}, .present = 1};
    assert_ok(body_cover_create(&p->d, p->shape, &p->cover));
    for (int a = 0; a < dims; a++) {
        assert_ok(field_create(&p->d, field_face(a), &p->velocity[a]));
        assert_ok(field_create(&p->d, field_face(a), &p->before[a]));
    }
    assert_ok(field_create(&p->d, FR_AT_CELL, &p->surface));
    p->body = (carried_body){&p->cover, &p->carried, &p->state, p->body.inverse, {.force = {0, -GRAVITY * p->mass, 0}}};
    p->flow = (carried_flow){.d = &p->d,
                             .velocity = p->velocity,
                             .before = p->before,
                             .gravity = {0, -GRAVITY, 0},
                             .density = DENSITY,
                             .viscosity = 1e-6,
                             .past = 0.01,
                             .dt = 0.01};
    pond_place(p);
}

static void pond_ball(pond *p, int dims, double radius, double relative)
{
    pond_make(p, dims, FR_SHAPE_SPHERE, (const double[3]){2 * radius, 2 * radius, 2 * radius}, relative);
}

static void pond_destroy(pond *p)
{
    for (int a = 0; a < 3; a++) {
        field_destroy(&p->velocity[a]);
        field_destroy(&p->before[a]);
    }
    field_destroy(&p->surface);
    body_cover_destroy(&p->cover);
    shape_destroy(p->shape);
}

static rigid_load pond_load(const pond *p)
{
    rigid_load load;
    carried_loads(&p->body, 1, &p->flow, &load);
    return load;
}

/* A step of a body that nothing hits; its place stays. */
static void pond_step(pond *p)
{
    rigid_load load = pond_load(p);
    for (int a = 0; a < 3; a++) {
        p->state.velocity[a] += p->flow.dt * (load.force[a] + p->body.given.force[a]) * p->body.inverse.mass;
        p->state.spin[a] += p->flow.dt * (load.torque[a] + p->body.given.torque[a]) * p->body.inverse.inertia[a][a];
    }
}

typedef double (*pond_at)(int axis, const double place[3]);

static void pond_set(const pond *p, field *to, pond_at at)
{
    for (int a = 0; a < p->d.dims; a++)
        for (int k = -GHOST; k < to[a].size[2] + GHOST; k++)
            for (int j = -GHOST; j < to[a].size[1] + GHOST; j++)
                for (int i = -GHOST; i < to[a].size[0] + GHOST; i++) {
                    double place[3];
                    field_position(&to[a], &p->d, (ptrdiff_t[3]){i, j, k}, place);
                    field_row(&to[a], j, k)[i] = (float)at(a, place);
                }
}

static void pond_level(pond *p, double level)
{
    for (int k = -GHOST; k < p->surface.size[2] + GHOST; k++)
        for (int j = -GHOST; j < p->surface.size[1] + GHOST; j++)
            for (int i = -GHOST; i < p->surface.size[0] + GHOST; i++)
                field_row(&p->surface, j, k)[i] = (float)((j + 0.5) * p->d.h[1] - level);
    p->flow.surface = &p->surface;
}

/* Drag of a ball (White 1991) or cylinder at rest in the flow, N. */
static double drag(const pond *p, double speed)
{
    const double d = 2 * p->carried.radius, re = speed * d / p->flow.viscosity;
    const double face = p->d.dims == 3 ? PI * d * d / 4 : d;
    const double c = p->d.dims == 3 ? 24 / re + 6 / (1 + sqrt(re)) + 0.4 : 1 + 10 / pow(re, 2.0 / 3);
    return 0.5 * DENSITY * face * c * speed * speed;
}

/* From slow to fast, heavy or light: in the end drag is what weight and buoyancy leave. */
static void test_terminal_speed(void **state)
{
    (void)state;
    static const double viscosity[] = {1, 1e-2, 1e-4, 1e-6}, relative[] = {0.01, 0.5, 2, 20};
    for (int n = 0; n < 32; n++) {
        pond p;
        pond_ball(&p, 2 + n / 16, 0.1, relative[n % 4]);
        p.flow.viscosity = viscosity[n / 4 % 4];
        p.flow.dt = 10;
        for (int i = 0; i < 100; i++)
            pond_step(&p);
        const double speed = p.state.velocity[1], volume = p.carried.volume;
        const double net = (relative[n % 4] - 1) * DENSITY * volume * GRAVITY;
        assert_true(speed * net < 0);
        assert_near(drag(&p, fabs(speed)) / fabs(net), 1, 1e-6);
        pond_destroy(&p);
    }
    pond p;
    pond_ball(&p, 3, 0.1, 2);
    p.flow.viscosity = 10;
    for (int i = 0; i < 300; i++)
        pond_step(&p);
    assert_near(p.state.velocity[1] / (-2.0 / 9 * GRAVITY * 0.01 / 10), 1, 0.01); /* Stokes */
    pond_destroy(&p);
}

/* At first a body gains speed as its added mass says, in still water; and never faster. */
static void test_added_mass_at_first(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int n = 0; n < 4; n++) {
            const double relative = (const double[]){0.001, 0.3, 3, 20}[n], c = dims == 3 ? 0.5 : 1;
            const double exact = (1 - relative) / (relative + c) * GRAVITY;
            pond p;
            pond_ball(&p, dims, 0.15, relative);
            p.flow.dt = 1e-6;
            pond_step(&p);
            assert_near(p.state.velocity[1] / 1e-6 / exact, 1, 1e-5);
            double speed = p.state.velocity[1];
            for (p.flow.dt = 1e-4; p.flow.dt < 2; p.flow.dt *= 4) {
                pond_step(&p);
                assert_true(fabs(p.state.velocity[1] - speed) <= (1 + 1e-6) * fabs(exact) * p.flow.dt);
                speed = p.state.velocity[1];
            }
            pond_destroy(&p);
        }
}

/* Any density, any step: towards the terminal speed from either side, not beyond it. */
static void test_stable_at_any_step(void **state)
{
    (void)state;
    static const double density[] = {10, 100, 990, 1010, 5000, 20000};
    for (int n = 0; n < 6; n++)
        for (double dt = 1e-5; dt < 1e4; dt *= 10)
            for (int fast = 0; fast < 2; fast++) {
                pond p;
                pond_ball(&p, 3, 0.1, density[n] / DENSITY);
                p.flow.dt = dt;
                p.state.velocity[1] = fast ? 100 : 0;
                p.state.velocity[0] = fast ? -1000 : 0;
                p.state.spin[2] = fast ? 1000 : 0;
                double speed = vec3_length(vec3_of(p.state.velocity));
                const double net = fabs(density[n] - DENSITY) * p.carried.volume * GRAVITY;
                for (int i = 0; i < 20; i++) {
                    const double spin = p.state.spin[2];
                    pond_step(&p);
                    const double now = vec3_length(vec3_of(p.state.velocity));
                    assert_true(isfinite(now) && p.state.spin[2] >= -1e-9 && p.state.spin[2] <= spin + 1e-9);
                    assert_true(now <= speed * (1 + 1e-9) || drag(&p, now) <= 1.01 * net);
                    speed = now;
                }
                pond_destroy(&p);
            }
}

static double accelerating(int axis, const double place[3])
{
    (void)place;
    return axis == 0 ? 1e-3 : 0;
}

/* In a flow that gains speed a body gains (1 + C)/(ρ + C) times that: as much as the fluid where it is as heavy, three
   times as much for bubbles. */
static void test_flows_that_gain_speed(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        const double relative = (const double[]){1e-4, 1, 10}[n];
        pond p;
        pond_ball(&p, 3, 0.15, relative);
        pond_set(&p, p.velocity, accelerating);
        p.flow.viscosity = 0;
        p.flow.dt = 1e-7; /* no time for drag */
        pond_step(&p);
        assert_near(p.state.velocity[0] / 1e-7 / (1e-3 / p.flow.past) / (1.5 / (relative + 0.5)), 1, 1e-5);
        pond_destroy(&p);
    }
}

static double turning(int axis, const double place[3])
{
    return axis == 0 ? -3 * (place[1] - 0.5) : axis == 1 ? 3 * (place[0] - 0.5) : 0;
}

/* In water that turns as a whole bodies come to turn with it, and are drawn inwards with ρ_f V Ω² r, and half as much
   again by the added mass. */
static void test_whirls(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        pond p;
        pond_ball(&p, dims, 0.12, 1);
        pond_set(&p, p.velocity, turning);
        pond_set(&p, p.before, turning);
        p.flow.past = 1e-4;
        p.state.position[0] = 0.7;
        p.state.velocity[1] = 3 * 0.2;
        p.body.inverse.mass = 1e-9; /* it is held */
        pond_place(&p);
        const double exact = -DENSITY * p.carried.volume * 9 * 0.2 * (1 + p.carried.added[0]);
        assert_near(pond_load(&p).force[0] / exact, 1, 0.01);
        p.body.inverse.mass = 1 / p.mass;
        p.flow.viscosity = 0.1;
        p.flow.dt = 10;
        for (int i = 0; i < 200; i++)
            pond_step(&p);
        assert_near(p.state.spin[2], 3, 0.01);
        assert_near(p.state.spin[0], 0, 1e-6);
        pond_destroy(&p);
    }
}

/* Outside the liquid there is nothing, and half in it half the buoyancy. */
static void test_only_what_is_wet(void **state)
{
    (void)state;
    pond p;
    pond_ball(&p, 3, 0.15, 0.5);
    pond_set(&p, p.velocity, accelerating);
    pond_level(&p, 0.3);
    rigid_load load = pond_load(&p);
    for (int a = 0; a < 3; a++)
        assert_true(load.force[a] == 0 && load.torque[a] == 0);
    pond_set(&p, p.velocity, turning);
    field_fill(&p.velocity[0], 0);
    field_fill(&p.velocity[1], 0);
    pond_level(&p, 0.5);
    p.flow.dt = 1e-6;
    assert_near(pond_load(&p).force[1] / (p.mass * GRAVITY), 1, 5e-3);
    p.body.inverse = (rigid_inverse){0};
    load = pond_load(&p);
    for (int a = 0; a < 3; a++)
        assert_true(load.force[a] == 0 && load.torque[a] == 0);
    pond_destroy(&p);
}

/* Corks and plates float at the height that Archimedes gives them, within a quarter of a cell, at steps much longer
 * than their own swing. */
static void test_floating(void **state)
{
    (void)state;
    for (int n = 0; n < 6; n++) {
        const double relative = (const double[]){0.01, 0.3, 0.8}[n % 3], height = 0.25;
        pond p;
        pond_make(&p, 2 + n / 3, FR_SHAPE_BOX, (const double[3]){0.35, height, 0.35}, relative);
        pond_level(&p, 0.45);
        p.flow.dt = 0.05;
        for (int i = 0; i < 500; i++) {
            pond_step(&p);
            p.state.position[1] += p.flow.dt * p.state.velocity[1];
            pond_place(&p);
        }
        const double draught = 0.45 - (p.state.position[1] - height / 2);
        assert_near(draught, relative * height, 0.25 * p.d.h[1]);
        assert_below(fabs(p.state.velocity[1]), 1e-3);
        pond_destroy(&p);
    }
}

/* A tilted plate as light as foam comes to lie flat on the water within half a degree, at the step of a film's frame:
   its own swing takes as long. */
static void test_light_plates_come_to_rest(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        pond p;
        pond_make(&p, 3, FR_SHAPE_BOX, (const double[3]){0.5, 0.12, 0.4}, (const double[]){0.01, 0.1, 0.5}[n]);
        quaternion_turn(p.state.rotation, (vec3){0.3, 0, 0.4}, p.state.rotation);
        pond_place(&p);
        pond_level(&p, 0.45);
        p.flow.dt = 1.0 / 24;
        for (int i = 0; i < 600; i++) {
            pond_step(&p);
            p.state.position[1] += p.flow.dt * p.state.velocity[1];
            quaternion_turn(p.state.rotation, vec3_scale(vec3_of(p.state.spin), p.flow.dt), p.state.rotation);
            pond_place(&p);
        }
        assert_below(fabs(p.state.velocity[1]), 1e-2);
        assert_below(hypot(p.state.rotation[1], p.state.rotation[3]), 0.0044);
        pond_destroy(&p);
    }
}

/* A flat float rights itself, a tall one falls over. */
static void test_floats_right_themselves(void **state)
{
    (void)state;
    for (int tall = 0; tall < 2; tall++) {
        pond p;
        pond_make(&p, 3, FR_SHAPE_BOX, (const double[3]){tall ? 0.15 : 0.4, tall ? 0.4 : 0.15, 0.3}, 0.5);
        p.state.rotation[0] = cos(0.05);
        p.state.rotation[3] = sin(0.05);
        pond_place(&p);
        pond_level(&p, 0.5);
        p.flow.dt = 1e-4;
        rigid_load load = pond_load(&p);
        assert_true(tall ? load.torque[2] > 0 : load.torque[2] < 0);
        assert_below(fabs(load.torque[0]), 1e-3 * fabs(load.torque[2]));
        pond_destroy(&p);
    }
}

/* Lamb 1932, § 114: α = abc ∫ dλ / ((a² + λ) √((a² + λ)(b² + λ)(c² + λ))), C = α/(2 − α). */
static double ellipsoid_coefficient(const double axes[3])
{
    double sum = 0;
    const int steps = 200000;
    for (int n = 0; n < steps; n++) {
        const double s = (n + 0.5) / steps, t = s / (1 - s), l = t * t, dl = 2 * t / ((1 - s) * (1 - s)) / steps;
        double root = 1;
        for (int a = 0; a < 3; a++)
            root *= sqrt(axes[a] * axes[a] + l);
        sum += dl / ((axes[0] * axes[0] + l) * root);
    }
    const double alpha = axes[0] * axes[1] * axes[2] * sum;
    return alpha / (2 - alpha);
}

static double simple_coefficient(const double axes[3])
{
    return carried_form_of(3, (const double[3]){-axes[0], -axes[1], -axes[2]}, axes, 1).added[0];
}

static void test_added_mass_of_other_shapes(void **state)
{
    (void)state;
    const double ball[3] = {1, 1, 1}, pole[3] = {1, 1, 1000};
    assert_near(simple_coefficient(ball), 0.5, 1e-12);
    assert_near(ellipsoid_coefficient(ball), 0.5, 1e-6);
    assert_near(simple_coefficient(pole), 1, 2e-3);
    double flat = 0, along = 0, across = 0;
    for (double ratio = 1; ratio < 50; ratio *= 1.2) {
        const double disc[3] = {1, ratio, ratio}, needle[3] = {ratio, 1, 1}, side[3] = {1, 1, ratio};
        flat = fmax(flat, fabs(simple_coefficient(disc) / ellipsoid_coefficient(disc) - 1));
        along = fmax(along, fabs(simple_coefficient(needle) - ellipsoid_coefficient(needle)));
        across = fmax(across, fabs(simple_coefficient(side) / ellipsoid_coefficient(side) - 1));
    }
    print_message("added mass: discs within %.2g of it, needles within %.2g of the fluid's mass along and %.2g of it "
                  "across\n",
                  flat, along, across);
    assert_below(flat, 0.22);
    assert_below(along, 0.05);
    assert_below(across, 0.1);
    const double edges[2] = {0.5, 0.25};
    carried_form form = carried_form_of(2, (const double[3]){0, 0, 0}, (const double[3]){edges[0], edges[1], 0}, 1);
    assert_near(form.added[0], 0.5, 1e-12);
    assert_near(form.added[1], 2, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_terminal_speed),
                                       cmocka_unit_test(test_added_mass_at_first),
                                       cmocka_unit_test(test_stable_at_any_step),
                                       cmocka_unit_test(test_flows_that_gain_speed),
                                       cmocka_unit_test(test_whirls),
                                       cmocka_unit_test(test_only_what_is_wet),
                                       cmocka_unit_test(test_floating),
                                       cmocka_unit_test(test_light_plates_come_to_rest),
                                       cmocka_unit_test(test_floats_right_themselves),
                                       cmocka_unit_test(test_added_mass_of_other_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
