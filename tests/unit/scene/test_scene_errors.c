#define _POSIX_C_SOURCE 200809L
/* Errors in scenes: each is rejected with its line and a helpful message. */
#include "load_text.h"

typedef struct mistake {
    const char *text;
    int line;
    const char *first, *second;
} mistake;

static void refuse_all(const mistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        refused(mistakes[i].text, mistakes[i].line, mistakes[i].first, mistakes[i].second);
}
#define REFUSE_ALL(list) refuse_all(list, sizeof list / sizeof *list)

static void refuses_unknown_keys(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " HEAD ", fluid={viscositi=1} }", 1, "unknown key 'viscositi' in fluid",
         "did you mean 'viscosity'?"},
        {"return {\n method='smok', domain={size={1,1}, cells=16} }", 2, "\"smok\"", "did you mean 'smoke'?"},
        {"return { " HEAD ",\n\n fuild={} }", 3, "unknown key 'fuild'", "'fluid'"},
        {"return { " HEAD ", time={\n duration=1,\n fsp=2 } }", 3, "'fsp' in time", "'fps'"},
        {"return { " HEAD ", sources={\nsource{ shape=circle{\nradious=0.1 }, at={0.5,0.5}, density=1 } } }", 3,
         "'radious' in circle", "'radius'"},
        {"return { " HEAD ", sources={\nsource{ shape=circle{radius=0.1}, densty=1 } } }", 2, "'densty' in source",
         "'density'"},
        {"return { " HEAD ", scalars={ink={}}, initial={\n imk=1 } }", 2, "'imk' in initial", "'ink'"},
        {"return { " HEAD ", initial={\n dye=1 } }", 2, "'dye' in initial", "scalars = { dye = {} }"},
        {"return { " HEAD ", walls={ lefft='open' } }", 1, "lefft", "'left'"},
        {"return { " HEAD ", fluid={ 1, 2 } }", 1, "without a name", "fluid"},
        {"return { " HEAD ", output={images={'dnsity'}} }", 1, "no field 'dnsity'", "'density'"},
        {"return { " HEAD ", probes={probe{at={0.5,0.5}, fields={'u','presure'}}} }", 1, "no field 'presure'",
         "'pressure'"},
        {"return { " HEAD ", look={background='blu'} }", 1, "no colour \"blu\"", "'blue'"},
        {"local a = 1\nlocal s = shpere{ radius = 1 }\nreturn {}", 2, "shpere", "did you mean 'sphere'?"},
    };
    REFUSE_ALL(list);
}

static void refuses_wrong_types(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return 3", 1, "table", "found 3"},
        {"return", 1, "table", "nothing"},
        {"return {}", 1, "method", "smoke"},
        {"return { method='smoke' }", 1, "domain", "size"},
        {"return { " HEAD ", time={duration='long'} }", 1, "time.duration must be a number (s)", "the string \"long\""},
        {"return { " HEAD ", time={duration=0/0} }", 1, "finite", "nan"},
        {"return { " HEAD ", time={duration=1/0} }", 1, "finite", "inf"},
        {"return { " HEAD ", time={duration=function() end} }", 1, "time.duration", "a function"},
        {"return { method='smoke', domain={size={1,1},\n cells=16.5} }", 2, "domain.cells", "whole number"},
        {"return { method='smoke', domain={size={1,1},\n cells={16,16,16}} }", 2, "domain.cells", "list of 2"},
        {"return { method='smoke', domain={size={1,1,1},\n cells={16,0,16}} }", 2, "domain.cells", "from 1 on"},
        {"return { method='smoke', domain={size={1},\n cells=16} }", 1, "domain.size", "two lengths"},
        {"return { method='smoke', domain={size=1,\n cells=16} }", 1, "domain.size", "found 1"},
        {"return { method=3, domain={} }", 1, "\"smoke\"", "found 3"},
        {"return { " HEAD ", sources={ sphere{radius=1} } }", 1, "sources[1] must be source{…}", "sphere{…}"},
        {"return { " HEAD ", sources=source{} }", 1, "sources must be a list", "source{…}"},
        {"return { " HEAD ", sources={ [2]=source{} } }", 1, "sources must be", "without gaps"},
        {"return { " HEAD ", sources={ source{ shape={} , density=1} } }", 1, "sources[1].shape must be a shape",
         "a table"},
        {"return { " HEAD ", sources={ source{ density=1 } } }", 1, "sources[1] needs a shape", "source{"},
        {"return { " HEAD ", gravity={0,-9.81,1} }", 1, "third component", "2D"},
        {"return { " HEAD ", name='a/b' }", 1, "name", "'/'"},
        {"return { " HEAD ", name=3 }", 1, "name must be a string", "3"},
        {"return { " HEAD ", output={npy='yes'} }", 1, "output.npy must be true or false", "yes"},
        {"return { " HEAD ", look={background={2,0,0}} }", 1, "between 0 and 1", "2"},
        {"return { " HEAD ", forces={force{}} }", 1, "forces[1] needs a value", "force{"},
    };
    REFUSE_ALL(list);
}

static void refuses_what_is_out_of_range(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { method='smoke',\n\n domain={size={1,1}, cells=-3} }", 3, "domain.cells", "-3"},
        {"return { " HEAD ",\n fluid={\n density=-1} }", 3, "fluid.density", "-1"},
        {"return { " HEAD ", sources={source{shape=circle{radius=-1}, density=1}} }", 1,
         "radius must be a positive number", "-1"},
        {"return { " HEAD ", sources={\n\n source{shape=circle{radius=.1}, at={.5,.5}, density=1, from=2, to=1}} }", 3,
         "sources[1]", "before it begins"},
        {"return { " HEAD ", sources={\n source{shape=circle{radius=.1}, at={.5,.5}, density=1, to=0}} }", 2,
         "sources[1].to", "works for ever"},
        {"return { " HEAD ", particles={\n tracers{rate=10,\n to=-1}} }", 3, "particles[1].to", "leave it out"},
        {"local scene = { " HEAD " }\nscene.time = { duration = 1,\n fps = 0 }\nreturn scene", 3, "time.fps", "0"},
        {"local size = {1,\n -1}\nreturn { method='smoke',\n domain={ size=size, cells=16} }", 1, "domain.size", "-1"},
    };
    REFUSE_ALL(list);
}

#define PASTE "return { method='liquid', domain={size={1,1}, cells=8}, fill={box{min={0,0},max={1,0.5}}}"
#define MELT "heat={melt={from=1,to=2,solid=1,liquid=1}}"

static void refuses_viscosities_that_contradict(void **state)
{
    (void)state;
    static const mistake list[] = {
        {PASTE ", fluid={viscosity=function(T) return T end},\n" MELT " }", 2, "heat.melt says the viscosity",
         "leave one out"},
        {PASTE ", " MELT ",\ninitial={viscosity=2} }", 2, "viscosity is said by heat.melt", "leave one out"},
        {PASTE ",\nfluid={power=2} }", 2, "fluid.power", "up to 1.5"},
        {PASTE ",\nfluid={yield=-1} }", 2, "fluid.yield", "-1"},
        {PASTE ",\nsources={source{shape=circle{radius=0.1}, at={0.5,0.5}, viscosity=2, rate=1}} }", 2, "sources[1]",
         "not added at a rate"},
        {PASTE ",\nscalars={viscosity={}} }", 2, "viscosity", "another meaning"},
        {"return { " HEAD ",\nfluid={yield=1} }", 2, "fluid.yield is not built yet", "\"liquid\" and \"sph\" have it"},
    };
    REFUSE_ALL(list);
}

static void refuses_what_is_not_built(void **state)
{
    (void)state;
    static const char *const parts[] = {"fluid={viscosity=function(T) return 1 end}", "output={vdb=true}",
                                        "output={pov=true}"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[512];
        snprintf(text, sizeof text, "return { " HEAD ",\n%s }", parts[i]);
        refused(text, 2, "not built yet", "smoke");
        fr_scene *scene;
        assert_int_equal(load_with(text, NULL, &scene), FR_ERROR_UNSUPPORTED);
    }
    refused("return { " HEAD ",\noutput={mesh='ply'} }", 2, "output.mesh", "only a liquid in 3D");
    refused("return { " HEAD ",\noutput={mesh='stl'} }", 2, "output.mesh", "ply");
    refused("return { " HEAD ",\nsolver={pressure='fft'} }", 2, "solver.pressure = \"fft\" needs a fast transform",
            "use \"multigrid\" (or \"auto\")");
    refused("return { " HEAD ",\nsolver={stress='laplacian'} }", 2, "solver.stress belongs to method = \"liquid\"",
            "leave it out");
    refused("return { " HEAD ",\nsolver={stress='fell'} }", 2, "must be \"full\" or \"laplacian\"", "found \"fell\"");
    refused("return { " HEAD ",\nsolver={pressure='ffd'} }", 2, "must be \"auto\", \"multigrid\" or \"cg\"",
            "found \"ffd\"");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nliquid={surface='flip', narrow_band=2} }", 2,
            "liquid.narrow_band", "between 3 and 100");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nliquid={surface='markers', narrow_band=4} }", 2,
            "liquid.narrow_band", "flip");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nliquid={refine=5} }", 2, "liquid.refine",
            "from 1 to 4");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nliquid={surface='flip', surface_cells='noisy'} }",
            2, "liquid.surface_cells", "parcels carry the velocity");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nliquid={surface='apic', loop='twice'} }", 2,
            "liquid.loop", "parcels carry the velocity");
    refused("return { method='liquid', domain={size={1,1}, cells=8}, "
            "prescribed={velocity={1,0}},\nliquid={loop='twice'} }",
            2, "liquid.loop", "the flow is prescribed");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nfluid={surface_tension=0.07} }", 2,
            "fluid.surface_tension", "not built yet");
    refused("return { method='liquid', domain={cells=8,\nsize={1e-300,1e-300}} }", 2, "domain.size",
            "from 1e-9 to 1e9");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nfluid={contact_angle=60} }", 2,
            "fluid.contact_angle", "not built yet");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nfluid={air=1.2} }", 2, "trapped air",
            "not built yet");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nwalls={left='separating'} }", 2,
            "walls.left = \"separating\"", "not built yet");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nwalls={left=wall{slip='separating'}} }", 2,
            "walls.left.slip = \"separating\"", "not built yet");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\nwalls={left=wall{contact_angle=60}} }", 2,
            "walls.left.contact_angle", "not built yet");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\n"
            "obstacles={obstacle{shape=circle{radius=0.1}, slip='separating'}} }",
            2, "obstacles[1].slip = \"separating\"", "not built yet");
    refused("return { method='liquid', domain={size={1,1}, cells=8},\n"
            "obstacles={obstacle{shape=circle{radius=0.1}, slip='sticky'}} }",
            2, "must be \"free_slip\" or \"no_slip\"", "found \"sticky\"");
}

static void refuses_contradictions(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " HEAD ", walls={left='periodic',\nright='open'} }", 2, "walls.right", "periodic"},
        {"return { " HEAD ", walls={all='periodic',\nright='open'} }", 2, "walls.right", "periodic"},
        {"return { " HEAD ", walls={\nback='open'} }", 2, "2D", "back"},
        {"return { " HEAD ", walls={left=lid{}} }", 1, "lid{…} needs velocity", "walls.left"},
        {"return { " HEAD ", walls={left=hot{}} }", 1, "hot{…} needs temperature", "walls.left"},
        {"return { " HEAD ", walls={left=lid{velocity={1,0}}} }", 1, "own plane", "walls.left"},
        {"return { " HEAD ", walls={left=sphere{radius=1}} }", 1, "walls.left", "sphere{…}"},
        {"return { " HEAD ", walls={left=outflow{}} }", 1, "walls.left", "\"open\""},
        {"return { " HEAD ", scalars={u={}} }", 1, "'u'", "choose another"},
        {"return { " HEAD ", scalars={shape={}} }", 1, "'shape'", "choose another"},
        {"return { " HEAD ", scalars={['a b']={}} }", 1, "'a b'", "letters"},
        {"return { " HEAD ", scalars={'ink'} }", 1, "scalars have names", "ink"},
        {"return { " HEAD ", scalars={ink={\nrefine=0}} }", 2, "refine", "1 or more"},
        {"return { " HEAD ", scalars={ink={\nrefine=1.5}} }", 2, "refine", "whole number"},
        {"return { " HEAD ", scalars={\nink={refine=9}} }", 2, "refine", "between 1 and 8"},
        {"return { " HEAD ", scalars={\ntemperature={refine=2}} }", 2, "refine", "drives it"},
        {"return { " HEAD ", probes={probe{at={.5,.5}, from={0,0}, to={1,1}}} }", 1, "probes[1]", "at"},
        {"return { " HEAD ", probes={probe{from={0,0}}} }", 1, "probes[1]", "to"},
        {"return { " HEAD ", probes={probe{at={2,2}}} }", 1, "probes[1]", "outside"},
        {"return { " HEAD ", output={video=true, images=false} }", 1, "video", "images"},
        {"return { " HEAD ", output={images={'density','density'}} }", 1, "twice", "density"},
        {"return { " HEAD ", output={images={view{}}} }", 1, "needs a field", "view{"},
        {"return { " HEAD ", camera={eye={1,1}} }", 1, "2D", "camera"},
        {"return { " HEAD ", sources={source{shape=circle{radius=.1}}} }", 1, "gives nothing", "density"},
        {"return { " HEAD ", prescribed={} }", 1, "prescribed", "velocity"},
        {"return { " HEAD ", obstacles={obstacle{shape=circle{radius=.1},\npath=3}} }", 2, "path", "function"},
        {"return { " HEAD
         ", obstacles={\nobstacle{shape=circle{radius=.1}, at={.5,.5}, path=function(t) return .5,.5 end}} }",
         2, "path", "leave out at"},
        {"return { " HEAD ", obstacles={obstacle{shape=circle{radius=.1},\nspin={1,0,0,90}}} }", 2, "spin", "about z"},
    };
    REFUSE_ALL(list);
}

/* Of smoke heat says what its own keys do. */
static void refuses_heat_of_smoke_that_is_none(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " HEAD ", smoke={ambient=3},\n heat={\nambient=3} }", 3, "heat.ambient", "smoke.ambient"},
        {"return { " HEAD ", scalars={temperature={diffusion=0}},\n heat={diffusivity=3} }", 2, "heat.diffusivity",
         "scalars.temperature.diffusion"},
        {"return { " HEAD ",\n heat={diffusivity=function(T) return 1 end} }", 2, "heat.diffusivity", "number"},
        {"return { " HEAD ",\n heat={melt={from=1, to=2, solid=2, liquid=1}} }", 2, "heat.melt", "does not melt"},
        {"return { " HEAD ",\n heat={latent=1} }", 2, "heat.latent", "does not melt"},
        {"return { " HEAD ",\n heat={loss=1} }", 2, "heat.loss", "no surface"},
        {"return { " HEAD ",\n heat={expansion=1} }", 2, "heat.expansion", "smoke.buoyancy"},
        {"return { " HEAD ",\n heat={conduction='lod'} }", 2, "heat.conduction", "all directions"},
    };
    REFUSE_ALL(list);
}

static void takes_heat_of_smoke(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " HEAD ", scalars={temperature={dissipation=2}}, heat={ambient=3, "
                           "diffusivity=0.5} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_true(def->smoke.ambient == 3 && !def->heat.set);
    assert_true(def->scalar_count == 1 && def->scalars[0].diffusion == 0.5 && def->scalars[0].dissipation == 2);
    fr_scene_destroy(scene);
    scene = load("return { " HEAD ", heat={diffusivity=0.5} }");
    def = fr_scene_definition(scene);
    assert_true(def->scalar_count == 1 && def->scalars[0].diffusion == 0.5);
    assert_string_equal(def->scalars[0].name, "temperature");
    fr_scene_destroy(scene);
}

static void refuses_bad_shapes(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"circle{}", 1, "circle{…} needs radius", ""},
        {"box{}", 1, "size", "min"},
        {"box{size={1,1}, min={0,0}, max={1,1}}", 1, "size", "min"},
        {"box{min={1,1}, max={0,0}}", 1, "wider than 0", "x"},
        {"polygon{points={{0,0},{1,0}}}", 1, "three points", "2"},
        {"polygon{}", 1, "needs points", ""},
        {"polygon{points={{0,0},{1,0},{1}}}", 1, "points[3]", "{x, y}"},
        {"mesh{file='no-such-file.obj'}", 1, "no-such-file.obj", "cannot read"},
        {"union{}", 1, "at least one shape", "0"},
        {"union{circle{radius=1}, 3}", 1, "shape[2] must be a shape", "3"},
        {"translate{circle{radius=1}}", 1, "needs by", ""},
        {"translate{circle{radius=1}, circle{radius=2}, by={1,0}}", 1, "one shape", "2"},
        {"smooth_union{circle{radius=1}}", 1, "needs k", ""},
        {"sdf{}", 1, "function(x, y, z)", "nothing"},
        {"plane{normal={0,0}}", 1, "normal", "zero"},
        {"gear{radius=1, teeth=0, depth=.1}", 1, "tooth", ""},
        {"circle(3)", 1, "circle wants one table", "circle{"},
        {"translate(circle{radius=1}, {1,0}, 2)", 1, "translate wants one table", ""},
        {"extrude{circle{radius=1}}", 1, "polygon{…}", "circle{…}"},
        {"ellipsoid{radii={1,0}}", 1, "radii", "positive"},
        {"source{}", 1, "must be a shape", "source{…}"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[512];
        snprintf(text, sizeof text, "return { " HEAD ", sources={source{density=1, shape=%s}} }", list[i].text);
        refused(text, list[i].line, list[i].first, list[i].second);
    }
}

static void refuses_bad_files(void **state)
{
    (void)state;
    fr_scene *scene;
    assert_int_equal(fr_scene_load("/no/such/scene.lua", NULL, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "/no/such/scene.lua: cannot read"));
    assert_int_equal(fr_scene_load("/tmp", NULL, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "/tmp: is a folder"));
    assert_int_equal(fr_scene_load("/dev/zero", NULL, &scene), FR_ERROR_INPUT);
    assert_int_equal(fr_scene_load("", NULL, &scene), FR_ERROR_INPUT);
    write_scene("return {\n\0}", 11);
    assert_int_equal(fr_scene_load(scene_path(), NULL, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), ":2: the file has a zero byte"));
    refused("\033Lua compiled", 1, "compiled Lua", "text");
    assert_int_equal(truncate(scene_path(), 0), -1);
    write_scene("", 0);
    assert_int_equal(truncate(scene_path(), 100 << 20), 0);
    assert_int_equal(fr_scene_load(scene_path(), NULL, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "100 MB"));
    remove(scene_path());
}

static void refuses_bad_lua(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { method='smoke', domain=", 1, "unexpected symbol", "<eof>"},
        {"local x = 1\nlocal y = = 2\nreturn {}", 2, "unexpected symbol", "="},
        {"local t = nil\n\nt.x = 1\nreturn {}", 3, "index a nil value", "local 't'"},
        {"error('my own words')", 1, "my own words", ""},
        {"\nerror({})", 2, "not a text", ""},
        {"\n\nerror('bare', 0)", 3, "bare", ""},
        {"", 1, "table", "nothing"},
    };
    REFUSE_ALL(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_unknown_keys),
        cmocka_unit_test(refuses_wrong_types),
        cmocka_unit_test(refuses_what_is_out_of_range),
        cmocka_unit_test(refuses_viscosities_that_contradict),
        cmocka_unit_test(refuses_what_is_not_built),
        cmocka_unit_test(refuses_contradictions),
        cmocka_unit_test(refuses_heat_of_smoke_that_is_none),
        cmocka_unit_test(takes_heat_of_smoke),
        cmocka_unit_test(refuses_bad_shapes),
        cmocka_unit_test(refuses_bad_files),
        cmocka_unit_test(refuses_bad_lua),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
