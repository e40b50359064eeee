/* Flows with a free surface that are known exactly: standing waves and free fall. */
#include "support/pools.h"

/* The standing wave. */

static const double DEPTH = 0.5, AMPLITUDE = 0.02, GRAVITY = 9.81; /* m, m, m/s²; the wave is 1 m long */

static fr_result wave_distance(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] - (DEPTH + AMPLITUDE * cos(2 * POOLS_PI * args[0]));
    return FR_OK;
}

/* The part of cos kx in the surface, m. */
static double wave_amplitude(const fr_frame *frame)
{
    double sum = 0;
    for (int i = 0; i < frame->cells[0]; i++)
        sum += pools_height(frame, i, 0) * cos(2 * POOLS_PI * (i + 0.5) / frame->cells[0]);
    return 2 * sum / frame->cells[0];
}

typedef struct wave_seen {
    double period; /* s: from the first to the last crossing of zero */
    double kept;   /* of the amplitude, after three periods */
} wave_seen;

static wave_seen run_wave(const pools_tracker *tracker, int cells)
{
    pool p;
    pools_make(&p, tracker->surface, 2, (double[3]){1, 1, 0}, cells);
    p.liquid = fr_default_shape(FR_SHAPE_SDF);
    p.liquid.function = wave_distance;
    p.def.walls[FR_LEFT].kind = p.def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    p.def.time = (fr_time_def){.duration = 2.6, .fps = 50};
    fr_world *world = worlds_create(&p.def);
    double before = wave_amplitude(fr_world_frame(world)), first = NAN, last = NAN, period = 0.8;
    int crossings = 0, frames = fr_world_frame_count(world);
    wave_seen seen = {0};
    for (int frame = 1; frame <= frames; frame++) {
        assert_ok(fr_world_step_frame(world));
        double time = frame / p.def.time.fps, now = wave_amplitude(fr_world_frame(world));
        if ((now < 0) != (before < 0)) {
            last = time - now / (now - before) / p.def.time.fps;
            first = crossings++ ? first : last;
        }
        if (fabs(time - 3 * period) < 0.25 * period)
            seen.kept = fmax(seen.kept, now / AMPLITUDE);
        before = now;
    }
    seen.period = 2 * (last - first) / (crossings - 1);
    fr_world_destroy(world);
    return seen;
}

/* Of small amplitude: ω² = g k tanh kH. At this one the period is longer by (ka)²/8, 0.2 % (Rayleigh 1915), so the
   order of convergence is that of the amplitude. */
static void test_standing_wave(void **state)
{
    (void)state;
    double k = 2 * POOLS_PI, exact = 2 * POOLS_PI / sqrt(GRAVITY * k * tanh(k * DEPTH));
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        wave_seen coarse = run_wave(&pools_trackers[t], 32), wave = run_wave(&pools_trackers[t], 64);
        double off = wave.period / exact - 1, coarse_off = coarse.period / exact - 1;
        double order = log2(fabs(1 - coarse.kept) / fabs(1 - wave.kept));
        print_message("wave, %-18s period %+.3f %% (32 cells: %+.3f %%), after three periods %.3f (%.3f): order %.1f\n",
                      pools_trackers[t].name, 100 * off, 100 * coarse_off, wave.kept, coarse.kept, order);
        assert_below(fabs(off), 0.01);
        assert_below(fabs(1 - wave.kept), 0.1);
        assert_true(order >= 1.5);
    }
}

/* Free fall. */

/* The largest distance of the surface from a circle or a ball, along lines through its centre, m. */
static double shape_error(fr_world *world, const double centre[3], double radius, int dims)
{
    double worst = 0, h = fr_world_frame(world)->spacing[0];
    for (int axis = 0; axis < dims; axis++)
        for (int end = -1; end <= 1; end += 2)
            worst = fmax(worst, fabs(pools_way(world, centre, axis, 0.25 * end * h, 2 * radius) - radius));
    return worst;
}

static void check_fall(const pools_tracker *tracker, int dims)
{
    pool p;
    const double radius = 0.2, start = 1.6;
    int cells = dims == 3 ? 64 : 128;
    pools_make(&p, tracker->surface, dims, (double[3]){1, 2, 1}, cells);
    p.liquid = fr_default_shape(FR_SHAPE_SPHERE);
    p.liquid.radius = radius;
    p.fill.shape = (fr_placed_shape){.shape = &p.liquid, .at = {0.5, start, dims == 3 ? 0.5 : 0}};
    p.def.time = (fr_time_def){.duration = 0.4, .fps = 10};
    fr_world *world = worlds_create(&p.def);
    double energy = pools_energy(world), h = 2.0 / cells, worst = 0, at_start = 0;
    for (int frame = 0; frame <= 4; frame++) {
        double t = 0.1 * frame, centre[3] = {0.5, start - 0.5 * GRAVITY * t * t, dims == 3 ? 0.5 : 0};
        if (frame > 0)
            assert_ok(fr_world_step_frame(world));
        double off = shape_error(world, centre, radius, dims) / h;
        at_start = frame ? at_start : off;
        worst = fmax(worst, off);
    }
    double speed = worlds_ledger(world, "momentum_y") / (1000 * worlds_ledger(world, "volume"));
    print_message("fall in %dD, %-18s surface off by %.3f cells (at the start %.3f), speed by %.1e, energy by %.1e\n",
                  dims, tracker->name, worst, at_start, speed / (-GRAVITY * 0.4) - 1, pools_energy(world) / energy - 1);
    assert_below(worst, 0.1);
    assert_near(speed, -GRAVITY * 0.4, 1e-3 * GRAVITY * 0.4);
    assert_near(pools_energy(world), energy, 1e-3 * energy);
    fr_world_destroy(world);
}

static void test_free_fall(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int dims = 2; dims <= 3; dims++)
            check_fall(&pools_trackers[t], dims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_standing_wave), cmocka_unit_test(test_free_fall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
