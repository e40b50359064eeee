/* Valid scenes: every key is stored in the definition. */
#define _POSIX_C_SOURCE 200809L
#include "load_text.h"

#include <math.h>

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * (1 + fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static void same_numbers(const double *a, double x, double y, double z)
{
    near(a[0], x);
    near(a[1], y);
    near(a[2], z);
}

static void reads_the_plain_parts(void **state)
{
    (void)state;
    fr_scene *scene = load(
        "return { name='test', method='smoke', domain={size={1,1.5}, cells={32,48}, origin={-1,2}}, gravity={0,-5,0},\n"
        "time={duration=0.5, fps=10, cfl=2, dt=0.01, dt_max=0.1, dt_min=1e-9}, fluid={density=2, viscosity=1e-5},\n"
        "solver={pressure_tolerance=1e-7, max_iterations=50, pressure='cg'},\n"
        "smoke={advection='linear', vorticity=0.2, buoyancy={temperature=0.05, density=0.1}, ambient=300} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_string_equal(def->name, "test");
    assert_int_equal(def->domain.dims, 2);
    near(def->domain.size[1], 1.5);
    assert_int_equal(def->domain.cells[0], 32);
    assert_int_equal(def->domain.cells[1], 48);
    same_numbers(def->domain.origin, -1, 2, 0);
    same_numbers(def->gravity, 0, -5, 0);
    near(def->time.duration, 0.5);
    near(def->time.fps, 10);
    near(def->time.cfl, 2);
    near(def->time.dt, 0.01);
    near(def->time.dt_max, 0.1);
    near(def->time.dt_min, 1e-9);
    near(def->fluid.density, 2);
    near(def->fluid.viscosity, 1e-5);
    near(def->solver.pressure_tolerance, 1e-7);
    assert_int_equal(def->solver.max_iterations, 50);
    assert_int_equal(def->solver.pressure, FR_PRESSURE_CG);
    assert_int_equal(def->smoke.advection, FR_ADVECTION_LINEAR);
    near(def->smoke.vorticity, 0.2);
    near(def->smoke.buoyancy_temperature, 0.05);
    near(def->smoke.buoyancy_density, 0.1);
    near(def->smoke.ambient, 300);
    fr_scene_destroy(scene);
}

static void takes_defaults(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " HEAD_3D " }");
    const fr_scene_def *def = fr_scene_definition(scene), usual = fr_default_scene(FR_METHOD_SMOKE);
    assert_int_equal(strncmp(def->name, "freshet_scene_", 14), 0);
    assert_null(strchr(def->name, '.'));
    assert_int_equal(def->domain.dims, 3);
    assert_int_equal(def->domain.cells[0], 16);
    assert_int_equal(def->domain.cells[1], 0);
    assert_memory_equal(&def->time, &usual.time, sizeof def->time);
    assert_memory_equal(def->walls, usual.walls, sizeof def->walls);
    assert_memory_equal(def->gravity, usual.gravity, sizeof def->gravity);
    assert_true(def->output.cache);
    assert_non_null(strstr(fr_scene_text(scene), "return { method"));
    fr_scene_destroy(scene);
}

static void reads_walls(void **state)
{
    (void)state;
    fr_scene *scene = load(
        "return { " HEAD_3D ", scalars={ink={}}, walls={ all='no_slip', left='periodic', top=lid{velocity={1,0,0.5}},\n"
        "bottom=hot{temperature=40}, back=inflow{velocity={0,0,2}, temperature=5, ink=1}, front='open' } }");
    const fr_wall_def *walls = fr_scene_definition(scene)->walls;
    assert_int_equal(walls[FR_LEFT].kind, FR_WALL_PERIODIC);
    assert_int_equal(walls[FR_RIGHT].kind, FR_WALL_PERIODIC);
    assert_int_equal(walls[FR_TOP].kind, FR_WALL_NO_SLIP);
    same_numbers(walls[FR_TOP].velocity.value, 1, 0, 0.5);
    assert_int_equal(walls[FR_BOTTOM].kind, FR_WALL_NO_SLIP);
    assert_int_equal(walls[FR_BOTTOM].scalar_count, 1);
    assert_string_equal(walls[FR_BOTTOM].scalars[0].name, "temperature");
    near(walls[FR_BOTTOM].scalars[0].value.value, 40);
    assert_int_equal(walls[FR_BACK].kind, FR_WALL_INFLOW);
    assert_int_equal(walls[FR_BACK].scalar_count, 2);
    assert_string_equal(walls[FR_BACK].scalars[1].name, "ink");
    assert_int_equal(walls[FR_FRONT].kind, FR_WALL_OPEN);
    fr_scene_destroy(scene);
    scene = load("return { " HEAD ", walls={ left=wall{slip='no_slip', temperature=3}, right=wall{temperature=4} } }");
    walls = fr_scene_definition(scene)->walls;
    assert_int_equal(walls[FR_LEFT].kind, FR_WALL_NO_SLIP);
    assert_int_equal(walls[FR_RIGHT].kind, FR_WALL_FREE_SLIP);
    near(walls[FR_RIGHT].scalars[0].value.value, 4);
    fr_scene_destroy(scene);
}

static void reads_a_prescribed_flow(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " HEAD ", prescribed={velocity=function(x, y) return y, -x end} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_true(def->has_prescribed && def->prescribed.function);
    fr_scene_destroy(scene);
}

static void reads_what_is_in_the_domain(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " HEAD
             ", scalars={ink={diffusion=1e-4, dissipation=0.5, initial=2, refine=4}, dye={}, density={diffusion=3}},\n"
             "sources={source{shape=circle{radius=0.1}, at={0.5,0.2}, density=1, temperature=60, ink=1, "
             "velocity={0,1}, rate=2, from=1, to=3, rotation=30},\n"
             "  source{shape=box{size={.1,.1}}, ink=4}},\n"
             "forces={force{value={0,1}}, force{shape=circle{radius=1}, value=function(x,y,z,t) return x,y end}},\n"
             "obstacles={obstacle{shape=circle{radius=0.12}, at={0.5,0.8}, slip='no_slip', temperature=0}},\n"
             "initial={velocity={1,2}, dye=3},\n"
             "probes={probe{at={0.5,1}, fields={'u','ink'}, every=0.1}, probe{from={0,0}, to={1,1}, n=5}} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->scalar_count, 3);
    assert_string_equal(def->scalars[0].name, "density");
    near(def->scalars[0].diffusion, 3);
    assert_string_equal(def->scalars[2].name, "ink");
    near(def->scalars[2].dissipation, 0.5);
    assert_int_equal(def->scalars[2].refine, 4);
    near(def->scalars[2].initial.value, 2);
    assert_int_equal(def->source_count, 2);
    const fr_source_def *source = def->sources;
    same_numbers(source->shape.at, 0.5, 0.2, 0);
    same_numbers(source->shape.axis, 0, 0, 1);
    near(source->shape.degrees, 30);
    assert_true(source->sets_velocity);
    assert_int_equal(source->scalar_count, 3);
    assert_string_equal(source->scalars[2].name, "ink");
    near(source->rate, 2);
    near(source->from, 1);
    near(source->to, 3);
    assert_false(def->sources[1].sets_velocity);
    assert_true(isinf(def->sources[1].to));
    assert_int_equal(def->force_count, 2);
    assert_null(def->forces[0].shape.shape);
    assert_non_null(def->forces[1].value.function);
    assert_true(def->obstacles[0].no_slip && def->obstacles[0].has_temperature);
    assert_true(def->has_initial_velocity && def->scalars[2].has_initial && !def->scalars[1].has_initial);
    assert_int_equal(def->initial_count, 1);
    assert_int_equal(def->probe_count, 2);
    assert_int_equal(def->probes[0].n, 1);
    assert_string_equal(def->probes[0].fields[1], "ink");
    near(def->probes[0].to[1], 1);
    assert_int_equal(def->probes[1].n, 5);
    assert_int_equal(def->probes[1].field_count, 3);
    fr_scene_destroy(scene);
}

static void reads_output_and_look(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " HEAD_3D ", scalars={ink={}}, camera={eye={3,2,1}, fov=50},\n"
             "look={background='#ff8000', smoke={colour={1,1,0.5}, opacity=20}, obstacle={colour='teal'}, "
             "light={0,1,0}, inks={ink='red'}, width=640, height=480,\n"
             "  views={view{field='speed', colormap='magma', range={0,2}, arrows=true, streamlines=true, "
             "slice={axis='x', at=0.25}}}},\n"
             "output={dir='somewhere', cache=false, npy=true, images={'speed', 'volume'}, video=true, every=2} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_true(def->camera.set);
    same_numbers(def->camera.eye, 3, 2, 1);
    same_numbers(def->camera.target, 0.5, 0.5, 0.5);
    near(def->camera.fov, 50);
    assert_true(def->look.background_set);
    same_numbers(def->look.background, 1, 128 / 255.0, 0);
    same_numbers(def->look.smoke_colour, 1, 1, 0.5);
    near(def->look.smoke_opacity, 20);
    same_numbers(def->look.obstacle_colour, 0, 0.5, 0.5);
    same_numbers(def->look.light, 0, 1, 0);
    assert_int_equal(def->look.ink_count, 1);
    assert_string_equal(def->look.inks[0].scalar, "ink");
    assert_int_equal(def->look.width, 640);
    const fr_output_def *output = &def->output;
    assert_string_equal(output->dir, "somewhere");
    assert_true(!output->cache && output->npy && output->video && output->images);
    assert_int_equal(output->every, 2);
    assert_int_equal(output->view_count, 2);
    assert_string_equal(output->views[0].colormap, "magma");
    near(output->views[0].max, 2);
    assert_true(output->views[0].arrows && output->views[0].streamlines);
    assert_int_equal(output->views[0].slice_axis, 0);
    near(output->views[0].slice_at, 0.25);
    assert_string_equal(output->views[1].field, "volume");
    assert_int_equal(output->views[1].slice_axis, 2);
    fr_scene_destroy(scene);
    scene = load("return { " HEAD ", output={video=true} }");
    assert_true(fr_scene_definition(scene)->output.images);
    fr_scene_destroy(scene);
}

static void reads_files_as_editors_leave_them(void **state)
{
    (void)state;
    fr_scene_destroy(load("\xef\xbb\xbfreturn { " HEAD " }"));
    fr_scene_destroy(load("#!/usr/bin/env freshet\r\nreturn {\r\n " HEAD "\r\n}\r\n"));
    fr_scene_destroy(load("local s = { " HEAD " } return s"));
    refused("#!/usr/bin/env freshet\nreturn {\n " HEAD ", oops=1 }", 3, "oops", "unknown key");
}

/* The scene that opens the reference page. */
static void reads_the_documented_scene(void **state)
{
    (void)state;
    static char page[65536];
    FILE *file = fopen(SOURCE_DIR "/docs/scene.md", "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    char *code = strstr(page, "```lua\n");
    assert_non_null(code);
    code += 7;
    *strstr(code, "```") = '\0';
    fr_scene *scene = load(code);
    assert_int_equal(fr_scene_definition(scene)->source_count, 1);
    assert_true(fr_scene_definition(scene)->output.video);
    fr_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_plain_parts),
        cmocka_unit_test(takes_defaults),
        cmocka_unit_test(reads_walls),
        cmocka_unit_test(reads_a_prescribed_flow),
        cmocka_unit_test(reads_what_is_in_the_domain),
        cmocka_unit_test(reads_output_and_look),
        cmocka_unit_test(reads_files_as_editors_leave_them),
        cmocka_unit_test(reads_the_documented_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
