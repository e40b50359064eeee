/* Flows with a free surface that are known exactly: standing waves, free fall, and ellipses that a pure strain
   stretches (Longuet-Higgins 1972, J. Fluid Mech. 53).

     test_liquid_exact fine

   runs the ellipses on twice as many cells. */
#include "support/pools.h"
#include "support/runs.h"

static bool fine;

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
        double order = log2((1 - coarse.kept) / (1 - wave.kept));
        print_message("wave, %-18s period %+.3f %% (32 cells: %+.3f %%), after three periods %.3f (%.3f): order %.1f\n",
                      pools_trackers[t].name, 100 * off, 100 * coarse_off, wave.kept, coarse.kept, order);
        assert_below(fabs(off), 0.01);
        assert_true(wave.kept >= 0.9);
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

/* Ellipses and spheroids that spread over x (and z) and thin along y. The flow is linear in space, the pressure
   p = ½ρk (1 − x²/a² − y²/c² …), so Euler's equations become a″ = k/a + ω²a, c″ = k/c; k follows from the volume, which
   stays. */

typedef struct ellipse {
    int dims;
    double a, c, da, dc; /* half axes, m, and their rates, m/s */
    double turning;      /* ω a², m²/s: stays. 2D: 0 */
} ellipse;

static double ellipse_spin(const ellipse *e)
{
    return e->turning / (e->a * e->a);
}

static ellipse ellipse_rates(const ellipse *e)
{
    double w = ellipse_spin(e), square = e->da * e->da / (e->a * e->a), k;
    if (e->dims == 3)
        k = (6 * square - 2 * w * w) / (2 / (e->a * e->a) + 1 / (e->c * e->c));
    else
        k = -2 * e->da * e->dc / (e->c / e->a + e->a / e->c);
    return (ellipse){.a = e->da, .c = e->dc, .da = k / e->a + w * w * e->a, .dc = k / e->c};
}

static ellipse ellipse_add(ellipse e, double dt, const ellipse *rate)
{
    e.a += dt * rate->a;
    e.c += dt * rate->c;
    e.da += dt * rate->da;
    e.dc += dt * rate->dc;
    return e;
}

/* Runge–Kutta of fourth order. */
static void ellipse_advance(ellipse *e, double time)
{
    enum { STEPS = 1000 };
    double dt = time / STEPS;
    for (int i = 0; i < STEPS; i++) {
        ellipse one = ellipse_rates(e), at = ellipse_add(*e, dt / 2, &one), two = ellipse_rates(&at);
        at = ellipse_add(*e, dt / 2, &two);
        ellipse three = ellipse_rates(&at);
        at = ellipse_add(*e, dt, &three);
        ellipse four = ellipse_rates(&at);
        *e = ellipse_add(*e, dt / 6, &one);
        *e = ellipse_add(*e, dt / 3, &two);
        *e = ellipse_add(*e, dt / 3, &three);
        *e = ellipse_add(*e, dt / 6, &four);
    }
}

/* J: ½ρ ∫ u², with ∫ x² = V a²/(dims + 2). */
static double ellipse_energy(const ellipse *e)
{
    double w = ellipse_spin(e);
    if (e->dims == 2)
        return 0.5 * 1000 * POOLS_PI * e->a * e->c / 4 * (e->da * e->da + e->dc * e->dc);
    return 0.5 * 1000 * 4 * POOLS_PI / 3 * e->a * e->a * e->c / 5 *
           (2 * e->da * e->da + e->dc * e->dc + 2 * w * w * e->a * e->a);
}

/* The flow at the start: the strain of a disc or ball, and its spin about y. */
static fr_result ellipse_velocity(void *context, const double *args, double *out)
{
    const ellipse *e = context;
    double strain = e->da / e->a, w = ellipse_spin(e);
    out[0] = strain * args[0] + w * args[2];
    out[1] = e->dc / e->c * args[1];
    out[2] = e->dims == 3 ? strain * args[2] - w * args[0] : 0;
    return FR_OK;
}

/* The angular momentum about y, N m s, from the liquid's share of the cells. */
static double angular_momentum(fr_world *world)
{
    const fr_frame *frame = fr_world_frame(world);
    const field *phi = &liquid_of(world)->liquid.surface;
    double sum = 0;
    for (int k = 0; k < frame->cells[2]; k++)
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++) {
                double x = frame->origin[0] + (i + 0.5) * frame->spacing[0];
                double z = frame->origin[2] + (k + 0.5) * frame->spacing[2];
                double u = 0.5 * (worlds_value(frame, "u", i, j, k) + worlds_value(frame, "u", i + 1, j, k));
                double w = 0.5 * (worlds_value(frame, "w", i, j, k) + worlds_value(frame, "w", i, j, k + 1));
                sum += levelset_share(phi, field_row(phi, j, k) + i, 0) * (z * u - x * w);
            }
    return 1000 * frame->spacing[0] * frame->spacing[1] * frame->spacing[2] * sum;
}

typedef struct ellipse_seen {
    double thin;            /* largest error of the short half axis over the radius at the start */
    double wide;            /* of the long one, while its tip can be seen */
    double energy, angular; /* largest relative errors */
    double flat;            /* the shortest half axis, in cells */
} ellipse_seen;

/* Half axes, as means of the ways to both sides. */
static double half_axis(fr_world *world, int axis, double most)
{
    const double centre[3] = {0, 0, 0};
    double h = fr_world_frame(world)->spacing[0];
    return 0.5 * (pools_way(world, centre, axis, 0.5 * h, most) + pools_way(world, centre, axis, -0.5 * h, most));
}

/* The tip of the long axis has the radius of curvature c²/a. A level set knows of no tip that is sharper than the
   cells: the long axis counts while the radius has so many of them. */
static const double TIP = 2;

static void ellipse_look(fr_world *world, const ellipse *e, double angular, ellipse_seen *seen)
{
    double h = fr_world_frame(world)->spacing[0];
    seen->thin = fmax(seen->thin, fabs(half_axis(world, 1, 2) - e->c));
    for (int axis = 0; axis < 3 && e->c * e->c / e->a >= TIP * h; axis += e->dims == 3 ? 2 : 3)
        seen->wide = fmax(seen->wide, fabs(half_axis(world, axis, 20) - e->a));
    seen->energy = fmax(seen->energy, fabs(worlds_ledger(world, "kinetic_energy") / ellipse_energy(e) - 1));
    seen->flat = e->c / h;
    if (e->turning > 0)
        seen->angular = fmax(seen->angular, fabs(angular_momentum(world) / angular - 1));
}

/* A disc or ball of radius 1 m with `cells` cells a metre, in a box that it leaves room of so many metres. */
static ellipse_seen run_ellipse(const pools_tracker *tracker, ellipse e, int cells, double wide, double thinnest)
{
    pool p;
    const double high = 2.4;
    pools_make(&p, tracker->surface, e.dims, (double[3]){wide, high, wide}, (int)(wide * cells));
    pools_centre(&p);
    p.liquid = fr_default_shape(FR_SHAPE_SPHERE);
    p.liquid.radius = 1;
    p.fill.velocity = (fr_vector){.function = ellipse_velocity, .context = &e};
    p.def.gravity[1] = 0;
    p.def.time = (fr_time_def){.duration = 10, .fps = 10};
    fr_world *world = worlds_create(&p.def);
    ellipse_seen seen = {0};
    ellipse now = e;
    double angular = e.turning > 0 ? angular_momentum(world) : 0;
    for (;;) {
        ellipse_advance(&now, 1 / p.def.time.fps);
        if (now.c * cells < thinnest || now.a > wide / 2 - 2.0 / cells)
            break;
        assert_ok(fr_world_step_frame(world));
        ellipse_look(world, &now, angular, &seen);
    }
    fr_world_destroy(world);
    return seen;
}

/* Beside the surface the parcels of FLIP know the flow of one side only, so the tip lags behind: 2 %. */
static void test_ellipse(void **state)
{
    (void)state;
    int cells = fine ? 32 : 16;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        ellipse disc = {.dims = 2, .a = 1, .c = 1, .da = 1, .dc = -1};
        ellipse_seen seen = run_ellipse(&pools_trackers[t], disc, cells, 2 * cells / 4.0 + 0.5, 4);
        print_message("ellipse of %d cells, %-18s short axis %.2f %%, long axis %.2f %%, energy %.2f %%; thinnest %.1f "
                      "cells\n",
                      cells, pools_trackers[t].name, 100 * seen.thin, 100 * seen.wide, 100 * seen.energy, seen.flat);
        assert_below(seen.thin, 0.01);
        assert_below(seen.wide, pools_trackers[t].surface == FR_LIQUID_FLIP ? 0.02 : 0.01);
        assert_below(seen.energy, 0.03);
    }
}

/* Angular momentum is that of the flow on the grid, which on few cells does not know the outermost ones well. */
static void test_spheroid(void **state)
{
    (void)state;
    int cells = fine ? 24 : 12;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        ellipse ball = {.dims = 3, .a = 1, .c = 1, .da = 1, .dc = -2, .turning = 1.5};
        ellipse_seen seen = run_ellipse(&pools_trackers[t], ball, cells, 4, 4);
        print_message(
            "spheroid of %d cells, %-18s short axis %.2f %%, long axes %.2f %%, energy %.2f %%, angular momentum "
            "%.2f %%; thinnest %.1f cells\n",
            cells, pools_trackers[t].name, 100 * seen.thin, 100 * seen.wide, 100 * seen.energy, 100 * seen.angular,
            seen.flat);
        assert_below(seen.thin, 0.02);
        assert_below(seen.wide, 0.02);
        assert_below(seen.energy, 0.03);
        assert_below(seen.angular, !fine ? 0.05 : pools_trackers[t].surface == FR_LIQUID_APIC ? 0.01 : 0.03);
    }
}

int main(int argc, char **argv)
{
    fine = argc > 1 && !strcmp(argv[1], "fine");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_standing_wave), cmocka_unit_test(test_free_fall),
                                       cmocka_unit_test(test_ellipse), cmocka_unit_test(test_spheroid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
