/* Cubic semi-Lagrangian advection of scalars in given flows. */
#include <math.h>

#include "support/worlds.h"

static const double PI = 3.14159265358979323846;

static fr_result waves(void *context, const double *args, double *out)
{
    (void)context;
    *out = sin(2 * PI * args[0]) + sin(2 * PI * args[1]);
    return FR_OK;
}

/* Zalesak's disc: radius 0.15, a slit of 0.05 up to y = 0.85. */
static fr_result slotted_disc(void *context, const double *args, double *out)
{
    (void)context;
    double x = args[0] - 0.5, y = args[1] - 0.75;
    *out = x * x + y * y < 0.15 * 0.15 && !(fabs(x) < 0.025 && y < 0.1) ? 1 : 0;
    return FR_OK;
}

static fr_result whirl(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * PI * (0.5 - args[1]);
    out[1] = 2 * PI * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

/* A periodic unit square, the scalar as it is after one second. The world points to its definition. */
static fr_world *carried(fr_advection scheme, int cells, double courant, const fr_vector *flow, fr_number start)
{
    static fr_scene_def def;
    static fr_scalar_def ink;
    def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {cells, 0, 0}};
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = courant / cells};
    def.has_prescribed = true;
    def.prescribed = *flow;
    def.smoke.advection = scheme;
    for (int side = 0; side < 4; side++)
        def.walls[side].kind = FR_WALL_PERIODIC;
    ink = (fr_scalar_def){.name = "ink", .has_initial = true, .initial = start};
    def.scalars = &ink;
    def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    return world;
}

/* Waves that travel once through the square at constant speed, so that the trace is exact; mean error away from their
   crests, where the bounds hold nothing back. */
static double travel_error(fr_advection scheme, int cells)
{
    const fr_vector flow = {.value = {1, -1, 0}};
    fr_world *world = carried(scheme, cells, 0.37, &flow, (fr_number){.function = waves});
    double error = 0, count = 0;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            double at[4] = {(i + 0.5) / cells, (j + 0.5) / cells, 0, 0}, exact;
            waves(NULL, at, &exact);
            if (fabs(cos(2 * PI * at[0])) < 0.5 || fabs(cos(2 * PI * at[1])) < 0.5)
                continue;
            error += fabs(worlds_value(fr_world_frame(world), "ink", i, j, 0) - exact);
            count++;
        }
    fr_world_destroy(world);
    return error / count;
}

/* Each of the ~n steps of a passage errs by h⁴: third order in all. */
static void test_order_away_from_extrema(void **state)
{
    (void)state;
    double error[3];
    for (int i = 0; i < 3; i++)
        error[i] = travel_error(FR_ADVECTION_CUBIC, 16 << i);
    print_message("travelling waves, mean error at 16², 32², 64²: %.2e %.2e %.2e, orders %.2f %.2f\n", error[0],
                  error[1], error[2], log2(error[0] / error[1]), log2(error[1] / error[2]));
    assert_true(log2(error[1] / error[2]) >= 2.5);
}

typedef struct outcome {
    double error;              /* relative to the whole that was there */
    double least, greatest;
} outcome;

static outcome turned_disc(fr_advection scheme)
{
    enum { CELLS = 100 };
    const fr_vector flow = {.function = whirl};
    fr_world *world = carried(scheme, CELLS, 0.8, &flow, (fr_number){.function = slotted_disc});
    outcome result = {.least = INFINITY, .greatest = -INFINITY};
    double whole = 0;
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            double at[4] = {(i + 0.5) / CELLS, (j + 0.5) / CELLS, 0, 0}, exact,
                   value = worlds_value(fr_world_frame(world), "ink", i, j, 0);
            slotted_disc(NULL, at, &exact);
            result.error += fabs(value - exact);
            whole += exact;
            result.least = fmin(result.least, value);
            result.greatest = fmax(result.greatest, value);
        }
    result.error /= whole;
    fr_world_destroy(world);
    return result;
}

static void test_slotted_disc(void **state)
{
    (void)state;
    outcome linear = turned_disc(FR_ADVECTION_LINEAR), maccormack = turned_disc(FR_ADVECTION_MACCORMACK),
            cubic = turned_disc(FR_ADVECTION_CUBIC);
    print_message("slotted disc at 100², error of one turn: linear %.3f, MacCormack %.3f, cubic %.3f\n", linear.error,
                  maccormack.error, cubic.error);
    assert_true(cubic.least >= 0 && cubic.greatest <= 1);
    assert_below(cubic.error, 0.33);
    assert_below(cubic.error, maccormack.error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_away_from_extrema),
        cmocka_unit_test(test_slotted_disc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
