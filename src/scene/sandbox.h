/* The sandbox: a Lua state in which a scene can compute but touch nothing outside, with limits on instructions,
   memory and time. Once a limit is hit nothing in the scene can go on, whatever it catches. */
#ifndef FR_SCENE_SANDBOX_H
#define FR_SCENE_SANDBOX_H

#include <freshet/base.h>

#include <lua.h>

/* What one run of code may use. */
#define SANDBOX_LOAD_INSTRUCTIONS 100000000
#define SANDBOX_CALL_INSTRUCTIONS 1000000
#define SANDBOX_LOAD_SECONDS 30.0 /* only operations on huge strings come near it */
#define SANDBOX_CALL_SECONDS 10.0
#define SANDBOX_MEMORY ((size_t)256 << 20)
#define SANDBOX_STRING ((size_t)16 << 20) /* one string: comparing two is a single instruction */

typedef struct sandbox {
    lua_State *lua;
    const char *path;         /* the scene's file as the user typed it; begins every message; not owned */
    size_t bytes;             /* held by Lua now */
    int64_t spent, limit;     /* instructions of the present run */
    double seconds, deadline; /* of the present run; the deadline is set when the first check finds it 0 */
    bool loading;             /* the file itself runs, not one of its functions */
    bool stopped, late;       /* a limit was hit; it was the time */
    int line;                 /* where the last error was raised; 0: unknown */
    uint64_t random;          /* state of math.random */
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

/* Adds work done in C to the instructions spent; raises a Lua error when the limit is passed. */
void sandbox_charge(lua_State *lua, int64_t cost);

/* The next number of the scene's own deterministic sequence. */
uint64_t sandbox_random(sandbox *box);

#endif
