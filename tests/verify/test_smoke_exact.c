/* Smoke against exact solutions, with measured order. */
#include "support/worlds.h"

static const double PI = 3.14159265358979323846;

static fr_result taylor_green(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = sin(2 * PI * args[0]) * cos(2 * PI * args[1]);
    out[1] = -cos(2 * PI * args[0]) * sin(2 * PI * args[1]);
    out[2] = 0;
    return FR_OK;
}

/* Viscous Taylor-Green vortex: the velocity decays as exp(−8π²νt). Returns the L2 error of u relative to its norm. */
static double taylor_green_error(int cells, double dt)
{
    double viscosity = 0.01, end = 0.5;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {cells, 0, 0}};
    def.fluid = (fr_fluid_def){.density = 1, .viscosity = viscosity};
    def.time = (fr_time_def){.duration = end, .fps = 1 / end, .dt = dt};
    def.has_initial_velocity = true;
    def.initial_velocity.function = taylor_green;
    for (int side = 0; side < 4; side++)
        def.walls[side].kind = FR_WALL_PERIODIC;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double decay = exp(-8 * PI * PI * viscosity * end), error = 0, norm = 0;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            double x = (double)i / cells, y = (j + 0.5) / cells, exact = decay * sin(2 * PI * x) * cos(2 * PI * y);
            error += pow(worlds_value(frame, "u", i, j, 0) - exact, 2);
            norm += exact * exact;
        }
    fr_world_destroy(world);
    return sqrt(error / norm);
}

/* Viscosity is first order in time: with steps ∝ h² it falls as h², too. (With steps ∝ h its error and that of the
   advection differ in sign and their sum has no order.) The limiter at extrema takes a little of the second order in
   space. */
static void test_taylor_green_decays(void **state)
{
    (void)state;
    double error[3];
    for (int i = 0; i < 3; i++)
        error[i] = taylor_green_error(16 << i, 0.04 / (1 << (2 * i)));
    double order = 0.5 * log2(error[0] / error[2]);
    print_message("Taylor-Green, relative error at 16, 32, 64 cells: %.4f %.4f %.4f, order %.2f\n", error[0], error[1],
                  error[2], order);
    assert_true(order > 1.5);
}

/* Plane Couette flow: a lid over a still floor, periodic along x. After a long time u = U y/H. */
static void test_couette_profile_is_linear(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {0.5, 1, 0}, .cells = {8, 16, 0}};
    def.fluid = (fr_fluid_def){.density = 1, .viscosity = 0.5};
    def.time = (fr_time_def){.duration = 8, .fps = 0.125, .dt = 0.1};
    def.walls[FR_LEFT].kind = def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    def.walls[FR_BOTTOM].kind = def.walls[FR_TOP].kind = FR_WALL_NO_SLIP;
    def.walls[FR_TOP].velocity.value[0] = 2;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    for (int j = 0; j < 16; j++)
        assert_near(worlds_value(frame, "u", 3, j, 0), 2 * (j + 0.5) / 16, 2e-4);
    fr_world_destroy(world);
}

/* Poiseuille flow: a body force between two still walls, u = G y (H − y)/(2ν); the scheme is exact up to h²/(8) terms.
 */
static double poiseuille_error(int cells)
{
    double force = 1, viscosity = 0.25;
    fr_force_def push = {.value.value = {force, 0, 0}};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 3, .size = {1, 1, 0.5}, .cells = {4, cells, 4}};
    def.fluid = (fr_fluid_def){.density = 1, .viscosity = viscosity};
    def.time = (fr_time_def){.duration = 12, .fps = 1.0 / 12, .dt = 0.1};
    def.forces = &push;
    def.force_count = 1;
    for (int side = 0; side < 6; side++)
        def.walls[side].kind = side / 2 == 1 ? FR_WALL_NO_SLIP : FR_WALL_PERIODIC;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double most = 0;
    for (int j = 0; j < cells; j++) {
        double y = (j + 0.5) / cells, exact = force * y * (1 - y) / (2 * viscosity);
        most = fmax(most, fabs(worlds_value(frame, "u", 2, j, 1) - exact));
    }
    fr_world_destroy(world);
    return most;
}

static void test_poiseuille_is_second_order(void **state)
{
    (void)state;
    double coarse = poiseuille_error(8), fine = poiseuille_error(16);
    print_message("Poiseuille, greatest error at 8 and 16 cells: %.2e %.2e, order %.2f\n", coarse, fine,
                  log2(coarse / fine));
    assert_true(log2(coarse / fine) > 1.8);
}

/* Creeping flow in a lid-driven cavity, Re = 1: u at its centre. */
static double creeping_cavity(double dt)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {32, 0, 0}};
    def.fluid = (fr_fluid_def){.density = 1, .viscosity = 1};
    def.time = (fr_time_def){.duration = 2, .fps = 4, .dt = dt};
    for (int side = 0; side < 4; side++)
        def.walls[side].kind = FR_WALL_NO_SLIP;
    def.walls[FR_TOP].velocity.value[0] = 1;
    fr_world *world = worlds_create(&def);
    for (int i = 0; i < 8; i++)
        assert_ok(fr_world_step_frame(world));
    double centre;
    assert_ok(fr_world_probe(world, "u", (double[3]){0.5, 0.5, 0}, &centre));
    fr_world_destroy(world);
    return centre;
}

/* Steps that the program chooses, hundreds of times what an explicit scheme could take, give the answer of small ones.
 */
static void test_slow_viscous_flow_needs_no_small_steps(void **state)
{
    (void)state;
    double chosen = creeping_cavity(0), small = creeping_cavity(0.002);
    print_message("creeping cavity, u at the centre: %.4f with chosen steps, %.4f with 0.002 s\n", chosen, small);
    assert_near(chosen, small, 0.002);
    assert_true(small < -0.19);
}

static fr_result hill(void *context, const double *args, double *out)
{
    double sigma = *(double *)context, x = args[0] - 0.5, y = args[1] - 0.5;
    *out = exp(-(x * x + y * y) / (2 * sigma * sigma));
    return FR_OK;
}

/* A Gaussian spreads: σ² grows by 2κt, the peak falls by σ₀²/σ². */
static void test_gaussian_spreads(void **state)
{
    (void)state;
    double sigma = 0.08, kappa = 0.002, end = 1;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {101, 0, 0}};
    def.time = (fr_time_def){.duration = end, .fps = 1 / end, .dt = 0.005};
    fr_scalar_def ink = {
        .name = "ink", .diffusion = kappa, .has_initial = true, .initial = {.function = hill, .context = &sigma}};
    def.scalars = &ink;
    def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    double before = worlds_ledger(world, "total_ink");
    assert_ok(fr_world_step_frame(world));
    double peak = worlds_value(fr_world_frame(world), "ink", 50, 50, 0);
    assert_near(peak, sigma * sigma / (sigma * sigma + 2 * kappa * end), 2e-3);
    assert_near(worlds_ledger(world, "total_ink") / before, 1, 1e-5);
    fr_world_destroy(world);
}

static fr_result whirl(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * PI * (0.5 - args[1]);
    out[1] = 2 * PI * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

static fr_result off_centre_hill(void *context, const double *args, double *out)
{
    double moved[2] = {args[0], args[1] - 0.2};
    return hill(context, moved, out);
}

/* One turn of a smooth hill in a given whirl; error in the mean. */
static double turn_error(int cells, fr_advection scheme)
{
    double sigma = 0.07;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {cells, 0, 0}};
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 0.8 / cells};
    def.has_prescribed = true;
    def.prescribed.function = whirl;
    def.smoke.advection = scheme;
    fr_scalar_def ink = {
        .name = "ink", .has_initial = true, .initial = {.function = off_centre_hill, .context = &sigma}};
    def.scalars = &ink;
    def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double sum = 0;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            double at[3] = {(i + 0.5) / cells, (j + 0.5) / cells, 0}, exact;
            off_centre_hill(&sigma, at, &exact);
            sum += fabs(worlds_value(frame, "ink", i, j, 0) - exact);
        }
    fr_world_destroy(world);
    return sum / cells / cells;
}

static void test_maccormack_is_second_order_and_linear_first(void **state)
{
    (void)state;
    double m64 = turn_error(64, FR_ADVECTION_MACCORMACK), m128 = turn_error(128, FR_ADVECTION_MACCORMACK);
    double l64 = turn_error(64, FR_ADVECTION_LINEAR), l128 = turn_error(128, FR_ADVECTION_LINEAR);
    print_message(
        "one turn, mean error at 64 and 128 cells: maccormack %.2e %.2e (order %.2f), linear %.2e %.2e (order %.2f)\n",
        m64, m128, log2(m64 / m128), l64, l128, log2(l64 / l128));
    assert_true(log2(m64 / m128) > 1.7);
    assert_true(log2(l64 / l128) > 0.6);
    assert_below(m128, 0.2 * l128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taylor_green_decays),
        cmocka_unit_test(test_couette_profile_is_linear),
        cmocka_unit_test(test_poiseuille_is_second_order),
        cmocka_unit_test(test_slow_viscous_flow_needs_no_small_steps),
        cmocka_unit_test(test_gaussian_spreads),
        cmocka_unit_test(test_maccormack_is_second_order_and_linear_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
