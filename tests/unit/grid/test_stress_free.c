/* Implicit viscosity of liquids in free flight: what no viscosity changes, and odd shapes. */
#include "stress_case.h"

#include "grid/extend.h"

typedef struct motion_of {
    int component;
    const double *middle;
    double shift[3], spin[3];
} motion_of;

static double rigid_value(const void *context, const double x[3])
{
    const motion_of *m = context;
    int a = m->component, b = (a + 1) % 3, c = (a + 2) % 3;
    return m->shift[a] + m->spin[b] * (x[c] - m->middle[c]) - m->spin[c] * (x[b] - m->middle[b]);
}

static void set_rigid(stress_case *c, motion_of *m)
{
    for (m->component = 0; m->component < c->d.dims; m->component++)
        case_fill(c, &c->velocity[m->component], rigid_value, m);
}

static domain box(int dims, int n)
{
    double h = 1.0 / n;
    return (domain){.dims = dims, .n = {n, n, dims == 3 ? n : 1}, .h = {h, h, dims == 3 ? h : 1}};
}

/* Velocities of faces outside the liquid are taken from those inside, as a method does. */
static void extend_all(stress_case *c)
{
    for (int a = 0; a < c->d.dims; a++) {
        field *f = &c->velocity[a];
        uint8_t *map = test_malloc(f->count);
        for (size_t i = 0; i < f->count; i++)
            map[i] = EXTEND_OUTSIDE;
        int at[3];
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++) {
                    map[field_row(f, at[1], at[2]) + at[0] - f->block] =
                        case_is_wet(c, a, at) ? EXTEND_KNOWN : EXTEND_FAR;
                }
        extend_number(f, map, 3, NULL);
        extend_job job = {.map = map, .depth = 3};
        extend_field(&job, f);
        test_free(map);
    }
}

/* Largest deviation of the liquid from a rigid motion. */
static double deviation(const stress_case *c, motion_of *m)
{
    double worst = 0;
    for (m->component = 0; m->component < c->d.dims; m->component++) {
        const field *f = &c->velocity[m->component];
        int at[3];
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++) {
                    double x[3];
                    case_position(c, f, at, x);
                    if (case_is_wet(c, m->component, at))
                        worst = fmax(worst, fabs(field_row(f, at[1], at[2])[at[0]] - rigid_value(m, x)));
                }
    }
    return worst;
}

/* A disc or ball that spins in flight. With `extended` the velocities outside are those of a method, which the system
   must not heed; else they spin too. `loss`: what a step may change, over the whole. */
static void spin(int dims, double viscosity, int steps, bool extended, double loss)
{
    domain d = box(dims, dims == 3 ? 24 : 48);
    stress_case c;
    case_create(&d, viscosity, 1.0 / 30, &c);
    c.limits.tolerance = 1e-4;
    case_ball ball = {{0.513, 0.497, dims == 3 ? 0.508 : 0}, 0.3};
    case_surface(&c, case_ball_distance, &ball);
    motion_of m = {.middle = ball.middle, .shift = {0.3, -1, dims == 3 ? 0.2 : 0}, .spin = {dims == 3 ? 1 : 0, 0, 3}};
    set_rigid(&c, &m);
    stress_set(c.solver, &c.problem);
    case_totals before = case_totals_of(&c, ball.middle);
    for (int step = 0; step < steps; step++) {
        if (extended)
            extend_all(&c);
        case_solve(&c);
    }
    case_totals after = case_totals_of(&c, ball.middle);
    assert_below(deviation(&c, &m), loss * steps);
    for (int a = 0; a < 3; a++) {
        assert_near(after.linear[a], before.linear[a], loss * steps * before.mass);
        assert_near(after.angular[a], before.angular[a], loss * steps * before.mass * ball.radius);
    }
    assert_below(after.energy, before.energy * (1 + (extended ? 1e-6 : 2e-8) * steps));
    case_destroy(&c);
}

static void test_a_ball_in_flight_keeps_its_spin(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int e = -3; e <= 5; e += 2) {
            spin(dims, pow(10, e), 1, false, 1e-6);
            spin(dims, pow(10, e), 1, true, 2e-5);
        }
    for (int e = -3; e <= 5; e += 4) {
        spin(2, pow(10, e), 100, false, 1e-8);
        spin(2, pow(10, e), 100, true, 1e-5);
    }
}

/* Faces of a small solid in the middle of a ball, at rest. */
static void hold_middle(const stress_case *c, const case_ball *ball, uint8_t *marks[3])
{
    for (int a = 0; a < c->d.dims; a++) {
        const field *f = &c->velocity[a];
        int at[3];
        marks[a] = test_calloc(f->count, 1);
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++) {
                    double x[3];
                    case_position(c, f, at, x);
                    if (case_ball_distance(ball, x) > 1.5 * c->d.h[0] - ball->radius)
                        continue;
                    float *u = field_row(f, at[1], at[2]) + at[0];
                    *u = 0;
                    marks[a][u - f->block] = DIFFUSION_FIXED;
                }
    }
}

/* A ball that is not in flight, since a solid within holds it, comes to rest. */
static void test_a_small_solid_holds_a_ball(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = box(dims, 24);
        stress_case c;
        case_create(&d, 1e4, 1, &c);
        case_ball ball = {{0.513, 0.497, dims == 3 ? 0.508 : 0}, 0.3};
        case_surface(&c, case_ball_distance, &ball);
        motion_of m = {.middle = ball.middle, .shift = {1, 0.5, 0}, .spin = {0, 0, 3}};
        set_rigid(&c, &m);
        uint8_t *marks[3];
        hold_middle(&c, &ball, marks);
        c.problem.marks = (const uint8_t *const *)marks;
        case_solve(&c);
        motion_of rest = {.middle = ball.middle};
        assert_below(deviation(&c, &rest), 1e-3);
        for (int a = 0; a < dims; a++)
            test_free(marks[a]);
        case_destroy(&c);
    }
}

typedef struct case_balls {
    case_ball ball[2];
    motion_of motion[2];
    int component;
} case_balls;

static double balls_distance(const void *context, const double x[3])
{
    const case_balls *b = context;
    return fmin(case_ball_distance(&b->ball[0], x), case_ball_distance(&b->ball[1], x));
}

static double balls_value(const void *context, const double x[3])
{
    const case_balls *b = context;
    motion_of m = b->motion[case_ball_distance(&b->ball[1], x) < case_ball_distance(&b->ball[0], x)];
    m.component = b->component;
    return rigid_value(&m, x);
}

/* Two balls beside each other keep each its own motion. */
static void test_two_balls_do_not_feel_each_other(void **state)
{
    (void)state;
    domain d = box(2, 64);
    stress_case c;
    case_create(&d, 1e4, 1.0 / 30, &c);
    case_balls balls = {.ball = {{{0.3, 0.5, 0}, 0.15}, {{0.7, 0.52, 0}, 0.15}}};
    for (int i = 0; i < 2; i++)
        balls.motion[i] = (motion_of){.middle = balls.ball[i].middle, .shift = {i, 1, 0}, .spin = {0, 0, i ? 2 : -3}};
    case_surface(&c, balls_distance, &balls);
    for (balls.component = 0; balls.component < 2; balls.component++)
        case_fill(&c, &c.velocity[balls.component], balls_value, &balls);
    field before[2];
    for (int a = 0; a < 2; a++) {
        assert_ok(field_create(&d, field_face(a), &before[a]));
        field_copy(&before[a], &c.velocity[a]);
    }
    case_solve(&c);
    for (int a = 0; a < 2; a++) {
        for (size_t i = 0; i < before[a].count; i++)
            assert_near(c.velocity[a].block[i], before[a].block[i], 1e-5);
        field_destroy(&before[a]);
    }
    case_destroy(&c);
}

static double uneven_viscosity(const void *context, const double x[3])
{
    (void)context;
    return pow(10, 3 * sin(15 * x[0]) * cos(11 * x[1] + 3 * x[2]));
}

/* A viscosity that varies by a million within the ball gives no torque either; the Laplacian form does. */
static void test_uneven_viscosity_gives_no_torque(void **state)
{
    (void)state;
    double change[2];
    for (stress_form form = STRESS_FULL; form <= STRESS_LAPLACIAN; form++) {
        domain d = box(2, 48);
        stress_case c;
        case_create(&d, 0, 1.0 / 30, &c);
        c.problem.form = form;
        case_ball ball = {{0.5, 0.5, 0}, 0.3};
        case_surface(&c, case_ball_distance, &ball);
        field viscosities;
        assert_ok(field_create(&d, FR_AT_CELL, &viscosities));
        case_fill(&c, &viscosities, uneven_viscosity, NULL);
        c.problem.viscosities = &viscosities;
        motion_of m = {.middle = ball.middle, .spin = {0, 0, 3}};
        set_rigid(&c, &m);
        case_solve(&c);
        change[form] = deviation(&c, &m);
        field_destroy(&viscosities);
        case_destroy(&c);
    }
    assert_below(change[STRESS_FULL], 1e-6);
    assert_true(change[STRESS_LAPLACIAN] > 0.1);
}

static double rough_value(const void *context, const double x[3])
{
    (void)context;
    return check_noise((uint64_t)(1e4 * (x[0] + 1)) * 7919 + (uint64_t)(1e4 * (x[1] + 1)) * 31 +
                       (uint64_t)(1e4 * (x[2] + 1)));
}

static void roughen(stress_case *c)
{
    for (int a = 0; a < c->d.dims; a++) {
        case_fill(c, &c->velocity[a], rough_value, NULL);
        for (int side = 2 * a; side < 2 * a + 2; side++)
            if (c->d.periodic[a])
                halo_fill_even(&c->velocity[a], &c->d);
    }
}

static double wavy_value(const void *context, const double x[3])
{
    double phase = 2.3 * *(const int *)context;
    return sin(9 * x[0] - 5 * x[1] + phase) + cos(7 * x[1] + 8 * x[2] + 2 * phase);
}

/* Momentum is kept and energy lost, whatever the flow. */
static void test_a_wavy_flow_keeps_its_momentum(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int e = -1; e <= 3; e += 2) {
            domain d = box(dims, dims == 3 ? 16 : 32);
            stress_case c;
            case_create(&d, pow(10, e), 1.0 / 30, &c);
            case_ball ball = {{0.5, 0.5, dims == 3 ? 0.5 : 0}, 0.3};
            case_surface(&c, case_ball_distance, &ball);
            for (int a = 0; a < dims; a++)
                case_fill(&c, &c.velocity[a], wavy_value, &a);
            extend_all(&c);
            stress_set(c.solver, &c.problem);
            case_totals before = case_totals_of(&c, ball.middle);
            case_solve(&c);
            case_totals after = case_totals_of(&c, ball.middle);
            double scale = sqrt(2 * before.energy * before.mass);
            for (int a = 0; a < 3; a++) {
                assert_near(after.linear[a], before.linear[a], 2e-4 * scale);
                assert_near(after.angular[a], before.angular[a], 2e-4 * scale * ball.radius);
            }
            assert_below(after.energy, before.energy);
            case_destroy(&c);
        }
}

typedef struct layer {
    double low, high;
} layer;

static double layer_distance(const void *context, const double x[3])
{
    const layer *l = context;
    return fmax(l->low - x[1], x[1] - l->high);
}

static void check_size(const stress_case *c)
{
    for (int a = 0; a < c->d.dims; a++) {
        const field *f = &c->velocity[a];
        for (int k = 0; k < f->size[2]; k++)
            for (int j = 0; j < f->size[1]; j++)
                for (int i = 0; i < f->size[0]; i++)
                    assert_below(fabs((double)field_row(f, j, k)[i]), 1.5);
    }
}

/* Films and drops of less than a cell, a ball that touches all walls, no liquid, and grids of few cells. */
static void test_odd_shapes(void **state)
{
    (void)state;
    const layer layers[] = {{0.5, 0.52}, {0.51, 0.53}, {0.45, 0.55}, {2, 3}, {-1, 2}, {0.98, 2}};
    const case_ball balls[] = {{{0.5, 0.5, 0.5}, 0.02},
                               {{0.55, 0.55, 0.55}, 0.03},
                               {{0.55, 0.55, 0.55}, 0.06},
                               {{0.5, 0.5, 0.5}, 0.6},
                               {{0.02, 0.02, 0.02}, 0.1}};
    for (int trial = 0; trial < 44; trial++) {
        int shape = trial % 11, dims = 2 + trial / 11 % 2, n = trial % 4 == 3 ? 3 : 10;
        domain d = box(dims, n);
        for (int a = 0; a < dims; a++)
            d.periodic[a] = (trial + a) % 5 == 0;
        stress_case c;
        case_create(&d, pow(10, trial % 7 - 2), 0.1, &c);
        case_ball ball = balls[shape < 5 ? shape : 0];
        if (dims == 2)
            ball.middle[2] = 0;
        if (shape < 5)
            case_surface(&c, case_ball_distance, &ball);
        else
            case_surface(&c, layer_distance, &layers[shape - 5]);
        for (int side = 0; side < 2 * dims; side++) {
            if (!d.periodic[side / 2] && (trial + side) % 3 == 0)
                case_stick(&c, side, (side / 2 + 1) % dims, 1);
            c.problem.fixed_sides[side] = (trial + side) % 3 < 2;
        }
        c.problem.form = trial % 6 == 5 ? STRESS_LAPLACIAN : STRESS_FULL;
        roughen(&c);
        case_solve(&c);
        check_size(&c);
        case_destroy(&c);
    }
}

/* What is held, or not liquid, is at rest. */
static void rest_outside(stress_case *c)
{
    const stress_level *l = &c->solver->level[0];
    for (int a = 0; a < c->d.dims; a++) {
        field *f = &c->velocity[a];
        int at[3];
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++)
                    if (!(l->mass.of[a][stress_offset(l, at)] > 2 * STRESS_DRY_MASS))
                        field_row(f, at[1], at[2])[at[0]] = 0;
    }
}

/* One step per frame at 30 frames a second with the stiffest liquid: a blob in flight, a pool, a full tank that sticks.
 */
static void test_the_stiffest_liquid_in_one_step_per_frame(void **state)
{
    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        int dims = 2 + trial % 2, shape = trial / 2 % 3, n = dims == 3 ? 20 : 48;
        domain d = box(dims, n);
        for (int a = 0; a < dims; a++)
            d.h[a] = trial < 6 ? 0.01 : 0.1;
        const double size = n * d.h[0];
        stress_case c;
        case_create(&d, 1e5, 1.0 / 30, &c);
        c.limits = (solve_limits){.tolerance = 1e-4, .max_iterations = 500};
        case_ball ball = {{0.5 * size, 0.48 * size, dims == 3 ? 0.51 * size : 0}, 0.3 * size};
        layer pool = {-size, 0.4 * size};
        if (shape == 0)
            case_surface(&c, case_ball_distance, &ball);
        else
            case_surface(&c, layer_distance, shape == 1 ? &pool : &(layer){-size, 2 * size});
        for (int side = 0; side < 2 * dims && shape > 0; side++)
            case_stick(&c, side, side / 2, 0);
        roughen(&c);
        stress_set(c.solver, &c.problem);
        rest_outside(&c);
        double energy = case_totals_of(&c, ball.middle).energy;
        for (int step = 0; step < 3; step++) {
            case_solve(&c);
            assert_below(case_totals_of(&c, ball.middle).energy, energy);
        }
        case_destroy(&c);
    }
}

/* A ball and its images. */
static double around_distance(const void *context, const double x[3])
{
    const case_ball *b = context;
    double square = 0;
    for (int a = 0; a < 3; a++) {
        double away = x[a] - b->middle[a];
        square += pow(away - round(away), 2);
    }
    return sqrt(square) - b->radius;
}

/* No place along a periodic axis is another than the next: a ball across an end weighs on each face what it does in the
   middle. */
static void test_periodic_ends_do_not_matter(void **state)
{
    (void)state;
    enum { N = 10 };
    domain d = box(3, N);
    for (int a = 0; a < 3; a++)
        d.periodic[a] = true;
    for (int axis = 0; axis < 3; axis++) {
        case_ball ball = {{0.52, 0.54, 0.51}, 0.23};
        stress_case middle, moved;
        case_create(&d, 1, 0.1, &middle);
        case_surface(&middle, around_distance, &ball);
        case_solve(&middle);
        for (int cells = 1; cells < N; cells++) {
            case_ball at = ball;
            at.middle[axis] += (double)cells / N;
            case_create(&d, 1, 0.1, &moved);
            case_surface(&moved, around_distance, &at);
            case_solve(&moved);
            const stress_level *l = &middle.solver->level[0], *m = &moved.solver->level[0];
            for (int a = 0; a < 3; a++)
                for (int i = 0; i < N * N * N; i++) {
                    int from[3] = {i % N, i / N % N, i / N / N}, to[3] = {from[0], from[1], from[2]};
                    to[axis] = (to[axis] + cells) % N;
                    assert_near(m->mass.of[a][stress_offset(m, to)], l->mass.of[a][stress_offset(l, from)], 1e-4);
                }
            case_destroy(&moved);
        }
        case_destroy(&middle);
    }
}

static void test_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        stress_case c[2];
        for (int t = 0; t < 2; t++) {
            fr_set_threads(1 + t);
            domain d = box(dims, 20);
            case_create(&d, 1, 0.1, &c[t]);
            case_ball ball = {{0.5, 0.4, dims == 3 ? 0.4 : 0}, 0.45};
            case_surface(&c[t], case_ball_distance, &ball);
            case_stick(&c[t], 2, 0, 0);
            roughen(&c[t]);
            case_solve(&c[t]);
        }
        for (int a = 0; a < dims; a++)
            assert_memory_equal(c[0].velocity[a].block, c[1].velocity[a].block, c[0].velocity[a].count * sizeof(float));
        case_destroy(&c[0]);
        case_destroy(&c[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_in_flight_keeps_its_spin),
        cmocka_unit_test(test_a_small_solid_holds_a_ball),
        cmocka_unit_test(test_two_balls_do_not_feel_each_other),
        cmocka_unit_test(test_uneven_viscosity_gives_no_torque),
        cmocka_unit_test(test_a_wavy_flow_keeps_its_momentum),
        cmocka_unit_test(test_odd_shapes),
        cmocka_unit_test(test_the_stiffest_liquid_in_one_step_per_frame),
        cmocka_unit_test(test_periodic_ends_do_not_matter),
        cmocka_unit_test(test_same_bits_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
