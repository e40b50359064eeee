#define _POSIX_C_SOURCE 200809L
/* The sandbox: what scenes cannot access, the limits, and that the same scene always gives the same result. */
#include "load_text.h"

static char last_remark[256];

static void keep_remark(void *context, fr_log_level level, const char *message)
{
    (void)context, (void)level;
    snprintf(last_remark, sizeof last_remark, "%s", message);
}

static void hides_the_machine(void **state)
{
    (void)state;
    static const char *const names[] = {"io",       "os",     "debug",          "package",   "require", "load",
                                        "loadfile", "dofile", "collectgarbage", "coroutine", "xpcall"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[128], start[64];
        snprintf(text, sizeof text, "local x = 1\nlocal f = %s.open\nreturn {}", names[i]);
        snprintf(start, sizeof start, "%s is not there", names[i]);
        refused(text, 2, start, "sandbox");
    }
    refused("string.dump(print) return {}", 1, "dump", "nil");
    refused("setmetatable({}, {__gc = function() while true do end end}) return {}", 1, "__gc", "sandbox");
    refused("getmetatable(_G).__index = nil return {}", 1, "index", "");
}

/* None of these may hang, crash or go on. */
static void holds_the_limits(void **state)
{
    (void)state;
    static const char *const endless[] = {
        "pcall(function() while true do end end) return { " HEAD " }",
        "while true do pcall(function() while true do end end) end",
        "local t <close> = setmetatable({}, {__close = function() while true do end end}) while true do end",
        "setmetatable(_ENV, nil)",
        "string.find(('a'):rep(100000), ('.-'):rep(30)..'b') return {}",
        "string.gsub(('a'):rep(1000), ('a*'):rep(20)..'b', '') return {}",
        "string.find(('a'):rep(1e7), ('a'):rep(5e6)..'b', 1, true) return {}",
        "table.move({}, 1, math.maxinteger - 1, 2) return {}",
        "while true do ('x'):rep(1e7) end",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.concat(t) end",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do next(t, 5) end",
        "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) table.remove(t, 1) end",
    };
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        bool metatable = strstr(endless[i], "_ENV") != NULL;
        refused(endless[i], 1, metatable ? "metatable" : "limit", metatable ? "" : "instructions");
    }
    static const char *const large[] = {
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e8 do t[i] = i end",
        "('x'):rep(1e9) return {}",
        "pcall(function() local t = {} for i = 1, 1e8 do t[i] = {} end end) return { " HEAD " }",
        "local t = {} for i = 1, 1e7 do t[i] = ('x'):rep(1e6) .. i end",
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        fr_scene *scene;
        assert_int_equal(load_with(large[i], NULL, &scene), FR_ERROR_INPUT);
        if (!strstr(fr_error_message(), "limit"))
            fail_msg("%s: %s", large[i], fr_error_message());
    }
}

static void survives_deep_things(void **state)
{
    (void)state;
    refused("local function f() return 1 + f() end\nf()", 1, "stack overflow", "");
    refused("local function f() pcall(f) error('x') end\nf()", 1, "", "");
    refused("local t = setmetatable({}, {})\ngetmetatable(t).__index = function(t, k) return t[k .. k] end\nreturn t.x",
            2, "", "");
    refused("string.find('x', ('('):rep(40)) return {}", 1, "captures", "");
    refused("string.find(('x'):rep(400), ('x?'):rep(400)) return {}", 1, "too complex", "");
    refused("local s = circle{radius=1} for i = 1, 1000 do s = union{s} end\nreturn { " HEAD
            ", sources={source{shape=s, density=1}} }",
            1, "limit", "nested");
    refused("local s = circle{radius=1} for i = 1, 60 do s = union{s, s} end\nreturn { " HEAD
            ", sources={source{shape=s, density=1}} }",
            1, "limit", "shapes");
    refused("local s = union{circle{radius=1}} s[1] = s\nreturn { " HEAD ", sources={source{shape=s, density=1}} }", 1,
            "limit", "itself");
    size_t depth = 5000;
    char *text = malloc(depth * 2 + 32);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "return ");
    memset(text + used, '{', depth);
    memset(text + used + depth, '}', depth);
    text[used + 2 * depth] = '\0';
    fr_scene *scene;
    assert_int_equal(load_with(text, NULL, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "nested too deeply"));
    assert_int_equal(strncmp(fr_error_message(), scene_path(), strlen(scene_path())), 0);
    free(text);
}

/* A scene whose name is what the expression gives. */
static void gives(const char *expression, const char *expected)
{
    char text[1024];
    snprintf(text, sizeof text, "return { name = tostring(%s), " HEAD " }", expression);
    fr_scene *scene = load(text);
    if (strcmp(fr_scene_definition(scene)->name, expected))
        fail_msg("%s gives '%s', not '%s'", expression, fr_scene_definition(scene)->name, expected);
    fr_scene_destroy(scene);
}

static void matches_patterns_as_lua_does(void **state)
{
    (void)state;
    gives("table.concat({('hello world'):find('o w')}, ' ')", "5 7");
    gives("table.concat({('hello'):find('l+')}, ' ')", "3 4");
    gives("('key = value'):match('^(%w+)%s*=%s*(%w+)$')", "key");
    gives("select(2, ('key = value'):match('^(%w+)%s*=%s*(%w+)$'))", "value");
    gives("('a.b'):find('.', 1, true)", "2");
    gives("('a.b'):find('b', -1)", "3");
    gives("('THE (quick) fox'):find('%((%a+)%)')", "5");
    gives("('x[[y]]z'):match('%b[]')", "[[y]]");
    gives("('THE (quick) fox'):gsub('%f[%a]%a+', 'w')", "w (w) w");
    gives("('hello world'):gsub('o', '0')", "hell0 w0rld");
    gives("('hello world'):gsub('(%w+)', '<%1>', 1)", "<hello> world");
    gives("('abc'):gsub('', '-')", "-a-b-c-");
    gives("('abc'):gsub('%w', '%0%0')", "aabbcc");
    gives("('$name'):gsub('%$(%w+)', {name = 'freshet'})", "freshet");
    gives("('abc'):gsub('%w', function(c) return c == 'b' and 'B' or nil end)", "aBc");
    gives("(function() local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end return "
          "table.concat(t) end)()",
          "a1b2");
    gives("(function() local n = 0 for w in ('one two  three'):gmatch('%S+') do n = n + 1 end return n end)()", "3");
    gives("('  trim '):match('^%s*(.-)%s*$') .. '|'", "trim|");
    gives("('aXb'):match('()X')", "2");
    gives("('abab'):match('(ab)%1')", "ab");
    gives("('2024-01'):match('[0-9]+')", "2024");
    gives("('a]b'):match('[]]')", "]");
    gives("('a-b'):match('[%-]')", "-");
    gives("('abc'):match('[^a]+')", "bc");
    gives("('a5'):match('%a?%d')", "a5");
    gives("('abc'):find('x')", "nil");
    gives("('abc'):find('', 10)", "nil");
    gives("('abc'):find('', 4)", "4");
    refused("('a'):find('[a') return {}", 1, "malformed pattern", "]");
    refused("('a'):find('%') return {}", 1, "malformed pattern", "%");
    refused("('a'):gsub('a', '%x') return {}", 1, "invalid use of '%'", "");
}

static void is_the_same_every_time(void **state)
{
    (void)state;
    const char *text = "local t, s = {}, '' for _, k in ipairs{'zeta','beta','x','alpha',3,1,2} do t[k] = 1 end "
                       "for k in pairs(t) do s = s .. k .. ' ' end for k in next, t do s = s .. k end "
                       "return { name = s .. math.random(1000) .. ' ' .. math.random(1000), " HEAD " }";
    fr_scene *first = load(text), *second = load(text);
    assert_string_equal(fr_scene_definition(first)->name, fr_scene_definition(second)->name);
    assert_int_equal(strncmp(fr_scene_definition(first)->name, "1 2 3 alpha beta x zeta 123alphabetaxzeta", 41), 0);
    fr_scene_destroy(first);
    fr_scene_destroy(second);
    gives("(function() math.randomseed(7) local a = math.random() math.randomseed(7) return a == math.random() end)()",
          "true");
    gives("(function() for i = 1, 1000 do local r = math.random(3, 5) if r < 3 or r > 5 then return r end end return "
          "'ok' end)()",
          "ok");
    gives("(function() for i = 1, 1000 do local r = math.random() if r < 0 or r >= 1 then return r end end return 'ok' "
          "end)()",
          "ok");
    refused("math.random(5, 3) return {}", 1, "interval is empty", "");
}

/* Addresses differ from run to run: there are none to be seen. */
static void shows_no_addresses(void **state)
{
    (void)state;
    gives("tostring({}) .. ' ' .. tostring(print)", "table: 0x00000001 function: 0x00000002");
    gives("(function() local t = {} return tostring(t) .. tostring({}) .. tostring(t) end)()",
          "table: 0x00000001table: 0x00000002table: 0x00000001");
    gives("string.format('%s|%p|%14p|%-12p|%%p %d %s', {}, {}, print, 'text', 7, 'x')",
          "table: 0x00000001|0x00000002|    0x00000003|0x00000004  |%p 7 x");
    gives("string.format('%p %p', 3, nil)", "(null) (null)");
    gives("string.format('%s %s', setmetatable({}, {__name = 'Thing'}), setmetatable({}, {__tostring = function() "
          "return 'me' end}))",
          "Thing: 0x00000001 me");
    gives("string.format('%5.1f %5s %-5s| %q %x', 2, 'a', 'b', 'c', 255)", "  2.0     a b    | \"c\" ff");
    refused("string.format('%d', 'x') return {}", 1, "bad argument #2 to 'format'", "number expected");
    refused("string.format('%p') return {}", 1, "bad argument #2 to 'format'", "");
    refused("table.concat({{}}) return {}", 1, "invalid value", "concat");
    gives("(function() local t, s = {}, '' for i = 1, 30 do t[i % 3 == 0 and function() return i end or {}] = i end "
          "for k, v in pairs(t) do s = s .. v .. ' ' end return s end)()",
          "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 ");
}

/* What a pure function shows does not depend on the calls before: a resumed run has not made them. */
static void shows_the_same_in_every_call(void **state)
{
    (void)state;
    fr_scene *scene =
        load("local first = tostring({}) return { " HEAD ", forces={force{value=function(x) local a, b = {}, {} "
             "return tonumber(tostring(a):sub(-1)), tonumber(tostring(b):sub(-1)) end}} }");
    const fr_vector *value = &fr_scene_definition(scene)->forces[0].value;
    for (int call = 0; call < 3; call++) {
        double out[3], args[4] = {0};
        assert_int_equal(value->function(value->context, args, out), FR_OK);
        assert_true(out[0] == 2 && out[1] == 3);
    }
    fr_scene_destroy(scene);
}

static size_t remarks, remark_bytes;
static void count_remarks(void *context, fr_log_level level, const char *message)
{
    keep_remark(context, level, message);
    remarks++;
    remark_bytes += strlen(message);
}

static void prints_so_much_and_no_more(void **state)
{
    (void)state;
    fr_set_log_sink(count_remarks, NULL);
    fr_scene *scene =
        load("for i = 1, 5000 do print(('x'):rep(3000)) end return { " HEAD
             ", forces={force{value=function(x) for i = 1, 200 do print(('y'):rep(1e3)) end return 0, 1 end}} }");
    assert_true(remark_bytes > 1000000 && remark_bytes < 1100000);
    assert_non_null(strstr(last_remark, "further output of the scene is left out"));
    remarks = remark_bytes = 0;
    const fr_vector *value = &fr_scene_definition(scene)->forces[0].value;
    for (int call = 0; call < 20; call++) {
        double out[3], args[4] = {0};
        assert_int_equal(value->function(value->context, args, out), FR_OK);
    }
    assert_true(remark_bytes > 900000 && remark_bytes < 1100000 && remarks < 2000);
    assert_non_null(strstr(last_remark, "further output of the scene is left out"));
    fr_scene_destroy(scene);
    fr_set_log_sink(NULL, NULL);
}

static void keeps_ordinary_lua_working(void **state)
{
    (void)state;
    gives("select(2, pcall(error, 'caught'))", "caught");
    gives("pcall(function() return 1 end)", "true");
    gives("(function() local t = {3, 1, 2} table.sort(t) table.insert(t, 4) table.remove(t, 1) return table.concat(t, "
          "',') end)()",
          "2,3,4");
    gives("table.concat({table.unpack({1, 2, 3}, 2)}, ',')", "2,3");
    gives("table.concat(table.move({1, 2, 3}, 2, 3, 1), ',')", "2,3,3");
    gives("string.format('%05.2f', math.pi)", "03.14");
    gives("('ab'):rep(3, '-') .. (''):rep(1e18)", "ab-ab-ab");
    gives("setmetatable({}, {__index = function(t, k) return k end}).q", "q");
    gives("tostring(undefined_name)", "nil");
    gives("(function() local t = {} for i = 1, 200000 do table.insert(t, i) end return #t end)()", "200000");
    fr_set_log_sink(keep_remark, NULL);
    fr_scene_destroy(load("print('size', 3, nil, true) return { " HEAD " }"));
    assert_string_equal(last_remark, "size 3 nil true");
    fr_set_log_sink(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hides_the_machine),      cmocka_unit_test(holds_the_limits),
        cmocka_unit_test(survives_deep_things),   cmocka_unit_test(matches_patterns_as_lua_does),
        cmocka_unit_test(is_the_same_every_time), cmocka_unit_test(keeps_ordinary_lua_working),
        cmocka_unit_test(shows_no_addresses),     cmocka_unit_test(shows_the_same_in_every_call),
        cmocka_unit_test(prints_so_much_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
