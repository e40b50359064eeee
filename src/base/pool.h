/* A thread pool that shares loops.

   The caller never waits for a thread that has not started: it does all items that the others have not taken, then
   waits only for pieces in progress. It spins briefly, then sleeps. On a machine so busy that waiting costs more than
   the help saves, callers are told to work alone for a while. */
#ifndef FR_BASE_POOL_H
#define FR_BASE_POOL_H

#include "base/threads.h"

typedef struct pool_loop {
    threads_work work;
    void *context;
    int count;
    int shares;                 /* threads that may take part, including the caller; at least 2 */
    int least;                  /* smallest number of items taken at once; at least 1 */
    double seconds;             /* estimated time on one thread */
} pool_loop;

/* The caller's own part of a loop, and the CPU time of its helpers. */
typedef struct pool_part {
    int items;
    double seconds, helped;
} pool_part;

enum { POOL_MOST = 256 };       /* most shares of a loop */

/* Whether this thread is inside a shared loop: nested loops are not shared again. */
bool pool_inside(void);

/* Whether loops should be shared now. False for a while after sharing has cost more than it saved. */
bool pool_helps(double now);

/* Runs the loop on the caller and its helpers; every item once. */
pool_part pool_run(const pool_loop *loop, double now);

/* Records how many seconds sharing saved on a loop; negative: it lost time. */
void pool_settle(double saved, double now);

#endif
