/* Slow flow through an array of discs that stick: the drag on each is known (Sangani & Acrivos 1982). One that is
   fixed, one so heavy that it does not move, and an obstacle are the same disc, and what each takes of the momentum is
   gone: in a periodic box nothing else holds the liquid. */
#include <math.h>

#include "support/floats.h"

static const double PI = 3.14159265358979323846;
/* The share of the area that discs take, and F/(μU) in a square array, of their table. */
static const double SHARE = 0.1, DRAG = 24.83;

typedef enum drag_disc { DRAG_FIXED, DRAG_HEAVY, DRAG_OBSTACLE, DRAG_DISCS } drag_disc;

/* The speed of the liquid on average, where a unit force drives a unit area. */
static double drag_speed(drag_disc kind, int cells, double off)
{
    static const char *const names[DRAG_DISCS] = {"fixed", "heavy", "obstacle"};
    const double radius = sqrt(SHARE / PI), density = kind == DRAG_HEAVY ? 1e6 : 2, at[3] = {0.5 + off, 0.5, 0};
    floats f;
    fr_scene_def *def = floats_make(&f, FR_LIQUID_LEVEL_SET, 2, (double[3]){1, 1, 0}, cells);
    fr_obstacle_def still = {.shape = {.shape = f.shapes, .axis = {0, 0, 1}, .at = {at[0], at[1], 0}}, .no_slip = true};
    f.pool.liquid = pools_below(2);
    for (int side = 0; side < 4; side++)
        def->walls[side].kind = FR_WALL_PERIODIC;
    def->gravity[1] = -1;
    def->fluid.density = def->fluid.viscosity = 1;
    def->time = (fr_time_def){.duration = 0.5, .fps = 10, .dt = 0.25 / (cells * cells)};
    fr_body_def *body = floats_add(&f, floats_ball(radius), at, density);
    body->fixed = kind == DRAG_FIXED;
    body->force.value[1] = kind == DRAG_HEAVY ? density * SHARE : 0;
    if (kind == DRAG_OBSTACLE) {
        def->body_count = 0;
        def->obstacles = &still;
        def->obstacle_count = 1;
    }
    fr_world *world = worlds_create(def);
    for (int frame = 0; frame < 5; frame++)
        assert_ok(fr_world_step_frame(world));
    const double speed = -worlds_ledger(world, "momentum_y");
    fr_world_destroy(world);
    print_message("%s, %d cells, %.3f aside: speed %.5f, exact %.5f\n", names[kind], cells, off, speed, 1 / DRAG);
    return speed;
}

static void test_drag_in_an_array(void **state)
{
    (void)state;
    for (int place = 0; place < 2; place++) {
        double speed[DRAG_DISCS];
        for (int kind = 0; kind < DRAG_DISCS; kind++) {
            speed[kind] = drag_speed((drag_disc)kind, 20, 0.011 * place);
            assert_near(speed[kind] * DRAG, 1, 0.08);
        }
        assert_near(speed[DRAG_FIXED], speed[DRAG_OBSTACLE], 0.02 * speed[DRAG_OBSTACLE]);
        assert_near(speed[DRAG_HEAVY], speed[DRAG_OBSTACLE], 0.03 * speed[DRAG_OBSTACLE]);
    }
    assert_near(drag_speed(DRAG_FIXED, 40, 0.011) * DRAG, 1, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drag_in_an_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
