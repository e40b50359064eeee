/* A watch over work that may run for ever where nothing counts its steps: Lua compares, hashes, parses and collects
   garbage within single instructions, and some of that takes quadratic time. A timer's signal looks at the work ten
   times a second. When its time is up it first asks (`hurry`); work that does not end by itself within GUARD_GRACE is
   left by siglongjmp, and whatever it was doing stays half done: its owner may only throw it away.

   No lock may be held where the jump can strike. Code that calls into malloc, stdio or anything else with a lock
   does so between guard_shield and guard_unshield, and the jump waits for it.

   The bound: work is seen by the first look after it begins, asked by the first after its time is up, and left by the
   first after the grace. It runs at most GUARD_GRACE and three ticks too long, and for what is shielded then. */
#ifndef FR_SCENE_LUA_GUARD_H
#define FR_SCENE_LUA_GUARD_H

#include <freshet/base.h>

#define GUARD_TICK 0.1
#define GUARD_GRACE 0.4 /* both in seconds */

typedef struct guard guard;

/* `hurry` is called within a signal's handler. */
fr_result guard_open(void (*hurry)(void *context), void *context, guard **out);

/* Not while work is going on, and by the thread that did it. NULL is allowed. */
void guard_close(guard *g);

/* Does the work, which may take so long; FR_ERROR_STOPPED, without a message: it was left. Costs a system call only
   when no other work went just before. */
fr_result guard_run(guard *g, double seconds, void (*work)(void *context), void *context);

/* Whether the time of the present or last work was up. */
bool guard_late(const guard *g);

/* How often it has looked. */
unsigned guard_looks(const guard *g);

/* The work is not left in between. They nest; work that ends for another reason need not lower the shield. */
void guard_shield(guard *g);
void guard_unshield(guard *g);

#endif
