#define _POSIX_C_SOURCE 200809L
/* SPH liquids in scenes: valid values, the effect of --res, and errors with their line and a helpful message. */
#include "load_text.h"

#include "support/check.h"

#define LIQUID "method='sph', domain={size={2,1}}"
#define SPACED LIQUID ", sph={spacing=0.02}"
#define FILLED "fill={box{min={0,0}, max={0.5,0.8}}}"
#define HEATED FILLED ", heat={}"
#define COLLIDING LIQUID ", sph={spacing=0.02, boundary='collide'}"

static void has_its_defaults(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " SPACED ", " FILLED " }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->method, FR_METHOD_SPH);
    assert_near(def->fluid.density, 1000, 0);
    assert_near(def->gravity[1], -9.81, 0);
    assert_int_equal(def->domain.cells[0], 0);
    assert_near(def->sph.spacing, 0.02, 0);
    assert_near(def->sph.support, 0, 0);
    assert_int_equal(def->sph.solver, FR_SPH_DFSPH);
    assert_int_equal(def->sph.boundary, FR_SPH_PARTICLES);
    assert_near(def->sph.density_error, 1e-3, 0);
    assert_near(def->sph.restitution[1], 0.5, 0);
    assert_int_equal(def->walls[FR_TOP].kind, FR_WALL_FREE_SLIP);
    assert_true(def->name && strstr(def->name, "freshet_scene"));
    fr_scene_destroy(scene);
}

static void reads_every_key(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " LIQUID ", " FILLED
                           ", sph={ solver='wcsph', spacing=0.05, kernel='wendland', support=3, density_error=0.01,"
                           " max_iterations=7, state='tait', exponent=2, background=5, sound_speed=40, mu=0.3, "
                           "lambda=-0.2, xsph=0.1, vorticity=0.4,"
                           " boundary='collide', restitution={0.1,0.2}, gap=0.25, density='continuity' }, "
                           "fluid={density=900, surface_tension=0.07} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    const fr_sph_def *sph = &def->sph;
    assert_int_equal(sph->solver, FR_SPH_WCSPH);
    assert_int_equal(sph->kernel, FR_KERNEL_WENDLAND);
    assert_int_equal(sph->state, FR_SPH_TAIT);
    assert_int_equal(sph->boundary, FR_SPH_COLLIDE);
    assert_int_equal(sph->density, FR_SPH_CONTINUITY);
    assert_int_equal(sph->max_iterations, 7);
    const double read[] = {sph->spacing,
                           sph->support,
                           sph->density_error,
                           sph->exponent,
                           sph->background,
                           sph->sound_speed,
                           sph->mu,
                           sph->lambda,
                           sph->xsph,
                           sph->vorticity,
                           sph->restitution[0],
                           sph->restitution[1],
                           sph->gap,
                           def->fluid.surface_tension};
    const double written[] = {0.05, 3, 0.01, 2, 5, 40, 0.3, -0.2, 0.1, 0.4, 0.1, 0.2, 0.25, 0.07};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        assert_near(read[i], written[i], 0);
    fr_scene_destroy(scene);
    scene = load("return { " LIQUID ", " FILLED
                 ", sph={ spacing=0.05, boundary='collide', restitution=0.3, solver='wcsph', state='linear' } }");
    sph = &fr_scene_definition(scene)->sph;
    assert_near(sph->restitution[0] + sph->restitution[1] + sph->restitution[2], 0.9, 1e-15);
    assert_int_equal(sph->state, FR_SPH_LINEAR);
    fr_scene_destroy(scene);
    scene = load("return { " LIQUID ", " FILLED ", sph={ spacing=0.05, boundary='lennard_jones', exponents={12, 6}, "
                 "repulsion=3, solver='wcsph', state='cole', stiffness=5e4, exponent=6 } }");
    sph = &fr_scene_definition(scene)->sph;
    assert_int_equal(sph->exponents[0], 12);
    assert_int_equal(sph->exponents[1], 6);
    assert_near(sph->repulsion, 3, 0);
    assert_int_equal(sph->state, FR_SPH_COLE);
    assert_near(sph->stiffness, 5e4, 0);
    fr_scene_destroy(scene);
}

static void reads_fill_sources_and_sinks(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " SPACED
             ", fill={ box{min={0,0}, max={1,0.5}}, fluid_in{ shape=circle{radius=0.1}, at={1.5,0.7}, rotation=30,"
             " velocity={0,-2} }, fluid_in{ shape=circle{radius=0.1}, at={1,0.7}, velocity=function(x, y) return y, -x "
             "end } },"
             " sources={ source{ shape=circle{radius=0.05}, at={0.2,0.9}, velocity={1,0}, from=1, to=3 },"
             " jet{ at={1.8,0.9}, direction={-1,0}, radius=0.05, speed=2 } },"
             " sinks={ sink{ shape=rectangle{size={0.2,0.1}}, at={1.9,0.05}, rotation=10, from=2 } },"
             " walls={ all='no_slip', top='open', bottom=lid{velocity={1,0}} },"
             " obstacles={ obstacle{ shape=circle{radius=0.1}, path=function(t) return 1, 0.1 * t end }, obstacle{ "
             "shape=circle{radius=0.1},"
             " at={1.6,0.3}, spin=90, slip='no_slip' } }, forces={ force{ value={1,0} } },"
             " initial={ velocity=function(x, y) return 0, x end },"
             " probes={ probe{ at={0.5,0.5}, fields={'density','pressure','u','v','speed'} } } }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_int_equal(def->fill_count, 3);
    assert_int_equal(def->fill[0].shape.shape->kind, FR_SHAPE_BOX);
    assert_near(def->fill[1].shape.at[0], 1.5, 0);
    assert_near(def->fill[1].shape.degrees, 30, 0);
    assert_near(def->fill[1].velocity.value[1], -2, 0);
    double at[4] = {3, 4, 0, 0}, out[3] = {0};
    assert_int_equal(def->fill[2].velocity.function(def->fill[2].velocity.context, at, out), FR_OK);
    assert_near(out[0], 4, 0);
    assert_near(out[1], -3, 0);
    assert_int_equal(def->source_count, 2);
    assert_near(def->sources[0].to, 3, 0);
    assert_near(def->sources[1].velocity.value[0], -2, 1e-15);
    assert_int_equal(def->sink_count, 1);
    assert_near(def->sinks[0].shape.at[1], 0.05, 0);
    assert_near(def->sinks[0].from, 2, 0);
    assert_true(isinf(def->sinks[0].to));
    fr_scene_destroy(scene);
}

static double spacing_with(const char *text, int res)
{
    fr_scene *scene;
    fr_scene_options options = {.res = res};
    if (load_with(text, &options, &scene) != FR_OK)
        fail_msg("%s\n%s", fr_error_message(), text);
    double spacing = fr_scene_definition(scene)->sph.spacing;
    fr_scene_destroy(scene);
    return spacing;
}

static void res_sets_the_spacing(void **state)
{
    (void)state;
    assert_near(spacing_with("return { " SPACED ", " FILLED " }", 80), 0.025, 1e-15);
    assert_near(spacing_with("return { " LIQUID ", sph={}, " FILLED " }", 40), 0.05, 1e-15);
    assert_near(spacing_with("return { " LIQUID ", " FILLED " }", 40), 0.05, 1e-15);
    fr_scene *scene;
    fr_scene_options options = {.res = 1000000};
    assert_int_equal(load_with("return { " LIQUID ", " FILLED " }", &options, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "--res 1000000: sph.spacing"));
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

static void refuses_bad_settings(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " LIQUID ",\n" FILLED " }", 1, "sph.spacing is missing", "spacing = 0.04"},
        {"return { " LIQUID ", " FILLED ",\nsph={} }", 2, "sph.spacing is missing", "longest side"},
        {"return { " LIQUID ", " FILLED ",\nsph={spacing=1.5} }", 2, "1.5 m is more than the domain's 1 m along y",
         "0.04 m"},
        {"return { " LIQUID ", " FILLED ",\nsph={spacing=-1} }", 2, "sph.spacing must be a positive number (m)", "-1"},
        {"return { " LIQUID ", " FILLED ",\nsph={spacing=1e-6} }", 2, "sph.spacing", "is the most"},
        {"return { method='sph', domain={size={1,1,1}}, fill={box{size={1,1,1}}},\nsph={spacing=2e-4} }", 2,
         "5000 x 5000 x 5000", "numbered"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nsupport=1} }", 2, "sph.support", "1.2"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nsupport=7} }", 2, "sph.support", "2 is usual"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\ndensity_error=0} }", 2, "sph.density_error", "0.001"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\ndensity_error=1} }", 2, "sph.density_error",
         "between 0 and 1"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nmax_iterations=0} }", 2, "sph.max_iterations",
         "at least 1"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, solver='wcsph',\nexponent=0.5} }", 2, "sph.exponent",
         "7"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, solver='wcsph', state='linear',\nexponent=3} }", 2,
         "sph.exponent", "tait"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nsound_speed=20} }", 2, "sph.sound_speed", "wcsph"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, solver='pcisph',\nstate='linear'} }", 2, "sph.state",
         "wcsph"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\ndensity='continuity'} }", 2, "sph.density", "wcsph"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nrestitution=0.9} }", 2, "sph.restitution", "collide"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, boundary='collide',\nrestitution={1.5,0}} }", 2,
         "sph.restitution", "between 0 and 1"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nexponents={12,6}} }", 2, "sph.exponents",
         "lennard_jones"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, boundary='collide',\nrepulsion=1} }", 2, "sph.repulsion",
         "lennard_jones"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, boundary='lennard_jones',\nexponents={6,12}} }", 2,
         "sph.exponents", "p1 the greater one"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, boundary='lennard_jones',\nexponents={4.5,2}} }", 2,
         "sph.exponents must be two whole numbers", "4.5"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, boundary='lennard_jones',\nexponents=12} }", 2,
         "sph.exponents must be two whole numbers", ""},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nstate='cole'} }", 2, "sph.state", "wcsph"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, solver='wcsph',\nstiffness=1e4} }", 2, "sph.stiffness",
         "cole"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, solver='wcsph', state='cole',\nsound_speed=20} }", 2,
         "sph.sound_speed has no place in state = \"cole\"", "4.58 m/s"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, solver='wcsph', state='cole',\nbackground=2} }", 2,
         "sph.background has no place", ""},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nxsph=2} }", 2, "sph.xsph", "between 0 and 1"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02, mu=1,\nlambda=-1.01} }", 2, "sph.lambda", "at least -1"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nsolver='dfshp'} }", 2, "sph.solver",
         "did you mean 'dfsph'?"},
        {"return { " LIQUID ", " FILLED ", sph={spacing=0.02,\nkernel='spiky'} }", 2, "sph.kernel", "poly6"},
        {"return { " LIQUID ", " FILLED ", sph={\nspaceing=0.02} }", 2, "unknown key 'spaceing' in sph",
         "did you mean 'spacing'?"},
        {"return { " SPACED ", " FILLED ",\nfluid={surface_tension=-1} }", 2, "fluid.surface_tension", "-1"},
    };
    REFUSE_ALL(list);
}

static void refuses_liquid_nowhere(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " SPACED " }", 1, "no liquid", "fill = {"},
        {"return { " SPACED ",\nfill={} }", 2, "no liquid", "sources"},
        {"return { " SPACED ", heat={},\nsources={source{shape=circle{radius=0.2}, temperature=9, rate=1}} }",
         1, "no liquid", "velocity"},
        {"return { " SPACED ",\nfill=box{size={1,1}} }", 2, "fill must be a list", "box{…}, fluid_in{…}"},
        {"return { " SPACED ",\nfill={ 3 } }", 2, "fill[1] must be a shape", "found 3"},
        {"return { " SPACED ",\nfill={ source{} } }", 2, "fill[1] must be a shape", "source{"},
        {"return { " SPACED ", fill={\nfluid_in{} } }", 2, "fill[1] needs a shape", "fluid_in{"},
        {"return { " SPACED ", fill={\nfluid_in{ shape=circle{radius=1}, temprature=3 } } }", 2,
         "'temprature' in fluid_in", "'temperature'"},
        {"return { " SPACED ", fill={ fluid_in{ shape=circle{radius=1},\ntemperature=3 } } }", 1, "fill", "give heat"},
        {"return { " SPACED ", fill={ fluid_in{ shape=circle{radius=1},\nviscosity=3 } } }", 2, "fill[1].viscosity",
         "not built yet"},
        {"return { " SPACED ", " FILLED ", sinks={\nsink{} } }", 2, "sinks[1] needs a shape", "sink{"},
        {"return { " SPACED ", " FILLED ", sinks={\nsink{ shape=circle{radius=1}, from=2, to=1 } } }", 2, "sinks[1]",
         "before it begins"},
        {"return { " SPACED ", sources={\nsource{ shape=circle{radius=0.1} } } }", 2, "sources[1] needs a velocity",
         "velocity = {1, 0}"},
        {"return { " SPACED ", sources={\nsource{ shape=circle{radius=0.1}, velocity={0,0} } } }", 2, "sources[1]",
         "use fill"},
        {"return { " SPACED ", sources={\nsource{ shape=circle{radius=0.1}, velocity={1,0}, temperature=4 } } }", 1,
         "sources", "give heat"},
        {"return { " SPACED ", " HEATED ", sources={\nsource{ shape=circle{radius=0.1}, density=4, rate=1 } } }", 2,
         "sources[1].density", "temperature alone"},
        {"return { " SPACED ", " HEATED
         ", sources={\nsource{ shape=circle{radius=0.1}, velocity={1,0}, temperature=4, rate=2 } } }",
         2, "sources[1]", "rate is for heat"},
        {"return { " SPACED ", sources={\nsource{ shape=circle{radius=0.1}, velocity={1,0}, rate=4 } } }", 2,
         "sources[1]", "rate is for heat"},
        {"return { " SPACED
         ", sources={\njet{ direction={1,0}, radius=0.1, speed=1, turbulence=turbulence{speed=1,length=1} } } }",
         2, "sources[1]", "turbulence"},
    };
    REFUSE_ALL(list);
}

static void refuses_what_belongs_to_smoke(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " SPACED ", " FILLED ",\nsmoke={advection='cubik'} }", 2, "smoke.advection", "cubic"},
        {"return { " SPACED ", " FILLED ",\nsolver={} }", 2, "solver belongs to", "sph.density_error"},
        {"return { " SPACED ", " FILLED ",\nscalars={} }", 2, "scalars belongs to", "sph"},
        {"return { " SPACED ", " FILLED ",\nparticles={} }", 2, "particles belongs to", "its own"},
        {"return { " SPACED ", " FILLED ",\nprescribed={velocity={1,0}} }", 2, "prescribed belongs to", "sph"},
        {"return { " SPACED ", " FILLED ", heat={\nconduction='lod'} }", 2, "heat.conduction", "axes of a grid"},
        {"return { " SPACED ", " FILLED ", heat={\ncapacity=1000} }", 2, "heat.capacity", "bodies"},
        {"return { " SPACED ", " FILLED ", heat={\nlatent=3} }", 2, "heat.latent", "heat.melt"},
        {"return { " SPACED ", " FILLED ", fluid={viscosity=1}, heat={\nmelt={from=1, to=2, solid=1, liquid=1}} }", 2,
         "heat.melt", "fluid.viscosity"},
        {"return { " COLLIDING ", " FILLED ", heat={\nloss=1} }", 2, "heat.loss", "sph.boundary"},
        {"return { " COLLIDING ", " FILLED ", heat={}, walls={\nleft=hot{temperature=1}} }", 2, "walls.left",
         "sph.boundary"},
        {"return { " SPACED ", " FILLED ", initial={\ntemperature=3} }", 1, "initial", "give heat"},
        {"return { " SPACED ", " FILLED ", heat={}, initial={\ndensity=3} }", 2,
         "initial.density is not for method = \"sph\"", "temperature"},
        {"return { " SPACED ", " FILLED ",\ninitial={turbulence=turbulence{speed=1,length=1}} }", 2,
         "initial.turbulence", "initial.velocity"},
        {"return { " SPACED ", " FILLED ", walls={\nleft=inflow{velocity={1,0}}} }", 2, "walls.left", "source{"},
        {"return { " SPACED ", " FILLED ", walls={\nleft=hot{temperature=1}} }", 1, "walls", "give heat"},
        {"return { " SPACED ", " FILLED ", obstacles={\nobstacle{shape=circle{radius=1}, temperature=1}} }", 1,
         "obstacles", "give heat"},
        {"return { " SPACED ", " FILLED ", forces={\nfan{shape=circle{radius=1}, direction={1,0}, speed=1}} }", 2,
         "forces[1]", "force{"},
        {"return { " SPACED ", " FILLED ", probes={ probe{ at={1,0.5},\nfields={'vorticity'}} } }", 2,
         "no field 'vorticity'", "density"},
        {"return { " SPACED ", " FILLED ", probes={ probe{ at={1,0.5},\nfields={'temperature'}} } }", 1,
         "probes[1]", "heat = {"},
        {"return { " SPACED ", " FILLED ", probes={\nprobe{ at={1,1.2}} } }", 2, "outside the domain",
         "y from 0 to 1 m"},
        {"return { " SPACED ", " FILLED ", output={\nimages={'volume'}} }", 2, "no field 'volume'", "liquid"},
    };
    REFUSE_ALL(list);
}

/* The tables of methods that do not run are checked and left alone, so that --set method=… is enough. */
static void carries_tables_of_several_methods(void **state)
{
    (void)state;
    static const char tables[] = "domain={size={2,1}, cells=40}, smoke={vorticity=3}, sph={support=3}, "
                                 "river={cells={4,2,3}, scheme='classic', inks={red={}}, particles=7}";
    char text[400];
    snprintf(text, sizeof text, "return { method='sph', fill={box{min={0,0}, max={0.5,0.8}}}, %s }", tables);
    fr_scene *scene = load(text);
    const fr_scene_def *def = fr_scene_definition(scene), usual = fr_default_scene(FR_METHOD_SPH);
    assert_true(def->sph.support == 3 && def->sph.spacing == 0.05);
    assert_int_equal(def->domain.cells[0], 0);
    assert_true(def->smoke.vorticity == usual.smoke.vorticity && def->river.cells[0] == 0);
    assert_true(def->scalar_count == 0 && def->tracer_count == 0);
    fr_scene_destroy(scene);
    snprintf(text, sizeof text, "return { method='smoke', %s }", tables);
    scene = load(text);
    def = fr_scene_definition(scene);
    assert_true(def->smoke.vorticity == 3 && def->domain.cells[0] == 40 && def->sph.support == 0);
    fr_scene_destroy(scene);
}

static void smoke_refuses_what_belongs_to_liquids(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " HEAD ",\nsph={spacing=-1} }", 2, "sph.spacing", "positive"},
        {"return { " HEAD ",\nfill={} }", 2, "fill belongs to", "sources"},
        {"return { " HEAD ",\nsinks={} }", 2, "sinks belongs to", "open"},
        {"return { " HEAD ",\nfluid={surface_tension=0.07} }", 2, "fluid.surface_tension belongs to liquids", "sph"},
    };
    REFUSE_ALL(list);
}

/* A side of no whole number of spacings: the domain ends where the scene says. */
static void a_domain_keeps_its_size(void **state)
{
    (void)state;
    fr_scene_destroy(load("return { method='sph', domain={size={1,0.73}}, sph={spacing=0.05}, " FILLED
                          ", probes={probe{at={1,0.73}}} }"));
    refused("return { method='sph', domain={size={1,0.73}}, sph={spacing=0.05}, " FILLED
            ", probes={\nprobe{at={1,0.74}}} }",
            2, "outside", "0.73 m");
}

/* Definitions made in C are held to the same. */
static void checks_definitions_of_c(void **state)
{
    (void)state;
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.2;
    fr_fill_def fill = {.shape = {.shape = &ball, .at = {0.5, 0.5, 0.5}}};
    fr_scene_def def = fr_default_scene(FR_METHOD_SPH);
    def.fill = &fill;
    def.fill_count = 1;
    assert_int_equal(fr_scene_check(&def), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "sph.spacing");
    def.sph.spacing = 0.02;
    assert_int_equal(fr_scene_check(&def), FR_OK);
    def.sph.kernel = (fr_kernel)17;
    assert_int_equal(fr_scene_check(&def), FR_ERROR_INPUT);
    def.sph.kernel = FR_KERNEL_CUBIC;
    fr_tracers_def tracers = {.count = 5};
    def.tracers = &tracers;
    def.tracer_count = 1;
    assert_int_equal(fr_scene_check(&def), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "particles");
    def = fr_default_scene(FR_METHOD_SMOKE);
    def.fill = &fill;
    def.fill_count = 1;
    assert_int_equal(fr_scene_check(&def), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "fill");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_its_defaults),
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(reads_fill_sources_and_sinks),
        cmocka_unit_test(res_sets_the_spacing),
        cmocka_unit_test(refuses_bad_settings),
        cmocka_unit_test(refuses_liquid_nowhere),
        cmocka_unit_test(refuses_what_belongs_to_smoke),
        cmocka_unit_test(smoke_refuses_what_belongs_to_liquids),
        cmocka_unit_test(carries_tables_of_several_methods),
        cmocka_unit_test(a_domain_keeps_its_size),
        cmocka_unit_test(checks_definitions_of_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
