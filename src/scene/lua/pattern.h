/* Lua's string patterns (reference manual 6.4.1). The matcher backtracks and charges every step, because Lua's own
   matcher can run for ever within one instruction. */
#ifndef FR_SCENE_LUA_PATTERN_H
#define FR_SCENE_LUA_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

enum { PATTERN_CAPTURES = 32, PATTERN_OPEN = -1, PATTERN_POSITION = -2 };

typedef struct pattern_capture {
    const char *start;
    ptrdiff_t length; /* or PATTERN_OPEN: not closed yet; PATTERN_POSITION: a position capture */
} pattern_capture;

typedef struct matcher {
    lua_State *lua;
    const char *text, *text_end, *pattern_end;
    int depth, level; /* recursion depth; number of captures; both 0 before a match */
    int steps;        /* not charged yet */
    pattern_capture captures[PATTERN_CAPTURES];
} matcher;

/* The end of the match of pattern `p` at `s`, or NULL. Raises Lua errors for malformed patterns and limits. */
const char *pattern_match(matcher *m, const char *s, const char *p);

/* Counts one step, plus one for every 64 of `bytes` compared. */
void pattern_step(matcher *m, size_t bytes);

#endif
