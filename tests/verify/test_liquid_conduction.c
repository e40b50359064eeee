/* Conduction of heat in a liquid in both ways, all at once and along one axis after the other: against profiles that
   are known exactly, and what must be kept. */
#include <time.h>

#include "support/pools.h"
#include "support/runs.h"

static const char *const ways[] = {"implicit", "lod"};

static void set_start(pool *p, const fr_scalar_value *temperature)
{
    p->def.initial = temperature;
    p->def.initial_count = 1;
}

/* A box of 1 m by `high` that is full of liquid at rest. */
static void make_full(pool *p, fr_conduction way, double high, int cells)
{
    pools_make(p, FR_LIQUID_LEVEL_SET, 2, (double[3]){1, high, 0}, cells);
    p->liquid = pools_below(2);
    p->def.gravity[1] = 0;
    p->def.heat = (fr_heat_def){.set = true, .conduction = way};
}

/* Between two walls, with a diffusivity that varies. */

/* κ = κ₀ (1 + 3 T²): ∫ κ dT = κ₀ (T + T³) is linear between the walls. */
static const double KAPPA = 0.05;

static fr_result profile_diffusivity(void *context, const double *args, double *out)
{
    (void)context;
    *out = KAPPA * (1 + 3 * args[0] * args[0]);
    return FR_OK;
}

static double profile_exact(double share)
{
    double low = 0, high = 2, sought = share * 10; /* T + T³ is 0 on one wall and 10 on the other, where T is 2 */
    for (int turn = 0; turn < 60; turn++) {
        double middle = 0.5 * (low + high);
        *(middle + middle * middle * middle < sought ? &low : &high) = middle;
    }
    return low;
}

/* What is cold, opposite to the warm wall. */
typedef enum profile_end { PROFILE_WALL, PROFILE_OBSTACLE, PROFILE_MOVING, PROFILE_ENDS } profile_end;
static const char *const profile_ends[] = {"wall", "obstacle", "obstacle that slides"};

/* Up and down, along its face: the liquid does not feel it. */
static fr_result profile_path(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = out[2] = 0;
    out[1] = 0.2 * sin(args[0]);
    return FR_OK;
}

/* Warm on the left; cold on the right, or on an obstacle whose face lies somewhere in a cell. */
static void check_profile(fr_conduction way, profile_end end)
{
    const bool obstacle = end != PROFILE_WALL;
    pool p;
    const int cells = 32;
    const double face = obstacle ? 0.81 : 1;
    const fr_scalar_value hot = {.name = "temperature", .value.value = 2}, cold = {.name = "temperature"};
    make_full(&p, way, 4.0 / cells, cells);
    p.def.walls[FR_LEFT].scalars = &hot;
    p.def.walls[FR_RIGHT].scalars = &cold;
    p.def.walls[FR_LEFT].scalar_count = p.def.walls[FR_RIGHT].scalar_count = 1;
    if (obstacle) {
        pools_add_obstacle(&p, pools_box((double[3]){face, -1, -1}, (double[3]){2, 2, 1}));
        p.obstacle.has_temperature = true;
        p.obstacle.path = end == PROFILE_MOVING ? profile_path : NULL;
    }
    p.def.heat.diffusivity_of = profile_diffusivity;
    p.def.time = (fr_time_def){.duration = 100, .fps = 0.01, .dt = 1};
    fr_world *world = worlds_create(&p.def);
    assert_ok(fr_world_step_frame(world));
    double worst = 0;
    for (int i = 0; i < cells; i++) {
        double x = (i + 0.5) / cells, t = worlds_value(fr_world_frame(world), "temperature", i, 2, 0);
        worst = fmax(worst, x < face ? fabs(t - profile_exact(1 - x / face)) / 2 : 0);
    }
    print_message("profile of κ(T), %-8s %s: off by %.1e\n", ways[way], profile_ends[end], worst);
    assert_below(worst, 1e-4);
    fr_world_destroy(world);
}

static void test_profile(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++)
        for (int end = 0; end < PROFILE_ENDS; end++)
            check_profile((fr_conduction)way, (profile_end)end);
}

/* A Gaussian. */

static const double WIDTH = 0.08, SPREAD = 1e-3, SPREAD_TIME = 2; /* m, m²/s, s */

static fr_result gauss_start(void *context, const double *args, double *out)
{
    (void)context;
    *out = exp(-(pow(args[0] - 0.5, 2) + pow(args[1] - 0.5, 2)) / (2 * WIDTH * WIDTH));
    return FR_OK;
}

typedef struct gauss_seen {
    double peak, lost, seconds;
} gauss_seen;

static gauss_seen run_gauss(fr_conduction way, double dt, fr_wall_kind sides)
{
    pool p;
    const int cells = 128;
    const fr_scalar_value start = {.name = "temperature", .value.function = gauss_start};
    make_full(&p, way, 1, cells);
    for (int side = 0; side < 4; side++)
        p.def.walls[side].kind = sides;
    p.def.heat.diffusivity = SPREAD;
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = SPREAD_TIME, .fps = 1 / SPREAD_TIME, .dt = dt};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "heat"), square = WIDTH * WIDTH + 2 * SPREAD * SPREAD_TIME, most = 0;
    clock_t begin = clock();
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    for (int i = 0; i < cells; i++)
        most = fmax(most, (double)worlds_value(frame, "temperature", i, cells / 2, 0));
    const double off = 0.5 / cells, hottest = WIDTH * WIDTH / square * exp(-off * off / square);
    gauss_seen seen = {most / hottest - 1, worlds_ledger(world, "heat") / before - 1,
                       (double)(clock() - begin) / CLOCKS_PER_SEC};
    fr_world_destroy(world);
    return seen;
}

/* The peak's error is of first order in the step, and the total stays. */
static void test_gauss(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        double off[3];
        for (int i = 0; i < 3; i++) {
            gauss_seen seen = run_gauss((fr_conduction)way, 0.2 / (1 << i), FR_WALL_FREE_SLIP);
            off[i] = seen.peak;
            print_message("Gaussian, %-8s step %.3f s: peak %+.3f %%, total %+.1e, %.3f s\n", ways[way], 0.2 / (1 << i),
                          100 * seen.peak, seen.lost, seen.seconds);
            assert_near(seen.lost, 0, 1e-6);
        }
        assert_near((off[0] - off[1]) / (off[1] - off[2]), 2, 0.3);
        assert_below(fabs(off[0]), 0.03);
    }
    double plain = run_gauss(FR_CONDUCTION_LOD, 0.2, FR_WALL_FREE_SLIP).peak;
    double ring = run_gauss(FR_CONDUCTION_LOD, 0.2, FR_WALL_PERIODIC).peak;
    assert_near(ring, plain, 1e-5); /* the sides are far away */
}

/* A hot drop in the middle of a full box, periodic along x, between cold and hot places. */
static fr_result spot_start(void *context, const double *args, double *out)
{
    (void)context;
    *out = hypot(args[0] - 0.1, args[1] - 0.5) < 0.2 ? 80 : 20;
    return FR_OK;
}

/* Nothing leaves: what is there stays, however fast it conducts, melts and varies. */
static void check_kept(fr_conduction way, bool varies, bool latent, double diffusivity)
{
    pool p;
    const fr_scalar_value start = {.name = "temperature", .value.function = spot_start};
    make_full(&p, way, 1, 32);
    p.def.walls[FR_LEFT].kind = p.def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    p.def.heat.diffusivity = diffusivity;
    p.def.heat.diffusivity_of = varies ? profile_diffusivity : NULL;
    if (latent) {
        p.def.heat.latent = 50;
        p.def.heat.melt = (fr_melt_def){.set = true, .from = 30, .to = 40, .solid = 1, .liquid = 0.1};
    }
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 0.1};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "heat"), low = INFINITY, high = 0;
    assert_ok(fr_world_step_frame(world));
    for (int i = 0; i < 32 * 32; i++) {
        double t = worlds_value(fr_world_frame(world), "temperature", i % 32, i / 32, 0);
        low = fmin(low, t);
        high = fmax(high, t);
    }
    double lost = worlds_ledger(world, "heat") / before - 1, drift = worlds_ledger(world, "heat_drift") / before;
    double in = worlds_ledger(world, "heat_in") / before;
    print_message("kept, %-8s %-12s%s κ %.0e: heat %+.1e, in %+.1e, drift %+.1e, %.3f … %.3f K\n", ways[way],
                  varies ? "varying," : "constant,", latent ? " latent," : "", diffusivity, lost, in, drift, low, high);
    assert_near(lost, 0, 1e-5);
    assert_near(in, 0, 1e-5);
    assert_near(drift, 0, 1e-5);
    assert_true(low > 20 - 1e-3 && high < 80 + 1e-3);
    fr_world_destroy(world);
}

static void test_heat_is_kept(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++)
        for (int latent = 0; latent < 2; latent++) {
            check_kept((fr_conduction)way, true, latent, 0);
            for (double diffusivity = 1e-3; diffusivity < 1e5; diffusivity *= 1e3)
                check_kept((fr_conduction)way, false, latent, diffusivity);
        }
}

/* A front of melting, driven by a hot wall, that grows as √t: the same by both ways along one axis. */
static double run_front(fr_conduction way)
{
    pool p;
    const int cells = 64;
    const fr_scalar_value wall = {.name = "temperature", .value.value = 10};
    make_full(&p, way, 4.0 / cells, cells);
    p.def.walls[FR_LEFT].scalars = &wall;
    p.def.walls[FR_LEFT].scalar_count = 1;
    p.def.heat.diffusivity = 1e-4;
    p.def.heat.latent = 20;
    p.def.heat.melt = (fr_melt_def){.set = true, .solid = 1, .liquid = 1};
    p.def.time = (fr_time_def){.duration = 200, .fps = 0.005, .dt = 0.5};
    fr_world *world = worlds_create(&p.def);
    assert_ok(fr_world_step_frame(world));
    double place = 0;
    for (int i = 0; i < cells; i++)
        place += (double)worlds_value(fr_world_frame(world), "liquid_fraction", i, 1, 0) / cells;
    fr_world_destroy(world);
    return place;
}

static void test_front(void **state)
{
    (void)state;
    double implicit = run_front(FR_CONDUCTION_IMPLICIT), lod = run_front(FR_CONDUCTION_LOD);
    print_message("front of melting: %.5f m, by axes %.5f m\n", implicit, lod);
    assert_near(lod / implicit, 1, 1e-3);
}

/* Cooling by the air: a pool that is warm evenly; d(T − ambient)/dt = −loss (T − ambient)/depth. */
static void test_cooling(void **state)
{
    (void)state;
    pool p;
    const double loss = 0.1, depth = 0.41, hot = 40;
    const fr_scalar_value start = {.name = "temperature", .value.value = hot};
    pools_make(&p, FR_LIQUID_LEVEL_SET, 2, (double[3]){0.5, 0.5, 0}, 24);
    p.liquid = pools_below(depth);
    p.def.heat = (fr_heat_def){.set = true, .diffusivity = 100, .loss = loss, .conduction = FR_CONDUCTION_LOD};
    set_start(&p, &start);
    p.def.time = (fr_time_def){.duration = 4, .fps = 0.25, .dt = 0.02};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "heat");
    assert_ok(fr_world_step_frame(world));
    double left = worlds_ledger(world, "heat") / before, exact = exp(-loss * 4 / depth);
    print_message("cooling by axes: off by %.3f %%\n", 100 * (left / exact - 1));
    assert_near(left / exact, 1, 0.01);
    fr_world_destroy(world);
}

/* Heaters: a source with a rate in a full box gives rate · value kelvin a second to what it covers, melting or not. */
static void test_heater(void **state)
{
    (void)state;
    for (int latent = 0; latent < 2; latent++) {
        pool p;
        fr_shape_def shape = pools_box((double[3]){0.25, 0.25, -1}, (double[3]){0.75, 0.5, 1});
        const fr_scalar_value value = {.name = "temperature", .value.value = 10};
        fr_source_def heater = {.shape.shape = &shape, .rate = 3, .scalars = &value, .scalar_count = 1, .to = 0.55};
        make_full(&p, FR_CONDUCTION_IMPLICIT, 1, 16);
        p.def.heat.diffusivity = 1e-3;
        p.def.sources = &heater;
        p.def.source_count = 1;
        if (latent) {
            p.def.heat.latent = 5;
            p.def.heat.melt = (fr_melt_def){.set = true, .from = 2, .to = 4, .solid = 1, .liquid = 1};
        }
        p.def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 0.1};
        fr_world *world = worlds_create(&p.def);
        assert_ok(fr_world_step_frame(world));
        double heat = worlds_ledger(world, "heat") / (3 * 10 * 0.55 * 0.5 * 0.25);
        print_message("heater%s: heat %.7f of what it gave\n", latent ? ", latent" : "", heat);
        assert_near(heat, 1, 1e-5);
        assert_near(worlds_ledger(world, "heat_in") / worlds_ledger(world, "heat"), 1, 1e-5);
        fr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_profile),      cmocka_unit_test(test_gauss),
                                       cmocka_unit_test(test_heat_is_kept), cmocka_unit_test(test_front),
                                       cmocka_unit_test(test_cooling),      cmocka_unit_test(test_heater)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
