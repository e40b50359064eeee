/* The thesis' surface cells and its step of two projections: still water rests, and jets, obstacles and sides do not
   upset them. */
#include "support/pools.h"

typedef struct way {
    const char *name;
    fr_liquid_cells cells;
    fr_liquid_loop loop;
} way;

static const way ways[] = {{"ghost fluid, twice", FR_LIQUID_GHOST_FLUID, FR_LIQUID_TWICE},
                           {"smooth, once", FR_LIQUID_SMOOTH, FR_LIQUID_ONCE},
                           {"smooth, twice", FR_LIQUID_SMOOTH, FR_LIQUID_TWICE},
                           {"noisy, once", FR_LIQUID_NOISY, FR_LIQUID_ONCE},
                           {"noisy, twice", FR_LIQUID_NOISY, FR_LIQUID_TWICE}};
enum { WAYS = sizeof ways / sizeof *ways };

static void make_pool(pool *p, const way *w, fr_liquid_surface surface, int dims)
{
    pools_make(p, surface, dims, (double[3]){1, 1, 1}, dims == 3 ? 12 : 32);
    p->def.liquid.surface_cells = w->cells;
    p->def.liquid.loop = w->loop;
    p->def.liquid.volume = FR_LIQUID_VOLUME_FREE;
}

/* Flat water over a step of the bottom. */
static void check_rest(const way *w, fr_liquid_surface surface, int dims)
{
    pool p;
    make_pool(&p, w, surface, dims);
    p.liquid = pools_below(0.43);
    pools_add_obstacle(&p, pools_box((double[3]){0.6, -1, -1}, (double[3]){1.2, 0.21, 2}));
    p.def.time = (fr_time_def){.duration = dims == 3 ? 0.5 : 2, .fps = 4};
    fr_world *world = worlds_create(&p.def);
    for (int frame = 0; frame < fr_world_frame_count(world); frame++)
        assert_ok(fr_world_step_frame(world));
    double speed = worlds_ledger(world, "max_speed"), drift = worlds_ledger(world, "volume_error");
    print_message("%-18s %dD: %.1e m/s, volume %+.1e\n", w->name, dims, speed, drift);
    assert_below(speed, 1e-3);
    assert_near(drift, 0, 1e-4);
    fr_world_destroy(world);
}

static void still_water_rests(void **state)
{
    (void)state;
    for (int w = 0; w < WAYS; w++) {
        check_rest(&ways[w], FR_LIQUID_LEVEL_SET, 2);
        check_rest(&ways[w], FR_LIQUID_LEVEL_SET, 3);
    }
    check_rest(&ways[1], FR_LIQUID_MARKERS, 2);
    check_rest(&ways[4], FR_LIQUID_PARTICLE_LEVEL_SET, 2);
}

/* Sideways along x and around its ends, onto a ball that is cut by cells. */
static void check_jet(const way *w, int dims)
{
    pool p;
    fr_shape_def nozzle = fr_default_shape(FR_SHAPE_SPHERE), ball = nozzle;
    fr_source_def source = {.shape = {.shape = &nozzle, .at = {0.2, 0.7, dims == 3 ? 0.5 : 0}},
                            .velocity.value = {1.5, 0, 0}};
    make_pool(&p, w, FR_LIQUID_LEVEL_SET, dims);
    nozzle.radius = 0.1;
    ball.radius = 0.17;
    source.sets_velocity = true;
    source.to = INFINITY;
    p.liquid = pools_below(0.2);
    pools_add_obstacle(&p, ball);
    p.obstacle.shape.at[0] = 0.63;
    p.obstacle.shape.at[1] = 0.4;
    p.obstacle.shape.at[2] = dims == 3 ? 0.5 : 0;
    p.def.sources = &source;
    p.def.source_count = 1;
    p.def.walls[0].kind = p.def.walls[1].kind = FR_WALL_PERIODIC;
    p.def.walls[3].kind = FR_WALL_OPEN;
    p.def.time = (fr_time_def){.duration = dims == 3 ? 0.3 : 1, .fps = 10};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "volume");
    for (int frame = 0; frame < fr_world_frame_count(world); frame++)
        assert_ok(fr_world_step_frame(world));
    print_message("%-18s %dD: volume %.3f to %.3f m³, %.1f m/s\n", w->name, dims, before,
                  worlds_ledger(world, "volume"), worlds_ledger(world, "max_speed"));
    assert_below(worlds_ledger(world, "max_speed"), 12);
    assert_true(worlds_ledger(world, "volume") > before);
    fr_world_destroy(world);
}

static void jets_and_obstacles_are_no_trouble(void **state)
{
    (void)state;
    for (int w = 0; w < WAYS; w++) {
        check_jet(&ways[w], 2);
        check_jet(&ways[w], 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(still_water_rests),
                                       cmocka_unit_test(jets_and_obstacles_are_no_trouble)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
