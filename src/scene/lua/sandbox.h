/* The sandbox: a Lua state in which a scene can compute but has no access to the outside, with limits on instructions,
   memory and time. Once a limit is hit, no code of the scene can continue, whatever it catches.

   Lua's count hook counts instructions, and our own C functions charge for their work. A single instruction can
   still take very long: it may compare strings of 16 MB, rehash a table with colliding keys, or collect garbage. So
   a watchdog limits the time (guard.h): when it is up, the hook is set to the very next instruction and raises an
   error; if that instruction does not come, the whole state is discarded. */
#ifndef FR_SCENE_LUA_SANDBOX_H
#define FR_SCENE_LUA_SANDBOX_H

#include <freshet/base.h>

#include <lua.h>

#include "scene/lua/blocks.h"
#include "scene/lua/guard.h"

/* Limits of one run of code. */
#define SANDBOX_LOAD_INSTRUCTIONS 100000000
#define SANDBOX_CALL_INSTRUCTIONS 1000000
#define SANDBOX_LOAD_SECONDS 30.0 /* reached only by operations on huge strings and tables */
#define SANDBOX_CALL_SECONDS 10.0
#define SANDBOX_MEMORY ((size_t)256 << 20)
#define SANDBOX_STRING ((size_t)16 << 20) /* one string */
#define SANDBOX_OWN ((size_t)64 << 20)    /* beyond SANDBOX_MEMORY, for our own code that decodes the scene */

typedef struct sandbox {
    lua_State *lua;           /* NULL after it was discarded; then all calls fail */
    const char *path;         /* of the scene file as the user typed it; begins every message; not owned */
    blocks memory;            /* of the Lua state */
    size_t most_memory;       /* current memory limit, bytes */
    guard *guard;             /* of the current run */
    int64_t spent, limit;     /* instructions of the current run */
    double load_seconds;      /* time limit for running the file and decoding its result */
    double call_seconds;      /* time limit for one call of a function */
    double load_end;          /* clock time of the limit; set when loading begins */
    bool loading;             /* the file itself runs, not one of its functions */
    bool stopped;             /* a limit has been hit */
    bool hurried;             /* the hook is set to the next instruction */
    int line;                 /* where the last error was raised; 0: unknown */
    int last_line;            /* the last line that the hook saw; 0: none yet */
    unsigned looks;           /* ticks of the guard when last_line was recorded */
    uint64_t random;          /* state of math.random */
    int64_t named;            /* tables and functions that were numbered for printing */
    int64_t named_loading;    /* the same when loading ended; every call starts numbering from there */
    size_t printed;           /* bytes printed by the file itself, then by all calls together */
} sandbox;

/* Creates a sandbox with its libraries. If it fails, sandbox_close is still safe. */
fr_result sandbox_open(sandbox *box, const char *path);
void sandbox_close(sandbox *box);

/* Compiles and runs a scene's text. Leaves its first result on the stack. */
fr_result sandbox_run(sandbox *box, const char *text, size_t length);

/* Calls one of our C functions in protected mode, so that an out-of-memory error of Lua is a failure and does not abort
   the process. Its arguments are `context` as light userdata and then all values on the stack, which is empty
   afterwards. */
fr_result sandbox_protect(sandbox *box, lua_CFunction function, void *context);

/* Calls the function below `args` values on the stack with the limits of one call. Leaves its results on the stack; on
   failure the function and its arguments are popped. */
fr_result sandbox_call(sandbox *box, int args);

sandbox *sandbox_of(lua_State *lua);

/* Adds work done in C to the instructions spent. Raises a Lua error if a limit is exceeded. */
void sandbox_charge(lua_State *lua, int64_t cost);

/* The failure of every call after the state was discarded. */
fr_result sandbox_fail_gone(const sandbox *box);

/* The next number of the scene's own deterministic sequence. */
uint64_t sandbox_random(sandbox *box);

#endif
