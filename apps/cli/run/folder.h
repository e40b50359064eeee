/* A run's folder: where its files are, what its list knows, who may write. */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include "cli.h"
#include "kit/options.h"
#include "run/record.h"
#include "kit/text.h"

#include <stdio.h>

typedef struct run_path {
    char text[4096];
} run_path;

typedef struct run_folder {
    char dir[3072];      /* as the user gave it, without a slash at its end */
    size_t existed;      /* length of the part of `dir` that was there before this program */
    bool locked;         /* this program holds the folder, by `lock`, its open .freshet-lock */
    int lock;
    fr_list *list;       /* what runs wrote here */
    FILE *log;           /* log.txt while a run writes here; else NULL */
} run_folder;

/* Fails on a path that is too long. */
fr_result run_folder_open(run_folder *folder, const char *dir);

/* Gives the folder back; where nothing was written, folders that run_folder_lock made go again. */
void run_folder_close(run_folder *folder);

run_path run_folder_path(const run_folder *folder, const char *format, ...) FR_PRINTF(2, 3);

/* Opens a folder that must hold a run, for the commands that work on one; says what is wrong. Returns an exit
   status, or OPTIONS_GO_ON. `record` is filled and must be freed in any case; NULL: not wanted. */
int run_folder_need(run_folder *folder, const char *dir, run_record *record);

/* Makes the folder, keeps other runs out of it and reads its list; fails with the other's process id when one writes
   there. */
fr_result run_folder_lock(run_folder *folder);

/* Waits until the folders that run_folder_lock made are on the disk. */
fr_result run_folder_settle(const run_folder *folder);

/* The folders that commands make in a run's folder. */
enum { RUN_FOLDERS = 8 };
extern const char *const run_folders[RUN_FOLDERS];

/* From here on every file that is written under the folder is noted on its list first; what is in its place and not on
   the list is moved aside. Fails when one of the run's folders is a link: a run folder may come from a stranger, and
   nothing outside it may be touched. */
fr_result run_folder_guard(run_folder *folder);

/* Opens log.txt to add to it. */
fr_result run_folder_open_log(run_folder *folder);

/* Whether a name is taken by something that is not on the list. */
bool run_folder_is_strange(const run_folder *folder, const char *name);

/* The frames in cache/ within the range, ascending; `*frames` is freed by the caller. No folder holds no frames; one
   that cannot be listed to its end is a failure, never fewer frames. */
fr_result run_folder_frames(const run_folder *folder, option_range range, int **frames, int *count);

/* Writes mesh/<frame>.<format> ("ply", "obj"), the liquid's surface. */
fr_result run_folder_write_mesh(const run_folder *folder, const fr_frame *frame, const char *format);

/* Writes vtk/particles_<frame>.vtp and, of a bent grid, vtk/grid_<frame>.vts. */
fr_result run_folder_write_vtk(const run_folder *folder, const fr_frame *frame);

/* Writes npy/<frame>/, one file per field. */
fr_result run_folder_write_npy(const run_folder *folder, const fr_frame *frame);

/* What a frame takes on the disk at most, pictures left out. */
double run_folder_frame_bytes(const fr_scene_def *def, const fr_estimate *estimate);

/* A name that can be part of a file's name. */
void run_file_name(const char *name, char *out, size_t size);

#endif
