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
    print_message("%dD, %g kg/m³: %.4f of it is under water, %.4f should be; fastest %.2g m/s\n", dims, density, found,
                  share, fastest);
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

/* Acceleration over g, upwards, of a box that is let go in a full tank, 8 ms after. Its faces lie on the lattice, so
   that there are no gaps to close. */
static double first_pull(const fr_scene_def *def)
{
    fr_world *world = worlds_create(def);
    for (int frame = 0; frame < 8; frame++)
        assert_ok(fr_world_step_frame(world));
    const fr_body_state *b = fr_world_frame(world)->bodies;
    const double per_pull = 1 / (9.81 * fr_world_time(world)), pull = b->velocity[1] * per_pull;
    print_message("%g kg/m³: %.4f g upwards, %.2g g aside\n", def->bodies->density.value, pull,
                  b->velocity[0] * per_pull);
    assert_near(b->velocity[0] * per_pull, 0, 0.03);
    fr_world_destroy(world);
    return pull;
}

/* The same for a liquid on a grid. */
static fr_scene_def pond_on_grid(const pond *p)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_LIQUID);
    def.domain = p->box.def.domain;
    def.domain.cells[0] = (int)round(def.domain.size[0] / p->box.def.sph.spacing);
    def.time = p->box.def.time;
    def.fill = p->box.def.fill;
    def.fill_count = 1;
    def.bodies = p->box.def.bodies;
    def.body_count = 1;
    return def;
}

/* A body accelerates what it pushes aside: as a liquid on a grid finds it. */
static void test_added_mass(void **state)
{
    (void)state;
    static const double densities[] = {10, 500, 5000, 10};
    for (int i = 0; i < 4; i++) {
        const int dims = i == 3 ? 3 : 2;
        const double wide = dims == 3 ? 0.28 : 0.24, spacing = dims == 3 ? 0.04 : 0.02;
        const fr_shape_def shape = pond_cuboid(wide, wide, wide);
        pond p;
        pond_make(&p, dims, spacing, 0.96, &shape, dims == 3 ? 0.5 : 0.48);
        p.body.density.value = densities[i];
        p.box.def.time.fps = 1000;
        const double particles = first_pull(&p.box.def);
        const fr_scene_def gridded = pond_on_grid(&p);
        const double grid = first_pull(&gridded);
        assert_near(particles / grid, 1, 0.08);
    }
}

/* A raft of a hundredth of the density that is let go half under water rises with the liquid around it, and is not
   thrown: on a grid it comes 14 cm up. */
static void check_raft(fr_sph_solver solver)
{
    const fr_shape_def shape = pond_cuboid(0.3, 0.2, 0.3);
    double highest = 0;
    pond p;
    pond_make(&p, 2, 0.025, 0.5, &shape, 0.5);
    p.body.density.value = 10;
    p.box.def.sph.solver = solver;
    p.box.def.time.fps = 25;
    fr_world *world = worlds_create(&p.box.def);
    for (int frame = 0; frame < 12; frame++) {
        assert_ok(fr_world_step_frame(world));
        highest = fmax(highest, fr_world_frame(world)->bodies->position[1]);
    }
    fr_world_destroy(world);
    assert_near(highest, 0.64, 0.03);
}

static void test_light_rafts_are_not_thrown(void **state)
{
    (void)state;
    for (int solver = FR_SPH_DFSPH; solver <= FR_SPH_WCSPH; solver++)
        check_raft((fr_sph_solver)solver);
}

/* A body as dense as the liquid is part of it. */
static void test_neutral_bodies_stay(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        const bool round = n % 2;
        const int dims = 2 + n / 2;
        const fr_shape_def shape = round ? pond_ball(0.2) : pond_cuboid(0.4, 0.4, 0.4);
        pond p;
        pond_make(&p, dims, dims == 3 ? 0.05 : 0.025, 0.8, &shape, 0.4);
        p.box.def.time.fps = 10;
        fr_world *world = worlds_create(&p.box.def);
        double fastest = 0;
        for (int frame = 0; frame < 10; frame++) {
            assert_ok(fr_world_step_frame(world));
            const fr_body_state *b = fr_world_frame(world)->bodies;
            fastest = fmax(fastest, sqrt(b->velocity[0] * b->velocity[0] + b->velocity[1] * b->velocity[1]));
        }
        const fr_body_state *b = fr_world_frame(world)->bodies;
        print_message("%dD, %s: fastest %.2g m/s, moved by %.2g, %.2g m\n", dims, round ? "ball" : "box", fastest,
                      b->position[0] - 0.5, b->position[1] - 0.4);
        assert_below(fabs(b->position[0] - 0.5), 0.1 * p.box.def.sph.spacing);
        assert_below(fabs(b->position[1] - 0.4), (round ? 0.55 : 0.2) * p.box.def.sph.spacing);
        fr_world_destroy(world);
    }
}

static fr_result swirl(void *context, const double *args, double *out)
{
    (void)context;
    const double x = args[0] - 1, y = args[1] - 1;
    out[0] = 0.5 - 2 * y;
    out[1] = 2 * x;
    out[2] = 0;
    return FR_OK;
}

static void momentum_of(fr_world *world, double sum[3])
{
    static const char *const columns[2][3] = {{"momentum_x", "momentum_y", "momentum_z"},
                                              {"bodies_momentum_x", "bodies_momentum_y", "bodies_momentum_z"}};
    for (int a = 0; a < fr_world_frame(world)->dims; a++)
        sum[a] = worlds_ledger(world, columns[0][a]) + worlds_ledger(world, columns[1][a]);
}

/* A drop that swirls far from all walls, with a ball that flies and turns in it. */
static void check_momentum(fr_sph_solver solver, int dims, double density, double viscosity)
{
    pond p;
    const fr_shape_def shape = pond_ball(0.15);
    pond_make(&p, dims, dims == 3 ? 0.08 : 0.04, 1, &shape, 1);
    for (int a = 0; a < dims; a++) {
        p.box.def.domain.size[a] = 2;
        p.body.shape.at[a] = p.box.fill.shape.at[a] = 1;
    }
    p.body.shape.at[0] = 1.1;
    p.box.shape = pond_ball(0.4);
    p.box.fill.velocity.function = swirl;
    p.body.density.value = density;
    p.body.velocity[0] = 1;
    p.body.spin[2] = 3;
    p.box.def.gravity[1] = 0;
    p.box.def.fluid.viscosity = viscosity;
    p.box.def.sph.solver = solver;
    p.box.def.sph.sound_speed = solver == FR_SPH_WCSPH ? 20 : 0;
    p.box.def.time.fps = 20;
    fr_world *world = worlds_create(&p.box.def);
    double before[3], after[3];
    const double mass = worlds_ledger(world, "volume") * 1000;
    momentum_of(world, before);
    for (int frame = 0; frame < 3; frame++)
        assert_ok(fr_world_step_frame(world));
    momentum_of(world, after);
    print_message("solver %d, %dD, %g kg/m³, ν %g: momentum off by %.2g of %.2g\n", (int)solver, dims, density,
                  viscosity, fmax(fabs(after[0] - before[0]), fabs(after[1] - before[1])), mass);
    for (int a = 0; a < dims; a++)
        assert_near(after[a], before[a], 1e-5 * mass);   /* speeds are about 1 m/s */
    fr_world_destroy(world);
}

static void test_momentum(void **state)
{
    (void)state;
    static const double densities[] = {20, 5000}, viscosities[] = {0, 0.01, 10};
    for (int solver = FR_SPH_DFSPH; solver <= FR_SPH_WCSPH; solver++)
        for (int d = 0; d < 2; d++)
            for (int v = 0; v < 3; v++)
                check_momentum((fr_sph_solver)solver, 2, densities[d], viscosities[v]);
    check_momentum(FR_SPH_DFSPH, 3, 100, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_archimedes), cmocka_unit_test(test_added_mass),
                                       cmocka_unit_test(test_light_rafts_are_not_thrown),
                                       cmocka_unit_test(test_neutral_bodies_stay), cmocka_unit_test(test_momentum)};
    fr_set_threads(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
