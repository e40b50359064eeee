#define _POSIX_C_SOURCE 200809L
/* Rivers in scenes: valid values, the effect of --res, and errors with their line and a helpful message. */
#include "load_text.h"

#include <math.h>

#include "support/check.h"

#define STRAIGHT "cells={40,8}, grid=function(s, t) return 5 * s, t end"
#define FLOWING STRAIGHT ", sides={s0=inflow{speed=1}, s1=outflow{}}"
#define RIVER(text) "return { method='river', river={ " text " } }"
#define BESIDE(text) "return { method='river', river={ " FLOWING ", inks={blue={}} },\n" text " }"

static void has_its_defaults(void **state)
{
    (void)state;
    fr_scene *scene = load(RIVER(STRAIGHT));
    const fr_scene_def *def = fr_scene_definition(scene);
    const fr_river_def *river = &def->river;
    assert_int_equal(def->method, FR_METHOD_RIVER);
    assert_int_equal(def->domain.dims, 2);
    assert_int_equal(river->cells[0], 40);
    assert_int_equal(river->cells[1], 8);
    assert_int_equal(river->cells[2], 0);
    assert_int_equal(river->scheme, FR_RIVER_FLUX);
    for (int side = 0; side < FR_SIDES; side++) {
        assert_int_equal(river->sides[side].kind, FR_RIVER_BANK);
        assert_near(river->sides[side].roughness, 1, 0);
        assert_near(river->sides[side].speed.value, 0, 0);
    }
    assert_int_equal(river->block_count, 0);
    assert_near(river->block_roughness, 1, 0);
    assert_int_equal(river->sweeps, 80);
    assert_int_equal(river->viscous_sweeps, 20);
    assert_false(river->has_bed);
    assert_near(def->fluid.density, 1000, 0);
    assert_near(def->gravity[1], 0, 0);
    assert_near(def->solver.pressure_tolerance, 1e-5, 0);
    assert_int_equal(def->scalar_count + def->source_count + def->tracer_count, 0);
    fr_scene_destroy(scene);
}

static double call(fr_function function, void *context, const double *args)
{
    double out[3] = {0};
    assert_int_equal(function(context, args, out), FR_OK);
    return out[0];
}

static double number_at(const fr_number *number, const double *args)
{
    return number->function ? call(number->function, number->context, args) : number->value;
}

static void reads_every_key(void **state)
{
    (void)state;
    fr_scene *scene = load(
        RIVER(STRAIGHT ", scheme='classic', sweeps=30, viscous_sweeps=7, obstacle_roughness=0.25, bed=function(x, y) "
                       "return x - 2 * y end,"
                       " sides={s0=inflow{speed=function(t) return 2 * t end, blue=0.5}, s1=outflow{}, "
                       "t0=bank{roughness=0.5, speed=0.1}, t1=bank{}},"
                       " obstacles={cells{from={10,2}, to={12,4}}, cells{from={20,0}, to={20,3}}}, inks={blue={}}"));
    const fr_river_def *river = &fr_scene_definition(scene)->river;
    assert_int_equal(river->scheme, FR_RIVER_CLASSIC);
    assert_int_equal(river->sweeps, 30);
    assert_int_equal(river->viscous_sweeps, 7);
    assert_near(river->block_roughness, 0.25, 0);
    assert_true(river->has_bed);
    assert_near(number_at(&river->bed, (double[]){5, 1}), 3, 0);
    assert_int_equal(river->sides[0].kind, FR_RIVER_INFLOW);
    assert_near(number_at(&river->sides[0].speed, (double[]){0, 0, 0, 3}), 6, 0);
    assert_int_equal(river->sides[0].scalar_count, 1);
    assert_string_equal(river->sides[0].scalars[0].name, "blue");
    assert_near(river->sides[0].scalars[0].value.value, 0.5, 0);
    assert_int_equal(river->sides[1].kind, FR_RIVER_OUTFLOW);
    assert_near(river->sides[2].roughness, 0.5, 0);
    assert_near(river->sides[2].speed.value, 0.1, 0);
    assert_near(river->sides[3].roughness, 1, 0);
    assert_int_equal(river->block_count, 2);
    assert_int_equal(river->blocks[0].to[1], 4);
    assert_int_equal(river->blocks[1].from[0], 20);
    double out[3];
    assert_int_equal(river->grid(river->grid_context, (double[]){0.5, 0.25}, out), FR_OK);
    assert_near(out[0], 2.5, 0);
    assert_near(out[1], 0.25, 0);
    fr_scene_destroy(scene);
}

/* An argument of the name t is the time; the others are the shares of the way along the side. */
static void sides_take_functions_of_the_place(void **state)
{
    (void)state;
    fr_scene *scene = load(
        RIVER(STRAIGHT ", inks={blue={}}, sides={s0=inflow{speed=function(w, t) return w + 10 * t end}, s1=outflow{}, "
                       "t0=bank{roughness=function(s) return s / 2 end, speed=function(t, s) return t - s end, "
                       "inflow=function(s) return s > 0.5 and 3 or 0 end, blue=1}, "
                       "t1=bank{speed=function(t) return -t end, roughness=math.sin}}"));
    const fr_river_side *sides = fr_scene_definition(scene)->river.sides;
    const double args[] = {0.75, 0.25, 0, 2};
    assert_near(number_at(&sides[0].speed, args), 20.75, 0);
    assert_true(sides[0].speed_along);
    assert_near(call(sides[2].roughness_of, sides[2].roughness_context, args), 0.375, 0);
    assert_near(number_at(&sides[2].speed, args), 1.25, 0);
    assert_near(number_at(&sides[2].inflow, args), 3, 0);
    assert_string_equal(sides[2].scalars[0].name, "blue");
    assert_near(number_at(&sides[3].speed, args), -2, 0);
    assert_false(sides[3].speed_along);
    assert_near(call(sides[3].roughness_of, sides[3].roughness_context, args), sin(0.75), 0);
    fr_scene_destroy(scene);
    scene = load(RIVER("cells={20,8,4}, grid=function(s, t, r) return s, t, r end, sides={s1=outflow{}, "
                       "s0=inflow{speed=function(a, b, t) return a + 10 * b + 100 * t end}, "
                       "t0=bank{speed=function(s) return s end}, "
                       "r0=bank{roughness=function(s, w) return s * w end}}"));
    sides = fr_scene_definition(scene)->river.sides;
    assert_near(number_at(&sides[0].speed, args), 203.25, 0);
    assert_near(number_at(&sides[2].speed, args), 0.75, 0);
    assert_near(call(sides[4].roughness_of, sides[4].roughness_context, args), 0.1875, 0);
    fr_scene_destroy(scene);
}

static void sides_may_be_periodic(void **state)
{
    (void)state;
    static const char *const ways[] = {"sides={s='periodic'}", "sides={s0='periodic', s1='periodic'}"};
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, RIVER(STRAIGHT ", %s"), ways[i]);
        fr_scene *scene = load(text);
        const fr_river_side *sides = fr_scene_definition(scene)->river.sides;
        assert_int_equal(sides[0].kind, FR_RIVER_PERIODIC);
        assert_int_equal(sides[1].kind, FR_RIVER_PERIODIC);
        assert_int_equal(sides[2].kind, FR_RIVER_BANK);
        fr_scene_destroy(scene);
    }
}

static void reads_three_dimensions(void **state)
{
    (void)state;
    fr_scene *scene = load(RIVER("cells={20,8,4}, grid=function(s, t, r) return s, t, r * r end, "
                                 "sides={r0=bank{roughness=0}, r1=bank{roughness=0.5}, t='periodic'},"
                                 " obstacles={cells{from={1,2,3}, to={4,5,3}}}"));
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->domain.dims, 3);
    assert_int_equal(def->river.cells[2], 4);
    assert_near(def->river.sides[4].roughness, 0, 0);
    assert_near(def->river.sides[5].roughness, 0.5, 0);
    assert_int_equal(def->river.sides[3].kind, FR_RIVER_PERIODIC);
    assert_int_equal(def->river.blocks[0].from[2], 3);
    double out[3];
    assert_int_equal(def->river.grid(def->river.grid_context, (double[]){0.5, 0.25, 0.5}, out), FR_OK);
    assert_near(out[2], 0.25, 0);
    fr_scene_destroy(scene);
}

/* Inks are scalars, their sources those of cells; what the scene lists itself comes before them. */
static void inks_become_scalars_and_sources(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { method='river', scalars={temperature={diffusion=1e-3, transport='conservative'}},"
             " sources={ source{ shape=circle{radius=0.2}, at={1,0.5}, temperature=20, red=1 } }, river={ " STRAIGHT ","
             " inks={ red={ source=cells{from={1,2}, to={3,4}}, value=2, rate=5, from=1, to=9, dissipation=0.1 },"
             " blue={ source={cells{from={0,0}, to={0,3}}, cells{from={0,5}, to={0,6}}}, diffusion=1e-4, "
             "initial=function(x, y) return x * y end } } } }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->scalar_count, 3);
    assert_string_equal(def->scalars[0].name, "temperature");
    assert_int_equal(def->scalars[0].transport, FR_TRANSPORT_CONSERVATIVE);
    assert_string_equal(def->scalars[1].name, "blue");
    assert_true(def->scalars[1].has_initial);
    assert_near(number_at(&def->scalars[1].initial, (double[]){2, 3, 0, 0}), 6, 0);
    assert_near(def->scalars[1].diffusion, 1e-4, 0);
    assert_string_equal(def->scalars[2].name, "red");
    assert_near(def->scalars[2].dissipation, 0.1, 0);
    assert_int_equal(def->source_count, 4);
    assert_false(def->sources[0].in_cells);
    assert_int_equal(def->sources[0].scalar_count, 2);
    assert_true(def->sources[1].in_cells && def->sources[2].in_cells);
    assert_string_equal(def->sources[2].scalars[0].name, "blue");
    assert_near(def->sources[2].scalars[0].value.value, 1, 0);
    assert_int_equal(def->sources[2].cells.from[1], 5);
    assert_true(isinf(def->sources[2].to));
    const fr_source_def *red = &def->sources[3];
    assert_string_equal(red->scalars[0].name, "red");
    assert_near(red->scalars[0].value.value, 2, 0);
    assert_near(red->rate, 5, 0);
    assert_near(red->from, 1, 0);
    assert_near(red->to, 9, 0);
    assert_int_equal(red->cells.to[0], 3);
    fr_scene_destroy(scene);
}

static void reads_particles(void **state)
{
    (void)state;
    fr_scene *scene = load(RIVER(FLOWING ", particles=500"));
    const fr_tracers_def *tracers = fr_scene_definition(scene)->tracers;
    assert_int_equal(fr_scene_definition(scene)->tracer_count, 1);
    assert_int_equal(tracers->count, 500);
    assert_true(tracers->renewed && !tracers->in_cells);
    fr_scene_destroy(scene);
    scene = load(RIVER(FLOWING ", particles={ particles{count=9, seed=3, renewed=true}, "
                               "particles{cells=cells{from={2,1}, to={4,6}}, rate=20, lifetime=2, to=5} }"));
    tracers = fr_scene_definition(scene)->tracers;
    assert_int_equal(fr_scene_definition(scene)->tracer_count, 2);
    assert_int_equal(tracers[0].seed, 3);
    assert_true(tracers[0].renewed && !tracers[1].renewed);
    assert_true(tracers[1].in_cells);
    assert_int_equal(tracers[1].cells.to[1], 6);
    assert_near(tracers[1].rate, 20, 0);
    assert_near(tracers[1].lifetime, 2, 0);
    assert_near(tracers[1].to, 5, 0);
    fr_scene_destroy(scene);
}

static void what_is_shared_stays(void **state)
{
    (void)state;
    fr_scene *scene =
        load(BESIDE("time={duration=2, fps=10, cfl=1}, fluid={viscosity=1e-3}, solver={pressure_tolerance=1e-6},"
                    " forces={ force{ value={0.1,0} } }, initial={velocity={1,0}}, probes={ probe{ at={2,0.5}, "
                    "fields={'u','speed','blue'} } },"
                    " output={ images={'dyes','velocity','grid'} }, look={ background='white' }"));
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_near(def->fluid.viscosity, 1e-3, 0);
    assert_int_equal(def->force_count, 1);
    assert_true(def->has_initial_velocity);
    assert_string_equal(def->probes[0].fields[2], "blue");
    assert_int_equal(def->output.view_count, 3);
    fr_scene_destroy(scene);
}

/* Blocks are counted in the cells that the scene writes. */
static void res_keeps_blocks_in_their_place(void **state)
{
    (void)state;
    fr_scene *scene;
    fr_scene_options options = {.res = 20};
    const char *text = RIVER(FLOWING ", obstacles={cells{from={10,2}, to={13,5}}, cells{from={39,7}, to={39,7}}}, "
                                     "inks={blue={source=cells{from={0,0}, to={0,7}}}}");
    assert_int_equal(load_with(text, &options, &scene), FR_OK);
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->river.cells[0], 20);
    assert_int_equal(def->river.cells[1], 4);
    const fr_cells_def *blocks = def->river.blocks;
    assert_int_equal(blocks[0].from[0], 5);
    assert_int_equal(blocks[0].to[0], 6);
    assert_int_equal(blocks[0].from[1], 1);
    assert_int_equal(blocks[0].to[1], 2);
    assert_int_equal(blocks[1].from[0], 19);
    assert_int_equal(blocks[1].to[1], 3);
    assert_int_equal(def->sources[0].cells.to[0], 0);
    assert_int_equal(def->sources[0].cells.to[1], 3);
    fr_scene_destroy(scene);
    options.res = 120;
    assert_int_equal(load_with(text, &options, &scene), FR_OK);
    blocks = fr_scene_definition(scene)->river.blocks;
    assert_int_equal(blocks[0].from[0], 30);
    assert_int_equal(blocks[0].to[0], 41);
    assert_int_equal(blocks[1].from[1], 21);
    fr_scene_destroy(scene);
    options.res = 1000000;
    assert_int_equal(load_with(text, &options, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "--res 1000000: river.cells"));
}

static void nodes_come_from_a_file(void **state)
{
    (void)state;
    char path[64], text[256];
    snprintf(path, sizeof path, "/tmp/freshet_nodes_%ld.csv", (long)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "x,y\n");
    fclose(file);
    snprintf(text, sizeof text, RIVER("cells={2,1}, nodes='%s'"), strrchr(path, '/') + 1);
    fr_scene *scene = load(text);
    assert_string_equal(fr_scene_definition(scene)->river.nodes, path);
    assert_true(fr_scene_definition(scene)->river.grid == NULL);
    fr_scene_destroy(scene);
    snprintf(text, sizeof text, RIVER("cells={2,1}, grid=function(s, t) return s, t end,\nnodes='%s'"), path);
    refused(text, 2, "river.nodes and river.grid both", "keep one");
    remove(path);
    refused(RIVER("cells={2,1},\nnodes='nowhere.csv'"), 2, "river.nodes: cannot read", "nowhere.csv");
}

typedef struct mistake {
    const char *text;
    int line;
    const char *first, *second;
} mistake;

static void refuse_all(const mistake *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        refused(list[i].text, list[i].line, list[i].first, list[i].second);
}
#define REFUSE_ALL(list) refuse_all(list, sizeof list / sizeof *list)

static void refuses_grids(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { method='river' }", 1, "the scene needs a river", "cells = {100, 20}"},
        {"return { method='river',\nriver=3 }", 2, "river must be a table", "found 3"},
        {"return { method='river',\nriver={} }", 2, "river.cells is missing", "{100, 20}"},
        {RIVER("\ncells=40"), 2, "river.cells must be numbers of cells", "found 40"},
        {RIVER("\ncells={40}"), 2, "river.cells must be", "1 entry"},
        {RIVER("\ncells={40,0}"), 2, "river.cells", "from 1 on, not 0"},
        {RIVER("\ncells={40.5,8}"), 2, "river.cells", "whole numbers, not 40.5"},
        {RIVER("grid=channel{centre={{0,0},{1,0}}, width=1},\ncells={70000,8}"), 2, "river.cells",
         "between 1 and 65536"},
        {RIVER("grid=channel{centre={{0,0},{1,0}}, width=1},\ncells={60000,60000}"), 2, "60000 x 60000 x 1",
         "numbered"},
        {RIVER("cells={4,4}"), 1, "river.grid is missing", "channel{…}"},
        {RIVER("cells={4,4},\ngrid=3"), 2, "river.grid must be a function(s, t)", "found 3"},
        {RIVER("cells={4,4},\ngrid=box{}"), 2, "river.grid must be a function(s, t)", "box{…}"},
        {RIVER("cells={4,4,4},\ngrid=3"), 2, "river.grid must be a function(s, t, r)", "x, y, z"},
        {RIVER(STRAIGHT ",\nscheme='fluxx'"), 2, "river.scheme", "did you mean 'flux'?"},
        {RIVER(STRAIGHT ",\nsweeps=3"), 2, "river.sweeps belongs to scheme = \"classic\"", "solver.pressure_tolerance"},
        {RIVER(STRAIGHT ",\nviscous_sweeps=3"), 2, "river.viscous_sweeps belongs to", "classic"},
        {RIVER(STRAIGHT ", scheme='classic',\nsweeps=0"), 2, "river.sweeps", "at least 1"},
        {RIVER(STRAIGHT ",\nobstacle_roughness=2"), 2, "river.obstacle_roughness", "between 0"},
        {RIVER(STRAIGHT ",\nbed='deep'"), 2, "river.bed must be a number (m) or a function(x, y)", "deep"},
        {RIVER(STRAIGHT ",\nslides={}"), 2, "unknown key 'slides' in river", "did you mean 'sides'?"},
    };
    REFUSE_ALL(list);
}

static void refuses_sides(void **state)
{
    (void)state;
    static const mistake list[] = {
        {RIVER(STRAIGHT ", sides={\ns0=inflow{speed=1}}"), 2, "river.sides.s0 lets 1 m/s in but nothing lets it out",
         "s1 = outflow{}"},
        {RIVER(STRAIGHT ", sides={\ns0=inflow{speed=1}, s1=inflow{speed=1}}"), 2, "river.sides.s0 lets 1 m/s in",
         "t0 = outflow{}"},
        {RIVER(STRAIGHT ", sides={\nt1=inflow{speed=function(t) return t end}}"), 2, "river.sides.t1 lets water in",
         "t0 = outflow{}"},
        {RIVER(STRAIGHT ", sides={\ns0=inflow{speed=-1}, s1=outflow{}}"), 2, "river.sides.s0", "outflow{}"},
        {RIVER(STRAIGHT ", sides={\ns0=inflow{}, s1=outflow{}}"), 2, "river.sides.s0: inflow{…} needs the speed",
         "inflow{ speed = 1 }"},
        {RIVER(STRAIGHT ", sides={\ns0=inflow{velocity={1,0}}, s1=outflow{}}"), 2, "river.sides.s0.velocity",
         "inflow{ speed = 1 }"},
        {RIVER(STRAIGHT ", sides={\ns0=inflow{speed='fast'}, s1=outflow{}}"), 2,
         "river.sides.s0.speed must be a number (m/s) or a function(t)", "fast"},
        {RIVER(STRAIGHT ", sides={\ns0=inflow{speed=1, plum=1}, s1=outflow{}}"), 2, "unknown key 'plum' in inflow",
         "river.inks = { plum = {} }"},
        {RIVER(STRAIGHT ", sides={\ns0=inflow{speed=1, density=1}, s1=outflow{}}"), 2,
         "unknown key 'density' in inflow", "river.inks"},
        {RIVER(STRAIGHT ", sides={\ns1=outflow{speed=1}}"), 2, "unknown key 'speed' in outflow", ""},
        {RIVER(STRAIGHT ", sides={\nt0=bank{roughness=1.5}}"), 2, "river.sides.t0: roughness must lie between 0",
         "not 1.5"},
        {RIVER(STRAIGHT ", sides={\nt0=bank{roughness=-0.1}}"), 2, "river.sides.t0: roughness", "not -0.1"},
        {RIVER(STRAIGHT ", sides={\nt0=bank{roughness=0, speed=1}}"), 2, "river.sides.t0: water slips along",
         "no effect"},
        {RIVER(STRAIGHT ", sides={\ns1=bank{speed=1}}"), 2, "river.sides.s1: a bank moves along +s", "inflow{"},
        {RIVER(STRAIGHT ", sides={\ns0='periodic'}"), 2, "river.sides.s0 is periodic and river.sides.s1 is not",
         "s = \"periodic\""},
        {RIVER(STRAIGHT ", sides={ s0=outflow{},\ns1='periodic'}"), 2, "river.sides.s1 is periodic",
         "river.sides.s0 is not"},
        {RIVER(STRAIGHT ", sides={ s='periodic',\ns1=outflow{}}"), 2, "river.sides.s1", "keep one of the two"},
        {RIVER(STRAIGHT ", sides={\nt='open'}"), 2, "river.sides.t must be inflow", "outflow"},
        {RIVER(STRAIGHT ", sides={\nt0='no_slip'}"), 2, "river.sides.t0 must be inflow", "bank"},
        {RIVER(STRAIGHT ", sides={\nt0=lid{velocity={1,0}}}"), 2,
         "river.sides.t0 must be inflow{ speed = … }, outflow{}, bank{…}", "lid{…}"},
        {RIVER(STRAIGHT ", sides={\nr0=bank{}}"), 2, "is flat and has no side r0", "s0, s1, t0 and t1"},
        {RIVER(STRAIGHT ", sides={\nleft=bank{}}"), 2, "unknown key 'left' in river.sides", ""},
        {RIVER(STRAIGHT ", sides={\nt0=bank{roughness='rough'}}"), 2,
         "river.sides.t0.roughness must be a number (0 to 1) or a function(s), the share", "rough"},
        {RIVER(STRAIGHT ", sides={\nt0=bank{roughness=function(s, t) return s end}}"), 2,
         "river.sides.t0.roughness: its function gets the share of the way along the side, not 't'", ""},
        {RIVER(STRAIGHT ", sides={\nt0=bank{speed=function(s, r, t) return s end}}"), 2,
         "river.sides.t0.speed: its function gets the share of the way along the side and the time t, not 'r'", ""},
        {RIVER(STRAIGHT ", sides={\nt0=bank{speed=function(t, t) return t end}}"), 2, "not 't'", ""},
        {RIVER(STRAIGHT ", sides={\nt0=bank{inflow=1}}"), 2, "river.sides.t0 lets 1 m/s in but nothing lets it out",
         "t1 = outflow{}"},
        {RIVER(STRAIGHT ", sides={\nt0=bank{inflow=function(s) return s end}}"), 2, "river.sides.t0 lets water in", ""},
        {RIVER(STRAIGHT ", sides={s1=outflow{},\nt0=bank{inflow=-1}}"), 2, "river.sides.t0: an inflow's speed",
         "outflow{}"},
        {RIVER(STRAIGHT ", sides={s1=outflow{},\nt0=bank{inflow={1,0}}}"), 2,
         "river.sides.t0.inflow must be a number (m/s)", ""},
        {RIVER(STRAIGHT ", inks={blue={}}, sides={\nt0=bank{blue=1}}"), 2, "unknown key 'blue' in bank", ""},
        {RIVER(STRAIGHT ", sides={s1=outflow{},\nt0=bank{inflow=1, plum=1}}"), 2, "unknown key 'plum' in bank",
         "river.inks = { plum = {} }"},
        {RIVER(STRAIGHT ", sides={\ns1=outflow{inflow=1}}"), 2, "unknown key 'inflow' in outflow", ""},
    };
    REFUSE_ALL(list);
    refused("return { " HEAD ", walls={\nleft=inflow{speed=1}} }", 2, "walls.left.speed", "inflow{ velocity = {…} }");
}

static void refuses_blocks(void **state)
{
    (void)state;
    static const mistake list[] = {
        {RIVER(FLOWING ", obstacles={\ncells{from={10,0}, to={10,7}}}"), 2, "river.obstacles[1] dams the river",
         "no way from s0 to s1"},
        {RIVER(FLOWING ", obstacles={ cells{from={10,0}, to={10,3}}, cells{from={1,1}, to={1,1}},\ncells{from={10,4}, "
                       "to={11,7}}, cells{from={30,1}, to={30,1}}}"),
         2, "river.obstacles[3] dams the river", "no way from s0 to s1"},
        {RIVER(STRAIGHT ", sides={s1=outflow{}, t0=bank{inflow=function(s) return s < 0.2 and 1 or 0 end}}, "
                        "obstacles={\ncells{from={10,0}, to={10,7}}}"),
         2, "river.obstacles[1] dams the river", "no way from t0 to s1"},
        {RIVER(FLOWING ", obstacles={\ncells{from={0,0}, to={0,7}}}"), 2, "river.obstacles[1] dams the river", "s0"},
        {RIVER(FLOWING
               ", obstacles={ cells{from={0,2}, to={3,2}}, cells{from={0,6}, to={3,6}},\ncells{from={3,3}, to={3,5}}}"),
         2, "river.obstacles[3] dams the river", "s0"},
        {RIVER(STRAIGHT ",\nobstacles={cells{from={0,0}, to={39,7}}}"), 2, "river.obstacles fill the whole grid",
         "no water"},
        {RIVER(FLOWING ", obstacles={\ncells{from={10,0}, to={40,3}}}"), 2,
         "river.obstacles[1] lies outside the grid: cell 40 along s", "0 to 39"},
        {RIVER(FLOWING ", obstacles={\ncells{from={10,-1}, to={11,3}}}"), 2,
         "river.obstacles[1] lies outside the grid: cell -1 along t", "0 to 7"},
        {RIVER(FLOWING ", obstacles={\ncells{from={10,4}, to={11,3}}}"), 2, "river.obstacles[1]", "before they begin"},
        {RIVER(FLOWING ", obstacles={\ncells{from={10,4}}}"), 2, "river.obstacles[1] needs from and to", "cells{"},
        {RIVER(FLOWING ", obstacles={ cells{to={11,3},\nfrom={10,4,1}}}"), 2,
         "river.obstacles[1].from must be the numbers of a cell", "3 entries"},
        {RIVER(FLOWING ", obstacles={\nobstacle{shape=circle{radius=1}}}"), 2, "river.obstacles[1] must be cells{…}",
         "obstacle{…}"},
        {RIVER(FLOWING ", inks={\nblue={source=cells{from={40,0}, to={40,1}}}}"), 2,
         "river.inks.blue lies outside the grid", "cell 40 along s"},
        {RIVER(FLOWING
               ", obstacles={cells{from={10,2}, to={14,5}}}, inks={\nblue={source=cells{from={11,3}, to={12,4}}}}"),
         2, "river.inks.blue: its cells lie inside", "move it"},
        {RIVER(FLOWING ", obstacles={cells{from={10,2}, to={14,5}}}, particles={\nparticles{cells=cells{from={11,3}, "
                       "to={12,4}}, count=3}}"),
         2, "river.particles[1]: its cells lie inside", "move it"},
        {RIVER(FLOWING ", particles={\nparticles{cells=cells{from={11,3}, to={12,8}}, count=3}}"), 2,
         "river.particles[1] lies outside", "cell 8 along t"},
    };
    REFUSE_ALL(list);
    /* around the ends of a periodic axis there is a way */
    fr_scene_destroy(load(RIVER(STRAIGHT ", sides={s='periodic', t0=inflow{speed=1}, t1=outflow{}}, "
                                         "obstacles={cells{from={0,3}, to={30,3}}, cells{from={33,3}, to={39,3}}}")));
    /* a closed pool may have closed corners */
    fr_scene_destroy(load(RIVER(STRAIGHT ", obstacles={cells{from={10,0}, to={10,7}}}")));
}

static void refuses_inks_and_particles(void **state)
{
    (void)state;
    static const mistake list[] = {
        {RIVER(FLOWING ", inks={\nu={}}"), 2, "the name 'u' has another meaning", "choose another"},
        {RIVER(FLOWING ", inks={\nvelocity={}}"), 2, "'velocity'", "choose another"},
        {RIVER(FLOWING ", inks={\npressure={}}"), 2, "'pressure'", "choose another"},
        {RIVER(FLOWING ", inks={\nx={}}"), 2, "'x'", "choose another"},
        {RIVER(FLOWING ", inks={\n['a b']={}}"), 2, "'a b'", "letters"},
        {RIVER(FLOWING ",\ninks={{}}"), 2, "inks have names", "blue"},
        {RIVER(FLOWING ",\ninks=3"), 2, "river.inks must be a table", "found 3"},
        {RIVER(FLOWING ", inks={ blue={\ndiffusion=-1}}"), 2, "river.inks.blue.diffusion", "-1"},
        {RIVER(FLOWING ", inks={ blue={\nrefine=2}}"), 2, "unknown key 'refine' in an ink", ""},
        {RIVER(FLOWING ", inks={\nblue={rate=2}}"), 2, "river.inks.blue: rate says what a source gives",
         "source = cells{"},
        {RIVER(FLOWING ", inks={ blue={\nsource=circle{radius=1}}}"), 2, "river.inks.blue.source must be cells{…}",
         "circle{…}"},
        {RIVER(FLOWING ", inks={ blue={\nsource=3}}"), 2, "river.inks.blue.source must be a list such as { cells{…} }",
         "found 3"},
        {RIVER(FLOWING ", inks={\nblue={source=cells{from={1,1}, to={2,2}}, from=3, to=2}}"), 2,
         "river.inks.blue: it ends", "before it begins"},
        {RIVER(FLOWING ", inks={blue={transport='conservative'}},\nscheme='classic'"), 2, "river.scheme = \"classic\"",
         "'blue'"},
        {RIVER(FLOWING ",\nparticles=0"), 2, "river.particles[1] has no particles", "count"},
        {RIVER(FLOWING ",\nparticles='many'"), 2, "river.particles must be a list such as { particles{…} }", "many"},
        {RIVER(FLOWING ", particles={\nparticles{}}"), 2, "river.particles[1] has no particles", "rate"},
        {RIVER(FLOWING ", particles={\ntracers{count=3}}"), 2, "river.particles[1] must be particles{…}", "tracers{…}"},
        {RIVER(FLOWING ", particles={\nparticles{count=3, from=1}}"), 2, "river.particles[1]: from and to", "rate"},
        {RIVER(FLOWING ", particles={ particles{count=3,\nsettle=1}}"), 2, "unknown key 'settle' in particles", ""},
        {"return { method='river', scalars={blue={}}, river={ " FLOWING ", inks={\nblue={}} } }", 2,
         "river.inks.blue: scalars has 'blue' too", "keep one"},
    };
    REFUSE_ALL(list);
}

static void refuses_what_belongs_to_others(void **state)
{
    (void)state;
    static const mistake list[] = {
        {BESIDE("domain={size={1,1}}"), 2, "a river has no domain", "its grid says where it is"},
        {BESIDE("gravity={0,-9.81}"), 2, "gravity has no effect on a river", "forces"},
        {BESIDE("walls={left='open'}"), 2, "walls belongs to the other methods", "river.sides"},
        {BESIDE("obstacles={}"), 2, "obstacles belongs to the other methods", "river.obstacles"},
        {BESIDE("fill={}"), 2, "fill belongs to method = \"sph\"", "full of water"},
        {BESIDE("sinks={}"), 2, "sinks belongs to method = \"sph\"", "outflow{}"},
        {BESIDE("particles={}"), 2, "particles belongs to method = \"smoke\"", "river.particles"},
        {BESIDE("smoke={vortisity=1}"), 2, "unknown key 'vortisity'", "vorticity"},
        {BESIDE("sph={solver='dfsp'}"), 2, "sph.solver", "dfsph"},
        {BESIDE("prescribed={velocity={1,0}}"), 2, "prescribed belongs to", "\"river\""},
        {BESIDE("bodies={}"), 2, "bodies is not built yet", "river"},
        {BESIDE("fluid={surface_tension=1}"), 2, "fluid.surface_tension is not for method = \"river\"", "surface"},
        {BESIDE("initial={turbulence=turbulence{speed=1,length=1}}"), 2, "initial.turbulence", "initial.velocity"},
        {BESIDE("initial={blue=1}"), 2, "initial.blue is not for method = \"river\"", "river.inks.blue.initial"},
        {BESIDE("solver={pressure='cg'}"), 2, "solver.pressure", "multigrid"},
        {BESIDE("solver={pressure='fft'}"), 2, "solver.pressure", "needs a fast transform"},
        {BESIDE("forces={fan{shape=circle{radius=1}, direction={1,0}, speed=1}}"), 2, "forces[1]: fan{} is for smoke",
         "force{"},
        {BESIDE("sources={source{shape=circle{radius=1}, velocity={1,0}}}"), 2,
         "sources[1]: a river's sources give inks", "inflow{"},
        {BESIDE("sources={source{shape=circle{radius=1}}}"), 2, "sources[1] gives nothing", "river.inks"},
        {BESIDE("sources={source{shape=circle{radius=1}, density=1}}"), 2, "unknown key 'density' in source",
         "river.inks"},
        {BESIDE("scalars={red={refine=2}}"), 2, "scalars.red: refine is for smoke", "cells"},
        {BESIDE("probes={probe{at={1,0.5}, fields={'vorticity'}}}"), 2, "no field 'vorticity'", "blue"},
        {BESIDE("probes={probe{at={1,0.5}, fields={'w'}}}"), 2, "no field 'w' in 2D", "u, v, speed"},
        {BESIDE("output={images={'density'}}"), 2, "no field 'density'", "dyes"},
        {BESIDE("output={mesh='ply'}"), 2, "output.mesh", "only a liquid in 3D"},
    };
    REFUSE_ALL(list);
    refused("return { " HEAD ",\nriver={cells={1,1}, sheme='flux'} }", 2, "unknown key 'sheme'", "scheme");
    refused("return { method='river', river={ cells={4,4,4}, grid=function(s, t, r) return s, t, r end "
            "},\ncamera={eye={1,2,3}} }",
            2, "camera needs a target", "no domain");
}

/* Definitions made in C are held to the same. */
static fr_result unit_square(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[0];
    out[1] = args[1];
    out[2] = 0;
    return FR_OK;
}

static void refuses_definition(const fr_scene_def *def, const char *key)
{
    assert_int_equal(fr_scene_check(def), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), key);
}

static void checks_definitions_of_c(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_RIVER);
    refuses_definition(&def, "river.cells");
    def.river.cells[0] = def.river.cells[1] = 8;
    refuses_definition(&def, "river.grid");
    def.river.grid = unit_square;
    assert_int_equal(fr_scene_check(&def), FR_OK);
    const fr_scene_def good = def;
    def.river.scheme = (fr_river_scheme)7;
    refuses_definition(&def, "river.scheme");
    def = good;
    def.river.sides[1].kind = (fr_river_side_kind)9;
    refuses_definition(&def, "river.sides.s1");
    def = good;
    def.river.sides[2].speed.value = NAN;
    refuses_definition(&def, "river.sides.t0");
    def = good;
    def.river.cells[2] = -3;
    refuses_definition(&def, "river.cells");
    def = good;
    def.gravity[1] = -9.81;
    refuses_definition(&def, "gravity");
    def = good;
    def.walls[FR_TOP].kind = FR_WALL_OPEN;
    refuses_definition(&def, "walls");
    def = good;
    const fr_scalar_def twins[2] = {{.name = "ink"}, {.name = "ink"}};
    def.scalars = twins;
    def.scalar_count = 2;
    refuses_definition(&def, "scalars.ink");
    def = good;
    const fr_tracers_def snow = {.count = 5, .settle = 1};
    def.tracers = &snow;
    def.tracer_count = 1;
    refuses_definition(&def, "river.particles[1]");
    def = fr_default_scene(FR_METHOD_SMOKE);
    const fr_source_def in_cells = {.in_cells = true};
    def.sources = &in_cells;
    def.source_count = 1;
    refuses_definition(&def, "sources[1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_its_defaults),
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(sides_take_functions_of_the_place),
        cmocka_unit_test(sides_may_be_periodic),
        cmocka_unit_test(reads_three_dimensions),
        cmocka_unit_test(inks_become_scalars_and_sources),
        cmocka_unit_test(reads_particles),
        cmocka_unit_test(what_is_shared_stays),
        cmocka_unit_test(res_keeps_blocks_in_their_place),
        cmocka_unit_test(nodes_come_from_a_file),
        cmocka_unit_test(refuses_grids),
        cmocka_unit_test(refuses_sides),
        cmocka_unit_test(refuses_blocks),
        cmocka_unit_test(refuses_inks_and_particles),
        cmocka_unit_test(refuses_what_belongs_to_others),
        cmocka_unit_test(checks_definitions_of_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
