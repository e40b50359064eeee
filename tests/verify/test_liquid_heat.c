/* Heat in a liquid on the grid, by what is known exactly: conduction, fronts of melting, cooling by the air, and flows
   whose viscosity follows the temperature. */
#include "support/pools.h"
#include "support/runs.h"

/* Steps of the scene's length until a time. */
static void run_until(fr_world *world, double time)
{
    while (fr_world_time(world) < time - 1e-9)
        assert_ok(fr_world_step(world, NULL));
}

static void set_start(pool *p, const fr_scalar_value *temperature)
{
    p->def.initial = temperature;
    p->def.initial_count = 1;
}

/* Fronts of melting. */

static const double CONDUCTED = 1e-4, HOT = 10, LATENT = 20; /* m²/s, K, K */

/* Of λ e^{λ²} (erf λ + …) = St/√π: what is left over. The liquid melts at 0; the solid starts at `cold` ≤ 0, which
   conducts as the liquid does (Neumann; Carslaw & Jaeger 11.2). */
static double front_left_over(double lambda, double cold)
{
    return HOT / erf(lambda) + cold / erfc(lambda) - LATENT * sqrt(POOLS_PI) * lambda * exp(lambda * lambda);
}

/* It falls with λ: halving. */
static double front_lambda(double cold)
{
    double low = 1e-6, high = 3;
    for (int turn = 0; turn < 60; turn++) {
        double middle = 0.5 * (low + high);
        *(front_left_over(middle, cold) > 0 ? &low : &high) = middle;
    }
    return low;
}

/* What is molten of a strip of 1 m, m. */
static double front_place(fr_world *world)
{
    const fr_frame *frame = fr_world_frame(world);
    double sum = 0;
    for (int i = 0; i < frame->cells[0]; i++)
        sum += frame->spacing[0] * (double)worlds_value(frame, "liquid_fraction", i, 1, 0);
    return sum;
}

typedef struct front_seen {
    double off;      /* the largest relative error of the place */
    double exponent; /* of its growth with time: least squares of the logarithms */
} front_seen;

static front_seen run_front(double cold)
{
    pool p;
    const int cells = 128;
    const fr_scalar_value start = {.name = "temperature", .value.value = cold};
    const fr_scalar_value wall = {.name = "temperature", .value.value = HOT};
    pools_make(&p, FR_LIQUID_LEVEL_SET, 2, (double[3]){1, 4.0 / cells, 0}, cells);
    p.liquid = pools_below(1);
    p.def.gravity[1] = 0;
    p.def.walls[FR_LEFT].scalars = &wall;
    p.def.walls[FR_LEFT].scalar_count = 1;
    p.def.heat = (fr_heat_def){
        .set = true, .diffusivity = CONDUCTED, .latent = LATENT, .melt = {.set = true, .solid = 1, .liquid = 1}};
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = 400, .fps = 0.1, .dt = 0.5};
    fr_world *world = worlds_create(&p.def);
    const double growth = 2 * front_lambda(cold) * sqrt(CONDUCTED);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    front_seen seen = {0};
    for (double time = 100; time <= 400; time += 10, n++) {
        run_until(world, time);
        double place = front_place(world);
        seen.off = fmax(seen.off, fabs(place / (growth * sqrt(time)) - 1));
        x += log(time);
        y += log(place);
        xx += log(time) * log(time);
        xy += log(time) * log(place);
    }
    seen.exponent = (n * xy - x * y) / (n * xx - x * x);
    fr_world_destroy(world);
    return seen;
}

static void test_front_of_one_phase(void **state)
{
    (void)state;
    front_seen seen = run_front(0);
    print_message("melting front: off by %.2f %%, grows as t^%.4f\n", 100 * seen.off, seen.exponent);
    assert_below(seen.off, 0.01);
    assert_near(seen.exponent, 0.5, 0.01);
}

static void test_front_of_two_phases(void **state)
{
    (void)state;
    front_seen seen = run_front(-5);
    print_message("melting front in a cold solid: off by %.2f %%, grows as t^%.4f\n", 100 * seen.off, seen.exponent);
    assert_below(seen.off, 0.02);
}

/* Conduction of a Gaussian. */

static const double WIDTH = 0.08, SPREAD = 1e-3, SPREAD_TIME = 2; /* m, m²/s, s */

static fr_result gauss_start(void *context, const double *args, double *out)
{
    (void)context;
    *out = exp(-(args[0] * args[0] + args[1] * args[1]) / (2 * WIDTH * WIDTH));
    return FR_OK;
}

typedef struct gauss_seen {
    double width, peak; /* over the exact ones, less 1 */
    double worst;       /* the largest error of any cell, over the exact peak */
    double lost;        /* of the total, relative */
} gauss_seen;

/* Sums over the cells of a square of 1 m about the origin: after a time T = peak · exp(−r²/(2 s²)). */
static gauss_seen gauss_look(const fr_frame *frame, double s, double peak)
{
    double sum = 0, second = 0, most = 0, worst = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            double x = frame->origin[0] + (i + 0.5) * frame->spacing[0],
                   t = worlds_value(frame, "temperature", i, j, 0);
            double y = frame->origin[1] + (j + 0.5) * frame->spacing[1];
            worst = fmax(worst, fabs(t - peak * exp(-(x * x + y * y) / (2 * s * s))));
            most = fmax(most, t);
            sum += t;
            second += t * x * x;
        }
    /* The hottest cells lie half a cell off the middle along both axes. */
    double off = frame->spacing[0] / 2, hottest = peak * exp(-off * off / (s * s));
    return (gauss_seen){.width = sqrt(second / sum) / s - 1, .peak = most / hottest - 1, .worst = worst / peak};
}

static gauss_seen run_gauss(int cells, double dt)
{
    pool p;
    const fr_scalar_value start = {.name = "temperature", .value.function = gauss_start};
    pools_make(&p, FR_LIQUID_LEVEL_SET, 2, (double[3]){1, 1, 0}, cells);
    pools_centre(&p);
    p.liquid = pools_below(1);
    p.def.gravity[1] = 0;
    p.def.heat = (fr_heat_def){.set = true, .diffusivity = SPREAD};
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = SPREAD_TIME, .fps = 1 / SPREAD_TIME, .dt = dt};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "heat"), square = WIDTH * WIDTH + 2 * SPREAD * SPREAD_TIME;
    assert_ok(fr_world_step_frame(world));
    gauss_seen seen = gauss_look(fr_world_frame(world), sqrt(square), WIDTH * WIDTH / square);
    seen.lost = worlds_ledger(world, "heat") / before - 1;
    fr_world_destroy(world);
    return seen;
}

/* In time it is of first order: steps short enough that space alone tells. The coarser grid has 2.6 cells in the width
   that the Gaussian starts with; with half as many it is not yet of its order. */
static void test_gauss(void **state)
{
    (void)state;
    const double dt = 0.002;
    gauss_seen coarse = run_gauss(32, dt), fine = run_gauss(64, dt);
    double order = log2(coarse.worst / fine.worst);
    print_message(
        "Gaussian: width %+.4f %%, peak %+.4f %%, worst %.5f (%.5f at half the cells): order %.2f; total %+.1e\n",
        100 * fine.width, 100 * fine.peak, fine.worst, coarse.worst, order, fine.lost);
    assert_near(fine.width, 0, 0.001);
    assert_near(fine.peak, 0, 0.005);
    assert_true(order >= 1.8);
    assert_near(fine.lost, 0, 1e-6);
    assert_near(coarse.lost, 0, 1e-6);
}

/* Two layers between plates. */

/* Hot and thin below, cold and a hundred times as viscous above. */
static fr_result layers_temperature(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] < 0.5 ? 1 : -1;
    return FR_OK;
}

/* The speed at a height: the same shear stress in both (shared/validation/07_two_layer_couette.csv). */
static double layers_speed(double y)
{
    const double between = 100.0 / 101;
    return y < 0.5 ? 2 * between * y : 1 - 2 * (1 - between) * (1 - y);
}

static void check_layers(const pools_tracker *tracker)
{
    pool p;
    const int cells = 32;
    const fr_scalar_value start = {.name = "temperature", .value.function = layers_temperature};
    pools_make(&p, tracker->surface, 2, (double[3]){4.0 / cells, 1, 0}, cells);
    p.liquid = pools_below(2);
    p.def.gravity[1] = 0;
    p.def.walls[FR_LEFT].kind = p.def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    p.def.walls[FR_BOTTOM].kind = p.def.walls[FR_TOP].kind = FR_WALL_NO_SLIP;
    p.def.walls[FR_TOP].velocity.value[0] = 1;
    p.def.heat = (fr_heat_def){.set = true, .melt = {.set = true, .solid = 100, .liquid = 1}};
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = 2, .fps = 0.5, .dt = 0.02};
    fr_world *world = worlds_create(&p.def);
    assert_ok(fr_world_step_frame(world));
    double worst = 0;
    for (int j = 0; j < cells; j++) {
        double u = worlds_value(fr_world_frame(world), "u", 1, j, 0);
        worst = fmax(worst, fabs(u - layers_speed((j + 0.5) / cells)));
    }
    print_message("two layers, %-18s off by %.4f %% of the lid's speed\n", tracker->name, 100 * worst);
    assert_below(worst, 0.002);
    fr_world_destroy(world);
}

static void test_two_layers(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        check_layers(&pools_trackers[t]);
}

/* Heat is kept. */

/* A hot drop over a cold pool. */
static fr_result drop_distance(void *context, const double *args, double *out)
{
    (void)context;
    *out = fmin(hypot(args[0] - 0.5, args[1] - 0.6) - 0.15, args[1] - 0.3);
    return FR_OK;
}

static fr_result drop_temperature(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] > 0.4 ? 100 : 20;
    return FR_OK;
}

static void check_drop(const pools_tracker *tracker)
{
    pool p;
    const fr_scalar_value start = {.name = "temperature", .value.function = drop_temperature};
    pools_make(&p, tracker->surface, 2, (double[3]){1, 1, 0}, 64);
    p.liquid = fr_default_shape(FR_SHAPE_SDF);
    p.liquid.function = drop_distance;
    p.def.heat = (fr_heat_def){.set = true,
                               .diffusivity = 1e-3,
                               .ambient = 10,
                               .loss = 1e-3,
                               .latent = 30,
                               .melt = {.set = true, .from = 30, .to = 60, .solid = 0.1, .liquid = 1e-3}};
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = 1, .fps = 20};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "heat"), worst = 0;
    for (int frame = 0; frame < 20; frame++) {
        assert_ok(fr_world_step_frame(world));
        double come = worlds_ledger(world, "heat_in"); /* with the volume nothing does */
        worst = fmax(worst, fabs(worlds_ledger(world, "heat") - before - come) / before);
    }
    print_message("hot drop, %-18s heat is off by %.1e (of what was there %+.1e came in, %+.1e with the volume)\n",
                  tracker->name, worst, worlds_ledger(world, "heat_in") / before,
                  worlds_ledger(world, "heat_drift") / before);
    assert_below(worst, 1e-4);
    fr_world_destroy(world);
}

static void test_heat_is_kept(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        check_drop(&pools_trackers[t]);
}

/* Cooling by the air. */

/* A pool that is warm evenly, as it conducts well: d(T − ambient)/dt = −loss (T − ambient)/depth, wherever in a cell
   its surface lies. */
static void check_cooling(const pools_tracker *tracker, double depth)
{
    pool p;
    const double loss = 0.1, ambient = 5, hot = 45;
    const fr_scalar_value start = {.name = "temperature", .value.value = hot};
    pools_make(&p, tracker->surface, 2, (double[3]){0.5, 0.5, 0}, 24);
    p.liquid = pools_below(depth);
    p.def.heat = (fr_heat_def){.set = true, .diffusivity = 100, .ambient = ambient, .loss = loss};
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = 4, .fps = 1, .dt = 0.02};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "heat"), worst = 0;
    for (int frame = 1; frame <= 4; frame++) {
        assert_ok(fr_world_step_frame(world));
        double over = worlds_value(fr_world_frame(world), "temperature", 12, 5, 0) - ambient;
        worst = fmax(worst, fabs(over / ((hot - ambient) * exp(-loss * frame / depth)) - 1));
    }
    double gone = worlds_ledger(world, "heat") - before - worlds_ledger(world, "heat_in");
    print_message("cooling, %-18s depth %.3f m: off by %.3f %%, heat by %+.1e\n", tracker->name, depth, 100 * worst,
                  gone / before);
    assert_below(worst, 0.01);
    assert_near(gone / before, 0, 1e-4);
    fr_world_destroy(world);
}

static void test_cooling(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (double depth = 0.4; depth < 0.418; depth += 0.005)
            check_cooling(&pools_trackers[t], depth);
}

/* A blob of mixed viscosity in empty space. */

static const double TURN = 2, FLIGHT = 0.3; /* 1/s, m/s */

/* Across the blob, whose radius is 0.3 m: from the solid's viscosity to the liquid's. */
static fr_result blob_temperature(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[0] / 0.3;
    return FR_OK;
}

static fr_result blob_velocity(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = FLIGHT - TURN * args[1];
    out[1] = TURN * args[0];
    out[2] = 0;
    return FR_OK;
}

static const fr_scalar_value blob_heat = {.name = "temperature", .value.function = blob_temperature};

static void make_blob(pool *p, bool viscous)
{
    pools_make(p, FR_LIQUID_APIC, 2, (double[3]){1, 1, 0}, 48);
    pools_centre(p);
    p->liquid = fr_default_shape(FR_SHAPE_SPHERE);
    p->liquid.radius = 0.3;
    p->def.gravity[1] = 0;
    if (viscous) {
        p->def.heat =
            (fr_heat_def){.set = true, .melt = {.set = true, .from = -1, .to = 1, .solid = 1e4, .liquid = 0.1}};
        set_start(p, &blob_heat);
    }
}

/* Of the parcels about the origin, over their number: m²/s. Those of APIC turn themselves: with bilinear weights a
   parcel between two faces, f of a cell from the one, adds f (1 − f) h² times its gradient. */
static double blob_turning(fr_world *world)
{
    const parcels *b = &liquid_of(world)->liquid.parcels;
    double sum = 0, count = 0;
    for (int64_t n = 0; n < b->count; n++) {
        double x[2], arm[2];
        for (int a = 0; a < 2; a++) {
            double along = (double)b->x[a][n] - 0.5, f = along - floor(along);
            x[a] = b->d.origin[a] + (double)b->x[a][n] * b->d.h[a];
            arm[a] = f * (1 - f) * b->d.h[a];
        }
        if (!parcels_has(b, n))
            continue;
        sum += x[0] * (double)b->v[1][n] - x[1] * (double)b->v[0][n];
        sum += arm[0] * (double)b->c[1][0][n] - arm[1] * (double)b->c[0][1][n];
        count++;
    }
    return sum / count;
}

/* The share of the angular momentum that is left after ten steps. */
static double run_turning(bool viscous, fr_stress stress)
{
    pool p;
    make_blob(&p, viscous);
    p.fill.velocity.function = blob_velocity;
    p.def.solver.stress = stress;
    p.def.time = (fr_time_def){.duration = 0.2, .fps = 5, .dt = 0.02};
    fr_world *world = worlds_create(&p.def);
    double before = blob_turning(world);
    assert_ok(fr_world_step_frame(world));
    double left = blob_turning(world) / before;
    fr_world_destroy(world);
    return left;
}

/* Viscosity acts within the blob: what the tracker loses is the same without it. ∇·(ν∇u) brakes what turns. */
static void test_turning_blob(void **state)
{
    (void)state;
    double without = run_turning(false, FR_STRESS_FULL), full = run_turning(true, FR_STRESS_FULL);
    double laplacian = run_turning(true, FR_STRESS_LAPLACIAN);
    print_message("turning blob: %.6f of the angular momentum left, %.6f without viscosity, %.6f by the Laplacian\n",
                  full, without, laplacian);
    assert_near(full, without, 1e-3);
    assert_below(laplacian, 0.5);
}

/* One half stiff, one thin. */
static fr_result half_temperature(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[0] < 0 ? -1 : 1;
    return FR_OK;
}

static fr_result strained_velocity(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.3 * args[0] + 0.45 * args[1];
    out[1] = -0.3 * args[1] + 0.15 * args[0];
    out[2] = 0;
    return FR_OK;
}

/* A blob that is strained keeps its momentum and spin, although pressure moves its
   stiff half less than its thin one. */
static void test_strained_blob(void **state)
{
    (void)state;
    const fr_scalar_value halves = {.name = "temperature", .value.function = half_temperature};
    double spin[2], drift = 0;
    for (int viscous = 0; viscous < 2; viscous++) {
        pool p;
        make_blob(&p, viscous);
        if (viscous)
            set_start(&p, &halves);
        p.fill.velocity.function = strained_velocity;
        p.def.time = (fr_time_def){.duration = 1, .fps = 30};
        fr_world *world = worlds_create(&p.def);
        double before = blob_turning(world);
        for (int frame = 0; frame < 30; frame++)
            assert_ok(fr_world_step_frame(world));
        spin[viscous] = (blob_turning(world) - before) / (0.1 * 0.3); /* over 0.1 m/s at 0.3 m */
        for (int a = 0; a < 2 && viscous; a++)
            drift = fmax(drift, fabs(worlds_ledger(world, a ? "momentum_y" : "momentum_x")) /
                                    (1000 * worlds_ledger(world, "volume") * 0.1));
        fr_world_destroy(world);
    }
    print_message("strained blob: momentum off by %.1e of what flows, spin by %.1e (%.1e without viscosity)\n", drift,
                  spin[1], spin[0]);
    assert_below(drift, 1e-3);
    assert_below(fabs(spin[1]), 2e-3); /* 1.6e-3 where pressure moves both halves alike */
}

static void test_falling_blob(void **state)
{
    (void)state;
    pool p;
    make_blob(&p, true);
    p.def.gravity[1] = -9.81;
    p.fill.shape.at[1] = 0.1;
    p.def.time = (fr_time_def){.duration = 0.15, .fps = 20};
    fr_world *world = worlds_create(&p.def);
    double worst = 0;
    for (int frame = 1; frame <= 3; frame++) {
        assert_ok(fr_world_step_frame(world));
        double speed = worlds_ledger(world, "momentum_y") / (1000 * worlds_ledger(world, "volume"));
        worst = fmax(worst, fabs(speed / (-9.81 * frame / 20) - 1));
    }
    print_message("falling blob: mean velocity off by %.1e\n", worst);
    assert_below(worst, 1e-4);
    fr_world_destroy(world);
}

/* Warm liquid rises. */

/* The fastest flow through the middle of a closed tank, upwards or to the right, in κ/L. */
static double tank_fastest(const fr_frame *frame, int axis, double conducted)
{
    static const char *const names[] = {"u", "v"};
    const int n = frame->cells[0];
    double fastest = 0;
    for (int i = 0; i < n; i++)
        fastest = fmax(fastest, (double)(axis == 0 ? worlds_value(frame, names[0], n / 2, i, 0)
                                                   : worlds_value(frame, names[1], i, n / 2, 0)));
    return fastest / conducted;
}

/* A square full of liquid, hot on the left and cold on the right, Pr = 0.71, Ra = 1e4; published by de Vahl Davis
   (1983): fastest flow 16.178 and 19.617, Nusselt number 2.238. */
static void check_tank(const pools_tracker *tracker)
{
    pool p;
    const int cells = 40;
    const double conducted = 0.01, viscosity = 0.71 * conducted, rayleigh = 1e4;
    const fr_scalar_value hot = {.name = "temperature", .value.value = 1}, cold = {.name = "temperature"};
    pools_make(&p, tracker->surface, 2, (double[3]){1, 1, 0}, cells);
    p.liquid = pools_below(2);
    p.def.fluid.viscosity = viscosity;
    for (int side = 0; side < 4; side++)
        p.def.walls[side] = (fr_wall_def){.kind = FR_WALL_NO_SLIP};
    p.def.walls[FR_LEFT].scalars = &hot;
    p.def.walls[FR_RIGHT].scalars = &cold;
    p.def.walls[FR_LEFT].scalar_count = p.def.walls[FR_RIGHT].scalar_count = 1;
    p.def.heat = (fr_heat_def){.set = true,
                               .diffusivity = conducted,
                               .ambient = 0.5,
                               .expansion = rayleigh * viscosity * conducted / -p.def.gravity[1]};
    p.def.time = (fr_time_def){.duration = 60, .fps = 1.0 / 60};
    fr_world *world = worlds_create(&p.def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double nusselt = 0;
    for (int j = 0; j < cells; j++)
        nusselt += 2 * (1 - (double)worlds_value(frame, "temperature", 0, j, 0));
    const double u = tank_fastest(frame, 0, conducted), v = tank_fastest(frame, 1, conducted);
    print_message("heated tank, %-18s fastest %.3f and %.3f (16.178, 19.617), Nusselt %.3f (2.238)\n", tracker->name, u,
                  v, nusselt);
    assert_near(u / 16.178, 1, 0.01);
    assert_near(v / 19.617, 1, 0.01);
    assert_near(nusselt / 2.238, 1, 0.02);
    fr_world_destroy(world);
}

static void test_heated_tank(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) /* where there is no surface the others are the first */
        check_tank(&pools_trackers[t]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_front_of_one_phase),
                                       cmocka_unit_test(test_front_of_two_phases),
                                       cmocka_unit_test(test_gauss),
                                       cmocka_unit_test(test_two_layers),
                                       cmocka_unit_test(test_heat_is_kept),
                                       cmocka_unit_test(test_cooling),
                                       cmocka_unit_test(test_turning_blob),
                                       cmocka_unit_test(test_strained_blob),
                                       cmocka_unit_test(test_falling_blob),
                                       cmocka_unit_test(test_heated_tank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
