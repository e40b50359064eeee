/* Where a run can be gone on from: the newest checkpoint all of whose files are still as it says. */
#ifndef RUN_RESUME_H
#define RUN_RESUME_H

#include "run/folder.h"

typedef enum run_point {
    RUN_POINT_FOUND,
    RUN_POINT_NONE,      /* the run was ended before it had written anything */
    RUN_POINT_LOST       /* there are frames, but nothing to go on from; the message says what is lost */
} run_point;

/* Fills `checkpoint` and `basis`, the record of the run as it was then; both must be freed in any case. */
run_point run_resume_find(const run_folder *folder, const fr_scene_def *def, fr_checkpoint *checkpoint,
                          run_record *basis);

/* Whether a finished run still has every file that it needs; says what it lacks. */
bool run_resume_is_complete(const run_folder *folder, const fr_scene_def *def, const run_record *record);

/* Cuts the tables that grow back to what they were at the checkpoint. */
fr_result run_resume_cut_tables(const run_folder *folder, const fr_list_mark *basis);

/* Notes the tables as they are now, for the checkpoint that will rest on them. */
fr_result run_resume_note_tables(const run_folder *folder);

/* Whether an override leaves the flow as it is, so that a run may be gone on with without it, or with another. */
bool run_resume_is_harmless(const char *override);

#endif
