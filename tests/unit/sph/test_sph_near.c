/* What the pressure solver assumes about neighbours: their distance in the sorted order, which wall particles are near
   liquid, and with which wall particles each of those shares its pressure; that the work of pressures is that of what
   they shift; and that the pressure knows all bodies. */
#include "support/runs.h"
#include "support/worlds.h"

#include <stdlib.h>

#include "sph/floating/floating.h"
#include "sph/pressure/coarse.h"
#include "sph/pressure/operate.h"
#include "sph/pressure/solve.h"
#include "sph/stage/near.h"
#include "sph/stage/walls.h"

typedef struct vessel {
    fr_scene_def def;
    sph_model *m;
    sph_state *s;
} vessel;

/* A box of 1 × 0.8 × 0.6 m, its lower half full of liquid in disorder, and neighbours found. */
static vessel *vessel_of(int periodic_axis)
{
    vessel *v = calloc(1, sizeof *v);
    v->def = fr_default_scene(FR_METHOD_SPH);
    const double size[3] = {1, 0.8, 0.6}, d = 0.04, at_rest[3] = {0};
    for (int a = 0; a < 3; a++)
        v->def.domain.size[a] = size[a];
    v->def.sph.spacing = d;
    for (int side = 2 * periodic_axis; periodic_axis >= 0 && side < 2 * periodic_axis + 2; side++)
        v->def.walls[side].kind = FR_WALL_PERIODIC;
    assert_ok(sph_model_create(&v->def, &(sph_filling){0}, &v->m));
    assert_ok(sph_state_create(v->m, &v->s));
    assert_ok(sph_state_reserve(v->m, v->s, 25 * 10 * 15));
    for (int n = 0; n < 25 * 10 * 15; n++) {
        const int place[3] = {n % 25, n / 25 % 10, n / 250};
        double x[3];
        for (int a = 0; a < 3; a++)
            x[a] = (place[a] + 0.5 + 0.2 * check_noise((uint64_t)(3 * n + a))) * d;
        fluid_add(&v->s->fluid, n, x, at_rest);
    }
    assert_ok(stage_sph_walls(v->m, v->s, 0, 0));
    assert_ok(stage_sph_near(v->m, v->s));
    return v;
}

static void vessel_free(vessel *v)
{
    sph_state_destroy(v->s);
    sph_model_destroy(v->m);
    free(v);
}

static void test_neighbours_lie_within_reach(void **state)
{
    (void)state;
    for (int axis = -1; axis < 3; axis++) {
        vessel *v = vessel_of(axis);
        const sph_state *s = v->s;
        for (int64_t n = 0; n < s->fluid.count; n++)
            for (int64_t k = s->pairs.begin[n]; k < pairs_end(&s->pairs, n); k++)
                assert_true(labs(s->pairs.other[k] / SPH_BLOCK - (long)(n / SPH_BLOCK)) <= s->reach);
        vessel_free(v);
    }
}

static bool wall_near_liquid(const sph_model *m, const sph_state *s, int64_t b)
{
    double support2 = m->kernel.support * m->kernel.support;
    for (int64_t n = 0; n < s->fluid.count; n++) {
        double x = s->fluid.position[n][0] - s->walls.x[b], y = s->fluid.position[n][1] - s->walls.y[b],
               z = s->fluid.position[n][2] - s->walls.z[b];
        if (x * x + y * y + z * z < support2 * (1 - 1e-5))
            return true;
    }
    return false;
}

/* All that have liquid around them, and no other, in order: what the pressures of the dry are is not asked for
   again. */
static void test_reached_are_those_near_liquid(void **state)
{
    (void)state;
    vessel *v = vessel_of(-1);
    const sph_walls *w = &v->s->walls;
    int64_t next = 0;
    for (int64_t b = 0; b < w->count; b++) {
        bool listed = next < w->reached_count && w->reached[next] == b;
        next += listed;
        assert_true(listed == (w->density[b] > 0));
        assert_true(listed || !wall_near_liquid(v->m, v->s, b));
    }
    assert_int_equal(next, w->reached_count);
    assert_in_range(w->reached_count, w->count / 4, 3 * w->count / 4);
    vessel_free(v);
}

static float wall_part(const sph_walls *w, int64_t b, int32_t other)
{
    for (uint32_t k = w->link_begin[b]; k < w->link_begin[b + 1]; k++)
        if (w->links[k].other == other)
            return w->links[k].part;
    return 0;
}

/* What one gives the other gets as much of: only so are pressures and what they hold each other's transpose
 * (sph/pressure/brace.h). */
static void test_links_are_mutual_and_stay_on_a_face(void **state)
{
    (void)state;
    vessel *v = vessel_of(-1);
    const sph_walls *w = &v->s->walls;
    for (int64_t b = 0; b < w->count; b++)
        for (uint32_t k = w->link_begin[b]; k < w->link_begin[b + 1]; k++) {
            int32_t other = w->links[k].other;
            assert_true(other != b && w->links[k].part > 0);
            assert_true(w->links[k].part == wall_part(w, other, (int32_t)b));
            assert_int_equal(sph_walls_side(w->normal[b]), sph_walls_side(w->normal[other]));
            assert_int_equal(w->leads[other], k < w->link_led[b]);
        }
    assert_true(w->link_begin[w->count] > 4 * w->count);
    vessel_free(v);
}

enum { CROWD_ALONG = 5, CROWD = CROWD_ALONG * CROWD_ALONG - 1 };

/* One particle amid balls of its size, a frame later. */
static fr_world *crowd_of(fr_body_def bodies[CROWD])
{
    const double d = 0.1;
    fr_shape_def shape = fr_default_shape(FR_SHAPE_SPHERE);
    shape.radius = 0.5 * d;
    fr_fill_def fill = {.shape = {.shape = &shape, .at = {0.5 * CROWD_ALONG * d, 0.5 * CROWD_ALONG * d}}};
    fr_scene_def def = fr_default_scene(FR_METHOD_SPH);
    def.domain.dims = 2;
    def.domain.size[0] = def.domain.size[1] = CROWD_ALONG * d;
    def.sph.spacing = d;
    for (int i = 0, b = 0; i <= CROWD; i++) {
        if (i == CROWD / 2)
            continue;
        bodies[b] = fr_default_body();
        bodies[b].shape =
            (fr_placed_shape){.shape = &shape,
                              .axis = {0, 0, 1},
                              .at = {(0.5 + i % CROWD_ALONG) * d, (0.5 + (double)(i / CROWD_ALONG)) * d}};
        bodies[b++].density.value = 1000;
    }
    def.fill = &fill;
    def.fill_count = 1;
    def.bodies = bodies;
    def.body_count = CROWD;
    def.time.fps = 1000;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    return world;
}

/* The pressure knows every body that a particle touches, however many. */
static void test_all_bodies_are_touched(void **state)
{
    (void)state;
    fr_body_def bodies[CROWD];
    fr_world *world = crowd_of(bodies);
    const sph_state *s = sph_of(world)->state;
    const sph_floating *f = s->floating;
    int touches[CROWD] = {0}, touched = 0;
    assert_int_equal(s->fluid.count, 1);
    for (int64_t k = s->wall_pairs.begin[0]; k < pairs_end(&s->wall_pairs, 0); k++)
        if (s->walls.body[s->wall_pairs.other[k]] < CROWD)
            touches[s->walls.body[s->wall_pairs.other[k]]] = 1;
    for (int b = 0; b < CROWD; b++)
        touched += touches[b];
    assert_true(touched > 8);
    assert_int_equal(f->touch_begin[SPH_PARTS], touched);
    for (int64_t i = 0; i < touched; i++)
        assert_int_equal(touches[f->touches[i].body]--, 1);
    fr_world_destroy(world);
}

/* Pressures and velocities without order, and a grid that says where the surface is. */
static vessel *vessel_under_pressure(void)
{
    vessel *v = vessel_of(-1);
    sph_state *s = v->s;
    assert_true(sph_coarse_begin(v->m, s));
    for (int64_t n = 0; n < s->fluid.count; n++) {
        s->numbers[SPH_UNKNOWN][n] = (float)(1 + check_noise((uint64_t)(7 * n)));
        for (int a = 0; a < 4; a++)
            s->next.velocity[n][a] = a < 3 ? (float)check_noise((uint64_t)(5 * n + a)) : 0;
    }
    for (int64_t i = 0; i < s->walls.led_count; i++)
        s->walls.unknown[s->walls.led[i]] = (float)(1 + check_noise((uint64_t)i));
    return v;
}

/* Qᵀ (A + E) Q from shifts alone is that from products. */
static void test_work_is_that_of_the_shifts(void **state)
{
    (void)state;
    vessel *v = vessel_under_pressure();
    const float *q = v->s->numbers[SPH_UNKNOWN];
    const double long_way = sph_operate(v->s, q, v->s->walls.unknown);
    assert_near(sph_operate_shift(v->s, q, v->s->walls.unknown), long_way, 1e-5 * long_way);
    assert_true(long_way > 0);
    assert_in_range(v->s->walls.led_count, v->s->walls.reached_count / 4, v->s->walls.reached_count);
    vessel_free(v);
}

/* The work that pressures do when a solve is done that began with some that were so many times too high. */
static double work_after(float press)
{
    const sph_recovery recovery = {0};
    vessel *v = vessel_under_pressure();
    sph_state *s = v->s;
    sph_solve solve = {.dt = 0.005, .tolerance = 1e-3, .recovery = &recovery, .most = 100};
    for (int64_t n = 0; n < s->fluid.count; n++) {
        s->numbers[SPH_UNKNOWN][n] *= press;
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] *= 0.01f;
    }
    for (int64_t i = 0; i < s->walls.led_count; i++)
        s->walls.unknown[s->walls.led[i]] *= press;
    sph_solve_run(v->m, s, &solve);
    assert_true(solve.converged);
    const double work = sph_operate(s, s->numbers[SPH_UNKNOWN], s->walls.unknown);
    vessel_free(v);
    return work;
}

/* Where pressures of an impact are let go, next to nothing is left of their work, and errors are shares of that. */
static void test_pressures_are_let_go(void **state)
{
    (void)state;
    const double cold = work_after(0);
    for (float press = 1; press < 1e5f; press *= 10) {
        const double work = work_after(press);
        print_message("begun %g times too high: %.3f of the work\n", (double)press, work / cold);
        assert_true(work > cold / 4 && work < 4 * cold);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours_lie_within_reach),
        cmocka_unit_test(test_reached_are_those_near_liquid),
        cmocka_unit_test(test_links_are_mutual_and_stay_on_a_face),
        cmocka_unit_test(test_all_bodies_are_touched),
        cmocka_unit_test(test_work_is_that_of_the_shifts),
        cmocka_unit_test(test_pressures_are_let_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
