/* run.json: what ran, with which overrides, on which machine, how far it came, and which files it depends on. Each
   checkpoint has a copy, so that a run with a damaged run.json can still be resumed. */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

#include "kit/options.h"
#include "kit/text.h"

#include <freshet/io.h>

struct run_folder;

typedef struct run_record {
    text name, method, scene, base_dir;   /* base_dir: absolute folder where the scene's relative paths start */
    text build;              /* of the program that started the run */
    text status;             /* "clearing", "running", "finished", "stopped", "failed" */
    text started, ended;     /* UTC; `ended` is empty while the run is active */
    char *set[OPTIONS_MOST]; /* --set overrides, owned */
    int set_count;
    int res;                 /* --res, or 0 */
    int threads;
    int dims, cells[3];
    double fps;
    bool begun;              /* frame 0 is written */
    int frames_done;         /* complete frames, without frame 0 */
    int frames_asked;        /* the last frame of this run */
    int frames_scene;        /* number of frames after frame 0, from the scene's duration */
    double wall_seconds;     /* over all sessions */
    fr_list_mark list;       /* mark in the list: the files that this state depends on */
} run_record;

/* The text of run.json. */
void run_record_print(const run_record *record, text *out);

/* `record` must be empty; keys that the text lacks stay empty. */
fr_result run_record_parse(const char *source, run_record *record);

/* From run.json or, if that cannot be read, from the newest checkpoint. */
fr_result run_record_read(const struct run_folder *folder, run_record *record);
fr_result run_record_write(const struct run_folder *folder, const run_record *record);
void run_record_free(run_record *record);

/* The checkpoint's block with the record. */
extern const char run_record_block[];
const fr_block *run_record_find(const fr_checkpoint *checkpoint);

#endif
