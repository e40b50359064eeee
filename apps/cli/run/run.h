/* One `freshet run`, from its command line to the world. */
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
    run_record record, found;   /* of this run; of the run found in the folder */
    bool there, known;          /* the folder has a run; its record could be read */
    text scene_text;            /* content of scene.lua in the folder */
    run_input_sum *input_sums;  /* of the files that the scene reads */
    fr_world *world;
    fr_checkpoint checkpoint;   /* of a resumed run: its starting point */
    run_record basis;           /* of a resumed run: its record at that checkpoint */
    bool resumed;
} run;

/* The heading of the overrides that a run appends to its copy of the scene. */
#define RUN_OVERRIDES "-- overrides of this run:\n"

/* Loads the scene and finds its folder. */
fr_result run_load(run *run);

/* Decides, under the folder's lock, whether and how it may be used. Returns OPTIONS_GO_ON or an exit status. */
int run_judge(run *run);

/* Creates the world, then prepares the folder. Nothing is written before the world exists. */
fr_result run_prepare(run *run);

#endif
