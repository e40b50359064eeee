/* What a new run does with what it finds in its folder. */
#ifndef RUN_CLEAR_H
#define RUN_CLEAR_H

#include "run/folder.h"

/* The names that a run would write. */
typedef struct run_names {
    const run_folder *folder;
    const fr_scene *scene;
    const fr_scene_def *def;
    const fr_frame *frame;   /* the world's present one */
    int target;              /* the last frame */
    bool after_unfinished;   /* an unfinished run was here: a power cut may have taken lines of its list */
} run_names;

/* Fails, naming it, when a name that the run would write is taken by a file that is on no run's list. After an
   unfinished run it is moved aside instead. */
fr_result run_clear_check(const run_names *names);

/* Deletes the files of the run that was here, checkpoints first, so that what is left when this is cut short is no run
   that could be gone on with. Only files that the list knows go; those that have changed are moved aside. Then the list
   begins anew with what stays: run.json and log.txt. */
fr_result run_clear(run_folder *folder, bool finished);

/* Removes drafts that a killed program left. */
void run_clear_drafts(const run_folder *folder);

#endif
