/* run.json: what ran, with which overrides, on which machine, how far it came, and what it rests on. A checkpoint
   carries a copy, so that a damaged run.json locks nobody out. */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

#include "kit/options.h"
#include "kit/text.h"

#include <freshet/io.h>

struct run_folder;

typedef struct run_record {
    text name, method, scene, base_dir;   /* base_dir: where the scene's relative paths start, absolute */
    text build;              /* of the program that began it */
    text status;             /* "clearing", "running", "finished", "stopped", "failed" */
    text started, ended;     /* UTC; ended is empty while it runs */
    char *set[OPTIONS_MOST]; /* --set overrides, owned */
    int set_count;
    int res;                 /* --res, or 0 */
    int threads;
    int dims, cells[3];
    double fps;
    bool begun;              /* frame 0 is written */
    int frames_done;         /* frames that are whole, frame 0 not counted */
    int frames_asked;        /* the frame after which this run ends */
    int frames_scene;        /* frames after frame 0 by the scene's duration */
    double wall_seconds;     /* over all sessions */
    fr_list_mark list;       /* the list of files that this state rests on */
} run_record;

/* The text of run.json. */
void run_record_print(const run_record *record, text *out);

/* `record` must be empty; what the text does not hold stays empty. */
fr_result run_record_parse(const char *source, run_record *record);

/* From run.json or, where that cannot be read, from the newest checkpoint. */
fr_result run_record_read(const struct run_folder *folder, run_record *record);
fr_result run_record_write(const struct run_folder *folder, const run_record *record);
void run_record_free(run_record *record);

/* The block of a checkpoint that holds the record. */
extern const char run_record_block[];
const fr_block *run_record_find(const fr_checkpoint *checkpoint);

#endif
