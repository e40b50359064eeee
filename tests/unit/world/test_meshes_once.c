/* Each mesh file is read once between a definition and the first step, counted by the child processes. */
#define _DEFAULT_SOURCE /* mkstemps */
#include <stdlib.h>
#include <unistd.h>

#include "support/worlds.h"

/* The linker puts it in the place of fork (see CMakeLists.txt). */
pid_t __real_fork(void);
pid_t __wrap_fork(void);

static int children;

pid_t __wrap_fork(void)
{
    children++;
    return __real_fork();
}

static char path[] = "/tmp/freshet_once_XXXXXX.obj";

/* A tetrahedron, 1 m along its edges on the axes. */
static int write_mesh(void **state)
{
    (void)state;
    FILE *file = fdopen(mkstemps(path, 4), "w");
    assert_non_null(file);
    fprintf(file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    return fclose(file);
}

static int remove_mesh(void **state)
{
    (void)state;
    return unlink(path);
}

/* As a run does: checked, estimated, made, stepped. */
static int children_of_a_run(const fr_scene_def *def)
{
    fr_estimate estimate;
    fr_world *world;
    children = 0;
    fr_meshes_keep();
    assert_ok(fr_scene_check(def));
    assert_ok(fr_scene_estimate(def, &estimate));
    assert_ok(fr_world_create(def, &world));
    assert_ok(fr_world_step(world, NULL));
    fr_world_destroy(world);
    fr_meshes_release();
    return children;
}

static int children_of_a_world(const fr_scene_def *def)
{
    fr_world *world;
    children = 0;
    assert_ok(fr_world_create(def, &world));
    assert_ok(fr_world_step(world, NULL));
    fr_world_destroy(world);
    return children;
}

static void test_liquid(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SPH);
    fr_shape_def mesh = fr_default_shape(FR_SHAPE_MESH);
    mesh.file = path;
    fr_fill_def fill = {.shape.shape = &mesh};
    fr_obstacle_def obstacle = {.shape = {.shape = &mesh, .at = {0.7, 0.7, 0.7}}};
    def.sph.spacing = 0.1;
    def.fill = &fill;
    def.obstacles = &obstacle;
    def.fill_count = def.obstacle_count = 1;
    assert_int_equal(children_of_a_run(&def), 1);
    assert_int_equal(children_of_a_world(&def), 1);
}

/* A pool, and a blob that falls into it in the first step. */
static void test_liquid_on_a_grid(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_LIQUID);
    fr_shape_def mesh = fr_default_shape(FR_SHAPE_MESH);
    mesh.file = path;
    fr_fill_def fill[2] = {{.shape.shape = &mesh}, {.shape = {.shape = &mesh, .at = {0.5, 0.5, 0.5}}, .from = 1e-6}};
    fr_obstacle_def obstacle = {.shape = {.shape = &mesh, .at = {0.7, 0.1, 0.7}}};
    def.domain.cells[0] = 16;
    def.fill = fill;
    def.fill_count = 2;
    def.obstacles = &obstacle;
    def.obstacle_count = 1;
    assert_int_equal(children_of_a_run(&def), 1);
    assert_int_equal(children_of_a_world(&def), 1);
}

static void test_smoke(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_shape_def mesh = fr_default_shape(FR_SHAPE_MESH), fitted = mesh;
    mesh.file = fitted.file = path;
    fitted.size[0] = 0.5;
    fr_scalar_value density = {.name = "density", .value.value = 1};
    fr_source_def source = {.shape.shape = &mesh, .scalars = &density, .scalar_count = 1};
    fr_force_def force = {.shape.shape = &mesh, .value.value = {1, 0, 0}};
    fr_tracers_def tracers = {.shape.shape = &mesh, .count = 10};
    fr_obstacle_def obstacle = {.shape = {.shape = &fitted, .at = {0.7, 0.7, 0.7}}};
    def.domain.cells[0] = 8;
    def.sources = &source;
    def.forces = &force;
    def.tracers = &tracers;
    def.obstacles = &obstacle;
    def.source_count = def.force_count = def.tracer_count = def.obstacle_count = 1;
    assert_int_equal(children_of_a_run(&def), 2);   /* two sizes are two meshes */
    assert_int_equal(children_of_a_world(&def), 2);
}

int main(void)
{
    fr_mesh_report report;
    if (fr_mesh_inspect("", &report) == FR_ERROR_UNSUPPORTED) {
        print_message("skipped: %s\n", fr_error_message());
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_liquid),
        cmocka_unit_test(test_liquid_on_a_grid),
        cmocka_unit_test(test_smoke),
    };
    return cmocka_run_group_tests(tests, write_mesh, remove_mesh);
}
