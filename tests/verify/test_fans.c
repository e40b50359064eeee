/* Fans, jets and turbulence in a flow. */
#include "support/worlds.h"

/* A fan across a whole periodic channel: all of the air goes along, and its speed nears that of the fan as implicit
   steps of U' = (speed − U)/response · share, where `share` is the part of the channel that the fan fills. */
static double channel_speed(fr_advection advection, double response, double seconds, double dt)
{
    fr_shape_def wall = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        wall.min[a] = a == 0 ? 0.25 : -1;
        wall.max[a] = a == 0 ? 0.75 : 2;
    }
    fr_force_def fan = {
        .shape.shape = &wall, .is_fan = true, .direction = {2, 0, 0}, .speed.value = 1.5, .response = response};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 0.5, 0}, .cells = {32, 16, 0}};
    def.time = (fr_time_def){.duration = seconds, .fps = 1 / seconds, .dt = dt};
    def.smoke.advection = advection;
    def.walls[FR_LEFT].kind = def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    def.forces = &fan;
    def.force_count = 1;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double speed = worlds_value(frame, "u", 3, 5, 0);
    for (int i = 0; i < 32; i++)
        assert_near(worlds_value(frame, "u", i, 9, 0), speed, 1e-3);
    fr_world_destroy(world);
    return speed;
}

static void test_a_fan_reaches_its_speed(void **state)
{
    (void)state;
    const fr_advection schemes[] = {FR_ADVECTION_MACCORMACK, FR_ADVECTION_REFLECTION, FR_ADVECTION_CENTRAL};
    for (int s = 0; s < 3; s++) {
        assert_near(channel_speed(schemes[s], 0.1, 2, 0.01), 1.5, 2e-3);
        assert_near(channel_speed(schemes[s], 0, 1, 0.01), 1.5, 2e-3);
        /* half of the channel is driven: 1 − exp(−t/2τ), first order in the step */
        double exact = 1.5 * (1 - exp(-0.5 * 0.4 / 0.4));
        double coarse = channel_speed(schemes[s], 0.4, 0.4, 0.01) - exact,
               fine = channel_speed(schemes[s], 0.4, 0.4, 0.005) - exact;
        print_message("fan, scheme %d: error of the speed at 0.01, 0.005 s: %.4f %.4f of %.4f m/s\n", s, coarse, fine,
                      exact);
        assert_below(fabs(coarse), 0.01 * 1.5);
        assert_below(fabs(fine), 0.6 * fabs(coarse));
    }
}

/* Far longer steps than the response: the fan itself does not overshoot. The scheme of second order carries the
   pressure of the step before along: with e the flow's lag and G = ½Δt ∂p/∂x beside a fan over half of the channel, a
   step without advection is e' = (e − G)/2, G' = (e + G)/4, whose eigenvalues 0.375 ± 0.33 i have the size ½: it swings
   about the speed and comes to rest. */
static void test_a_fan_is_stable_for_any_step(void **state)
{
    (void)state;
    double speed = channel_speed(FR_ADVECTION_LINEAR, 1e-6, 5, 0.5);
    assert_below(speed, 1.5);
    assert_near(speed, 1.5, 0.002);
    assert_near(channel_speed(FR_ADVECTION_MACCORMACK, 1e-6, 20, 0.5), 1.5, 2e-4);
}

/* An oblique fan leaves the flow across its direction alone: a wind across it goes on. */
static void test_flow_across_a_fan_goes_on(void **state)
{
    (void)state;
    fr_shape_def everywhere = fr_default_shape(FR_SHAPE_SPHERE);
    everywhere.radius = 10;
    fr_force_def fan = {.shape.shape = &everywhere, .is_fan = true, .direction = {3, 4, 0}, .speed.value = 2};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 3, .size = {1, 1, 1}, .cells = {8, 0, 0}};
    def.time = (fr_time_def){.duration = 0.1, .fps = 10, .dt = 0.05};
    for (int side = 0; side < FR_SIDES; side++)
        def.walls[side].kind = FR_WALL_PERIODIC;
    def.has_initial_velocity = true;
    def.initial_velocity = (fr_vector){.value = {-0.8 + 0.3, 0.6 + 0.4, 0.7}}; /* 1 across, 0.5 along, 0.7 along z */
    def.forces = &fan;
    def.force_count = 1;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    assert_near(worlds_value(frame, "u", 4, 4, 4), -0.8 + 2 * 0.6, 1e-5);
    assert_near(worlds_value(frame, "v", 4, 4, 4), 0.6 + 2 * 0.8, 1e-5);
    assert_near(worlds_value(frame, "w", 4, 4, 4), 0.7, 1e-5);
    fr_world_destroy(world);
}

/* Initial eddies in a periodic box have no divergence to be projected away: they are in the flow as they were made. */
static void test_initial_turbulence_stays_what_it_is(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 3, .size = {1, 1, 1}, .cells = {24, 0, 0}};
    for (int side = 0; side < FR_SIDES; side++)
        def.walls[side].kind = FR_WALL_PERIODIC;
    def.initial_turbulence = (fr_turbulence_def){.speed = 0.5, .length = 0.5, .seed = 2};
    fr_world *world = worlds_create(&def);
    double energy = worlds_ledger(world, "kinetic_energy"), expected = 0.5 * def.fluid.density * 0.5 * 0.5;
    print_message("energy of initial turbulence: %.5f, asked for %.5f J\n", energy, expected);
    assert_near(energy, expected, 0.05 * expected);
    assert_below(worlds_ledger(world, "max_divergence"), 1e-3);
    fr_world_destroy(world);
}

/* Over time at a point behind a turbulent inflow the flow varies by about what was asked for. */
static void test_an_inflow_brings_eddies(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {32, 0, 0}};
    def.time = (fr_time_def){.duration = 20, .fps = 10};
    def.walls[FR_LEFT] =
        (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {1, 0, 0}, .turbulence = {.speed = 0.2, .length = 0.4}};
    def.walls[FR_RIGHT].kind = FR_WALL_OPEN;
    fr_world *world = worlds_create(&def);
    double sum = 0, square = 0;
    int samples = 0;
    for (int f = 0; f < 60; f++) {
        assert_ok(fr_world_step_frame(world));
        for (int j = 4; j < 28; j += 4) {
            double u = worlds_value(fr_world_frame(world), "u", 0, j, 0);
            sum += u;
            square += (u - 1) * (u - 1);
            samples++;
        }
    }
    print_message("inflow: mean %.3f, rms of u' %.3f m/s\n", sum / samples, sqrt(square / samples));
    assert_near(sum / samples, 1, 0.05);
    assert_near(sqrt(square / samples), 0.2 / sqrt(2), 0.25 * 0.2 / sqrt(2));
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_fan_reaches_its_speed),
        cmocka_unit_test(test_a_fan_is_stable_for_any_step),
        cmocka_unit_test(test_flow_across_a_fan_goes_on),
        cmocka_unit_test(test_initial_turbulence_stays_what_it_is),
        cmocka_unit_test(test_an_inflow_brings_eddies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
