/* What a new run does with what it finds in its folder. */
#ifndef RUN_CLEAR_H
#define RUN_CLEAR_H

#include "run_folder.h"

/* Fails, naming it, when a name that the run would write is taken by a file that no run of this program made. `frame` is
   the world's present one; `target` the last. */
fr_result run_clear_check(const run_folder *folder, const fr_scene_def *def, const fr_frame *frame, int target);

/* Deletes the files of the run that was here, checkpoints first, so that what is left when this is cut short is no run
   that could be gone on with. Only files that the list knows go; those that have changed are moved aside. Then the list
   begins anew with what stays: run.json and log.txt. */
fr_result run_clear(run_folder *folder, bool finished);

/* Removes drafts that a killed program left. */
void run_clear_drafts(const run_folder *folder);

#endif
