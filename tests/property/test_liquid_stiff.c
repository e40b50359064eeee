/* What is solid stands still beside what flows, whatever tracks the surface: a bowl of cold wax holds molten wax that
   sways in it. */
#include "support/pools.h"

/* The bowl's inner side is a half circle about (0.5, 0.6). The melt leans to the right. */
static bool bowl_is_molten(const double x[3])
{
    return hypot(x[0] - 0.5, x[1] - 0.6) < 0.25;
}

static fr_result bowl_distance(void *context, const double *args, double *out)
{
    (void)context;
    const double wax = fmax(fabs(args[0] - 0.5) - 0.4, args[1] - 0.6),
                 hollow = hypot(args[0] - 0.5, args[1] - 0.6) - 0.25;
    const double melt = fmax(hollow, args[1] - 0.52 - 0.4 * (args[0] - 0.5));
    *out = fmin(fmax(wax, -hollow), melt);
    return FR_OK;
}

static fr_result bowl_temperature(void *context, const double *args, double *out)
{
    (void)context;
    *out = bowl_is_molten(args) ? 100 : 20;
    return FR_OK;
}

/* The largest speed of faces in the liquid that are molten or not, away from the inner side, m/s. */
static double bowl_fastest(const fr_frame *frame, int cells, bool molten)
{
    double most = 0;
    for (int j = 1; j < cells; j++)
        for (int i = 1; i < cells; i++) {
            const double hot = worlds_value(frame, "temperature", i, j, 0), h = 1.0 / cells;
            const double away = hypot((i + 0.5) * h - 0.5, (j + 0.5) * h - 0.6) - 0.25;
            if (worlds_value(frame, "level_set", i, j, 0) > -h || (hot > 60) != molten || fabs(away) < 2 * h)
                continue;
            most = fmax(most, fabs((double)worlds_value(frame, "u", i, j, 0)));
            most = fmax(most, fabs((double)worlds_value(frame, "v", i, j, 0)));
        }
    return most;
}

static void check_bowl(const pools_tracker *tracker)
{
    pool p;
    const int cells = 48;
    const fr_scalar_value start = {.name = "temperature", .value.function = bowl_temperature};
    pools_make(&p, tracker->surface, 2, (double[3]){1, 1, 0}, cells);
    p.liquid = fr_default_shape(FR_SHAPE_SDF);
    p.liquid.function = bowl_distance;
    for (int side = 0; side < 4; side++)
        p.def.walls[side].kind = FR_WALL_NO_SLIP;
    p.def.heat = (fr_heat_def){.set = true, .melt = {.set = true, .from = 40, .to = 80, .solid = 1e4, .liquid = 1e-3}};
    p.def.initial = &start;
    p.def.initial_count = 1;
    p.def.time = (fr_time_def){.duration = 0.5, .fps = 30};
    fr_world *world = worlds_create(&p.def);
    double solid = 0, liquid = 0;
    for (int frame = 0; frame < 15; frame++) {
        assert_ok(fr_world_step_frame(world));
        solid = fmax(solid, bowl_fastest(fr_world_frame(world), cells, false));
        liquid = fmax(liquid, bowl_fastest(fr_world_frame(world), cells, true));
    }
    print_message("%-18s molten wax %.3f m/s, the bowl %.2e m/s\n", tracker->name, liquid, solid);
    assert_true(liquid > 0.1);
    assert_below(solid, 0.002 * liquid);
    fr_world_destroy(world);
}

static void test_bowl(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        check_bowl(&pools_trackers[t]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bowl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
