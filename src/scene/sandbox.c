#include "scene/sandbox.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "scene/constructors.h"
#include "scene/library.h"
#include "scene/suggest.h"

enum { HOOK_PERIOD = 1000, BYTES_PER_INSTRUCTION = 16 };

/* Lua shortens long chunk names, so it gets a short one, and messages get the path instead of it. */
#define CHUNK "[scene]"

sandbox *sandbox_of(lua_State *lua)
{
    return *(sandbox **)lua_getextraspace(lua);
}

/* Remembers the innermost line of the scene that is running. Allocates nothing. */
static void sandbox_find_line(sandbox *box)
{
    lua_Debug where;
    for (int level = 0; box->lua && lua_getstack(box->lua, level, &where); level++) {
        lua_getinfo(box->lua, "l", &where);
        if (where.currentline > 0) {
            box->line = where.currentline;
            break;
        }
    }
}

/* For a new block Lua passes its kind as the old size. No message handler runs after a refusal, so the line is found
   here. */
static void *sandbox_allocate(void *context, void *block, size_t old_size, size_t new_size)
{
    sandbox *box = context;
    size_t held = block ? old_size : 0;
    if (new_size == 0) {
        free(block);
        box->bytes -= held;
        return NULL;
    }
    bool too_long = !block && old_size == LUA_TSTRING && new_size > SANDBOX_STRING;
    if (new_size > held && (too_long || box->bytes - held + new_size > SANDBOX_MEMORY)) {
        sandbox_find_line(box);
        return NULL;
    }
    void *fresh = realloc(block, new_size);
    if (!fresh)
        return NULL;
    box->bytes += new_size - held;
    if (new_size > held)
        box->spent += (int64_t)(new_size - held) / BYTES_PER_INSTRUCTION;
    return fresh;
}

static void sandbox_check_limits(lua_State *lua)
{
    sandbox *box = sandbox_of(lua);
    double now = clock_now();
    if (box->deadline == 0)
        box->deadline = now + box->seconds;
    box->late = box->late || now > box->deadline;
    if (!box->stopped && (box->late || box->spent > box->limit)) {
        sandbox_find_line(box);
        box->stopped = true;
    }
    if (box->stopped) {
        lua_pushliteral(lua, "limit");
        lua_error(lua);
    }
}

static void sandbox_hook(lua_State *lua, lua_Debug *event)
{
    sandbox *box = sandbox_of(lua);
    (void)event;
    box->spent += HOOK_PERIOD;
    sandbox_check_limits(lua);
}

void sandbox_charge(lua_State *lua, int64_t cost)
{
    sandbox *box = sandbox_of(lua);
    box->spent += cost;
    if (box->spent > box->limit || cost > HOOK_PERIOD)
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

/* Message handler: runs where the error was raised and passes the message on. */
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
    box->seconds = loading ? SANDBOX_LOAD_SECONDS : SANDBOX_CALL_SECONDS;
    box->deadline = 0;
    box->stopped = box->late = false;
    box->line = 0;
}

static fr_result sandbox_fail_at(const sandbox *box, const char *message)
{
    if (box->line > 0)
        return fr_fail(FR_ERROR_INPUT, "%s:%d: %s", box->path, box->line, message);
    return fr_fail(FR_ERROR_INPUT, "%s: %s", box->path, message);
}

static fr_result sandbox_fail_limit(const sandbox *box)
{
    if (box->late)
        return sandbox_fail_at(box, box->loading ? "the scene ran into the limit of 30 seconds while loading"
                                                 : "the scene function ran into the limit of 10 seconds in one call");
    if (box->loading)
        return sandbox_fail_at(
            box, "the scene ran into the limit of 100 million instructions while loading; is there an endless loop?");
    return sandbox_fail_at(
        box, "the scene function ran into the limit of 1 million instructions in one call; is there an endless loop?");
}

/* "… (global 'shpere')" in Lua's message: the nearest name that exists. */
static const char *sandbox_suggest_global(lua_State *lua, const char *message, char *hint, size_t size)
{
    hint[0] = '\0';
    char name[64];
    const char *mark = strstr(message, "(global '");
    if (!mark || sscanf(mark + 9, "%63[^']", name) != 1)
        return hint;
    suggestion best = suggest_begin(name);
    lua_pushglobaltable(lua);
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1))
        if (lua_type(lua, -2) == LUA_TSTRING)
            suggest_offer(&best, lua_tostring(lua, -2));
    static const char *const words[] = {"return", "local", "function"};   /* misspelt, they read as calls */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        suggest_offer(&best, words[i]);
    suggest_text(&best, hint, size);
    lua_pop(lua, 1);
    return hint;
}

/* The failure of a protected call whose error is on the top of the stack, which it takes off. Allocates nothing
   in Lua: it runs unprotected. */
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

/* The function and its arguments are on the stack; the handler slips in below them. */
static fr_result sandbox_pcall(sandbox *box, int args, int results)
{
    lua_State *lua = box->lua;
    int function = lua_gettop(lua) - args;
    lua_pushcfunction(lua, sandbox_note_line);
    lua_insert(lua, function);
    int status = lua_pcall(lua, args, results, function);
    lua_remove(lua, function);
    return status == LUA_OK ? FR_OK : sandbox_fail(box, status);
}

fr_result sandbox_protect(sandbox *box, lua_CFunction function, void *context)
{
    sandbox_budget(box, true);
    int given = lua_gettop(box->lua);
    lua_pushcfunction(box->lua, function);
    lua_insert(box->lua, 1);
    lua_pushlightuserdata(box->lua, context);
    lua_insert(box->lua, 2);
    return sandbox_pcall(box, given + 1, 0);
}

static int sandbox_fill(lua_State *lua)
{
    library_open(lua);
    constructors_open(lua);
    return 0;
}

fr_result sandbox_open(sandbox *box, const char *path)
{
    *box = (sandbox){.path = path, .random = 1};
    box->lua = lua_newstate(sandbox_allocate, box);
    if (!box->lua)
        return fr_fail(FR_ERROR_MEMORY, "%s: no memory to run the scene in", path);
    *(sandbox **)lua_getextraspace(box->lua) = box;
    return sandbox_protect(box, sandbox_fill, NULL);
}

void sandbox_close(sandbox *box)
{
    if (box->lua)
        lua_close(box->lua);
    box->lua = NULL;
}

fr_result sandbox_run(sandbox *box, const char *text, size_t length)
{
    sandbox_budget(box, true);
    int status = luaL_loadbufferx(box->lua, text, length, "=" CHUNK, "t");
    if (status == LUA_ERRERR || (status != LUA_OK && strstr(lua_tostring(box->lua, -1), "C stack overflow"))) {
        lua_pop(box->lua, 1);
        return sandbox_fail_at(box, "tables, functions or brackets are nested too deeply; the limit is about 190");
    }
    if (status != LUA_OK)
        return sandbox_fail(box, status);
    lua_sethook(box->lua, sandbox_hook, LUA_MASKCOUNT, HOOK_PERIOD);
    return sandbox_pcall(box, 0, 1);
}

fr_result sandbox_call(sandbox *box, int args)
{
    sandbox_budget(box, false);
    return sandbox_pcall(box, args, LUA_MULTRET);
}
