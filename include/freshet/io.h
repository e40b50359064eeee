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

/* Cache: one HDF5 file per frame, readable by VTK (VTKHDF image data; not on bent grids); faces beside it, exact. */
FR_API fr_result fr_cache_write(const char *path, const fr_frame *frame);

typedef struct fr_cached_frame fr_cached_frame;
FR_API fr_result fr_cache_read(const char *path, fr_cached_frame **frame);
FR_API const fr_frame *fr_cached_frame_view(const fr_cached_frame *frame);   /* every field as it was written */
FR_API void fr_cached_frame_destroy(fr_cached_frame *frame);

/* NPY: folder/<field>.npy for every field of the frame, float32, C order; particles.npy, particle_velocity.npy, particle_id.npy
   (int64) and particle_<attribute>.npy. On a bent grid x.npy, y.npy (3D: z.npy) are its nodes, and velocity.npy [cells][2 or 3] stands for
   "u", "v", "w". */
FR_API fr_result fr_npy_write_frame(const char *folder, const fr_frame *frame);

/* VTK: the frame's particles as PolyData (.vtp) with their velocity, their attributes and, where it is known, their id; those that are
   carried also with their kind, counted from 1. */
FR_API fr_result fr_vtk_write_particles(const char *path, const fr_frame *frame);

/* VTK: the fields of a frame on a bent grid as a StructuredGrid (.vts): `velocity` and the others in its cells. */
FR_API fr_result fr_vtk_write_grid(const char *path, const fr_frame *frame);

/* A surface with normals and velocities. The ending of the path says PLY (binary, little endian) or OBJ, which has no place for
   velocities. */
FR_API fr_result fr_mesh_write(const char *path, const fr_mesh *mesh);

/* Checkpoints: folder/a.chk and folder/b.chk in turn, the older one replaced; fsync, rename, checksum. */
FR_API fr_result fr_checkpoint_write(const char *folder, const fr_block *blocks, int count, int64_t order);

typedef struct fr_checkpoint {
    fr_block *blocks;      /* owned */
    int count;
    int64_t order;         /* as written; the greater is the newer */
    char path[4096];
} fr_checkpoint;
/* The newest whole one; a damaged one is passed over with a warning. */
FR_API fr_result fr_checkpoint_read(const char *folder, fr_checkpoint *checkpoint);
FR_API void fr_checkpoint_free(fr_checkpoint *checkpoint);

/* Checksums of a run's files: DIR/checksums.txt, one line a file, kept up to date by the writers. */
typedef struct fr_verify_report {
    int files, damaged, missing;
} fr_verify_report;
typedef void (*fr_verify_sink)(void *context, const char *path, const char *trouble);
FR_API fr_result fr_verify_record(const char *dir, const char *relative_path);
FR_API fr_result fr_verify_run(const char *dir, fr_verify_sink sink, void *context, fr_verify_report *report);

/* Appends rows to a CSV file, header first when the file is new. */
FR_API fr_result fr_ledger_append(const char *path, const fr_ledger *row);

/* Drops rows of a CSV whose column `column` is beyond `limit`; for resuming. A missing file is fine. */
FR_API fr_result fr_csv_truncate(const char *path, const char *column, double limit);

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
