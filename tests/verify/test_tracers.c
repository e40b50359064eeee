/* Carried particles against exact paths, and what must never happen to them. */
#include <stdlib.h>

#include "support/worlds.h"
#include "support/runs.h"

static const double PI = 3.14159265358979323846;

static fr_scene_def unit_box(int dims, int cells)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = dims, .size = {1, 1, dims == 3 ? 1 : 0}, .cells = {cells, 0, 0}};
    def.time = (fr_time_def){.duration = 1, .fps = 1};
    return def;
}

/* One turn in a second around (0.5, 0.5), at a rate that changes in time and is 1 in the mean. */
static fr_result turning(void *context, const double *args, double *out)
{
    (void)context;
    double rate = 2 * PI * (1 + 0.5 * cos(2 * PI * args[3]));
    out[0] = -rate * (args[1] - 0.5);
    out[1] = rate * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

/* Greatest distance from where they began after a whole turn. Trilinear samples of a rotation are exact: all of it is
 * time. */
static double turning_error(int dims, int steps)
{
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.35;
    fr_tracers_def tracers = {
        .shape = {.shape = &ball, .at = {0.5, 0.5, dims == 3 ? 0.5 : 0}}, .count = 300, .to = 1e9};
    fr_scene_def def = unit_box(dims, 10);
    def.time.dt = 1.0 / steps;
    def.has_prescribed = true;
    def.prescribed.function = turning;
    def.tracers = &tracers;
    def.tracer_count = 1;
    fr_world *world = worlds_create(&def);
    const fr_frame *frame = fr_world_frame(world);
    assert_int_equal(frame->particle_count, 300);
    float began[300][3];
    for (int n = 0; n < 300; n++)
        memcpy(began[n], frame->particles.data + n * frame->particles.stride, sizeof began[n]);
    assert_ok(fr_world_step_frame(world));
    frame = fr_world_frame(world);
    assert_int_equal(frame->particle_count, 300);
    double worst = 0;
    for (int n = 0; n < 300; n++) {
        const float *now = frame->particles.data + n * frame->particles.stride;
        worst = fmax(worst, hypot(hypot(now[0] - began[n][0], now[1] - began[n][1]), now[2] - began[n][2]));
    }
    fr_world_destroy(world);
    return worst;
}

static void test_a_rotation_brings_them_back(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        double coarse = turning_error(dims, 50), fine = turning_error(dims, 100), finest = turning_error(dims, 200);
        print_message("%dD, one turn, error at 50, 100, 200 steps: %.3g %.3g %.3g, order %.2f\n", dims, coarse, fine,
                      finest, log2(fine / finest));
        /* the midpoint rule turns too far by θ³/6 in a step of θ; the mean of the rate's cube is 1.375, the outermost
         * 0.35 m out */
        assert_near(finest, 1.375 * 2 * PI * pow(2 * PI / 200, 2) / 6 * 0.35, 0.05 * finest);
        assert_near(log2(coarse / fine), 2, 0.2);
        assert_near(log2(fine / finest), 2, 0.2);
    }
}

/* Still air: x = x0 + w t exactly, and they stay on the floor. */
static void test_they_settle_at_their_speed(void **state)
{
    (void)state;
    fr_tracers_def tracers = {.per_cell = 2, .to = 1e9, .settle = 0.3};
    fr_scene_def def = unit_box(2, 16);
    def.tracers = &tracers;
    def.tracer_count = 1;
    fr_world *world = worlds_create(&def);
    const fr_frame *frame = fr_world_frame(world);
    int64_t count = frame->particle_count, stride = frame->particles.stride;
    float *began = malloc((size_t)(count * stride) * sizeof *began);
    memcpy(began, frame->particles.data, (size_t)(count * stride) * sizeof *began);
    assert_ok(fr_world_step_frame(world));
    frame = fr_world_frame(world);
    assert_int_equal(frame->particle_count, count);
    for (int64_t n = 0; n < count; n++) {
        const float *now = frame->particles.data + n * stride;
        assert_near(now[0], began[n * stride], 1e-6);
        assert_near(now[1], fmax(0, began[n * stride + 1] - 0.3), 2e-6);
    }
    assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
    free(began);
    fr_world_destroy(world);
}

/* u = a t: v = a (t − τ) + (v0 + a τ) e^(−t/τ), and x its integral. */
static fr_result speeding(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.4 * args[3];
    out[1] = out[2] = 0;
    return FR_OK;
}

/* The error of the velocity after a second; the flow within a substep is taken as its middle, which leaves a δ²/(12 τ).
 */
static double lag_error(double dt)
{
    const double a = 0.4, lag = 0.2, v0 = 0.3;
    fr_shape_def spot = fr_default_shape(FR_SHAPE_SPHERE);
    spot.radius = 0.05;
    fr_tracers_def tracers = {.shape = {.shape = &spot, .at = {0.3, 0.5, 0}},
                              .count = 10,
                              .to = 1e9,
                              .response = lag,
                              .has_velocity = true,
                              .velocity = {v0, 0, 0}};
    fr_scene_def def = unit_box(2, 16);
    def.time.dt = dt;
    def.has_prescribed = true;
    def.prescribed.function = speeding;
    def.tracers = &tracers;
    def.tracer_count = 1;
    fr_world *world = worlds_create(&def);
    const fr_frame *frame = fr_world_frame(world);
    double began = frame->particles.data[0];
    assert_ok(fr_world_step_frame(world));
    frame = fr_world_frame(world);
    double left = exp(-1 / lag), v = a * (1 - lag) + (v0 + a * lag) * left;
    double x = began + a * (0.5 - lag) + (v0 + a * lag) * lag * (1 - left);
    double error = fabs((double)frame->particle_velocity.data[0] - v), bound = a * dt * dt / (12 * lag);
    assert_below(error, bound);
    assert_near(frame->particles.data[0], x, bound);
    fr_world_destroy(world);
    return error;
}

static void test_inertia_lags_as_it_should(void **state)
{
    (void)state;
    double coarse = lag_error(0.04), fine = lag_error(0.02);
    print_message("lag: error of the velocity at 0.04, 0.02 s: %.3g %.3g m/s\n", coarse, fine);
    assert_near(log2(coarse / fine), 2, 0.1);
}

/* A rough flow in a closed box with a ball in it, all kinds of particles: none may vanish, none may enter the ball. */
static void test_none_is_lost_in_a_closed_box(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        worlds_plume plume;
        worlds_plume_make(&plume, dims, dims == 3 ? 20 : 48);
        fr_tracers_def kinds[3] = {{.per_cell = 1, .to = 1e9},
                                   {.count = 500, .to = 1e9, .settle = 0.5, .seed = 1},
                                   {.count = 500, .to = 1e9, .settle = 0.3, .response = 0.3, .seed = 2}};
        plume.def.walls[FR_TOP].kind = FR_WALL_NO_SLIP;
        plume.def.has_initial_velocity = true;
        plume.def.initial_velocity.function = worlds_noise;
        plume.def.tracers = kinds;
        plume.def.tracer_count = 3;
        fr_world *world = worlds_create(&plume.def);
        int64_t count = fr_world_frame(world)->particle_count;
        for (int i = 0; i < 24; i++)
            assert_ok(fr_world_step_frame(world));
        const fr_frame *frame = fr_world_frame(world);
        assert_int_equal(frame->particle_count, count);
        assert_near(worlds_ledger(world, "particles"), (double)count, 0);
        assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
        assert_near(worlds_ledger(world, "particles_left"), 0, 0);
        /* between the grid's samples the ball's distance is linear: too large by h²/8 times its curvature */
        double h = frame->spacing[0], reach = 0.13 - (dims - 1) * h * h / (8 * 0.13) - 1e-5;
        for (int64_t n = 0; n < count; n++) {
            const float *at = frame->particles.data + n * frame->particles.stride;
            double away = hypot(hypot(at[0] - 0.5, at[1] - 0.75), dims == 3 ? at[2] - 0.5 : 0);
            assert_true(at[0] >= -1e-6f && at[0] <= 1 + 1e-6f && at[1] >= -1e-6f && at[1] <= 1.2501f);
            assert_true(away > reach);
        }
        fr_world_destroy(world);
    }
}

static const double PLATE_SPEED = 0.5;

/* From x = 0.2 on. */
static fr_result plate_path(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.2 + PLATE_SPEED * args[0];
    out[1] = 0.5;
    return FR_OK;
}

/* Dust at rest that feels next to nothing of the air, and what hits it. */
typedef struct sweep {
    fr_shape_def shape;
    fr_obstacle_def obstacle;
    fr_tracers_def dust;
    fr_scene_def def;
    fr_world *world;
    float (*began)[3];       /* where each was at the start */
} sweep;

static void sweep_make(sweep *s, double width, double height)
{
    memset(s, 0, sizeof *s);
    s->shape = fr_default_shape(FR_SHAPE_BOX);
    s->shape.max[0] = width / 2;
    s->shape.max[1] = height / 2;
    for (int a = 0; a < 2; a++)
        s->shape.min[a] = -s->shape.max[a];
    s->obstacle = (fr_obstacle_def){.shape = {.shape = &s->shape, .at = {0.5, 0.5, 0}}};
    s->dust = (fr_tracers_def){.per_cell = 1, .to = 1e9, .response = 1e5, .has_velocity = true};
    s->def = unit_box(2, 32);
    s->def.obstacles = &s->obstacle;
    s->def.obstacle_count = 1;
    s->def.tracers = &s->dust;
    s->def.tracer_count = 1;
}

/* The frame after a second; none may be gone. */
static const fr_frame *sweep_second(sweep *s)
{
    s->world = worlds_create(&s->def);
    const fr_frame *frame = fr_world_frame(s->world);
    int64_t count = frame->particle_count;
    s->began = malloc((size_t)count * sizeof *s->began);
    for (int64_t n = 0; n < count; n++)
        memcpy(s->began[n], frame->particles.data + n * frame->particles.stride, sizeof s->began[n]);
    assert_ok(fr_world_step_frame(s->world));
    frame = fr_world_frame(s->world);
    assert_int_equal(frame->particle_count, count);
    return frame;
}

static void sweep_end(sweep *s)
{
    free(s->began);
    fr_world_destroy(s->world);
}

/* A plate moves into resting dust: what it has reached lies before it and is as fast as it is, what it has not reached
 * rests. */
static void test_a_plate_sweeps_dust_along(void **state)
{
    (void)state;
    sweep s;
    sweep_make(&s, 0.1, 0.8);
    s.obstacle.path = plate_path;
    const fr_frame *frame = sweep_second(&s);
    double front = 0.25 + PLATE_SPEED, h = frame->spacing[0];
    int swept = 0, resting = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *at = frame->particles.data + n * frame->particles.stride,
                    *v = frame->particle_velocity.data + n * frame->particle_velocity.stride;
        /* the samples of the distance round the edges off within two cells: there it may be pushed aside */
        if (fabs((double)s.began[n][1] - 0.5) > 0.4 - 2 * h || s.began[n][0] < 0.25f)
            continue;
        bool reached = s.began[n][0] < front - h;
        if (reached)
            assert_true(at[0] > front - 1e-5 && at[0] < front + 1.1 * h &&
                        fabs(v[0] - PLATE_SPEED) < 1e-4 * PLATE_SPEED);
        else if (s.began[n][0] > front + h)
            assert_true(fabsf(v[0]) < 1e-4f && fabsf(at[0] - s.began[n][0]) < 1e-4f);
        swept += reached;
        resting += s.began[n][0] > front + h;
    }
    assert_true(swept > 300 && resting > 100);
    sweep_end(&s);
}

/* A rod turns by 60°: what it has struck flies off at least as fast as the rod moves where it lay, r ω. */
static void test_a_rod_strikes_dust_with_its_speed_there(void **state)
{
    (void)state;
    const double turned = PI / 3;
    sweep s;
    sweep_make(&s, 0.8, 0.1);
    s.obstacle.spin_axis[2] = 1;
    s.obstacle.spin = 60;
    const fr_frame *frame = sweep_second(&s);
    int struck = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *v = frame->particle_velocity.data + n * frame->particle_velocity.stride;
        double x = (double)s.began[n][0] - 0.5, y = (double)s.began[n][1] - 0.5, r = hypot(x, y),
               angle = fmod(atan2(y, x) + PI, PI);
        if (r < 0.15 || r > 0.35 || angle < asin(0.05 / r) + 0.1 || angle > turned)
            continue;
        assert_true(hypot(v[0], v[1]) > 0.98 * turned * r);
        struck++;
    }
    assert_true(struck > 50);
    sweep_end(&s);
}

static fr_result breeze(void *context, const double *args, double *out)
{
    (void)context, (void)args;
    out[0] = 1;
    out[1] = out[2] = 0;
    return FR_OK;
}

/* A steady wind over a source: rate·time have come, those that passed the open side are counted, and the rest stands
   where the wind took it; around a periodic box they come back. */
static void test_sources_and_open_sides_keep_account(void **state)
{
    (void)state;
    fr_shape_def spot = fr_default_shape(FR_SHAPE_SPHERE);
    spot.radius = 0.02;
    fr_tracers_def tracers = {.shape = {.shape = &spot, .at = {0.25, 0.5, 0}}, .rate = 100, .to = 1.5};
    for (int periodic = 0; periodic < 2; periodic++) {
        fr_scene_def def = unit_box(2, 16);
        def.time = (fr_time_def){.duration = 2, .fps = 2, .dt = 0.0301};
        def.has_prescribed = true;
        def.prescribed.function = breeze;
        def.walls[FR_LEFT].kind = def.walls[FR_RIGHT].kind = periodic ? FR_WALL_PERIODIC : FR_WALL_OPEN;
        def.tracers = &tracers;
        def.tracer_count = 1;
        fr_world *world = worlds_create(&def);
        assert_int_equal(fr_world_frame(world)->particle_count, 0);
        assert_ok(fr_world_step_frame(world));
        const fr_frame *frame = fr_world_frame(world);
        assert_int_equal(frame->particle_count, 50);
        for (int n = 0; n < 50; n++)     /* number n came n/100 s after the start */
            assert_near(frame->particles.data[n * frame->particles.stride], 0.25 + 0.5 - 0.01 * n, 0.02 + 1e-5);
        for (int i = 0; i < 3; i++)
            assert_ok(fr_world_step_frame(world));
        double left = worlds_ledger(world, "particles_left"), there = worlds_ledger(world, "particles");
        assert_near(left + there, 150, 0);
        assert_near(there, periodic ? 150 : 25, periodic ? 0 : 4);
        assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
        fr_world_destroy(world);
    }
}

static void test_a_lifetime_ends(void **state)
{
    (void)state;
    fr_tracers_def tracers = {.rate = 200, .to = 1e9, .lifetime = 0.25};
    fr_scene_def def = unit_box(2, 16);
    def.time.dt = 0.01;
    def.tracers = &tracers;
    def.tracer_count = 1;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    assert_near(worlds_ledger(world, "particles"), 50, 1);
    fr_world_destroy(world);
}

/* Fast at the start alone: a third of the frame is the first step, all the rest the second. */
static fr_result gust(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[3] > 0 ? 0 : 2.75 / 16;
    out[1] = out[2] = 0;
    return FR_OK;
}

/* At 1.1 frames a second t + (T − t) is one rounding less than T after the first step, and the eighth particle comes in
   between. The store is full to the last by then: the density gives 4.7 places, of which it rounds up and the estimate
   down. */
static void test_there_is_room_for_the_last_that_comes(void **state)
{
    (void)state;
    fr_tracers_def kinds[2] = {{.per_cell = 4.7 / 256, .to = 1e9}, {.rate = 7.700000000000001, .to = 1e9}};
    fr_scene_def def = unit_box(2, 16);
    def.time = (fr_time_def){.duration = 1e-9, .fps = 1.1, .cfl = 1};
    def.has_prescribed = true;
    def.prescribed.function = gust;
    def.tracers = kinds;
    def.tracer_count = 2;
    fr_world *world = worlds_create(&def);
    fr_step_report report;
    assert_int_equal(smoke_of(world)->state->particles.count, 5);
    assert_int_equal(smoke_of(world)->state->particles.room, 12);
    assert_ok(fr_world_step(world, &report));
    double target = 1 / def.time.fps, time = fr_world_time(world);
    assert_true(time + (target - time) < target);
    assert_ok(fr_world_step(world, &report));
    assert_true(report.frame_done);
    assert_int_equal(smoke_of(world)->state->particles.count, 13);
    assert_true(smoke_of(world)->state->particles.room >= 13);
    fr_world_destroy(world);
}

/* Poisson noise would leave exp(−4) of the blocks of four cells empty; an even sequence leaves none and varies little.
 */
static void test_places_are_even(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        int cells = dims == 3 ? 12 : 40, blocks = cells / 2, count[20 * 20 * 20] = {0};
        int all = blocks * blocks * (dims == 3 ? blocks : 1), per_block = dims == 3 ? 8 : 4;
        fr_tracers_def tracers = {.per_cell = 1, .to = 1e9};
        fr_scene_def def = unit_box(dims, cells);
        def.tracers = &tracers;
        def.tracer_count = 1;
        fr_world *world = worlds_create(&def);
        const fr_frame *frame = fr_world_frame(world);
        assert_int_equal(frame->particle_count, all * per_block);
        for (int64_t n = 0; n < frame->particle_count; n++) {
            const float *at = frame->particles.data + n * frame->particles.stride;
            int block = 0;
            for (int a = dims - 1; a >= 0; a--)
                block = block * blocks + (int)fmin(at[a] * (float)blocks, blocks - 1);
            count[block]++;
        }
        double variance = 0;
        for (int b = 0; b < all; b++)
            variance += pow(count[b] - per_block, 2) / all;
        print_message("%dD: variance of the number in blocks that hold %d: %.2f\n", dims, per_block, variance);
        assert_below(variance, 0.33 * per_block);
        fr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rotation_brings_them_back),
        cmocka_unit_test(test_they_settle_at_their_speed),
        cmocka_unit_test(test_inertia_lags_as_it_should),
        cmocka_unit_test(test_none_is_lost_in_a_closed_box),
        cmocka_unit_test(test_a_plate_sweeps_dust_along),
        cmocka_unit_test(test_a_rod_strikes_dust_with_its_speed_there),
        cmocka_unit_test(test_sources_and_open_sides_keep_account),
        cmocka_unit_test(test_a_lifetime_ends),
        cmocka_unit_test(test_there_is_room_for_the_last_that_comes),
        cmocka_unit_test(test_places_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
