/* The main loop of a run: step, write frames, keep checkpoints. */
#ifndef RUN_SIMULATE_H
#define RUN_SIMULATE_H

#include "run/progress.h"
#include "run/folder.h"

typedef struct simulation {
    /* set by the caller */
    const fr_scene_def *def;
    fr_world *world;
    const run_folder *folder;
    run_record *record;         /* kept up to date and written with every checkpoint */
    int target;                 /* the last frame */
    bool resumed;               /* the world was restored from a checkpoint */
    int64_t checkpoint_order;   /* of the last checkpoint, 0 for none */
    progress progress;
    /* updated by simulate */
    double checkpoint_cost;     /* s, of the last one */
    double checkpoint_at;       /* wall clock of the last one, s */
    double earlier_seconds;     /* wall_seconds of earlier sessions */
    bool no_pictures;           /* this build cannot draw; warned once */
    fr_models *models;          /* of pictures drawn during the run; run.c frees them */
} simulation;

/* FR_OK at the target, FR_ERROR_STOPPED after Ctrl-C (with a checkpoint written), or another failure. */
fr_result simulate(simulation *simulation);

#endif
