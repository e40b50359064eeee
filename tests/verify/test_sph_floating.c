/* Rigid bodies in liquids of particles: how deep they float, how they are pushed at first, and what they keep. */
#include <stdlib.h>

#include "support/dams.h"

typedef struct pond {
    dams_box box;
    fr_shape_def shape;
    fr_body_def body;
} pond;

/* A tank of 1 m, filled to a height, with a body in the middle of it at a height. */
static void pond_make(pond *p, int dims, double spacing, double level, const fr_shape_def *shape, double at)
{
    const double size[3] = {1, 1, 1}, fill[3] = {1, level, 1};
    dams_make(&p->box, FR_SPH_DFSPH, dims, size, fill, spacing);
    p->shape = *shape;
    p->body = fr_default_body();
    p->body.shape = (fr_placed_shape){.shape = &p->shape, .axis = {0, 0, 1}, .at = {0.5, at, dims == 3 ? 0.5 : 0}};
    p->box.def.bodies = &p->body;
    p->box.def.body_count = 1;
}

static fr_shape_def pond_cuboid(double x, double y, double z)
{
    fr_shape_def s = fr_default_shape(FR_SHAPE_BOX);
    const double half[3] = {x / 2, y / 2, z / 2};
    for (int a = 0; a < 3; a++) {
        s.max[a] = half[a];
        s.min[a] = -half[a];
    }
    return s;
}

static fr_shape_def pond_ball(double radius)
{
    fr_shape_def s = fr_default_shape(FR_SHAPE_SPHERE);
    s.radius = radius;
    return s;
}

/* Lets a box of height `high` float, and returns by how much of its height it is deeper than it should be. */
static double check_depth(int dims, double spacing, double density, double high)
{
    const double wide = 0.5, share = density / 1000, area = dims == 3 ? wide * wide : wide;
    const double level = 0.5, deep = share * high;
    const fr_shape_def shape = pond_cuboid(wide, high, wide);
    pond p;
    pond_make(&p, dims, spacing, level, &shape, level + high / 2 - deep);
    p.body.density.value = density;
    p.box.def.time.fps = 20;
    fr_world *world = worlds_create(&p.box.def);
    const double volume = worlds_ledger(world, "volume");
    double sum = 0, fastest = 0;
    enum { FRAMES = 30, FROM = 15 };
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_ok(fr_world_step_frame(world));
        const fr_body_state *b = fr_world_frame(world)->bodies;
        sum += frame >= FROM ? b->position[1] / (FRAMES - FROM) : 0;
        fastest = frame >= FROM ? fmax(fastest, fabs(b->velocity[1])) : 0;
    }
    const double surface = volume + area * deep, found = (surface - (sum - high / 2)) / high;
    print_message("%dD, %g kg/m³: %.4f of it is under water, %.4f should be; fastest %.2g m/s\n", dims, density, found, share, fastest);
    fr_world_destroy(world);
    return found - share;
}

static void test_archimedes(void **state)
{
    (void)state;
    static const double densities[] = {50, 200, 500, 800, 950};
    for (int i = 0; i < 5; i++)
        assert_near(check_depth(2, 0.02, densities[i], 0.4), 0, 0.02);
    assert_near(check_depth(3, 0.05, 500, 0.4), 0, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_archimedes)};
    fr_set_threads(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
