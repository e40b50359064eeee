/* Threads of our own that help a caller with a loop.

   The caller never waits for a thread that has not begun: it does whatever the others have not taken, and then waits
   only for those in the middle of a piece. Waiting is short spinning, then sleep. Where the machine is so busy that
   waiting costs more than the help is worth, callers are told to work alone for a while. */
#ifndef FR_BASE_POOL_H
#define FR_BASE_POOL_H

#include "base/threads.h"

typedef struct pool_loop {
    threads_work work;
    void *context;
    int count;
    int shares;                 /* threads that may take part, the caller among them; at least 2 */
    int least;                  /* items that are not worth dividing further; at least 1 */
    double seconds;             /* what it is thought to take alone */
} pool_loop;

/* What the caller itself did of a loop, and the processor time that others put into it. */
typedef struct pool_part {
    int items;
    double seconds, helped;
} pool_part;

enum { POOL_MOST = 256 };       /* shares of a loop */

/* Whether this thread is in the middle of a loop: loops inside are not shared again. */
bool pool_inside(void);

/* Whether help pays at present; not for a while after it has cost more than it was worth. */
bool pool_helps(double now);

/* Does the loop with the help of others; every item once. */
pool_part pool_run(const pool_loop *loop, double now);

/* Takes note of the seconds that a loop with help took less than it would have without; below zero: more. */
void pool_settle(double saved, double now);

#endif
