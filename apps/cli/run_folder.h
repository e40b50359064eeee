/* A run's folder: where its files are, what run.json says, who may write. */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include "cli.h"
#include "options.h"
#include "text.h"

#include <stdio.h>

typedef struct run_path {
    char text[4096];
} run_path;

typedef struct run_folder {
    char dir[3072];   /* as the user gave it, without a slash at its end */
    FILE *log;        /* log.txt, locked, while this program writes here; else NULL */
} run_folder;

typedef enum run_state {
    RUN_ABSENT,      /* no folder, or one without anything that a run would write */
    RUN_FOREIGN,     /* files in the way that no run made */
    RUN_UNFINISHED,
    RUN_FINISHED
} run_state;

/* What run.json holds. */
typedef struct run_record {
    text name, method, scene, base_dir;   /* base_dir: where the scene's relative paths start, absolute */
    text status;             /* "running", "finished", "stopped", "failed" */
    text started, ended;     /* UTC; ended is empty while it runs */
    char *set[OPTIONS_MOST]; /* --set overrides, owned */
    int set_count;
    int res;                 /* --res, or 0 */
    int threads;
    int dims, cells[3];
    double fps;
    int frames_done;         /* frames that are whole, frame 0 not counted */
    int frames_asked;        /* the frame after which this run ends */
    int frames_scene;        /* frames after frame 0 by the scene's duration */
    double wall_seconds;     /* over all sessions */
} run_record;

/* Fails on a path that is too long. */
fr_result run_folder_open(run_folder *folder, const char *dir);
void run_folder_close(run_folder *folder);

run_path run_folder_path(const run_folder *folder, const char *format, ...) FR_PRINTF(2, 3);

/* Looks at the folder; `found` is filled for (un)finished runs (and must be freed in any case). For RUN_FOREIGN,
   `blocker` names the first file in the way. */
run_state run_folder_state(const run_folder *folder, run_record *found, text *blocker);

/* Opens a folder that must hold a run, for the commands that work on one; says what is wrong. Returns an exit
   status, or OPTIONS_GO_ON. `record` is filled and must be freed in any case; NULL: not wanted. */
int run_folder_need(run_folder *folder, const char *dir, run_record *record);

/* Makes the folder and opens its log; fails when another program writes a run there. */
fr_result run_folder_lock(run_folder *folder);

/* Removes what an earlier run of this program left (only files it makes, never others), log.txt excepted. */
void run_folder_clear(const run_folder *folder, const char *name);

/* Removes drafts that a killed program left. */
void run_folder_tidy(const run_folder *folder);

/* The frames in cache/ within the range, ascending; `*frames` is freed by the caller. */
int run_folder_frames(const run_folder *folder, option_range range, int **frames);

/* Records the checksum of a file of the folder. */
fr_result run_folder_note(const run_folder *folder, const run_path *path);

/* Records the files that change until a run ends, run.json aside: tables and checkpoints. */
fr_result run_folder_note_end(const run_folder *folder);

/* Whether a file of that relative path may differ from its checksum while the run is unfinished. */
bool run_folder_may_change(const char *path);

/* Writes npy/<frame>/, one file per field, and records their checksums. */
fr_result run_folder_write_npy(const run_folder *folder, const fr_frame *frame);

/* Writes mesh/<frame>.<format> ("ply", "obj"), the liquid's surface, and records its checksum. */
fr_result run_folder_write_mesh(const run_folder *folder, const fr_frame *frame, const char *format);

/* Writes vtk/particles_<frame>.vtp and records its checksum. */
fr_result run_folder_write_vtk(const run_folder *folder, const fr_frame *frame);

/* What a frame takes on the disk at most, pictures left out. */
double run_folder_frame_bytes(const fr_scene_def *def, const fr_estimate *estimate);

/* `record` must be empty; what the file does not hold stays empty. */
fr_result run_record_read(const run_folder *folder, run_record *record);
fr_result run_record_write(const run_folder *folder, const run_record *record);
void run_record_free(run_record *record);

/* A name that can be part of a file's name. */
void run_file_name(const char *name, char *out, size_t size);

#endif
