#define _POSIX_C_SOURCE 200809L
#include "scene/lua/sandbox.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "scene/lua/constructors.h"
#include "scene/lua/library.h"
#include "scene/decode/suggest.h"

enum { HOOK_PERIOD = 1000, BYTES_PER_INSTRUCTION = 16 };
enum { MOST_OFFERS = 2000 }; /* names that are compared with a misspelt one; this loop is not charged */

/* Lua truncates long chunk names, so it gets this short one; messages show the path instead. */
#define CHUNK "[scene]"

sandbox *sandbox_of(lua_State *lua)
{
    return *(sandbox **)lua_getextraspace(lua);
}

/* The line of the innermost running function of the scene, or 0. Allocates nothing. */
static int sandbox_line(lua_State *lua)
{
    lua_Debug where;
    for (int level = 0; lua && lua_getstack(lua, level, &where); level++) {
        lua_getinfo(lua, "l", &where);
        if (where.currentline > 0)
            return where.currentline;
    }
    return 0;
}

static void sandbox_find_line(sandbox *box)
{
    int line = sandbox_line(box->lua);
    box->line = line > 0 ? line : box->line;
}

/* For a new block Lua passes its type as the old size. After an allocation failure Lua runs no message handler, so the
   line is recorded here. */
static void *sandbox_allocate(void *context, void *block, size_t old_size, size_t new_size)
{
    sandbox *box = context;
    size_t held = block ? old_size : 0;
    bool too_long = !block && old_size == LUA_TSTRING && new_size > SANDBOX_STRING;
    if (new_size > held && (too_long || box->memory.bytes + (new_size - held) > box->most_memory)) {
        sandbox_find_line(box);
        return NULL;
    }
    guard_shield(box->guard);
    void *fresh = blocks_resize(&box->memory, block, old_size, new_size);
    guard_unshield(box->guard);
    if (fresh && new_size > held)
        box->spent += (int64_t)(new_size - held) / BYTES_PER_INSTRUCTION;
    return fresh;
}

static void sandbox_check_limits(lua_State *lua)
{
    sandbox *box = sandbox_of(lua);
    if (!box->stopped && (guard_late(box->guard) || box->spent > box->limit)) {
        sandbox_find_line(box);
        box->stopped = true;
    }
    if (box->stopped) {
        lua_pushliteral(lua, "limit");
        lua_error(lua);
    }
}

/* Records the line once per tick of the guard, because lua_getinfo is slow. */
static void sandbox_hook(lua_State *lua, lua_Debug *event)
{
    sandbox *box = sandbox_of(lua);
    if (box->last_line == 0 || box->looks != guard_looks(box->guard)) {
        box->looks = guard_looks(box->guard);
        lua_getinfo(lua, "l", event);
        box->last_line = event->currentline;
    }
    box->spent += HOOK_PERIOD;
    sandbox_check_limits(lua);
}

static void sandbox_set_hook(sandbox *box, int period)
{
    lua_sethook(box->lua, sandbox_hook, LUA_MASKCOUNT, period);
}

/* The time is up. lua_sethook may be called in a signal handler; Lua's own interpreter does so for Ctrl-C. */
static void sandbox_hurry(void *context)
{
    sandbox *box = context;
    box->hurried = true;
    sandbox_set_hook(box, 1);
}

void sandbox_charge(lua_State *lua, int64_t cost)
{
    sandbox *box = sandbox_of(lua);
    box->spent += cost;
    if (cost > HOOK_PERIOD)
        box->last_line = sandbox_line(lua);
    if (box->spent > box->limit || guard_late(box->guard))
        sandbox_check_limits(lua);
}

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
uint64_t sandbox_random(sandbox *box)
{
    uint64_t z = box->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Message handler: records the line where the error was raised and returns the message unchanged. */
static int sandbox_note_line(lua_State *lua)
{
    if (!sandbox_of(lua)->stopped)
        sandbox_find_line(sandbox_of(lua));
    return 1;
}

static void sandbox_budget(sandbox *box, bool loading)
{
    box->loading = loading;
    box->spent = 0;
    box->limit = loading ? SANDBOX_LOAD_INSTRUCTIONS : SANDBOX_CALL_INSTRUCTIONS;
    box->stopped = false;
    box->line = box->last_line = 0;
    if (!loading)
        box->named = box->named_loading;
    if (box->hurried && box->lua)
        sandbox_set_hook(box, HOOK_PERIOD);
    box->hurried = false;
}

static fr_result sandbox_fail_at(const sandbox *box, const char *message)
{
    if (box->line > 0)
        return fr_fail(FR_ERROR_INPUT, "%s:%d: %s", box->path, box->line, message);
    return fr_fail(FR_ERROR_INPUT, "%s: %s", box->path, message);
}

static fr_result sandbox_fail_limit(const sandbox *box)
{
    if (guard_late(box->guard)) {
        char text[128];
        snprintf(text, sizeof text, "the scene%s ran into the limit of %g seconds %s", box->loading ? "" : " function",
                 box->loading ? box->load_seconds : box->call_seconds, box->loading ? "while loading" : "in one call");
        return sandbox_fail_at(box, text);
    }
    if (box->loading)
        return sandbox_fail_at(
            box, "the scene ran into the limit of 100 million instructions while loading; is there an endless loop?");
    return sandbox_fail_at(
        box, "the scene function ran into the limit of 1 million instructions in one call; is there an endless loop?");
}

/* For "… (global 'shpere')" in Lua's message: suggests the nearest existing name. */
static const char *sandbox_suggest_global(lua_State *lua, const char *message, char *hint, size_t size)
{
    hint[0] = '\0';
    char name[64];
    const char *mark = strstr(message, "(global '");
    if (!mark || sscanf(mark + 9, "%63[^']", name) != 1)
        return hint;
    suggestion best = suggest_begin(name);
    lua_pushglobaltable(lua);
    lua_pushnil(lua);
    for (int offered = 0; lua_next(lua, -2); lua_pop(lua, 1)) {
        if (lua_type(lua, -2) == LUA_TSTRING)
            suggest_offer(&best, lua_tostring(lua, -2));
        if (++offered == MOST_OFFERS) {
            lua_pop(lua, 3);
            return hint;
        }
    }
    static const char *const words[] = {"return", "local", "function"};   /* a misspelt keyword looks like a call */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        suggest_offer(&best, words[i]);
    suggest_text(&best, hint, size);
    lua_pop(lua, 1);
    return hint;
}

/* Turns the error on the top of the stack into a failure and pops it. Must not allocate in Lua, because it runs
   unprotected. */
static fr_result sandbox_fail(sandbox *box, int status)
{
    lua_State *lua = box->lua;
    fr_result result;
    const char *message = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    if (box->stopped) {
        result = sandbox_fail_limit(box);
    } else if (status == LUA_ERRMEM) {
        result = sandbox_fail_at(box, "the scene ran into the memory limit: 256 MB in all, 16 MB for one string");
    } else if (!message) {
        result = sandbox_fail_at(box, "the scene raised an error that is not a text; use error(\"what is wrong\")");
    } else {
        int line = 0, used = 0;
        if (sscanf(message, CHUNK ":%d: %n", &line, &used) == 1 && used > 0) {
            box->line = line;
            message += used;
        }
        char hint[128], text[1024];
        snprintf(text, sizeof text, "%.*s%s", 880, message, sandbox_suggest_global(lua, message, hint, sizeof hint));
        result = sandbox_fail_at(box, *message ? text : "the scene raised an error without a text");
    }
    lua_pop(lua, 1);
    return result;
}

/* Discards the Lua state: it may have been interrupted anywhere, even while moving its stack, so only its memory can be
   freed. The message has the last line that the hook saw. */
static fr_result sandbox_abandon(sandbox *box)
{
    box->line = box->last_line;
    box->lua = NULL;
    blocks_free(&box->memory);
    return sandbox_fail_limit(box);
}

/* The remaining time for loading, s. */
static double sandbox_load_left(const sandbox *box)
{
    return fmax(0, box->load_end - clock_now());
}

/* Work to run under the guard: a call or a compilation. */
typedef struct sandbox_work {
    lua_State *lua;
    guard *shield; /* set for calls of our own C code, which may hold locks and memory and charges for its loops */
    int args, results, handler;
    const char *text; /* to compile */
    size_t length;
    int status; /* of Lua */
} sandbox_work;

static void sandbox_work_call(void *context)
{
    sandbox_work *work = context;
    if (work->shield)
        guard_shield(work->shield);
    work->status = lua_pcall(work->lua, work->args, work->results, work->handler);
}

static void sandbox_work_compile(void *context)
{
    sandbox_work *work = context;
    work->status = luaL_loadbufferx(work->lua, work->text, work->length, "=" CHUNK, "t");
}

/* The function and its arguments are on the stack; the message handler is inserted below them. */
static fr_result sandbox_pcall(sandbox *box, double seconds, sandbox_work work)
{
    work.lua = box->lua;
    work.handler = lua_gettop(box->lua) - work.args;
    lua_pushcfunction(box->lua, sandbox_note_line);
    lua_insert(box->lua, work.handler);
    fr_result result = guard_run(box->guard, seconds, sandbox_work_call, &work);
    if (result == FR_ERROR_STOPPED)
        return sandbox_abandon(box);
    lua_remove(box->lua, work.handler);
    return result == FR_OK && work.status != LUA_OK ? sandbox_fail(box, work.status) : result;
}

/* Our own code cannot be aborted, and garbage collection of a hostile scene may take very long. So the collector is
   stopped meanwhile, and the memory limit is raised so that Lua does not start it in an emergency. */
fr_result sandbox_protect(sandbox *box, lua_CFunction function, void *context)
{
    sandbox_budget(box, true);
    int given = lua_gettop(box->lua);
    lua_pushcfunction(box->lua, function);
    lua_insert(box->lua, 1);
    lua_pushlightuserdata(box->lua, context);
    lua_insert(box->lua, 2);
    lua_gc(box->lua, LUA_GCSTOP);
    box->most_memory = SANDBOX_MEMORY + SANDBOX_OWN;
    fr_result result =
        sandbox_pcall(box, sandbox_load_left(box), (sandbox_work){.args = given + 1, .shield = box->guard});
    box->most_memory = SANDBOX_MEMORY;
    lua_gc(box->lua, LUA_GCRESTART);
    return result;
}

static int sandbox_fill(lua_State *lua)
{
    library_open(lua);
    constructors_open(lua);
    return 0;
}

fr_result sandbox_open(sandbox *box, const char *path)
{
    *box = (sandbox){.path = path,
                     .random = 1,
                     .most_memory = SANDBOX_MEMORY,
                     .load_seconds = SANDBOX_LOAD_SECONDS,
                     .call_seconds = SANDBOX_CALL_SECONDS};
    FR_TRY(guard_open(sandbox_hurry, box, &box->guard));
    box->lua = lua_newstate(sandbox_allocate, box);
    if (!box->lua)
        return fr_fail(FR_ERROR_MEMORY, "%s: no memory to run the scene in", path);
    *(sandbox **)lua_getextraspace(box->lua) = box;
    box->load_end = clock_now() + box->load_seconds;
    return sandbox_protect(box, sandbox_fill, NULL);
}

/* There are no finalizers, so freeing the memory is enough. */
void sandbox_close(sandbox *box)
{
    guard_close(box->guard);
    blocks_free(&box->memory);
    box->lua = NULL;
}

static fr_result sandbox_compile(sandbox *box, const char *text, size_t length)
{
    sandbox_work work = {.lua = box->lua, .text = text, .length = length};
    fr_result result = guard_run(box->guard, box->load_seconds, sandbox_work_compile, &work);
    if (result == FR_ERROR_STOPPED)
        return sandbox_abandon(box);
    if (result != FR_OK || work.status == LUA_OK)
        return result;
    bool deep = work.status == LUA_ERRERR || strstr(lua_tostring(box->lua, -1), "C stack overflow");
    if (!deep)
        return sandbox_fail(box, work.status);
    lua_pop(box->lua, 1);
    return sandbox_fail_at(box, "tables, functions or brackets are nested too deeply; the limit is about 190");
}

fr_result sandbox_run(sandbox *box, const char *text, size_t length)
{
    sandbox_budget(box, true);
    box->load_end = clock_now() + box->load_seconds;
    FR_TRY(sandbox_compile(box, text, length));
    box->hurried = false;
    sandbox_set_hook(box, HOOK_PERIOD);
    fr_result result = sandbox_pcall(box, sandbox_load_left(box), (sandbox_work){.results = 1});
    box->named_loading = box->named;
    box->printed = 0;
    return result;
}

fr_result sandbox_call(sandbox *box, int args)
{
    sandbox_budget(box, false);
    return sandbox_pcall(box, box->call_seconds, (sandbox_work){.args = args, .results = LUA_MULTRET});
}

fr_result sandbox_fail_gone(const sandbox *box)
{
    return sandbox_fail_limit(box);
}
