/* Lua functions in definitions: arguments, results, failures, limits. */
#define _POSIX_C_SOURCE 200809L
#include "load_text.h"

static const double args[4] = {0.25, 0.5, 0.75, 2};

static fr_result call_number(const char *function, double *value)
{
    char text[1024];
    snprintf(text, sizeof text, "-- a comment\nreturn { " HEAD_3D ",\ninitial={ density=%s } }", function);
    fr_scene *scene = load(text);
    const fr_number *number = &fr_scene_definition(scene)->initial[0].value;
    assert_non_null(number->function);
    fr_result result = number->function(number->context, args, value);
    fr_scene_destroy(scene);
    return result;
}

static fr_result call_vector(const char *head, const char *function, double *out)
{
    char text[1024];
    snprintf(text, sizeof text, "return { %s, forces={force{\nvalue=%s }} }", head, function);
    fr_scene *scene = load(text);
    const fr_vector *vector = &fr_scene_definition(scene)->forces[0].value;
    fr_result result = vector->function(vector->context, args, out);
    fr_scene_destroy(scene);
    return result;
}

static void passes_arguments_and_results(void **state)
{
    (void)state;
    double value, vector[3];
    assert_int_equal(call_number("function(x,y,z,t) return x + 10*y + 100*z + 1000*t end", &value), FR_OK);
    assert_float_equal(value, 0.25 + 5 + 75 + 2000, 1e-12);
    assert_int_equal(call_vector(HEAD_3D, "function(x,y,z,t) return x, t, z end", vector), FR_OK);
    assert_float_equal(vector[1], 2, 0);
    assert_float_equal(vector[2], 0.75, 0);
    assert_int_equal(call_vector(HEAD_3D, "function(x,y,z,t) return {x, t, z} end", vector), FR_OK);
    assert_float_equal(vector[2], 0.75, 0);
    vector[2] = 9;
    assert_int_equal(call_vector(HEAD, "function(x,y,z,t) return x, t end", vector), FR_OK);
    assert_float_equal(vector[2], 0, 0);
    assert_int_equal(call_vector(HEAD, "function(x,y,z,t) return x, t, 0 end", vector), FR_OK);
    assert_int_equal(call_number("math.abs", &value), FR_OK);
    assert_float_equal(value, 0.25, 0);
}

static void number_fails(const char *function, int line, const char *part)
{
    double value;
    char start[128];
    snprintf(start, sizeof start, "%s:%d: ", scene_path(), line);
    assert_int_equal(call_number(function, &value), FR_ERROR_INPUT);
    if (strncmp(fr_error_message(), start, strlen(start)) || !strstr(fr_error_message(), part))
        fail_msg("%s: '%s' lacks '%s' or '%s'", function, fr_error_message(), start, part);
}

static void reports_failures_with_their_line(void **state)
{
    (void)state;
    number_fails("function() return 'x' end", 3, "initial.density must return 1 number; result 1 is a string");
    number_fails("function() end", 3, "must return 1 number, not 0");
    number_fails("function() return 1, 2 end", 3, "must return 1 number, not 2");
    number_fails("function() return 0/0 end", 3, "finite");
    number_fails("function() return math.huge end", 3, "finite");
    number_fails("function(x)\n\nreturn x.y end", 5, "index a number value");
    number_fails("function(x)\nerror('my words') end", 4, "my words");
    number_fails("function(x)\nwhile true do end end", 4, "limit of 1 million");
    number_fails("function(x) local s = 'x'\nwhile true do s = s .. s end end", 4, "limit");
    number_fails("function(x) local function f() return 1 + f() end\nreturn f() end", 3, "limit");
    number_fails("function(x) pcall(function()\nwhile true do end end) return 1 end", 4, "limit");
    double vector[3];
    assert_int_equal(call_vector(HEAD_3D, "function() return 1, 2 end", vector), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), ":2: the function of forces[1].value must return 3 numbers, not 2"));
    assert_int_equal(call_vector(HEAD, "function() return 1, 2, 3 end", vector), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "2D"));
    assert_int_equal(call_vector(HEAD, "function() return {1} end", vector), FR_ERROR_INPUT);
    assert_int_equal(call_vector(HEAD, "function() return {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11} end", vector),
                     FR_ERROR_INPUT);
}

/* A failure leaves the scene as it was: the next call works, and none leaks stack. */
static void goes_on_after_a_failure(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " HEAD ", initial={ density=function(x) if x < 0 then error('negative') end\n"
                           "if x > 1 then while true do end end return x end } }");
    const fr_number *number = &fr_scene_definition(scene)->initial[0].value;
    double value, at[4] = {0};
    for (int i = 0; i < 300; i++) {
        at[0] = i % 3 == 0 ? 0.5 : i % 3 == 1 ? -1 : i < 10 ? 2 : -1;
        fr_result result = number->function(number->context, at, &value);
        assert_int_equal(result, i % 3 == 0 ? FR_OK : FR_ERROR_INPUT);
    }
    fr_scene_destroy(scene);
}

/* Any number of calls may take any number of instructions in all. */
static void counts_each_call_alone(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " HEAD
             ", initial={ density=function(x) local s = 0 for i = 1, 10000 do s = s + i end return s end } }");
    const fr_number *number = &fr_scene_definition(scene)->initial[0].value;
    double value;
    for (int i = 0; i < 500; i++)
        assert_int_equal(number->function(number->context, args, &value), FR_OK);
    assert_float_equal(value, 50005000, 0);
    fr_scene_destroy(scene);
}

/* math.random depends on the arguments alone, so a resumed run sees the same. */
static void draws_the_same_random_numbers(void **state)
{
    (void)state;
    fr_scene *scene = load("return { " HEAD ", initial={ density=function(x) return math.random() end } }");
    const fr_number *number = &fr_scene_definition(scene)->initial[0].value;
    double first, second, other, at[4] = {0.5, 0, 0, 0};
    assert_int_equal(number->function(number->context, args, &first), FR_OK);
    assert_int_equal(number->function(number->context, at, &other), FR_OK);
    assert_int_equal(number->function(number->context, args, &second), FR_OK);
    assert_true(first == second && first != other);
    fr_scene_destroy(scene);
}

static void measures_distances(void **state)
{
    (void)state;
    fr_scene *scene =
        load("return { " HEAD_3D ", sources={source{density=1, shape=sdf(function(x,y,z) return x*y*z end)}} }");
    const fr_shape_def *shape = fr_scene_definition(scene)->sources[0].shape.shape;
    double distance;
    assert_int_equal(shape->function(shape->context, args, &distance), FR_OK);
    assert_float_equal(distance, 0.25 * 0.5 * 0.75, 1e-15);
    fr_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_arguments_and_results),  cmocka_unit_test(reports_failures_with_their_line),
        cmocka_unit_test(goes_on_after_a_failure),       cmocka_unit_test(counts_each_call_alone),
        cmocka_unit_test(draws_the_same_random_numbers), cmocka_unit_test(measures_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
