/* One `freshet run`, from the words of the user to the world that steps. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "run/folder.h"
#include "run/inputs.h"

typedef struct run_options {
    const char *dir;
    int frames;       /* −1: as the scene says */
    int res, threads;
    option_list set;
    bool resume, force, quiet, json;
    bool allow_dir;   /* the scene's output.dir may be anywhere */
} run_options;

typedef struct run {
    run_options options;
    const char *scene_path;
    fr_scene *scene;
    const fr_scene_def *def;
    fr_estimate estimate;
    int target;
    run_folder folder;
    run_record record, found;   /* this run's; the one that was there */
    bool there, known;          /* a run is in the folder; what its record says is known */
    text scene_text;            /* scene.lua as it stands in the folder */
    run_input_sum *input_sums;  /* of the files that the scene reads */
    fr_world *world;
    fr_checkpoint checkpoint;   /* of a resumed run: where it goes on, */
    run_record basis;           /* and its record as it was then */
    bool resumed;
} run;

/* How the overrides begin that a run adds to its copy of the scene. */
#define RUN_OVERRIDES "-- overrides of this run:\n"

/* Loads the scene and finds its folder. */
fr_result run_load(run *run);

/* Looks at the folder, under its lock: whether and how it may be used. OPTIONS_GO_ON or an exit status. */
int run_judge(run *run);

/* Makes the world, then the folder ready for it. Nothing is written before the world stands. */
fr_result run_prepare(run *run);

#endif
