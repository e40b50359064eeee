/* Implicit viscosity with the full stress: exact flows between walls, in periodic boxes and in films. */
#include "stress_case.h"

#include <freshet/base.h>

/* Couette flow: walls at 0 and 1, the upper one moving, across each axis. */
static void test_couette(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int across = 0; across < dims; across++) {
            int along = (across + 1) % dims;
            domain d = {.dims = dims,
                        .n = {4, 4, dims == 3 ? 4 : 1},
                        .h = {0.3, 0.2, dims == 3 ? 0.25 : 1},
                        .periodic = {true, true, dims == 3}};
            d.n[across] = 10;
            d.h[across] = 0.1;
            d.periodic[across] = false;
            stress_case c;
            case_create(&d, 1e4, 1, &c);
            case_stick(&c, 2 * across, along, 0);
            case_stick(&c, 2 * across + 1, along, 2);
            case_solve(&c);
            field *u = &c.velocity[along];
            for (int i = 0; i < 10; i++)
                assert_near(u->data[i * u->stride[across] + u->stride[along]], 2 * (i + 0.5) / 10, 2e-4);
            case_destroy(&c);
        }
}

static double layers_viscosity(const void *context, const double x[3])
{
    return x[1] < 0.5 ? 1 : *(const double *)context;
}

/* Couette flow of two layers: the speed between them is μ₂/(μ₁ + μ₂) of the upper wall's. */
static void test_couette_of_two_layers(void **state)
{
    (void)state;
    for (double upper = 0.01; upper < 2e4; upper *= 100) {
        domain d = {.dims = 2, .n = {4, 16, 1}, .h = {0.1, 1.0 / 16, 1}, .periodic = {true, false, false}};
        stress_case c;
        case_create(&d, 0, 1e5, &c);
        case_stick(&c, 2, 0, 0);
        case_stick(&c, 3, 0, 1);
        field viscosities;
        assert_ok(field_create(&d, FR_AT_CELL, &viscosities));
        case_fill(&c, &viscosities, layers_viscosity, &upper);
        c.problem.viscosities = &viscosities;
        case_solve(&c);
        double between = upper / (1 + upper);
        for (int j = 0; j < 16; j++) {
            double y = (j + 0.5) / 16, exact = y < 0.5 ? 2 * between * y : 1 - 2 * (1 - between) * (1 - y);
            assert_near(field_row(&c.velocity[0], j, 0)[1], exact, 1e-4);
        }
        field_destroy(&viscosities);
        case_destroy(&c);
    }
}

/* A jump of 1e9 from a cell to the next becomes two steps, a milder one stays. */
static void test_sharp_jumps_are_smeared(void **state)
{
    (void)state;
    for (double upper = 1e3; upper < 1e10; upper *= 1e6) {
        domain d = {.dims = 2, .n = {4, 16, 1}, .h = {0.1, 1.0 / 16, 1}};
        stress_case c;
        case_create(&d, 0, 1, &c);
        field viscosities;
        assert_ok(field_create(&d, FR_AT_CELL, &viscosities));
        case_fill(&c, &viscosities, layers_viscosity, &upper);
        c.problem.viscosities = &viscosities;
        stress_set(c.solver, &c.problem);
        const bool sharp = upper > 1e5;
        assert_int_equal(stress_smeared(c.solver), sharp ? 4 * 2 : 0);
        assert_true((c.solver->problem.viscosities == &viscosities) == !sharp);
        double before = 1;
        for (int j = 0; j < 16 && sharp; j++) {
            double here = field_row(c.solver->problem.viscosities, j, 0)[1];
            assert_below(here / before, 1.001e5);
            assert_true(here >= before && here <= upper);
            assert_true(j == 7 || j == 8 || here == (j < 8 ? 1 : (double)(float)upper));
            before = here;
        }
        field_destroy(&viscosities);
        case_destroy(&c);
    }
}

/* A flow that is driven along x until it is steady. */
static void drive(stress_case *c, double acceleration)
{
    for (int step = 0; step < 12; step++) {
        for (size_t i = 0; i < c->velocity[0].count; i++)
            c->velocity[0].block[i] += (float)(acceleration * c->problem.dt);
        case_solve(c);
    }
}

/* Poiseuille's parabola; returns the largest error over the top speed. */
static double poiseuille_error(int n)
{
    domain d = {.dims = 2, .n = {4, n, 1}, .h = {1.0 / n, 1.0 / n, 1}, .periodic = {true, false, false}};
    stress_case c;
    double worst = 0;
    case_create(&d, 10, 0.1, &c);
    case_stick(&c, 2, 0, 0);
    case_stick(&c, 3, 0, 0);
    drive(&c, 80);
    for (int j = 0; j < n; j++) {
        double y = (j + 0.5) / n;
        worst = fmax(worst, fabs(field_row(&c.velocity[0], j, 0)[2] - 4 * y * (1 - y)));
    }
    case_destroy(&c);
    return worst;
}

static void test_poiseuille_is_of_second_order(void **state)
{
    (void)state;
    double coarse = poiseuille_error(16), fine = poiseuille_error(32);
    assert_below(coarse, 0.005);
    assert_near(coarse / fine, 4, 0.3);
}

typedef struct wave {
    double k;
    int along;
} wave;

static double wave_value(const void *context, const double x[3])
{
    const wave *w = context;
    return sin(w->k * x[w->along]);
}

/* A sine of component x along an axis: shear decays with ν, compression with 2ν. Returns the error of the factor. */
static double decay_error(int n, int dims, int along, double viscosity)
{
    domain d = {.dims = dims,
                .n = {n, n, dims == 3 ? n : 1},
                .h = {1.0 / n, 1.0 / n, dims == 3 ? 1.0 / n : 1},
                .periodic = {true, true, dims == 3}};
    stress_case c;
    wave w = {2 * acos(-1), along};
    double dt = 0.1, rate = (along == 0 ? 2 : 1) * viscosity * w.k * w.k, worst = 0;
    case_create(&d, viscosity, dt, &c);
    case_fill(&c, &c.velocity[0], wave_value, &w);
    case_solve(&c);
    for (int i = 0; i < n; i++) {
        int at[3] = {1, 1, 0};
        double x[3];
        at[along] = i;
        case_position(&c, &c.velocity[0], at, x);
        worst = fmax(worst, fabs(field_row(&c.velocity[0], at[1], at[2])[at[0]] - wave_value(&w, x) / (1 + rate * dt)));
    }
    case_destroy(&c);
    return worst;
}

static void test_waves_decay_at_second_order(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int along = 0; along < dims; along++) {
            double coarse = decay_error(8, dims, along, 0.3), fine = decay_error(16, dims, along, 0.3);
            assert_below(coarse, 0.02);
            assert_near(coarse / fine, 4, 0.3);
        }
}

static double film_distance(const void *context, const double x[3])
{
    return x[1] - *(const double *)context;
}

/* A film on a floor that sticks, driven along it: u = y (H − y/2). Its surface lies anywhere in a cell. */
static double film_error(int n, double depth)
{
    domain d = {.dims = 2, .n = {4, n, 1}, .h = {1.0 / n, 1.0 / n, 1}, .periodic = {true, false, false}};
    stress_case c;
    double worst = 0;
    case_create(&d, 10, 0.1, &c);
    case_stick(&c, 2, 0, 0);
    case_surface(&c, film_distance, &depth);
    drive(&c, 10);
    for (int j = 0; (j + 0.5) / n < depth; j++) {
        double y = (j + 0.5) / n;
        worst = fmax(worst, fabs(field_row(&c.velocity[0], j, 0)[2] - y * (depth - 0.5 * y)));
    }
    case_destroy(&c);
    return worst / (0.5 * depth * depth);
}

static void test_a_film_has_no_traction_above(void **state)
{
    (void)state;
    for (int part = 1; part < 16; part += 2)
        for (int n = 16; n <= 32; n += 16) {
            double depth = 0.5 + part / 256.0;
            assert_below(film_error(n, depth), 0.3 / (n * depth * n * depth));
        }
}

/* Shear between two solids that stick, the upper one moving along them; turned by an angle. Along the axes it is exact
   wherever the solids cut the cells; else of first order. */
typedef struct channel {
    double normal[2], low, high, speed;
    int component; /* of the velocity */
} channel;

static double channel_height(const channel *c, const double x[3])
{
    return c->normal[0] * x[0] + c->normal[1] * x[1];
}

static double channel_distance(const void *context, const double x[3])
{
    const channel *c = context;
    return fmin(channel_height(c, x) - c->low, c->high - channel_height(c, x));
}

static double channel_velocity(const void *context, const double x[3])
{
    const channel *c = context;
    double part = fmin(fmax((channel_height(c, x) - c->low) / (c->high - c->low), 0), 1);
    return c->speed * part * (c->component == 0 ? c->normal[1] : -c->normal[0]);
}

/* Holds faces in the solids, and those on the rim of the grid at the exact flow; spoils the others. */
static void channel_hold(stress_case *c, const channel *flow, uint8_t *marks[2])
{
    for (int a = 0; a < 2; a++) {
        field *f = &c->velocity[a];
        marks[a] = test_calloc(f->count, 1);
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double x[3];
                case_position(c, f, (int[3]){i, j, 0}, x);
                bool rim = i < 2 || j < 2 || i >= f->size[0] - 2 || j >= f->size[1] - 2;
                bool held = rim || channel_distance(flow, x) < 0;
                float *u = field_row(f, j, 0) + i;
                marks[a][u - f->block] = held ? DIFFUSION_FIXED : DIFFUSION_FREE;
                *u = held ? *u : 0;
            }
    }
}

/* Largest error of the flow between the solids over the wall's speed. */
static double channel_error(int n, double angle, double low)
{
    domain d = {.dims = 2, .n = {n, n, 1}, .h = {1.0 / n, 1.0 / n, 1}};
    stress_case c;
    channel flow = {{-sin(angle), cos(angle)}, low, low + 0.5, 1, 0};
    case_create(&d, 1e4, 1, &c);
    field distance;
    assert_ok(field_create(&d, FR_AT_CELL, &distance));
    case_fill(&c, &distance, channel_distance, &flow);
    for (flow.component = 0; flow.component < 2; flow.component++)
        case_fill(&c, &c.velocity[flow.component], channel_velocity, &flow);
    uint8_t *marks[2];
    channel_hold(&c, &flow, marks);
    c.problem.marks = (const uint8_t *const *)marks;
    c.problem.distance = &distance;
    case_solve(&c);
    double worst = 0;
    for (int a = 0; a < 2; a++)
        for (int j = 0; j < c.velocity[a].size[1]; j++)
            for (int i = 0; i < c.velocity[a].size[0]; i++) {
                double x[3];
                case_position(&c, &c.velocity[a], (int[3]){i, j, 0}, x);
                flow.component = a;
                worst = fmax(worst, fabs(field_row(&c.velocity[a], j, 0)[i] - channel_velocity(&flow, x)));
            }
    for (int a = 0; a < 2; a++)
        test_free(marks[a]);
    field_destroy(&distance);
    case_destroy(&c);
    return worst;
}

static void test_couette_between_solids(void **state)
{
    (void)state;
    for (int part = 0; part < 5; part++)
        for (int tilt = 0; tilt < 4; tilt++)
            assert_below(channel_error(24, 0.2 * tilt, 0.2 + 0.013 * part), tilt == 0 ? 1e-5 : 0.4 / 12);
}

static void test_the_matrix_is_symmetric(void **state)
{
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        domain d = {.dims = trial % 2 ? 3 : 2,
                    .n = {9, 7, trial % 2 ? 8 : 1},
                    .h = {0.1, 0.13, trial % 2 ? 0.08 : 1},
                    .periodic = {trial >= 2, false, false}};
        stress_case c;
        case_create(&d, 0.1, 1, &c);
        case_ball ball = {{0.42, 0.4, trial % 2 ? 0.3 : 0}, 0.4};
        case_surface(&c, case_ball_distance, &ball);
        case_stick(&c, 2, 0, 0);
        c.problem.fixed_sides[3] = false;
        if (trial == 3)
            c.problem.form = STRESS_LAPLACIAN;
        stress_set(c.solver, &c.problem);
        stress_level *l = &c.solver->level[0];
        case_roughen(l, &l->x, 1);
        case_roughen(l, &l->b, 100000);
        double xy = case_form(l, &l->x, &l->b), yx = case_form(l, &l->b, &l->x), xx = case_form(l, &l->x, &l->x);
        assert_near(xy, yx, 1e-5 * xx);
        assert_true(xx > 0);
        case_destroy(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_couette),
        cmocka_unit_test(test_couette_of_two_layers),
        cmocka_unit_test(test_sharp_jumps_are_smeared),
        cmocka_unit_test(test_poiseuille_is_of_second_order),
        cmocka_unit_test(test_waves_decay_at_second_order),
        cmocka_unit_test(test_a_film_has_no_traction_above),
        cmocka_unit_test(test_couette_between_solids),
        cmocka_unit_test(test_the_matrix_is_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
