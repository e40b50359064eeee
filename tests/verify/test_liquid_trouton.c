/* Trouton's ratio: a column of stiff liquid on a floor that slips sinks under its own weight. Away from the floor each
   cross-section bears the weight above it and is free on its sides, so that the column is compressed at the rate

     g (H − y)/E,     E = 4 ν in two dimensions, where it cannot give way along the third, 3 ν in three (Trouton 1906).
*/
#include "support/pools.h"

static const double COLUMN_HEIGHT = 1, COLUMN_WIDTH = 0.25, COLUMN_VISCOSITY = 1e4;

typedef struct column {
    fr_liquid_surface surface;
    int dims, cells; /* cells across a metre, */
    double stretch;  /* and how many times as wide they are as they are high */
    double fps;
    int frames;
} column;

static void column_make(pool *p, const column *c)
{
    const double size[3] = {0.5, 1.25, 0.5}, side[2] = {0.25 - 0.5 * COLUMN_WIDTH, 0.25 + 0.5 * COLUMN_WIDTH};
    const double deep[2] = {c->dims == 2 ? -1 : side[0], c->dims == 2 ? 1 : side[1]};
    pools_make(p, c->surface, c->dims, size, 0);
    for (int a = 0; a < c->dims; a++)
        p->def.domain.cells[a] = (int)lround(size[a] * c->cells / (a == 1 ? 1 : c->stretch));
    p->liquid = pools_box((double[3]){side[0], -1, deep[0]}, (double[3]){side[1], COLUMN_HEIGHT, deep[1]});
    p->def.fluid.viscosity = COLUMN_VISCOSITY;
    p->def.time = (fr_time_def){.duration = c->frames / c->fps, .fps = c->fps};
}

/* E/ν by how fast the axis is compressed between two heights. */
static double column_ratio(fr_world *world, double gravity)
{
    const double low = 0.4, high = 0.8;
    const double load = gravity * (COLUMN_HEIGHT * (high - low) - 0.5 * (high * high - low * low));
    double below, above;
    assert_ok(fr_world_probe(world, "v", (double[3]){0.25, low, 0.25}, &below));
    assert_ok(fr_world_probe(world, "v", (double[3]){0.25, high, 0.25}, &above));
    return load / (below - above) / COLUMN_VISCOSITY;
}

static void check_column(const column *c)
{
    const double exact = c->dims == 2 ? 4 : 3;
    pool p;
    column_make(&p, c);
    fr_world *world = worlds_create(&p.def);
    print_message("%dD, %d cells a metre, %g times as wide, steps of %.2g s:", c->dims, c->cells, c->stretch,
                  1 / c->fps);
    double ratio = 0;
    for (int frame = 0; frame < c->frames; frame++) {
        assert_ok(fr_world_step_frame(world));
        ratio = column_ratio(world, -p.def.gravity[1]);
        print_message(" %.3f", ratio);
    }
    print_message("\n");
    assert_near(ratio, exact, 0.01 * exact);
    fr_world_destroy(world);
}

static void test_every_tracker(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        check_column(&(column){pools_trackers[t].surface, 2, 36, 1, 24, 3});
}

static void test_cells_and_steps(void **state)
{
    (void)state;
    check_column(&(column){FR_LIQUID_LEVEL_SET, 2, 68, 1, 24, 3});
    check_column(&(column){FR_LIQUID_LEVEL_SET, 2, 72, 2, 24, 3});
    check_column(&(column){FR_LIQUID_LEVEL_SET, 2, 36, 1, 1e5, 8});
    check_column(&(column){FR_LIQUID_LEVEL_SET, 3, 36, 1, 24, 3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_tracker), cmocka_unit_test(test_cells_and_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
