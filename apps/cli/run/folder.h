/* A run's folder: its paths, its list of files, its lock. */
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
    char dir[3072];      /* as the user gave it, without a trailing slash */
    size_t existed;      /* length of the part of `dir` that existed before this program */
    bool locked;         /* this process holds the lock */
    int lock;            /* descriptor of .freshet-lock */
    fr_list *list;       /* the files that runs wrote here */
    FILE *log;           /* log.txt while a run writes here; else NULL */
} run_folder;

/* Fails when the path is too long. */
fr_result run_folder_open(run_folder *folder, const char *dir);

/* Releases the folder. Empty folders that run_folder_lock created are removed. */
void run_folder_close(run_folder *folder);

run_path run_folder_path(const run_folder *folder, const char *format, ...) FR_PRINTF(2, 3);

/* Opens a folder that must contain a run, for commands that work on one; reports errors. Returns OPTIONS_GO_ON or an
   exit status. `record` (may be NULL) is filled; free it in any case. */
int run_folder_need(run_folder *folder, const char *dir, run_record *record);

/* Creates the folder, locks it and reads its list. Fails with the process id of the other run if one holds the lock. */
fr_result run_folder_lock(run_folder *folder);

/* Syncs the folders that run_folder_lock created to disk. */
fr_result run_folder_settle(const run_folder *folder);

/* The subfolders that commands create in a run's folder. */
enum { RUN_FOLDERS = 8 };
extern const char *const run_folders[RUN_FOLDERS];

/* From now on every file written in the folder is first added to the list, and an unlisted file in its place is set
   aside. Fails when a subfolder is a symbolic link: a run's folder may come from someone else, and nothing outside it
   may be touched. */
fr_result run_folder_guard(run_folder *folder);

/* Opens log.txt for appending. */
fr_result run_folder_open_log(run_folder *folder);

/* Whether an unlisted file has that name. */
bool run_folder_is_strange(const run_folder *folder, const char *name);

/* The frames in cache/ within the range, ascending; the caller frees `*frames`. Without a cache: none. It fails
   when the folder cannot be listed to its end, and never gives a shorter list. */
fr_result run_folder_frames(const run_folder *folder, option_range range, int **frames, int *count);

/* Writes mesh/<frame>.<format> ("ply", "obj"), the liquid's surface. */
fr_result run_folder_write_mesh(const run_folder *folder, const fr_frame *frame, const char *format,
                                const fr_surface_options *options);

/* Writes vtk/particles_<frame>.vtp and, for a curvilinear grid, vtk/grid_<frame>.vts. */
fr_result run_folder_write_vtk(const run_folder *folder, const fr_frame *frame);

/* Writes npy/<frame>/, one file per field. */
fr_result run_folder_write_npy(const run_folder *folder, const fr_frame *frame);

/* Upper bound of a frame's bytes on disk, without pictures. */
double run_folder_frame_bytes(const fr_scene_def *def, const fr_estimate *estimate);

/* The name with characters replaced that a file name cannot have. */
void run_file_name(const char *name, char *out, size_t size);

#endif
