/* Rivers whose sides differ from place to place: exact solutions, and what has to be the same. */
#include "river/classic/classic.h"
#include "support/river_stages.h"

/* A straight reach of `length` × 1, in 3D × 1. */
static fr_result straight_map(void *context, const double *args, double *out)
{
    out[0] = *(const double *)context * args[0];
    out[1] = args[1];
    out[2] = args[2];
    return FR_OK;
}

static const double BANK_SPEED = 1e-3;

/* U cos 2πs. */
static fr_result wave_along(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = BANK_SPEED * cos(2 * RIVERS_PI * args[0]);
    return FR_OK;
}

/* Creeping flow between a still bank at y = 0 and one at y = 1 that moves with U cos kx: ψ = f(y) cos kx,
   f = A sinh ky + y (B sinh ky + C cosh ky), f(0) = f'(0) = f(1) = 0, f'(1) = U; u = f' cos kx, v = k f sin kx. */
static void creeping(double k, double x, double y, double u[2])
{
    double S = sinh(k), C = cosh(k);
    /* f = a (sinh ky − k y cosh ky) + b y sinh ky */
    double first = S - k * C, second = S;
    double slope_first = -k * k * S, slope_second = S + k * C;
    double b = BANK_SPEED / (slope_second - slope_first * second / first), a = -b * second / first;
    double f = a * (sinh(k * y) - k * y * cosh(k * y)) + b * y * sinh(k * y);
    double slope = a * (-k * k * y * sinh(k * y)) + b * (sinh(k * y) + k * y * cosh(k * y));
    u[0] = slope * cos(k * x);
    u[1] = k * f * sin(k * x);
}

static double creeping_error(int nt)
{
    double length = 2;
    fr_scene_def def = rivers_scene(straight_map, &length, 2 * nt, nt);
    def.fluid.viscosity = 1;
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt_max = 0.01};
    def.river.sides[3].speed.function = wave_along;
    def.river.sides[3].speed_along = true;
    rivers_repeat(&def, 0);
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    double worst = 0;
    for (int j = 0; j < nt; j++)
        for (int i = 0; i < 2 * nt; i++) {
            double u[2], exact[2];
            rivers_velocity(fr_world_frame(world), i, j, u);
            creeping(RIVERS_PI, (i + 0.5) / nt, (j + 0.5) / nt, exact);
            for (int a = 0; a < 2; a++)
                worst = fmax(worst, fabs(u[a] - exact[a]) / BANK_SPEED);
        }
    fr_world_destroy(world);
    return worst;
}

static void test_a_bank_that_moves_in_parts(void **state)
{
    (void)state;
    double coarse = creeping_error(12), fine = creeping_error(48);
    print_message("creeping flow under a bank with U cos kx, 12 and 48 cells across: %.2e %.2e, order %.2f\n", coarse,
                  fine, 0.5 * log2(coarse / fine));
    assert_true(fine <= 2e-3);
    assert_true(0.5 * log2(coarse / fine) >= 1.8);
}

/* U cos πr, of the second share. */
static fr_result wave_deep(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = cos(RIVERS_PI * args[1]);
    return FR_OK;
}

/* Flow along s alone, uniform along it: ∇²u = 0, u = U cos πz on the bank y = 1, 0 at y = 0, slip at z = 0 and 1. */
static double deep_error(int n)
{
    double length = 0.5;
    fr_scene_def def = rivers_scene(straight_map, &length, n / 2, n);
    def.river.cells[2] = n;
    def.fluid.viscosity = 1;
    def.time = (fr_time_def){.duration = 1, .fps = 1};
    def.river.sides[3].speed.function = wave_deep;
    def.river.sides[3].speed_along = true;
    def.river.sides[4].roughness = def.river.sides[5].roughness = 0;
    rivers_repeat(&def, 0);
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    double worst = 0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            double y = (j + 0.5) / n, z = (k + 0.5) / n;
            double exact = cos(RIVERS_PI * z) * sinh(RIVERS_PI * y) / sinh(RIVERS_PI);
            worst = fmax(worst, fabs(worlds_value(fr_world_frame(world), "u", 1, j, k) - exact));
        }
    fr_world_destroy(world);
    return worst;
}

static void test_the_second_share_is_of_the_second_axis(void **state)
{
    (void)state;
    double coarse = deep_error(8), fine = deep_error(16);
    print_message("3D, a bank with U cos kz, 8 and 16 cells: %.2e %.2e, order %.2f\n", coarse, fine,
                  log2(coarse / fine));
    assert_true(fine <= 1e-2);
    assert_true(log2(coarse / fine) >= 1.7);
}

/* Poiseuille's profile, with the discharge 1. It comes in as it is to be: half way along nothing is left of the
   entrance. */
static fr_result parabola(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 6 * args[0] * (1 - args[0]);
    return FR_OK;
}

static double poiseuille_error(int nt)
{
    double length = 2, worst = 0;
    fr_scene_def def = rivers_scene(straight_map, &length, 2 * nt, nt);
    def.fluid.viscosity = 0.1;
    def.time = (fr_time_def){.duration = 4, .fps = 0.25};
    def.river.sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.function = parabola, .speed_along = true};
    def.river.sides[1].kind = FR_RIVER_OUTFLOW;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    for (int j = 0; j < nt; j++) {
        double u[2], y = (j + 0.5) / nt;
        rivers_velocity(fr_world_frame(world), nt, j, u);
        worst = fmax(worst, fmax(fabs(u[0] - 6 * y * (1 - y)), fabs(u[1])));
    }
    fr_world_destroy(world);
    return worst / 1.5;
}

static void test_a_profile_comes_in_and_stays(void **state)
{
    (void)state;
    double coarse = poiseuille_error(8), fine = poiseuille_error(32);
    print_message("Poiseuille's profile as an inflow, 8 and 32 cells across: %.2e %.2e, order %.2f\n", coarse, fine,
                  0.5 * log2(coarse / fine));
    assert_true(fine <= 2e-3);
    assert_true(0.5 * log2(coarse / fine) >= 1.9);
}

/* Rough where *context of the share is passed. */
static fr_result rough_beyond(void *context, const double *args, double *out)
{
    out[0] = args[0] < *(const double *)context ? 0.25 : 1;
    return FR_OK;
}

/* Momentum along x that one short step from a uniform flow takes. */
static double momentum_taken(fr_function roughness, double part)
{
    double length = 2;
    fr_scene_def def = rivers_scene(straight_map, &length, 40, 20);
    def.fluid.viscosity = 0.01;
    def.has_initial_velocity = true;
    def.initial_velocity.value[0] = 1;
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 2e-4};
    def.river.sides[2].roughness = 0;
    def.river.sides[3].roughness_of = roughness;
    def.river.sides[3].roughness_context = &part;
    rivers_repeat(&def, 0);
    fr_world *world = worlds_create(&def);
    double before = worlds_ledger(world, "momentum_x");
    assert_ok(fr_world_step(world, NULL));
    double taken = before - worlds_ledger(world, "momentum_x");
    fr_world_destroy(world);
    return taken;
}

/* Friction of each face is in proportion to its own roughness: together, to the mean. */
static void test_friction_adds_up(void **state)
{
    (void)state;
    double whole = momentum_taken(NULL, 0);
    for (int part = 0; part <= 4; part++) {
        double share = momentum_taken(rough_beyond, part / 4.0) / whole, mean = 1 - 0.75 * part / 4.0;
        print_message("a bank of mean roughness %.4f takes %.6f of what a rough one takes\n", mean, share);
        assert_true(fabs(share - mean) < 2e-3);
    }
}

static fr_result constant(void *context, const double *args, double *out)
{
    (void)args;
    out[0] = *(const double *)context;
    return FR_OK;
}

/* A bent channel with everything that a side can say, by numbers or by functions that give them. */
static void plain_scene(fr_scene_def *def, double values[4], bool functions)
{
    fr_river_side *sides = def->river.sides;
    def->fluid.viscosity = 1e-3;
    def->time = (fr_time_def){.duration = 0.3, .fps = 10};
    sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = values[0]};
    sides[1].kind = FR_RIVER_OUTFLOW;
    sides[2].roughness = values[1];
    sides[3].roughness = values[2];
    sides[3].speed.value = values[3];
    if (!functions)
        return;
    sides[0].speed = (fr_number){.function = constant, .context = &values[0]};
    sides[0].speed_along = true;
    sides[2].roughness_of = constant;
    sides[2].roughness_context = &values[1];
    sides[3].roughness_of = constant;
    sides[3].roughness_context = &values[2];
    sides[3].speed = (fr_number){.function = constant, .context = &values[3]};
    sides[3].speed_along = true;
}

/* The time between two worlds' frames apart: greatest difference of a velocity. */
static double apart(const fr_scene_def *a, const fr_scene_def *b)
{
    fr_world *worlds[2] = {worlds_create(a), worlds_create(b)};
    double worst = 0;
    for (int frame = 0; frame < 3; frame++)
        for (int w = 0; w < 2; w++)
            assert_ok(fr_world_step_frame(worlds[w]));
    for (int j = 0; j < a->river.cells[1]; j++)
        for (int i = 0; i < a->river.cells[0]; i++) {
            double u[2], v[2];
            rivers_velocity(fr_world_frame(worlds[0]), i, j, u);
            rivers_velocity(fr_world_frame(worlds[1]), i, j, v);
            worst = fmax(worst, fmax(fabs(u[0] - v[0]), fabs(u[1] - v[1])));
        }
    fr_world_destroy(worlds[0]);
    fr_world_destroy(worlds[1]);
    return worst;
}

static void test_functions_of_one_value_are_that_value(void **state)
{
    (void)state;
    double ring[4] = {0.8, 0.3, 0.7, 0.4};
    rivers_ring map = {1, 2};
    for (int scheme = 0; scheme < 2; scheme++) {
        fr_scene_def defs[2];
        for (int way = 0; way < 2; way++) {
            defs[way] = rivers_scene(rivers_ring_map, &map, 40, 12);
            defs[way].river.scheme = scheme ? FR_RIVER_CLASSIC : FR_RIVER_FLUX;
            plain_scene(&defs[way], ring, way);
        }
        double worst = apart(&defs[0], &defs[1]);
        print_message("scheme %d: functions of one value differ from numbers by %.1e m/s\n", scheme, worst);
        assert_true(worst < 2e-6);
    }
}

/* A bank that lets in everywhere is an inflow. */
static void test_a_bank_open_everywhere_is_an_inflow(void **state)
{
    (void)state;
    rivers_ring map = {1, 2};
    for (int scheme = 0; scheme < 2; scheme++)
        for (int side = 0; side < 4; side += 3) {
            fr_scene_def defs[2];
            for (int way = 0; way < 2; way++) {
                defs[way] = rivers_scene(rivers_ring_map, &map, 40, 12);
                defs[way].river.scheme = scheme ? FR_RIVER_CLASSIC : FR_RIVER_FLUX;
                defs[way].fluid.viscosity = 1e-3;
                defs[way].time = (fr_time_def){.duration = 0.3, .fps = 10};
                defs[way].river.sides[1].kind = FR_RIVER_OUTFLOW;
                fr_river_side bank = {.kind = FR_RIVER_BANK, .roughness = 1, .inflow.value = 0.6};
                fr_river_side inflow = {.kind = FR_RIVER_INFLOW, .speed.value = 0.6};
                defs[way].river.sides[side] = way ? bank : inflow;
            }
            double worst = apart(&defs[0], &defs[1]);
            print_message("scheme %d, side %d: an open bank differs from an inflow by %.1e m/s\n", scheme, side, worst);
            assert_true(worst < 2e-6);
        }
}

/* Along a bank the ghosts of the classic scheme keep 1 − β of the speed inside, cell by cell. */
static void test_tangential_factor_of_each_border_cell(void **state)
{
    (void)state;
    double length = 2, part = 0.4;
    fr_scene_def def = stages_scene(FR_RIVER_CLASSIC, straight_map, &length, 20, 8, 0);
    river_model *m;
    river_state *s;
    def.has_initial_velocity = true;
    def.initial_velocity.value[0] = 1;
    def.river.sides[2].roughness_of = rough_beyond;
    def.river.sides[2].roughness_context = &part;
    rivers_repeat(&def, 0);
    stages_make(&def, &m, &s);
    stage_classic_border(m, s, s->velocity);
    for (int i = 0; i < 20; i++) {
        float inside = field_row(&s->velocity[0], 0, 0)[i], ghost = field_row(&s->velocity[0], -1, 0)[i];
        assert_near(ghost, (i + 0.5) / 20 < part ? 0.75 * inside : 0, 1e-6);
    }
    stages_destroy(m, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bank_that_moves_in_parts),
        cmocka_unit_test(test_the_second_share_is_of_the_second_axis),
        cmocka_unit_test(test_a_profile_comes_in_and_stays),
        cmocka_unit_test(test_friction_adds_up),
        cmocka_unit_test(test_functions_of_one_value_are_that_value),
        cmocka_unit_test(test_a_bank_open_everywhere_is_an_inflow),
        cmocka_unit_test(test_tangential_factor_of_each_border_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
