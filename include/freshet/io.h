/* Freshet: files of a run. Every file appears under its final name only when it is whole. */
#ifndef FRESHET_IO_H
#define FRESHET_IO_H

#include <freshet/frame.h>
#include <freshet/surface.h>
#include <freshet/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Folders. `fr_make_folder` makes parents too. */
FR_API fr_result fr_make_folder(const char *path);

/* A text file in one moment: it is the old one or the new one, whenever the power goes. */
FR_API fr_result fr_text_write(const char *path, const char *text);

/* The whole of a regular file of at most `most` bytes, with a zero after it; freed by the caller. */
FR_API fr_result fr_text_read(const char *path, int64_t most, char **text, size_t *length);

/* Adds whole lines at the end of a text file, `header` (may be NULL) first when the file is empty or new. What a crash
   left of an unfinished last line is dropped; lines that cannot be written whole leave no trace. */
FR_API fr_result fr_text_append(const char *path, const char *header, const char *lines);

/* Waits until a file or the entries of a folder are on the disk. */
FR_API fr_result fr_file_sync(const char *path);

/* Called before any file of this library takes its place: where it goes, how long it is and its checksum (XXH64); a
   file that grows line by line is announced once, empty. A failure keeps it from going there. One guard for the
   process; NULL for none. */
typedef fr_result (*fr_file_guard)(void *context, const char *path, int64_t bytes, uint64_t sum);
FR_API void fr_set_file_guard(fr_file_guard guard, void *context);

/* Cache: one HDF5 file per frame, readable by VTK (VTKHDF image data; not on bent grids); faces beside it, exact. */
FR_API fr_result fr_cache_write(const char *path, const fr_frame *frame);

typedef struct fr_cached_frame fr_cached_frame;
FR_API fr_result fr_cache_read(const char *path, fr_cached_frame **frame);
FR_API const fr_frame *fr_cached_frame_view(const fr_cached_frame *frame);   /* every field as it was written */
FR_API void fr_cached_frame_destroy(fr_cached_frame *frame);

/* NPY: folder/<field>.npy for every field of the frame, float32, C order; particles.npy, particle_velocity.npy,
   particle_id.npy (int64) and particle_<attribute>.npy. On a bent grid x.npy, y.npy (3D: z.npy) are its nodes, and
   velocity.npy [cells][2 or 3] stands for "u", "v", "w". */
FR_API fr_result fr_npy_write_frame(const char *folder, const fr_frame *frame);

/* VTK: the frame's particles as PolyData (.vtp) with their velocity, their attributes and, where it is known, their id;
   those that are carried also with their kind, counted from 1. */
FR_API fr_result fr_vtk_write_particles(const char *path, const fr_frame *frame);

/* VTK: the fields of a frame on a bent grid as a StructuredGrid (.vts): `velocity` and the others in its cells. */
FR_API fr_result fr_vtk_write_grid(const char *path, const fr_frame *frame);

/* A surface with normals and velocities. The ending of the path says PLY (binary, little endian) or OBJ, which has no
   place for velocities. */
FR_API fr_result fr_mesh_write(const char *path, const fr_mesh *mesh);

/* Checkpoints: folder/a.chk and folder/b.chk in turn, the older one replaced; fsync, rename, checksum. */
FR_API fr_result fr_checkpoint_write(const char *folder, const fr_block *blocks, int count, int64_t order);

typedef struct fr_checkpoint {
    fr_block *blocks;      /* owned */
    int count;
    int64_t order;         /* as written; the greater is the newer */
    char path[4096];
} fr_checkpoint;
/* The newest whole one (`back` 0) or the one before it (1); a damaged one is passed over with a warning. */
FR_API fr_result fr_checkpoint_read(const char *folder, int back, fr_checkpoint *checkpoint);
FR_API void fr_checkpoint_free(fr_checkpoint *checkpoint);

/* The list of a run, DIR/checksums.txt: hash, size and name of every file that the run wrote, noted before the file
   takes its place. What a run may overwrite or delete is what its list knows; anything else is somebody else's. Paths
   are relative to the run's folder. */
typedef struct fr_list fr_list;
FR_API fr_result fr_list_open(const char *dir, fr_list **list);   /* empty where there is none */
FR_API void fr_list_close(fr_list *list);

/* Lines, sorted by path; the path at an index, NULL where it is the one before it again. */
FR_API int fr_list_count(fr_list *list);
FR_API const char *fr_list_path(const fr_list *list, int index);
FR_API bool fr_list_has(fr_list *list, const char *path, int64_t *bytes, uint64_t *sum);   /* its last line */

/* What the list said of a file when it had `limit` bytes: no bytes where it did not know it. */
FR_API void fr_list_had(fr_list *list, const char *path, int64_t limit, int64_t *bytes, uint64_t *sum);

/* Notes a file: as it will be, or as it is now. One that will grow line by line is noted empty first. */
FR_API fr_result fr_list_add(fr_list *list, const char *path, int64_t bytes, uint64_t sum);
FR_API fr_result fr_list_add_file(fr_list *list, const char *path);

/* While this is on, a line is on the disk before its file takes its place: for the few files that a run begins with. */
FR_API void fr_list_set_eager(fr_list *list, bool eager);

typedef enum fr_listed {
    FR_FILE_ABSENT,
    FR_FILE_OURS,        /* as one of its lines says; while the run is unfinished a growing file may have grown */
    FR_FILE_CHANGED,     /* on the list, but not as any line says */
    FR_FILE_STRANGE      /* not on the list */
} fr_listed;
FR_API fr_listed fr_list_judge(fr_list *list, const char *path, bool finished);

/* Renames to "<path>.kept-1", -2, …, with a warning. */
FR_API fr_result fr_list_set_aside(fr_list *list, const char *path);

/* For a file about to take its place: notes it, having moved aside what is there and not ours. */
FR_API fr_result fr_list_admit(fr_list *list, const char *path, int64_t bytes, uint64_t sum);

/* Deletes a file that is ours, with folders that this leaves empty; moves one aside that has changed, unless a power
   cut has left nothing but zeros of it. */
FR_API fr_result fr_list_remove(fr_list *list, const char *path, bool finished);

/* Begins the list anew with the files that stay. */
FR_API fr_result fr_list_restart(fr_list *list, bool (*stays)(const char *path));

/* Waits until all files that were noted since the last time, their folders and the list are on the disk. */
FR_API fr_result fr_list_sync(fr_list *list);

/* The list up to now, pinned by length and checksum; `hold` fails when it is no longer so. */
typedef struct fr_list_mark {
    int64_t bytes;
    uint64_t sum;
} fr_list_mark;
FR_API fr_result fr_list_pin(fr_list *list, fr_list_mark *mark);
FR_API fr_result fr_list_hold(fr_list *list, const fr_list_mark *mark);

/* Drops lines behind the mark that a power cut has torn. */
FR_API fr_result fr_list_mend(fr_list *list, const fr_list_mark *mark);

/* Compares a run's files with its list. */
typedef enum fr_verify_kind { FR_VERIFY_DAMAGED, FR_VERIFY_MISSING, FR_VERIFY_STRANGE } fr_verify_kind;
typedef struct fr_verify_report {
    int files, damaged, missing;
} fr_verify_report;
typedef struct fr_verify_def {
    bool unfinished;         /* growing files may have grown */
    int64_t limit;           /* only lines before this many bytes of the list count; −1: all */
    bool (*wanted)(void *context, const char *path);   /* NULL: all */
    void (*sink)(void *context, const char *path, fr_verify_kind kind, const char *trouble);   /* NULL: none */
    void *context;
} fr_verify_def;
FR_API fr_result fr_verify_run(fr_list *list, const fr_verify_def *def, fr_verify_report *report);

/* A copy of a file, at most `most` bytes. */
FR_API fr_result fr_file_copy(const char *from, const char *to, int64_t most);

/* Length and checksum of a regular file. */
FR_API fr_result fr_file_sum(const char *path, int64_t *bytes, uint64_t *sum);

/* Cuts a file down to that many bytes; longer than it is it does not become. */
FR_API fr_result fr_file_cut(const char *path, int64_t bytes);

/* Appends rows to a CSV file, header first when the file is new. */
FR_API fr_result fr_ledger_append(const char *path, const fr_ledger *row);

/* A CSV of numbers read whole: columns by name; empty cells are NaN. */
typedef struct fr_table {
    int columns, rows;
    char **names;
    double *values;        /* [row][column] */
} fr_table;
FR_API fr_result fr_table_read(const char *path, fr_table *table);
FR_API void fr_table_free(fr_table *table);

#ifdef __cplusplus
}
#endif
#endif
