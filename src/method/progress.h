/* The progress of a run: the part of the state that all methods have and that the world reads. */
#ifndef FR_METHOD_PROGRESS_H
#define FR_METHOD_PROGRESS_H

#include <freshet/world.h>

typedef struct progress {
    double before, time;         /* s: begin of the last step, current time; set by the world */
    double end;                  /* s: end of the current step, set by the world */
    int frame;                   /* frames reached */
    int64_t steps;
    double courant;              /* Courant number expected when the step was chosen */
    double traffic; /* bytes of memory traffic since the last timing; stages that know theirs add it */
    fr_step_report report;       /* of the current step; the world sets its time and Δt, the method fills in the rest */
} progress;

#endif
