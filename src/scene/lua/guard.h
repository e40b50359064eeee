/* A watchdog for work that may run for ever within a single Lua instruction, where the instruction limit does not help:
   Lua compares, hashes, parses and collects garbage there, partly in quadratic time. A timer signal checks the work ten
   times per second. When the time is up, it calls `hurry`. Work that does not end within GUARD_GRACE after that is
   aborted by siglongjmp: its data are then in an undefined state and may only be discarded.

   No lock may be held when the jump happens. Code that calls malloc, stdio or anything else with a lock does so between
   guard_shield and guard_unshield, and the jump is delayed until then.

   The bound: the first tick after the begin sees the work, the first after the time limit calls `hurry`, the first
   after the grace time aborts. So work exceeds its limit by at most GUARD_GRACE, three ticks and the shielded
   section that is running then. */
#ifndef FR_SCENE_LUA_GUARD_H
#define FR_SCENE_LUA_GUARD_H

#include <freshet/base.h>

#define GUARD_TICK 0.1
#define GUARD_GRACE 0.4 /* both in seconds */

typedef struct guard guard;

/* `hurry` is called in a signal handler and must be async-signal-safe. */
fr_result guard_open(void (*hurry)(void *context), void *context, guard **out);

/* Call it on the thread that did the work, and not during work. NULL is allowed. */
void guard_close(guard *g);

/* Runs the work with a time limit. FR_ERROR_STOPPED, without a message, means that it was aborted. It makes a system
   call only if the timer is not running from recent work. */
fr_result guard_run(guard *g, double seconds, void (*work)(void *context), void *context);

/* Whether the current or last work has exceeded its limit. */
bool guard_late(const guard *g);

/* The number of ticks so far. */
unsigned guard_looks(const guard *g);

/* The work is not aborted between these calls. They nest. If the work ends otherwise, the shield is removed. */
void guard_shield(guard *g);
void guard_unshield(guard *g);

#endif
