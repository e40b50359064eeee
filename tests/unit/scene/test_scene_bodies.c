/* Rigid bodies, joints and coupling in scenes: every key is stored, every mistake is refused with its line. */
#define _POSIX_C_SOURCE 200809L
#include "load_text.h"

#include <math.h>

#define POOL "method='liquid', domain={size={1,1,1}, cells=16}, fill={box{min={0,0,0}, max={1,0.4,1}}}"
#define POND "method='liquid', domain={size={1,1}, cells=16}, fill={box{min={0,0}, max={1,0.4}}}"
#define BALL "body{shape=sphere{radius=0.1}, at={0.5,0.7,0.5}"
#define DISC "body{shape=circle{radius=0.1}, at={0.5,0.7}"

static void same_numbers(const double *a, double x, double y, double z)
{
    if (!(a[0] == x && a[1] == y && a[2] == z))
        fail_msg("{%.17g, %.17g, %.17g} are not {%.17g, %.17g, %.17g}", a[0], a[1], a[2], x, y, z);
}

static void takes_defaults(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " POOL ", bodies={" BALL "}}}");
    const fr_scene_def *def = fr_scene_definition(scene);
    const fr_body_def usual = fr_default_body(), *body = def->bodies;
    assert_int_equal(def->body_count, 1);
    assert_int_equal(def->joint_count, 0);
    assert_int_equal(def->coupling, FR_COUPLING_MONOLITHIC);
    same_numbers(body->shape.at, 0.5, 0.7, 0.5);
    assert_true(body->density.value == usual.density.value && !body->density.function && body->mass == 0);
    assert_true(body->bounce == 0.3 && body->friction == 0.4 && body->from == 0 && body->heat_capacity == 0);
    assert_true(!body->name && !body->fixed && !body->free_slip && !body->has_temperature);
    fr_scene_destroy(scene);
}

static void reads_all_of_a_body(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " POOL ", heat={diffusivity=1}, bodies={\n"
             "body{name='lead', shape=box{size={0.1,0.2,0.3}}, at={0.5,0.7,0.4}, rotation={0,1,0,30}, mass=7,\n"
             "  velocity={1,2,3}, spin={4,5,6}, force={7,8,9}, torque={10,11,12}, bounce=1, friction=0, fixed=true,\n"
             "  slip='free_slip', from=0.5, temperature=300, heat_capacity=900},\n"
             "body{shape=sphere{radius=0.1}, at={0.5,0.7,0.5}, density=550, slip='no_slip'}} }");
    const fr_body_def *body = fr_scene_definition(scene)->bodies;
    assert_string_equal(body->name, "lead");
    same_numbers(body->shape.axis, 0, 1, 0);
    assert_true(body->shape.degrees == 30 && body->mass == 7);
    same_numbers(body->velocity, 1, 2, 3);
    same_numbers(body->spin, 4, 5, 6);
    same_numbers(body->force.value, 7, 8, 9);
    same_numbers(body->torque.value, 10, 11, 12);
    assert_true(body->bounce == 1 && body->friction == 0 && body->fixed && body->free_slip && body->from == 0.5);
    assert_true(body->has_temperature && body->temperature == 300 && body->heat_capacity == 900);
    assert_true(body[1].density.value == 550 && body[1].mass == 0 && !body[1].free_slip);
    fr_scene_destroy(scene);
}

/* Functions of time get the time alone, the density a place in the body. */
static void calls_functions_of_a_body(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " POOL ", bodies={" BALL ", density=function(x,y,z) return x+10*y+100*z end,\n"
                           "force=function(t) return t,2*t,3*t end, torque=function(t) return {4*t,5*t,6*t} end}},\n"
                           "joints={hinge{bodies={1}, at={0,0,0}, motor=function(t) return 7*t end}} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    const fr_body_def *body = def->bodies;
    const double place[3] = {1, 2, 3}, t = 2;
    double out[3];
    assert_int_equal(body->density.function(body->density.context, place, out), FR_OK);
    assert_true(out[0] == 321);
    assert_int_equal(body->force.function(body->force.context, &t, out), FR_OK);
    same_numbers(out, 2, 4, 6);
    assert_int_equal(body->torque.function(body->torque.context, &t, out), FR_OK);
    same_numbers(out, 8, 10, 12);
    assert_int_equal(def->joints->motor.function(def->joints->motor.context, &t, out), FR_OK);
    assert_true(out[0] == 14);
    fr_scene_destroy(scene);
}

/* What turns in the plane is a number, or a vector along z. */
static void reads_bodies_in_2d(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " POND ", bodies={" DISC ", velocity={1,2}, spin=3, torque=4, rotation=30, force="
                           "function(t) return t,1 end},\n" DISC
                           ", spin={0,0,5}, torque=function(t) return 6*t end},\n" DISC ", torque={0,0,7}}},\n"
                           "joints={hinge{bodies={1}, at={0.5,0.7}}, slider{bodies={2,3}, axis={1,0}}} }");
    const fr_scene_def *def = fr_scene_definition(scene);
    const double t = 2;
    double out[3] = {9, 9, 9};
    same_numbers(def->bodies[0].velocity, 1, 2, 0);
    same_numbers(def->bodies[0].spin, 0, 0, 3);
    same_numbers(def->bodies[0].torque.value, 0, 0, 4);
    same_numbers(def->bodies[1].spin, 0, 0, 5);
    same_numbers(def->bodies[2].torque.value, 0, 0, 7);
    assert_int_equal(def->bodies[0].force.function(def->bodies[0].force.context, &t, out), FR_OK);
    same_numbers(out, 2, 1, 0);
    assert_int_equal(def->bodies[1].torque.function(def->bodies[1].torque.context, &t, out), FR_OK);
    same_numbers(out, 0, 0, 12);
    same_numbers(def->joints[0].axis, 0, 0, 1);
    same_numbers(def->joints[1].axis, 1, 0, 0);
    fr_scene_destroy(scene);
}

static void reads_joints(void **state)
{
    (void)state;
    fr_scene *scene = load(
        "return { " POOL ", bodies={" BALL ", name='door'}, " BALL "}, " BALL ", name='frame'}},\n"
        "joints={hinge{bodies={'door','frame'}, at={1,2,3}, axis='y', limits={-1,0.5}, motor=2, torque=3},\n"
        "ball{bodies={2}, at={4,5,6}}, slider{bodies={2,'door'}, axis={1,1,0}, limits={-0.1,0.2}, motor=0, torque=9},\n"
        "slider{bodies={3}, axis='x'}} }");
    const fr_joint_def *joint = fr_scene_definition(scene)->joints;
    assert_int_equal(fr_scene_definition(scene)->joint_count, 4);
    assert_true(joint[0].kind == FR_JOINT_HINGE && joint[0].bodies[0] == 0 && joint[0].bodies[1] == 2);
    same_numbers(joint[0].at, 1, 2, 3);
    same_numbers(joint[0].axis, 0, 1, 0);
    assert_true(joint[0].has_limits && joint[0].limits[0] == -1 && joint[0].limits[1] == 0.5);
    assert_true(joint[0].has_motor && joint[0].motor.value == 2 && joint[0].torque == 3);
    assert_true(joint[1].kind == FR_JOINT_BALL && joint[1].bodies[0] == 1 && joint[1].bodies[1] == -1);
    assert_true(!joint[1].has_limits && !joint[1].has_motor);
    assert_true(joint[2].kind == FR_JOINT_SLIDER && joint[2].bodies[0] == 1 && joint[2].bodies[1] == 0);
    assert_true(joint[2].has_motor && joint[2].motor.value == 0 && joint[2].torque == 9);
    same_numbers(joint[3].axis, 1, 0, 0);
    assert_true(joint[3].torque == 0 && !joint[3].has_motor);
    fr_scene_destroy(scene);
}

static void reads_couplings(void **state)
{
    (void)state;
    static const char *const names[] = {"monolithic", "rigid_fluid", "one_way", "carried"};
    for (int i = 0; i < 4; i++) {
        char text[512];
        snprintf(text, sizeof text, "return { " HEAD_3D ", bodies={" BALL "}}, coupling='%s' }", names[i]);
        fr_scene *scene = load(text);
        assert_int_equal(fr_scene_definition(scene)->coupling, i);
        fr_scene_destroy(scene);
    }
}

static void takes_overrides(void **state)
{
    (void)state;
    static const char *const set[] = {"coupling=one_way", "bodies[1].density=3000", "bodies.1.spin={1,2,3}",
                                      "joints[1].motor=5"};
    const fr_scene_options options = {.set = set, .set_count = 4};
    const char *text = "return { " POOL ", bodies={" BALL "}}, joints={hinge{bodies={1}, at={0,0,0}}} }";
    fr_scene *scene;
    assert_int_equal(load_with(text, &options, &scene), FR_OK);
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_true(def->coupling == FR_COUPLING_ONE_WAY && def->bodies->density.value == 3000);
    same_numbers(def->bodies->spin, 1, 2, 3);
    assert_true(def->joints->has_motor && def->joints->motor.value == 5);
    fr_scene_destroy(scene);
    const fr_scene_options bad = {.set = (const char *const[]){"coupling=oneway"}, .set_count = 1};
    assert_int_equal(load_with(text, &bad, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "--set coupling=oneway: "));
    assert_non_null(strstr(fr_error_message(), "did you mean 'one_way'?"));
}

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

#define BODY(keys) "return { " POOL ", bodies={\n" BALL ",\n" keys "}} }"
#define FLAT(keys) "return { " POND ", bodies={\n" DISC ",\n" keys "}} }"

static void refuses_bad_bodies(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " POOL ",\nbodies=3 }", 2, "bodies must be a list such as { body{…} }", "found 3"},
        {"return { " POOL ",\nbodies={sphere{radius=1}} }", 2, "bodies[1] must be body{…}", "sphere{…}"},
        {"return { " POOL ",\nbodies={body{at={1,1,1}}} }", 2, "bodies[1] needs a shape", "body{ shape ="},
        {BODY("densty=3"), 3, "unknown key 'densty' in body", "did you mean 'density'?"},
        {BODY("density=3, mass=2"), 2, "density and mass both say", "leave one out"},
        {BODY("density=0"), 3, "bodies[1].density must be a positive number (kg/m³)", "found 0"},
        {BODY("density='lead'"), 3, "bodies[1].density must be a number (kg/m³) or a function", "\"lead\""},
        {BODY("mass=-1"), 3, "bodies[1].mass must be a positive number (kg)", "-1"},
        {BODY("bounce=1.5"), 3, "bodies[1].bounce", "between 0 and 1, not 1.5"},
        {BODY("friction=-0.1"), 3, "bodies[1].friction", "zero or a positive number"},
        {BODY("from=-2"), 3, "bodies[1].from", "zero or a positive number (s)"},
        {BODY("slip='slippery'"), 3, "\"no_slip\" or \"free_slip\"", "found \"slippery\""},
        {BODY("fixed=1"), 3, "bodies[1].fixed must be true or false", "found 1"},
        {BODY("spin=3"), 3, "bodies[1].spin must be a list of three numbers (rad/s)", "found 3"},
        {BODY("velocity={1,2}"), 3, "bodies[1].velocity", "three numbers (m/s)"},
        {BODY("force=3"), 3, "bodies[1].force must be a list of three numbers (N) or a function(t)", "found 3"},
        {BODY("temperature=300"), 1, "temperature means something only to a liquid with heat", "bodies"},
        {BODY("heat_capacity=-1"), 3, "bodies[1].heat_capacity", "(J/(kg K))"},
        {BODY("heat_capacity=3"), 3, "bodies[1].heat_capacity", "give it a temperature too"},
        {BODY("name=''"), 3, "bodies[1].name", "text in it"},
        {"return { " POOL ", bodies={" BALL ", name='a'},\n" BALL ",\nname='a'}} }", 3, "bodies[2]",
         "bodies[1] has the name 'a' already"},
        {FLAT("spin={1,0,0}"), 3, "bodies[1].spin leaves the plane", "turns about z"},
        {FLAT("torque={0,1,0}"), 3, "bodies[1].torque leaves the plane", "turns about z"},
        {FLAT("spin={1,0}"), 3, "bodies[1].spin must be a number (rad/s), about z", "2 entries"},
        {FLAT("velocity={1,0,1}"), 3, "third component", "2D"},
    };
    REFUSE_ALL(list);
}

#define JOINT(text) "return { " POOL ", bodies={" BALL ", name='door'}, " BALL "}},\njoints={\n" text "} }"
#define FLAT_JOINT(text) "return { " POND ", bodies={" DISC "}},\njoints={\n" text "} }"

static void refuses_bad_joints(void **state)
{
    (void)state;
    static const mistake list[] = {
        {JOINT("sphere{radius=1}"), 3, "joints[1] must be hinge{…}, ball{…} or slider{…}", "sphere{…}"},
        {JOINT("hinge{at={0,0,0}}"), 3, "joints[1] needs bodies and at", "hinge{"},
        {JOINT("hinge{bodies={1}}"), 3, "joints[1] needs bodies and at", "hinge{"},
        {JOINT("slider{bodies={1}}"), 3, "joints[1] needs bodies and axis", "slider{"},
        {JOINT("hinge{bodies={'dor'}, at={0,0,0}}"), 3, "there is no body of the name 'dor'", "did you mean 'door'?"},
        {JOINT("hinge{bodies={3}, at={0,0,0}}"), 3, "there is no body 3", "the scene has 2, counted from 1"},
        {JOINT("hinge{bodies={0}, at={0,0,0}}"), 3, "there is no body 0", "counted from 1"},
        {JOINT("hinge{bodies={1.5}, at={0,0,0}}"), 3, "whole number", "1.5"},
        {JOINT("hinge{bodies={true}, at={0,0,0}}"), 3, "the number of a body, counted from 1, or its name", "true"},
        {JOINT("hinge{bodies=1, at={0,0,0}}"), 3, "joints[1].bodies must be a list such as { 1, \"lid\" }", "found 1"},
        {JOINT("hinge{bodies={}, at={0,0,0}}"), 3, "must name two bodies, or one", "found 0"},
        {JOINT("hinge{bodies={1,2,1}, at={0,0,0}}"), 3, "must name two bodies, or one", "found 3"},
        {JOINT("hinge{bodies={2,2}, at={0,0,0}}"), 3, "holds bodies[2] to itself", "two different ones"},
        {JOINT("hinge{bodies={1,'door'}, at={0,0,0}}"), 3, "holds bodies[1] to itself", "two different ones"},
        {JOINT("hinge{bodies={1}, at={0,0,0},\naxis={0,0,0}}"), 4, "joints[1].axis must not be zero", "length"},
        {JOINT("hinge{bodies={1}, at={0,0,0},\naxis='w'}"), 4, "\"x\", \"y\" or \"z\"", "\"w\""},
        {JOINT("hinge{bodies={1}, at={0,0,0},\nlimits={1,-1}}"), 4, "{least, greatest}", "{1, -1}"},
        {JOINT("hinge{bodies={1}, at={0,0,0},\nlimits={0.5,1}}"), 4, "joints[1].limits must enclose 0", "{0.5, 1}"},
        {JOINT("slider{bodies={1}, axis='x',\nlimits={0,0}}"), 4, "{least, greatest}", "{0, 0}"},
        {JOINT("hinge{bodies={1}, at={0,0,0},\nlimits={-45,45}}"), 4, "radians", "math.rad"},
        {JOINT("hinge{bodies={1}, at={0,0,0},\nlimits=3}"), 4, "two numbers (rad), {least, greatest}", "found 3"},
        {JOINT("slider{bodies={1}, axis='x',\nlimits=3}"), 4, "two numbers (m), {least, greatest}", "found 3"},
        {JOINT("slider{bodies={1}, axis='x',\nmotor='on'}"), 4, "a number (m/s) or a function(t)", "\"on\""},
        {JOINT("hinge{bodies={1}, at={0,0,0}, torque=3}"), 3, "the most that a motor gives", "give it a motor"},
        {JOINT("hinge{bodies={1}, at={0,0,0}, motor=1,\ntorque=0}"), 4, "a positive number (N m)", "found 0"},
        {JOINT("ball{bodies={1}, at={0,0,0},\nmotor=3}"), 4, "unknown key 'motor' in ball", ""},
        {FLAT_JOINT("hinge{bodies={1}, at={0,0},\naxis='x'}"), 4, "in 2D a hinge turns about z", "leave the axis out"},
        {FLAT_JOINT("slider{bodies={1},\naxis='z'}"), 4, "in 2D a slider lies in the plane", "x and y"},
        {"return { " POOL ",\njoints={hinge{bodies={1}, at={0,0,0}}} }", 2, "there is no body 1", "the scene has 0"},
    };
    REFUSE_ALL(list);
}

static void refuses_what_does_not_go_together(void **state)
{
    (void)state;
    static const mistake list[] = {
        {"return { " POOL ",\ncoupling='two_way' }", 2, "\"monolithic\", \"rigid_fluid\", \"one_way\" or \"carried\"",
         "did you mean 'one_way'?"},
        {"return { " POOL ", bodies={" BALL "}},\nprescribed={velocity={1,0,0}} }", 2, "bodies cannot push it",
         "coupling = \"carried\""},
        {"return { " POOL ", bodies={" BALL "}}, coupling='rigid_fluid',\nprescribed={velocity={1,0,0}} }", 2,
         "bodies cannot push it", "\"one_way\""},
        {"return { method='sph', domain={size={1,1,1}}, sph={spacing=0.1}, fill={box{min={0,0,0}, max={1,1,1}}},\n"
         "coupling='carried', bodies={" BALL "}} }",
         2, "coupling = \"carried\" is not built for method = \"sph\"", "\"monolithic\" and \"one_way\" are"},
        {"return { method='sph', domain={size={1,1,1}}, sph={spacing=0.1}, fill={box{min={0,0,0}, max={1,1,0.3}}},\n"
         "bodies={body{shape=sphere{radius=0.1}, at={0.5,0.7,0.5}, temperature=300}} }",
         2, "temperature is not built yet for method = \"sph\"", "leave it out"},
    };
    REFUSE_ALL(list);
    static const char *const fine[] = {"one_way", "carried"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return { " POOL ", bodies={" BALL "}}, prescribed={velocity={1,0,0}}, coupling='%s' }", fine[i]);
        fr_scene_destroy(load(text));
    }
}

/* A function that fails or gives something else says so with its line. */
static void refuses_bad_functions(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " POND ", bodies={" DISC ",\ntorque=function(t) return 1, 2 end,\nforce=function(t) "
             "return 1 end}} }");
    const fr_body_def *body = fr_scene_definition(scene)->bodies;
    const double t = 0;
    double out[3];
    assert_int_equal(body->torque.function(body->torque.context, &t, out), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), ":2: the function of bodies[1].torque must return 1 number, not 2"));
    assert_int_equal(body->force.function(body->force.context, &t, out), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), ":3: the function of bodies[1].force must return 2 numbers, not 1"));
    fr_scene_destroy(scene);
}

/* Many bodies that many joints look up by name cost the scene its instructions, and end. */
static void looks_up_many_names(void **state)
{
    (void)state;
    fr_scene *scene;
    assert_int_not_equal(
        load_with("local b, j = {}, {}\nfor i = 1, 30000 do b[i] = body{shape=sphere{radius=1}, name='n'..i}\n"
                  "j[i] = ball{bodies={'n30000'}, at={0,0,0}} end\nreturn { " POOL ", bodies=b, joints=j }",
                  NULL, &scene),
        FR_OK);
    assert_non_null(strstr(fr_error_message(), "limit of 100 million instructions"));
    refused("local b = {}\nfor i = 1, 10001 do b[i] = body{shape=sphere{radius=1}} end\n"
            "return { " POOL ",\nbodies=b }",
            1, "bodies has 10001 entries", "the limit is 10000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_defaults),
        cmocka_unit_test(reads_all_of_a_body),
        cmocka_unit_test(calls_functions_of_a_body),
        cmocka_unit_test(reads_bodies_in_2d),
        cmocka_unit_test(reads_joints),
        cmocka_unit_test(reads_couplings),
        cmocka_unit_test(takes_overrides),
        cmocka_unit_test(refuses_bad_bodies),
        cmocka_unit_test(refuses_bad_joints),
        cmocka_unit_test(refuses_what_does_not_go_together),
        cmocka_unit_test(refuses_bad_functions),
        cmocka_unit_test(looks_up_many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
