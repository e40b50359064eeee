/* Where a run stands: what every method's state has in common, and what the world reads of it. */
#ifndef FR_METHOD_PROGRESS_H
#define FR_METHOD_PROGRESS_H

#include <freshet/world.h>

typedef struct progress {
    double before, time;         /* s: where the last step began, and now */
    double end;                  /* s, when the step under way ends; set by the world */
    int frame;                   /* frames reached */
    int64_t steps;
    double courant;              /* of the step under way, as foreseen when its size was chosen */
    double traffic; /* bytes moved through memory since the method took the time last; stages that know add theirs */
    fr_step_report report;       /* of the step under way */
} progress;

/* The step has held: its end is the present. */
static inline void progress_accept(progress *now)
{
    now->before = now->time;
    now->time = now->end;
}

#endif
