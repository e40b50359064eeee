/* Stokes' first problem on a grid: a liquid that moves as a whole over a floor that sticks. It loses the momentum
   2 ρU √(νt/π) an area, however many times thicker than the boundary layer a cell is (Batchelor 4.3). */
#include "support/pools.h"
#include "support/runs.h"

static const double DEPTH = 0.5, SPEED = 1, VISCOSITY = 1e-4; /* m, m/s, m²/s: after 1 s the layer has 18 mm */

/* The momentum lost in a second over what it should be. */
static double lost_momentum(const pools_tracker *tracker, int cells)
{
    pool p;
    pools_make(&p, tracker->surface, 2, (double[3]){1, 1, 0}, cells);
    p.liquid = pools_below(DEPTH);
    p.fill.velocity = (fr_vector){.value = {SPEED, 0, 0}};
    p.def.fluid.viscosity = VISCOSITY;
    p.def.walls[FR_LEFT].kind = p.def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    p.def.walls[FR_BOTTOM].kind = FR_WALL_NO_SLIP;
    p.def.time = (fr_time_def){.duration = 1, .fps = 1};
    fr_world *world = worlds_create(&p.def);
    double before = worlds_ledger(world, "momentum_x");
    assert_ok(fr_world_step_frame(world));
    double lost = before - worlds_ledger(world, "momentum_x");
    fr_world_destroy(world);
    return lost / (1000 * SPEED * 2 * sqrt(VISCOSITY / POOLS_PI));
}

/* Cells of 7 layers down to 0.44. FLIP mixes what it knows of neighbouring cells: more of U reaches the wall. */
static void test_thin_layer(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int cells = 8; cells <= 128; cells *= 2) {
            double lost = lost_momentum(&pools_trackers[t], cells);
            print_message("%-18s %3d cells: %.3f of the momentum that a plate takes\n", pools_trackers[t].name, cells,
                          lost);
            assert_near(lost, 1, pools_trackers[t].surface == FR_LIQUID_FLIP ? 0.2 : 0.03);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thin_layer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
