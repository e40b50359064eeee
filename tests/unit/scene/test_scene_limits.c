#define _POSIX_C_SOURCE 200809L
/* Attacks on the sandbox's limits, most of them inside single Lua instructions or C functions, where the instruction
   counter does not run. The time limit is 0.2 s here instead of 30 s: the test measures by how much it is exceeded. */
#include "load_text.h"

#include <time.h>

#include "scene/lua/sandbox.h"

#define LIMIT 0.2
#define TOO_LATE 2.0 /* seconds beyond the limit */

#define HUGE_STRINGS "local a = ('x'):rep(16e6) local b, c = a .. 'b', a .. 'c' "
#define MANY "local t = {} for i = 1, 2e5 do t[i] = i end "
#define FOR_EVER(what) "while true do " what " end"

/* Each must end with a limit's message. */
static const char *const attacks[] = {
    /* operators on long strings, each one instruction */
    HUGE_STRINGS FOR_EVER("local x = b < c"),
    HUGE_STRINGS FOR_EVER("local x = b <= c"),
    HUGE_STRINGS FOR_EVER("local x = b == c"),
    HUGE_STRINGS FOR_EVER("local x = a .. 'x' == a .. 'x'"),
    HUGE_STRINGS FOR_EVER("local x = a .. 'x'"),
    HUGE_STRINGS "local t = {} " FOR_EVER("t[a .. 'x'] = nil"),
    HUGE_STRINGS "local t = {[a .. 'x'] = 1} local k = a .. 'x' " FOR_EVER("local v = t[k]"),
    "local z = ('\\0'):rep(16e6) local b, c = z .. 'b', z .. 'c' " FOR_EVER("local x = b < c"),
    "local n = '0x' .. ('0'):rep(15e6) .. '1' " FOR_EVER("local x = n + 1"),
    "local n = (' '):rep(15e6) .. '1' " FOR_EVER("local x = tonumber(n)"),
    "local n = ('1'):rep(15e6) " FOR_EVER("local x = n * 1"),
    /* functions of C */
    "local a, s, t = ('x'):rep(15e6), {}, {} for i = 1, 10 do s[i] = a .. i end for i = 1, 1e5 do t[i] = s[i % 10 + 1] "
    "end table.sort(t)",
    MANY FOR_EVER("pcall(table.sort, t, function() return true end)"),
    "string.find(('a'):rep(1e6), '[' .. ('b'):rep(15e6) .. ']') " FOR_EVER(""),
    "string.find(('a'):rep(1e6), '%f[' .. ('b'):rep(15e6) .. ']') " FOR_EVER(""),
    "string.find(('a'):rep(1e6), '^(.-)*' .. ('.-'):rep(20) .. 'b') " FOR_EVER(""),
    FOR_EVER("string.packsize(('i'):rep(16e6))"),
    FOR_EVER("pcall(string.pack, ('b'):rep(16e6), 1)"),
    "local f, s = ('b'):rep(9e5), ('x'):rep(16e6) " FOR_EVER("pcall(string.unpack, f, s)"),
    HUGE_STRINGS FOR_EVER("local x = a:reverse()"),
    HUGE_STRINGS FOR_EVER("local x = a:upper():lower()"),
    HUGE_STRINGS FOR_EVER("local x = a:sub(2, -2)"),
    HUGE_STRINGS FOR_EVER("pcall(string.byte, a, 1, 9e5)"),
    HUGE_STRINGS FOR_EVER("local x = string.format('%s', a)"),
    HUGE_STRINGS FOR_EVER("local x = string.format('%q', a)"),
    FOR_EVER("local x = string.format(('%99.99f'):rep(100), table.unpack((function() local t = {} for i = 1, 100 do "
             "t[i] = 1e300 end return t end)()))"),
    "local f = ('%%'):rep(8e6) " FOR_EVER("string.format(f)"),
    HUGE_STRINGS FOR_EVER("a:find(b, 1, true)"),
    HUGE_STRINGS FOR_EVER("a:gsub('x', 'yy', 1)"),
    "('x'):rep(1e6):gsub('x', ('y'):rep(1e6))",
    FOR_EVER("('x'):rep(16e6, '')"),
    MANY FOR_EVER("table.concat(t, ',')"),
    MANY FOR_EVER("local x = select('#', table.unpack(t))"),
    MANY FOR_EVER("table.move(t, 1, 2e5, 2)"),
    "table.move({}, 1, 1 << 62, 2)",
    MANY FOR_EVER("table.insert(t, 1, 0)"),
    MANY FOR_EVER("table.remove(t, 1)"),
    "local t = {} t[1 << 40] = 1 for i = 1, 64 do t[1 << i] = 1 end " FOR_EVER("local x = #t"),
    MANY FOR_EVER("for k in pairs(t) do break end"),
    MANY FOR_EVER("local k = next(t, 100)"),
    FOR_EVER("local x = math.fmod(1e308, 1e-300) + math.exp(700)"),
    FOR_EVER("print(('x'):rep(1e6))"),
    /* tables whose keys collide: all of them are put in place anew when the table grows */
    "local t, m = {}, (1 << 21) - 1 for i = 1, (1 << 20) + 1 do t[i * m] = 1 end " FOR_EVER(""),
    "local t, m = {}, (1 << 15) - 1 for i = 1, 1 << 14 do t[i * m] = 1 end " FOR_EVER("for k in pairs(t) do end"),
    "local t, m = {}, (1 << 15) - 1 for i = 1, 1 << 14 do t[i * m] = 1 end " FOR_EVER("local v = t[m << 14]"),
    /* the collector: weak keys in an order that it does not guess */
    "local t, k = setmetatable({}, {__mode = 'k'}), {} for i = 1, 1e5 do k[i] = {} end "
    "for i = 1e5, 2, -1 do local j = math.random(i) k[i], k[j] = k[j], k[i] end for i = 1, 99999 do t[k[i]] = k[i + 1] "
    "end "
    "local first = k[1] k = nil " FOR_EVER("local x = {}"),
    "local t = {} for i = 1, 1e6 do t[i] = {} end " FOR_EVER("local x = ('y'):rep(1e6)"),
    "local t = {} for i = 1, 3e6 do t[i] = 's' .. i end " FOR_EVER(
        "local x = {} for i = 1, 100 do x['k' .. i] = i end"),
    "local t = {} for i = 1, 1e6 do t[i] = {i} end " FOR_EVER("t[#t + 1] = {} t[#t] = nil"),
    /* many values at once */
    "local function f(...) if select('#', ...) > 2e5 then " FOR_EVER(
        "local t = {...}") " end return f(1, 2, 3, 4, 5, 6, 7, 8, ...) end f()",
    "local function f(...) if select('#', ...) < 2e5 then return f(1, 2, 3, 4, 5, 6, 7, 8, ...) end local function "
    "g(...) end " FOR_EVER("g(...)") " end f()",
    /* metamethods, errors, recursion */
    "local m = {} m.__index = function(t, k) return t[k + 1] end " FOR_EVER(
        "pcall(function() return setmetatable({}, m)[1] end)"),
    "local m = {__lt = function() while true do end end} local t = {} for i = 1, 9 do t[i] = setmetatable({}, m) end "
    "table.sort(t)",
    "local m = {__concat = function(a, b) return ('x'):rep(1e7) end} local t = setmetatable({}, m) " FOR_EVER(
        "local x = t .. t"),
    "local m = {__eq = function() while true do end end} local x = setmetatable({}, m) == setmetatable({}, m)",
    "local m = {__len = function() return 1 << 60 end} " FOR_EVER("local x = #setmetatable({}, m)"),
    "local m = {__tostring = function() return ('x'):rep(1e7) end} " FOR_EVER("tostring(setmetatable({}, m))"),
    HUGE_STRINGS "local m = {__name = a:sub(1, 15e6)} " FOR_EVER("tostring(setmetatable({}, m))"),
    HUGE_STRINGS FOR_EVER("pcall(error, a)"),
    "local function f() pcall(f) pcall(f) end f()",
    "local function f() return pcall(f) end " FOR_EVER("f()"),
    "local t <close> = setmetatable({}, {__close = function() while true do end end}) " FOR_EVER(""),
    "for i = 1, 300 do local t <close> = setmetatable({}, {__close = function() while true do end end}) pcall(error) "
    "end",
    "::again:: goto again",
    "for i = 1, math.huge do end",
    "for i = 1.0, 1e300 do end",
    "for i = math.mininteger, math.maxinteger do end",
    "for w in (('a '):rep(8e6)):gmatch('%a') do end " FOR_EVER(""),
    /* names that are looked for after the error */
    "for i = 1, 1e6 do _G['n' .. i] = 1 end " FOR_EVER(""),
};

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* What this process has worked: unlike the wall clock it does not run while other programs have the cores. */
static double worked(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void ends_in_time(const char *text, double start)
{
    double over = now() - start - LIMIT;
    if (over > TOO_LATE)
        fail_msg("%.1f s beyond the limit: %.200s", over, text);
    if (!strstr(fr_error_message(), "limit"))
        fail_msg("'%s' does not speak of a limit: %.200s", fr_error_message(), text);
}

static void attack(const char *text)
{
    sandbox box;
    assert_int_equal(sandbox_open(&box, "attack.lua"), FR_OK);
    box.load_seconds = LIMIT;
    double start = now();
    assert_int_equal(sandbox_run(&box, text, strlen(text)), FR_ERROR_INPUT);
    sandbox_close(&box);
    ends_in_time(text, start);
}

static void stops_all_attacks(void **state)
{
    (void)state;
    fr_set_log_sink(NULL, NULL);
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++)
        attack(attacks[i]);
}

/* `before`, `again` many times, `after`. */
static void attack_parser(const char *before, const char *again, const char *after)
{
    size_t length = strlen(again), count = ((size_t)8 << 20) / length;
    char *text = malloc(strlen(before) + count * length + strlen(after) + 1);
    assert_non_null(text);
    char *end = text + sprintf(text, "%s", before);
    for (size_t i = 0; i < count; i++, end += length)
        memcpy(end, again, length);
    strcpy(end, after);
    attack(text);
    free(text);
}

static void stops_attacks_on_the_parser(void **state)
{
    (void)state;
    attack_parser("local a if a then", " elseif a then", " end while true do end");
    attack_parser("local t = {", "{},", "} while true do end");
    attack_parser("local t = {", "'\\x41\\u{7fffffff}\\z\n',", "} while true do end");
    attack_parser("local a = 1 while true do local x = a", "+a", " end");
    attack_parser("goto z ", "goto a ", "::z:: while true do end ::a::");
    attack_parser("while true do ", "local _ ", "end"); /* runs into the limit of local variables */
}

/* A function that was left takes its state with it: every further call fails with the same words. */
static void stops_functions_and_stays_stopped(void **state)
{
    (void)state;
    const char *text = "local a, s, t = ('x'):rep(15e6), {}, {} for i = 1, 3 do s[i] = a .. i end for i = 1, 1e4 do "
                       "t[i] = s[i % 3 + 1] end "
                       "return function() table.sort(t) return 1 end";
    sandbox box;
    assert_int_equal(sandbox_open(&box, "attack.lua"), FR_OK);
    assert_int_equal(sandbox_run(&box, text, strlen(text)), FR_OK);
    box.call_seconds = LIMIT;
    double start = now();
    assert_int_equal(sandbox_call(&box, 0), FR_ERROR_INPUT);
    ends_in_time(text, start);
    assert_null(box.lua);
    assert_non_null(
        strstr(fr_error_message(), "attack.lua:1: the scene function ran into the limit of 0.2 seconds in one call"));
    assert_int_equal(sandbox_fail_gone(&box), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "limit of 0.2 seconds"));
    sandbox_close(&box);
}

/* Many short calls take more than the limit together, and none of them is stopped. */
static void leaves_honest_functions_alone(void **state)
{
    (void)state;
    const char *text = "return function(x) local s = 0 for i = 1, 100 do s = s + math.sin(x * i) end return s end";
    sandbox box;
    assert_int_equal(sandbox_open(&box, "honest.lua"), FR_OK);
    assert_int_equal(sandbox_run(&box, text, strlen(text)), FR_OK);
    box.call_seconds = LIMIT;
    int calls = 0;
    for (double start = now(); now() < start + 5 * LIMIT; calls++) {
        lua_pushvalue(box.lua, 1);
        lua_pushnumber(box.lua, calls);
        assert_int_equal(sandbox_call(&box, 1), FR_OK);
        lua_settop(box.lua, 1);
    }
    assert_true(calls > 100);
    sandbox_close(&box);
}

/* What the file returns is read within the limits too. */
static void stops_attacks_on_the_decoder(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "local f = {} for i = 1, 1e5 do f[i] = 'u' end local p = {} for i = 1, 1e5 do p[i] = probe{at={0.5,0.5}, "
        "fields=f} end "
        "return { " HEAD ", probes=p }",
        "local q = {} for i = 1, 1e5 do q[i] = {math.cos(i), math.sin(i)} end local s = polygon{points=q} local u = {} "
        "for i = 1, 9e4 do u[i] = s end "
        "return { " HEAD ", sources={source{shape=union(u), density=1}} }",
        "return { " HEAD ", name=('x'):rep(1e7) }",
        "local n = ('x'):rep(1e6) local s = {} for i = 1, 1e5 do s[i] = source{shape=mesh{file=n}, density=1} end "
        "return { " HEAD ", sources=s }",
        "local t = {} for i = 1, 5e6 do t[i] = 1 end return { " HEAD ", sources=t }",
        "local t = { " HEAD " } for i = 1, 1e6 do t['k' .. i] = 1 end t.limit = 1 return t",
        "local s = circle{radius=0.1} for i = 1, 60 do s = union{s, s} end return { " HEAD
        ", sources={source{shape=s, density=1}} }",
        "local s = {} for i = 1, 3e5 do s[i] = circle{radius=0.1} end return { " HEAD
        ", sources={source{shape=union(s), density=1}} }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double start = worked();
        fr_scene *scene;
        assert_int_equal(load_with(texts[i], NULL, &scene), FR_ERROR_INPUT);
        if (worked() - start > 15)
            fail_msg("%.1f s for %s", worked() - start, texts[i]);
        if (!strstr(fr_error_message(), "limit") && !strstr(fr_error_message(), "unknown key") &&
            !strstr(fr_error_message(), "at most 100"))
            fail_msg("%s: %s", fr_error_message(), texts[i]);
    }
}

/* Reading goes on where the collector could not, and passes long chains of names once. */
static void reads_on_whatever_the_scene_left(void **state)
{
    (void)state;
    const char *weak =
        "local t, k = setmetatable({}, {__mode = 'k'}), {} for i = 1, 1e5 do k[i] = {} end "
        "for i = 1e5, 2, -1 do local j = math.random(i) k[i], k[j] = k[j], k[i] end for i = 1, 99999 do t[k[i]] = k[i "
        "+ 1] end "
        "first, T = k[1], t local f = {} for i = 1, 2e4 do f[i] = force{value=function() return 0, i end} end k = nil "
        "return { " HEAD ", forces=f }";
    double start = now();
    fr_scene_destroy(load(weak));
    size_t count = 2000000;
    char *text = malloc(2 * count + 256), *end = text;
    assert_non_null(text);
    end += sprintf(end, "a = {} a.b = a x = a");
    for (size_t i = 0; i < count; i++, end += 2)
        memcpy(end, ".b", 2);
    strcpy(end, " return { " HEAD " }");
    fr_scene_destroy(load(text));
    free(text);
    if (now() - start > 15)
        fail_msg("%.1f s", now() - start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_all_attacks),
        cmocka_unit_test(stops_attacks_on_the_parser),
        cmocka_unit_test(stops_functions_and_stays_stopped),
        cmocka_unit_test(leaves_honest_functions_alone),
        cmocka_unit_test(stops_attacks_on_the_decoder),
        cmocka_unit_test(reads_on_whatever_the_scene_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
