/* Freshet: the files of a run. A file gets its final name only when it is complete. */
#ifndef FRESHET_IO_H
#define FRESHET_IO_H

#include <freshet/frame.h>
#include <freshet/surface.h>
#include <freshet/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Creates a folder and its missing parents. */
FR_API fr_result fr_make_folder(const char *path);

/* Writes a text file atomically: after a crash or power cut there is either the old file or the new one. */
FR_API fr_result fr_text_write(const char *path, const char *text);

/* Reads a regular file of at most `most` bytes and appends a zero byte. The caller frees *text with free. */
FR_API fr_result fr_text_read(const char *path, int64_t most, char **text, size_t *length);

/* Appends complete lines to a text file, after `header` (may be NULL) when the file is empty or new. An incomplete last
   line that a crash left is removed first; when a write fails, the file keeps no part of the new lines. */
FR_API fr_result fr_text_append(const char *path, const char *header, const char *lines);

/* fsync of a file, or of a folder's entries. */
FR_API fr_result fr_file_sync(const char *path);

/* A callback before the library gives a file its final name: path, size and checksum (XXH64). A file that grows line by
   line is announced once, as empty. If the callback fails, the file is not put in place. One guard per process; NULL:
   none. */
typedef fr_result (*fr_file_guard)(void *context, const char *path, int64_t bytes, uint64_t sum);
FR_API void fr_set_file_guard(fr_file_guard guard, void *context);

/* The cache: one HDF5 file per frame. VTK can read it (VTKHDF image data; not on bent grids). Values at faces are
   stored in addition, unchanged. */
FR_API fr_result fr_cache_write(const char *path, const fr_frame *frame);

typedef struct fr_cached_frame fr_cached_frame;
FR_API fr_result fr_cache_read(const char *path, fr_cached_frame **frame);
FR_API const fr_frame *fr_cached_frame_view(const fr_cached_frame *frame);   /* valid until `frame` is destroyed */
FR_API void fr_cached_frame_destroy(fr_cached_frame *frame);

/* NPY: folder/<field>.npy for every field of the frame, float32, C order; particles.npy, particle_velocity.npy,
   particle_id.npy (int64) and particle_<attribute>.npy. On a bent grid x.npy, y.npy (3D: z.npy) hold the nodes, and
   velocity.npy [cells][2 or 3] replaces "u", "v", "w". */
FR_API fr_result fr_npy_write_frame(const char *folder, const fr_frame *frame);

/* VTK: the frame's particles as PolyData (.vtp) with velocity, attributes and, if known, id; passive particles also
   with their kind, counted from 1. */
FR_API fr_result fr_vtk_write_particles(const char *path, const fr_frame *frame);

/* VTK: a frame on a bent grid as StructuredGrid (.vts) with `velocity` and the other fields as cell data. */
FR_API fr_result fr_vtk_write_grid(const char *path, const fr_frame *frame);

/* Writes a surface with normals and velocities, by the path's extension as PLY (binary, little endian) or as OBJ, which
   cannot store velocities. */
FR_API fr_result fr_mesh_write(const char *path, const fr_mesh *mesh);

/* Checkpoints: writes folder/a.chk and folder/b.chk in turn, so that the older one is replaced. Each has a checksum and
   is fsynced and renamed into place. */
FR_API fr_result fr_checkpoint_write(const char *folder, const fr_block *blocks, int count, int64_t order);

typedef struct fr_checkpoint {
    fr_block *blocks;      /* owned */
    int count;
    int64_t order;         /* as given to fr_checkpoint_write; the greater one is newer */
    char path[4096];
} fr_checkpoint;
/* Reads the newest intact checkpoint (`back` 0) or the one before it (1). A damaged one is skipped with a warning.
   fr_checkpoint_free frees the blocks, not the struct. */
FR_API fr_result fr_checkpoint_read(const char *folder, int back, fr_checkpoint *checkpoint);
FR_API void fr_checkpoint_free(fr_checkpoint *checkpoint);

/* The list of a run, DIR/checksums.txt: checksum, size and path of every file that the run wrote, added before the file
   is put in place. A run may overwrite or delete only files on its list; all others belong to somebody else. Paths are
   relative to the run's folder. A file may have several lines: the last one is current. */
typedef struct fr_list fr_list;
FR_API fr_result fr_list_open(const char *dir, fr_list **list);   /* empty when there is no file */
FR_API void fr_list_close(fr_list *list);

/* The number of lines. fr_list_path gives their paths in sorted order, and NULL where a line repeats the path before
   it. Paths belong to the list. */
FR_API int fr_list_count(fr_list *list);
FR_API const char *fr_list_path(const fr_list *list, int index);
FR_API bool fr_list_has(fr_list *list, const char *path, int64_t *bytes, uint64_t *sum);   /* from its last line */

/* What the list said about a file when it was `limit` bytes long; an empty file if it was not on the list. */
FR_API void fr_list_had(fr_list *list, const char *path, int64_t limit, int64_t *bytes, uint64_t *sum);

/* Adds a file: with the size and checksum that it will have, or as it is on disk now. A file that will grow line by
   line is first added as empty. */
FR_API fr_result fr_list_add(fr_list *list, const char *path, int64_t bytes, uint64_t sum);
FR_API fr_result fr_list_add_file(fr_list *list, const char *path);

/* While `eager` is set, each line is fsynced before its file is put in place. That is slow: for a run's few most
   important files. */
FR_API void fr_list_set_eager(fr_list *list, bool eager);

typedef enum fr_listed {
    FR_FILE_ABSENT,
    FR_FILE_OURS,        /* matches one of its lines; in an unfinished run it may be a file that has grown */
    FR_FILE_CHANGED,     /* on the list, but matches none of its lines */
    FR_FILE_STRANGE      /* not on the list */
} fr_listed;
FR_API fr_listed fr_list_judge(fr_list *list, const char *path, bool finished);

/* Renames a file to "<path>.kept-1", -2, … and warns. */
FR_API fr_result fr_list_set_aside(fr_list *list, const char *path);

/* Before a file is put in place: sets aside what is there and is not ours, and adds the new file to the list. */
FR_API fr_result fr_list_admit(fr_list *list, const char *path, int64_t bytes, uint64_t sum);

/* Deletes a file that is ours, and the folders that become empty. A file that has changed is set aside instead, unless
   it contains nothing but zeros after a power cut. */
FR_API fr_result fr_list_remove(fr_list *list, const char *path, bool finished);

/* Rewrites the list with those files only for which `stays` returns true. */
FR_API fr_result fr_list_restart(fr_list *list, bool (*stays)(const char *path));

/* fsync of all files added since the last call, of their folders and of the list. */
FR_API fr_result fr_list_sync(fr_list *list);

/* Length and checksum of the list at some moment. fr_list_pin takes them; fr_list_hold fails when the list no longer
   begins with those bytes. */
typedef struct fr_list_mark {
    int64_t bytes;
    uint64_t sum;
} fr_list_mark;
FR_API fr_result fr_list_pin(fr_list *list, fr_list_mark *mark);
FR_API fr_result fr_list_hold(fr_list *list, const fr_list_mark *mark);

/* Removes damaged lines after the mark, which a power cut can leave. */
FR_API fr_result fr_list_mend(fr_list *list, const fr_list_mark *mark);

/* Compares a run's files with its list. `sink` gets every file that does not match. */
typedef enum fr_verify_kind { FR_VERIFY_DAMAGED, FR_VERIFY_MISSING, FR_VERIFY_STRANGE } fr_verify_kind;
typedef struct fr_verify_report {
    int files, damaged, missing;
} fr_verify_report;
typedef struct fr_verify_def {
    bool unfinished;         /* files that grow line by line may have grown */
    int64_t limit;           /* reads this many bytes of the list only; −1: all */
    bool (*wanted)(void *context, const char *path);   /* NULL: all */
    void (*sink)(void *context, const char *path, fr_verify_kind kind, const char *trouble);   /* NULL: none */
    void *context;
} fr_verify_def;
FR_API fr_result fr_verify_run(fr_list *list, const fr_verify_def *def, fr_verify_report *report);

/* Copies a file of at most `most` bytes. */
FR_API fr_result fr_file_copy(const char *from, const char *to, int64_t most);

/* Size and checksum (XXH64) of a regular file. */
FR_API fr_result fr_file_sum(const char *path, int64_t *bytes, uint64_t *sum);

/* Truncates a file to that many bytes; a shorter file stays as it is. */
FR_API fr_result fr_file_cut(const char *path, int64_t bytes);

/* Appends a row to a CSV file, after a header when the file is new. */
FR_API fr_result fr_ledger_append(const char *path, const fr_ledger *row);

/* A CSV file of numbers in memory. Empty cells are NaN. fr_table_free frees the arrays, not the struct. */
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
