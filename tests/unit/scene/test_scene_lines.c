/* Finding the lines of keys, beyond what test_scene_errors covers. */
#include "scene/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void lines_are(const char *text, const char *key, int line)
{
    arena memory = {0};
    line_map map;
    lines_scan(&map, &memory, text);
    int found = lines_find(&map, key);
    arena_free(&memory);
    if (found != line)
        fail_msg("%s is on line %d, found on %d:\n%s", key, line, found, text);
}

static void finds_nested_keys(void **state)
{
    (void)state;
    const char *text = "local n = 3\n"
                       "return {\n"
                       "  domain = { size = {1, 1},\n"
                       "             cells = 16 },   -- cells = 17\n"
                       "  ['name'] = [[a\nb { c = }]],\n"
                       "  sources = {\n"
                       "    source{ shape = sphere{\n"
                       "      radius = 1 } },\n"
                       "    source({ shape = union{ box{\n"
                       "      size = {1, 1} }, box{\n"
                       "      round = 1 } } }),\n"
                       "  },\n"
                       "  f = function(x) if x then return { a = 1 } end end,\n"
                       "  g = 1,\n"
                       "}\n";
    lines_are(text, "domain", 3);
    lines_are(text, "domain.size", 3);
    lines_are(text, "domain.cells", 4);
    lines_are(text, "name", 5);
    lines_are(text, "sources", 7);
    lines_are(text, "sources[1].shape", 8);
    lines_are(text, "sources[1].shape.radius", 9);
    lines_are(text, "sources[1].shape.tube", 8);
    lines_are(text, "sources[2].shape[1].size", 11);
    lines_are(text, "sources[2].shape[2].round", 12);
    lines_are(text, "g", 15);
    lines_are(text, "f.a", 14);
    lines_are(text, "nothing", 2);
}

static void follows_variables(void **state)
{
    (void)state;
    const char *text = "local scene = { time = {\n fps = 1 } }\n"
                       "if true then scene.x = 1 end\n"
                       "scene.fluid = {\n density = 1 }\n"
                       "scene.time.duration = 3\n"
                       "local other = {\n fluid = 1 }\n"
                       "return scene\n";
    lines_are(text, "time.fps", 2);
    lines_are(text, "fluid.density", 5);
    lines_are(text, "time.duration", 6);
    lines_are(text, "fluid", 4);
    lines_are(text, "gone", 9);
    text = "local ball = sphere{\n radius = 1 }\n"
           "local nozzle = source{\n shape = ball,\n rate = 1 }\n"
           "local all = { nozzle,\n nozzle }\nlocal loop = { a = loop }\n"
           "return {\n sources = all, forces = unknown, a = loop }\n";
    lines_are(text, "sources", 6);
    lines_are(text, "sources[1]", 3);
    lines_are(text, "sources[2].rate", 5);
    lines_are(text, "sources[2].shape.radius", 2);
    lines_are(text, "sources[2].shape.tube", 1);
    lines_are(text, "sources[3]", 6);
    lines_are(text, "forces[1]", 10);
    lines_are(text, "a.a.a.a", 8);
}

static void reads_odd_text(void **state)
{
    (void)state;
    lines_are("", "a", 1);
    lines_are("return", "a", 1);
    lines_are("return {", "a", 1);
    lines_are("return { a", "a", 1);
    lines_are("return { [", "a", 1);
    lines_are("return { ['a", "a", 1);
    lines_are("}}}}))) end end return { \n a = ) ] end } ", "a", 2);
    lines_are("--[==[ return {\n b = 1 ]] ]==]\nreturn { '\\'',\n a = 1 }", "a", 4);
    lines_are("return { x = 1 == 2,\n y = 'a\\\nb',\n z = 0x1p-3,\n a = ... }", "a", 5);
}

static void prefers_the_call_around(void **state)
{
    (void)state;
    arena memory = {0};
    line_map map;
    lines_scan(&map, &memory, "local s = source{}\nlocal x\nreturn { sources = { s } }");
    lines_add_call(&map, "sources[1]", 1);
    assert_int_equal(lines_find(&map, "sources[1].rate"), 1);
    assert_int_equal(lines_find(&map, "sources[1]"), 1);
    assert_int_equal(lines_find(&map, "sources[2]"), 3);
    lines_add_call(&map, "forces[1]", 2);
    assert_int_equal(lines_find(&map, "forces[1].value"), 2);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_nested_keys),
        cmocka_unit_test(follows_variables),
        cmocka_unit_test(reads_odd_text),
        cmocka_unit_test(prefers_the_call_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
