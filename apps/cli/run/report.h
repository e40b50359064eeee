/* Reports how a run ended: what is kept, how to continue. */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "run/simulate.h"

typedef struct run_report {
    const run_folder *folder;
    run_record *record;
    fr_world *world;
    const simulation *sim;
} run_report;

/* The simulation ended early. Returns the exit status. */
int run_report_failure(run_report *report, fr_result result);

/* The simulation reached its end; `status` is the result of making the pictures. Returns the exit status. */
int run_report_end(run_report *report, int status);

#endif
