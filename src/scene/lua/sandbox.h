/* The sandbox: a Lua state in which a scene can compute but touch nothing outside, with limits on instructions,
   memory and time. Once a limit is hit nothing in the scene can go on, whatever it catches.

   Instructions are counted by Lua's hook, and our own functions add what they do in C. A single instruction can still
   take very long: it may compare strings of 16 MB, put the colliding keys of a table in order anew, or collect garbage.
   So the time is watched from outside (guard.h): when it is up, the hook is set to the very next instruction, which
   raises an error; and where that instruction does not come, the whole state is thrown away. */
#ifndef FR_SCENE_LUA_SANDBOX_H
#define FR_SCENE_LUA_SANDBOX_H

#include <freshet/base.h>

#include <lua.h>

#include "scene/lua/blocks.h"
#include "scene/lua/guard.h"

/* What one run of code may use. */
#define SANDBOX_LOAD_INSTRUCTIONS 100000000
#define SANDBOX_CALL_INSTRUCTIONS 1000000
#define SANDBOX_LOAD_SECONDS 30.0 /* only operations on huge strings and tables come near it */
#define SANDBOX_CALL_SECONDS 10.0
#define SANDBOX_MEMORY ((size_t)256 << 20)
#define SANDBOX_STRING ((size_t)16 << 20) /* one string */
#define SANDBOX_OWN                                                                                                    \
    ((size_t)64 << 20) /* that our own code may use beyond SANDBOX_MEMORY when it reads what the scene made */

typedef struct sandbox {
    lua_State *lua;           /* NULL once it was thrown away, and nothing can be called any more */
    const char *path;         /* the scene's file as the user typed it; begins every message; not owned */
    blocks memory;            /* all that Lua holds */
    size_t most_memory;       /* that it may hold now */
    guard *guard;             /* of the present run */
    int64_t spent, limit;     /* instructions of the present run */
    double load_seconds;      /* for running the file and reading what it returns, together */
    double call_seconds;      /* for one call of a function */
    double load_end;          /* on the clock; set when loading begins */
    bool loading;             /* the file itself runs, not one of its functions */
    bool stopped;             /* a limit was hit */
    bool hurried;             /* the hook is at the next instruction */
    int line;                 /* where the last error was raised; 0: unknown */
    int last_line;            /* that was seen by the way; 0: none yet */
    unsigned looks;           /* of the guard before that */
    uint64_t random;          /* state of math.random */
    int64_t named;            /* tables and functions that got a number to be told apart by */
    int64_t named_loading;    /* of them by the file itself: calls count on from there, whatever calls came before */
    size_t printed;           /* bytes of the file itself, then of all calls together */
} sandbox;

/* An empty sandbox with its libraries. sandbox_close is safe on one that failed to open. */
fr_result sandbox_open(sandbox *box, const char *path);
void sandbox_close(sandbox *box);

/* Compiles and runs a scene's text. Its first result is left on the stack. */
fr_result sandbox_run(sandbox *box, const char *text, size_t length);

/* Calls a C function of ours so that running out of memory inside Lua is a failure and not the end of the process.
   Its arguments are `context` as a light userdata and then all that was on the stack, which is empty afterwards. */
fr_result sandbox_protect(sandbox *box, lua_CFunction function, void *context);

/* Calls the function below `args` values on the stack within the limits of one scene function. On failure the
   stack is cut back to where the function was; the results stay otherwise. */
fr_result sandbox_call(sandbox *box, int args);

sandbox *sandbox_of(lua_State *lua);

/* Adds work done in C to the instructions spent; raises a Lua error when a limit is passed. */
void sandbox_charge(lua_State *lua, int64_t cost);

/* The failure of any further call once the state was thrown away. */
fr_result sandbox_fail_gone(const sandbox *box);

/* The next number of the scene's own deterministic sequence. */
uint64_t sandbox_random(sandbox *box);

#endif
