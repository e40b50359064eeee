/* Finds where a run can be resumed: at the newest checkpoint whose files are all intact. */
#ifndef RUN_RESUME_H
#define RUN_RESUME_H

#include "run/folder.h"

typedef enum run_point {
    RUN_POINT_FOUND,
    RUN_POINT_NONE,      /* the run ended before it had written anything */
    RUN_POINT_LOST       /* there are frames, but no usable checkpoint; the message says what is lost */
} run_point;

/* Fills `checkpoint` and `basis`, the run's record at that checkpoint. Free both in any case. */
run_point run_resume_find(const run_folder *folder, const fr_scene_def *def, fr_checkpoint *checkpoint,
                          run_record *basis);

/* Whether a finished run still has every file that it needs; reports what is missing. */
bool run_resume_is_complete(const run_folder *folder, const fr_scene_def *def, const run_record *record);

/* Truncates the growing tables to their length at the checkpoint. */
fr_result run_resume_cut_tables(const run_folder *folder, const fr_list_mark *basis);

/* Lists the tables' current content, for the checkpoint that will depend on it. */
fr_result run_resume_note_tables(const run_folder *folder);

/* Whether an override does not affect the flow, so that a run may be resumed with a different one. */
bool run_resume_is_harmless(const char *override);

#endif
