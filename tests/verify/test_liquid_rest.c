/* Liquid that rests stays at rest, whatever the bottom, and carries what is in it (Archimedes).

     test_liquid_rest [CELLS [SECONDS]]

   runs it on so many cells along the box and for so long: 64 and 10. */
#include <stdlib.h>

#include "support/pools.h"

static int cells = 64;
static double seconds = 10;
static const double LEVEL = 0.4567; /* m: where no cell begins */

typedef struct bottom {
    const char *name;
    fr_shape_def shape;
} bottom;

static const double slope_points[3][2] = {{-0.2, -0.2}, {1.2, -0.2}, {1.2, 0.8}};
static fr_shape_def bowl_parts[2], bowl_moved;
static const fr_shape_def *const bowl_moves[1] = {&bowl_parts[1]};
static const fr_shape_def *const bowl_children[2] = {&bowl_parts[0], &bowl_moved};

static fr_shape_def make_slope(void)
{
    fr_shape_def slope = fr_default_shape(FR_SHAPE_POLYGON);
    slope.points = slope_points;
    slope.point_count = 3;
    return slope;
}

static fr_shape_def make_bowl(void)
{
    fr_shape_def bowl = fr_default_shape(FR_SHAPE_DIFFERENCE);
    bowl_parts[0] = pools_box((double[3]){-1, -1, -1}, (double[3]){2, 2, 1});
    bowl_parts[1] = fr_default_shape(FR_SHAPE_SPHERE);
    bowl_parts[1].radius = 0.45;
    bowl_moved = fr_default_shape(FR_SHAPE_TRANSLATE);
    bowl_moved.min[0] = bowl_moved.min[1] = 0.5;
    bowl_moved.children = bowl_moves;
    bowl_moved.child_count = 1;
    bowl.children = bowl_children;
    bowl.child_count = 2;
    return bowl;
}

/* Distance of the surface from its level, root mean square over the columns where it is free, in cells. */
static double roughness(const fr_frame *frame, double level)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < frame->cells[0]; i++) {
        double height = pools_height(frame, i, 0);
        int j = (int)(height / frame->spacing[1]);
        if (isnan(height) || (frame->has_obstacles && worlds_value(frame, "solid", i, j, 0) < frame->spacing[0]))
            continue;
        double off = (height - level) / frame->spacing[1];
        sum += off * off;
        count++;
    }
    assert_true(count > cells / 4);
    return sqrt(sum / count);
}

/* With a viscosity everything sticks. */
static void check_thick(const pools_tracker *tracker, const bottom *bottom, double level, double viscosity)
{
    pool p;
    pools_make(&p, tracker->surface, 2, (double[3]){1, 1, 0}, cells);
    p.liquid = pools_below(level);
    if (bottom)
        pools_add_obstacle(&p, bottom->shape);
    p.def.time = (fr_time_def){.duration = seconds, .fps = 4};
    p.def.fluid.viscosity = viscosity;
    p.obstacle.no_slip = viscosity > 0;
    for (int side = 0; side < FR_SIDES && viscosity > 0; side++)
        p.def.walls[side].kind = FR_WALL_NO_SLIP;
    fr_world *world = worlds_create(&p.def);
    double speed = 0;
    for (int frame = 0; frame < fr_world_frame_count(world); frame++) {
        assert_ok(fr_world_step_frame(world));
        speed = fmax(speed, worlds_ledger(world, "max_speed"));
    }
    double rough = roughness(fr_world_frame(world), level);
    print_message("%-6s %-18s %.2f cells deep: speed %.1e m/s, surface %.1e cells\n", bottom ? bottom->name : "flat",
                  tracker->name, level * cells, speed, rough);
    assert_below(speed, 1e-4);
    assert_below(rough, 1e-3);
    fr_world_destroy(world);
}

static void check_rest(const pools_tracker *tracker, const bottom *bottom, double level)
{
    check_thick(tracker, bottom, level, 0);
}

static void test_pools_rest(void **state)
{
    (void)state;
    const bottom bottoms[] = {{"step", pools_box((double[3]){0.6, -1, -1}, (double[3]){1.2, 0.21, 1})},
                              {"slope", make_slope()},
                              {"bowl", make_bowl()}};
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        check_rest(&pools_trackers[t], NULL, LEVEL);
        for (int b = 0; b < 3; b++)
            check_rest(&pools_trackers[t], &bottoms[b], LEVEL);
    }
}

/* Wherever in its cells the surface is; in their middles too. */
static void test_pools_rest_at_any_height(void **state)
{
    (void)state;
    const int before = cells;
    cells = 32;
    const double random[3] = {0.5 * check_noise(1), 0.5 * check_noise(2), 0.5 * check_noise(3)};
    const double levels[] = {16.5, 16.64, 12 + random[0], 18 + random[1], 20 + random[2]};
    for (int n = 0; n < 5; n++) {
        double top = 8 + 2 * check_noise((uint64_t)n + 10), from = 16 + 6 * check_noise((uint64_t)n + 20);
        const bottom bottoms[] = {
            {"step", pools_box((double[3]){from / cells, -1, -1}, (double[3]){(from + 9) / cells, top / cells, 1})},
            {"slope", make_slope()},
            {"bowl", make_bowl()}};
        for (int t = 0; t < POOLS_TRACKERS; t++)
            check_rest(&pools_trackers[t], n % 4 ? &bottoms[n % 4 - 1] : NULL, levels[n] / cells);
    }
    cells = before;
}

/* Walls that stick do not brake the fall that the pressure takes off: nothing rises along them. */
static void test_thick_pools_rest(void **state)
{
    (void)state;
    const int before = cells;
    const double long_before = seconds;
    const bottom slope = {"slope", make_slope()};
    cells = 32;
    seconds = 1;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int n = 0; n < 3; n++)
            check_thick(&pools_trackers[t], n == 1 ? &slope : NULL, LEVEL, (double[]){1e-4, 1e-2, 10}[n]);
    cells = before;
    seconds = long_before;
}

/* What lies in the liquid that rests. */
typedef struct sunk {
    const char *name;
    fr_shape_def shape;
    double at[3], volume; /* m, m³ */
    double off;           /* share by which the force may be wrong */
} sunk;

/* The force on an obstacle under water: its weight in water, upwards; and no torque. */
static void check_buoyancy(const pools_tracker *tracker, int dims, int along, const sunk *what)
{
    pool p;
    pools_make(&p, tracker->surface, dims, (double[3]){1, 1, 1}, along);
    p.liquid = pools_below(0.77);
    pools_add_obstacle(&p, what->shape);
    for (int a = 0; a < dims; a++)
        p.obstacle.shape.at[a] = what->at[a];
    p.def.time = (fr_time_def){.duration = 0.25, .fps = 4};
    fr_world *world = worlds_create(&p.def);
    assert_ok(fr_world_step_frame(world));
    const fr_obstacle_load *load = &fr_world_frame(world)->obstacles[0];
    double weight = 1000 * 9.81 * what->volume;
    print_message("buoyancy of a %s, %-18s: %.5f of the weight in water; aside %.1e, torque %.1e\n", what->name,
                  tracker->name, load->force[1] / weight, load->force[0] / weight, load->torque[2] / weight);
    assert_near(load->force[1], weight, what->off * weight);
    assert_near(load->force[0], 0, 1e-3 * weight);
    assert_near(load->torque[2], 0, 1e-3 * weight);
    fr_world_destroy(world);
}

/* Also of boxes whose sides lie on faces of the grid, or between them: edges cut cells, some of them with centres as
   far from both sides. */
static void test_buoyancy(void **state)
{
    (void)state;
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.17;
    fr_shape_def box = pools_box((double[3]){-0.125, -0.125, -0.125}, (double[3]){0.125, 0.125, 0.125});
    fr_shape_def between = pools_box((double[3]){-0.15, -0.107, -0.15}, (double[3]){0.15, 0.107, 0.15});
    const sunk discs[] = {{"disc", ball, {0.51, 0.37, 0}, POOLS_PI * 0.17 * 0.17, 0.01},
                          {"square", box, {0.5, 0.375, 0}, 0.25 * 0.25, 0.01},
                          {"box between faces", between, {0.51, 0.37, 0}, 0.3 * 0.214, 0.01}};
    const sunk balls[] = {{"ball", ball, {0.51, 0.37, 0.49}, 4 * POOLS_PI / 3 * 0.17 * 0.17 * 0.17, 0.01},
                          {"cube", box, {0.5, 0.375, 0.5}, 0.25 * 0.25 * 0.25, 0.01},
                          {"cube between faces", box, {0.51, 0.37, 0.49}, 0.25 * 0.25 * 0.25, 0.002}};
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int s = 0; s < 3; s++)
            check_buoyancy(&pools_trackers[t], 2, cells, &discs[s]);
    for (int s = 0; s < 3; s++)
        check_buoyancy(&pools_trackers[0], 3, cells / 2, &balls[s]);
}

/* Obstacles that reach through a side of the domain: no water is beyond it, and what would press on their section there
   is missing. In m²: times the weight of the water it is a force a metre. */
typedef struct rooted {
    const char *name;
    fr_shape_def shape;
    double at[3], force[2];
} rooted;

static void check_rooted(const pools_tracker *tracker, const rooted *what, bool sticks)
{
    pool p;
    pools_make(&p, tracker->surface, 2, (double[3]){1, 1, 1}, cells);
    p.liquid = pools_below(0.77);
    p.def.fluid.viscosity = sticks ? 1e-4 : 0;
    pools_add_obstacle(&p, what->shape);
    p.obstacle.no_slip = sticks;
    for (int a = 0; a < 2; a++)
        p.obstacle.shape.at[a] = what->at[a];
    p.def.time = (fr_time_def){.duration = 0.25, .fps = 4};
    fr_world *world = worlds_create(&p.def);
    assert_ok(fr_world_step_frame(world));
    const double *force = fr_world_frame(world)->obstacles[0].force, unit = 1000 * 9.81;
    const double off = 0.02 * hypot(what->force[0], what->force[1]);
    print_message("a %s that %s, %-18s: %.4f %.4f m² of water, %.4f %.4f are right\n", what->name,
                  sticks ? "sticks" : "slips", tracker->name, force[0] / unit, force[1] / unit, what->force[0],
                  what->force[1]);
    for (int a = 0; a < 2; a++)
        assert_near(force[a] / unit, what->force[a], off);
    fr_world_destroy(world);
}

static void test_rooted_obstacles(void **state)
{
    (void)state;
    fr_shape_def disc = fr_default_shape(FR_SHAPE_SPHERE);
    disc.radius = 0.17;
    const rooted all[] = {{"pillar",
                           pools_box((double[3]){-0.15, -1, -1}, (double[3]){0.15, 0.21, 1}),
                           {0.51},
                           {0, -0.3 * (0.77 - 0.21)}},
                          {"half disc", disc, {0.51}, {0, POOLS_PI * 0.17 * 0.17 / 2 - 2 * 0.17 * 0.77}},
                          {"ledge",
                           pools_box((double[3]){-1, 0.2, -1}, (double[3]){0.27, 0.45, 1}),
                           {0},
                           {-0.25 * (0.77 - 0.325), 0.27 * 0.25}}};
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int n = 0; n < 3; n++)
            check_rooted(&pools_trackers[t], &all[n], false);
    check_rooted(&pools_trackers[0], &all[0], true);
    check_rooted(&pools_trackers[0], &all[2], true);
}

int main(int argc, char **argv)
{
    cells = argc > 1 ? atoi(argv[1]) : cells;
    seconds = argc > 2 ? atof(argv[2]) : seconds;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pools_rest),
                                       cmocka_unit_test(test_pools_rest_at_any_height),
                                       cmocka_unit_test(test_thick_pools_rest), cmocka_unit_test(test_buoyancy),
                                       cmocka_unit_test(test_rooted_obstacles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
