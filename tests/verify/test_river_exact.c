/* Rivers against exact solutions, with measured order. */
#include "support/rivers.h"

/* u_θ = A r + B/r between cylinders, the inner one turning at Ω = 1, the outer one fixed (Taylor 1923; Couette). */
static double couette(double r)
{
    const double a = 0.25, b = 0.5;
    double A = -a * a / (b * b - a * a), B = a * a * b * b / (b * b - a * a);
    return A * r + B / r;
}

/* Azimuthal flow driven by −dp/dθ: K/(2μ) (r ln r + C r + D/r) with −K/(2μ) = 1 between r = 1 and r = 2 (Dean 1928). */
static double dean(double r)
{
    const double a = 1, b = 2, C = -(b * b * log(b) - a * a * log(a)) / (b * b - a * a),
                 D = a * a * b * b * log(b / a) / (b * b - a * a);
    return -(r * log(r) + C * r + D / r);
}

static fr_result dean_force(void *context, const double *args, double *out)
{
    double viscosity = *(const double *)context, r2 = args[0] * args[0] + args[1] * args[1];
    out[0] = -2 * viscosity * args[1] / r2;
    out[1] = 2 * viscosity * args[0] / r2;
    out[2] = 0;
    return FR_OK;
}

/* Greatest error of the azimuthal velocity at the centres, relative to the greatest velocity. */
static double ring_error(fr_world *world, double (*exact)(double), int ns, int nt, const rivers_ring *ring)
{
    const fr_frame *frame = fr_world_frame(world);
    double worst = 0, fastest = 0;
    for (int j = 0; j < nt; j++)
        for (int i = 0; i < ns; i++) {
            double u[2], angle = 2 * RIVERS_PI * (i + 0.5) / ns, r = ring->a + (ring->b - ring->a) * (j + 0.5) / nt;
            rivers_velocity(frame, i, j, u);
            worst = fmax(worst, fabs(u[1] * cos(angle) - u[0] * sin(angle) - exact(r)));
            fastest = fmax(fastest, fabs(exact(r)));
        }
    return worst / fastest;
}

static double couette_error(int nt)
{
    rivers_ring ring = {0.25, 0.5};
    int ns = 4 * nt;
    fr_scene_def def = rivers_scene(rivers_ring_map, &ring, ns, nt);
    fr_world *world;
    def.fluid.viscosity = 0.05;
    def.time.duration = 2;
    def.time.fps = 0.5;
    def.river.sides[2].speed.value = 0.25;
    rivers_repeat(&def, 0);
    assert_ok(fr_world_create(&def, &world));
    assert_ok(fr_world_step_frame(world));
    double error = ring_error(world, couette, ns, nt, &ring);
    fr_world_destroy(world);
    return error;
}

static void test_circular_couette(void **state)
{
    (void)state;
    double coarse = couette_error(8), middle = couette_error(16), fine = couette_error(32);
    print_message("circular Couette, 8, 16, 32 cells across: %.2e %.2e %.2e, order %.2f\n", coarse, middle, fine,
                  0.5 * log2(coarse / fine));
    assert_true(fine <= 1e-3);
    assert_true(0.5 * log2(coarse / fine) >= 1.9);
}

static double dean_error(int nt)
{
    rivers_ring ring = {1, 2};
    int ns = 4 * nt;
    double viscosity = 0.5;
    fr_scene_def def = rivers_scene(rivers_ring_map, &ring, ns, nt);
    fr_force_def force = {.value = {.function = dean_force, .context = &viscosity}};
    fr_world *world;
    def.fluid.viscosity = viscosity;
    def.time.duration = 4;
    def.time.fps = 0.25;
    def.forces = &force;
    def.force_count = 1;
    rivers_repeat(&def, 0);
    assert_ok(fr_world_create(&def, &world));
    assert_ok(fr_world_step_frame(world));
    double error = ring_error(world, dean, ns, nt, &ring);
    fr_world_destroy(world);
    return error;
}

static void test_curved_channel(void **state)
{
    (void)state;
    double coarse = dean_error(8), middle = dean_error(16), fine = dean_error(32);
    print_message("Dean's curved channel, 8, 16, 32 cells across: %.2e %.2e %.2e, order %.2f\n", coarse, middle, fine,
                  0.5 * log2(coarse / fine));
    assert_true(fine <= 2e-3);
    assert_true(0.5 * log2(coarse / fine) >= 1.9);
}

/* A flow that is the same everywhere stays so on any grid. */
static double stream_error(double bend)
{
    fr_scene_def def = rivers_scene(rivers_bent_map, &bend, 24, 20);
    fr_world *world;
    def.has_initial_velocity = true;
    def.initial_velocity.value[0] = 1;
    def.initial_velocity.value[1] = 0.5;
    def.time.fps = 2;
    rivers_repeat(&def, 0);
    rivers_repeat(&def, 1);
    assert_ok(fr_world_create(&def, &world));
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double worst = 0;
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 24; i++) {
            double u[2];
            rivers_velocity(frame, i, j, u);
            worst = fmax(worst, fmax(fabs(u[0] - 1), fabs(u[1] - 0.5)));
        }
    fr_world_destroy(world);
    return worst;
}

static void test_free_stream(void **state)
{
    (void)state;
    double bent = stream_error(0.1), mirrored = stream_error(-0.1);
    print_message("free stream on a bent grid: %.1e; on its mirror image: %.1e\n", bent, mirrored);
    assert_true(bent <= 1e-6 && mirrored <= 1e-6);
}

/* A channel of unit width that narrows smoothly to half of it in the middle third. */
static fr_result throat_map(void *context, const double *args, double *out)
{
    (void)context;
    double x = 9 * args[0], w = 1;
    if (x > 3 && x < 6)
        w = 1 - 0.25 * (1 - cos(2 * RIVERS_PI * fmin(fmin((x - 3) / 2.4, (6 - x) / 2.4), 0.5)));
    out[0] = x;
    out[1] = w * (args[1] - 0.5);
    out[2] = 0;
    return FR_OK;
}

static fr_scene_def throat_scene(int ns, int nt)
{
    fr_scene_def def = rivers_scene(throat_map, NULL, ns, nt);
    def.river.sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1};
    def.river.sides[1].kind = FR_RIVER_OUTFLOW;
    def.river.sides[2].roughness = def.river.sides[3].roughness = 0;
    def.time.fps = 1.0 / 9;
    def.time.duration = 9;
    return def;
}

static void test_throat(void **state)
{
    (void)state;
    enum { NS = 180, NT = 24 };
    fr_scene_def def = throat_scene(NS, NT);
    fr_world *world;
    assert_ok(fr_world_create(&def, &world));
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double u[2], wide[2], p[2] = {0, 0};
    for (int j = 0; j < NT; j++) {
        p[0] += worlds_value(frame, "pressure", NS / 6, j, 0) / NT;
        p[1] += worlds_value(frame, "pressure", NS / 2, j, 0) / NT;
    }
    rivers_velocity(frame, NS / 6, NT / 2, wide);
    rivers_velocity(frame, NS / 2, NT / 2, u);
    double ratio = u[0] / wide[0], drop = (p[0] - p[1]) / (1.5 * 1000);
    print_message("half width: speed %.4f times, pressure falls by %.4f of Bernoulli's\n", ratio, drop);
    assert_true(fabs(ratio - 2) <= 0.02);
    assert_true(fabs(drop - 1) <= 0.05);
    fr_world_destroy(world);
}

/* Up and down in ramps, as scenes/river/curved-path.lua. */
static double ramp(double x, double from, double to)
{
    double q = fmax(0, fmin(1, (x - from) / (to - from)));
    return q * q * (3 - 2 * q);
}

static fr_result path_map(void *context, const double *args, double *out)
{
    (void)context;
    double x = 10 * args[0];
    out[0] = x;
    out[1] = 1.6 * (ramp(x, 2, 3.2) - ramp(x, 4.6, 5.8) + ramp(x, 7.2, 8.4)) + args[1] - 0.5;
    out[2] = 0;
    return FR_OK;
}

/* Share of the cells where water flows against x, on a path that never turns back: the eddies. */
static double path_eddies(double roughness, double viscosity)
{
    enum { NS = 200, NT = 40 };
    fr_scene_def def = rivers_scene(path_map, NULL, NS, NT);
    fr_world *world;
    def.river.sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1};
    def.river.sides[1].kind = FR_RIVER_OUTFLOW;
    def.river.sides[2].roughness = def.river.sides[3].roughness = roughness;
    def.fluid.viscosity = viscosity;
    def.time.fps = 0.125;
    assert_ok(fr_world_create(&def, &world));
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    int back = 0;
    for (int j = 0; j < NT; j++)
        for (int i = 0; i < NS; i++)
            back += worlds_value(frame, "u", i, j, 0) < -0.05;
    fr_world_destroy(world);
    return (double)back / (NS * NT);
}

/* Barroso & Celes, section 6.2: eddies behind the corners of rough banks, none along smooth ones. */
static void test_rough_banks_make_eddies(void **state)
{
    (void)state;
    double rough = path_eddies(1, 0), smooth = path_eddies(0, 0.01);
    print_message("cells that flow back: %.1f %% between rough banks, %.1f %% between smooth ones\n", 100 * rough,
                  100 * smooth);
    assert_true(rough > 0.05);
    assert_true(smooth == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_free_stream), cmocka_unit_test(test_circular_couette),
                                       cmocka_unit_test(test_curved_channel), cmocka_unit_test(test_throat),
                                       cmocka_unit_test(test_rough_banks_make_eddies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
