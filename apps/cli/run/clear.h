/* How a new run deals with files that it finds in its folder. */
#ifndef RUN_CLEAR_H
#define RUN_CLEAR_H

#include "run/folder.h"

/* The file names that a run will write. */
typedef struct run_names {
    const run_folder *folder;
    const fr_scene *scene;
    const fr_scene_def *def;
    const fr_frame *frame;   /* the world's current frame */
    int target;              /* the last frame */
    bool after_unfinished;   /* the folder has an unfinished run, whose list may have lost lines in a power cut */
} run_names;

/* Fails, naming the file, when a name that the run will write is taken by a file that no run has listed. After an
   unfinished run such files are set aside instead. */
fr_result run_clear_check(const run_names *names);

/* Deletes the files of the previous run, checkpoints first: if this is interrupted, the remains cannot be resumed. Only
   listed files are deleted; changed ones are set aside. Then the list is restarted with what stays: run.json and
   log.txt. */
fr_result run_clear(run_folder *folder, bool finished);

/* Removes drafts left by a killed process. */
void run_clear_drafts(const run_folder *folder);

#endif
