/* Reads the HDF5 files that h5write.h writes, and no others. Every number is checked: a file may have the right
   checksum and still be invalid. Every error message names the file's path. */
#ifndef FR_IO_H5READ_H
#define FR_IO_H5READ_H

#include "base/arena.h"
#include "io/h5format.h"
#include "io/seal.h"

/* A file open for reading. */
typedef struct h5_source {
    file_bytes bytes;
    const char *path;             /* for messages; owned by the caller */
    uint64_t root;
} h5_source;

/* A group's or dataset's header. */
typedef struct h5_object {
    unsigned char *messages;
    size_t count;                 /* bytes */
    uint64_t address;             /* of the messages */
} h5_object;

/* Opens a file of that kind. Damaged and foreign files fail. Call h5_close in either case. */
fr_result h5_open(h5_source *h5, const char *path, seal_kind kind);
void h5_close(h5_source *h5);

/* "<path> cannot be used: its <what> makes no sense" */
fr_result h5_refuse(const h5_source *h5, const char *what);

/* h5_inside: whether `count` bytes at `address` lie in the file. h5_read: reads them, or fails. */
bool h5_inside(const h5_source *h5, uint64_t address, uint64_t count);
fr_result h5_read(h5_source *h5, uint64_t address, void *data, size_t count);

/* Call h5_release in either case. */
fr_result h5_open_root(h5_source *h5, h5_object *root);
fr_result h5_open_child(h5_source *h5, const h5_object *group, const char *name, h5_object *child);
void h5_release(h5_object *object);

bool h5_has_child(const h5_object *group, const char *name);
bool h5_has_attribute(const h5_object *object, const char *name);

/* Fail unless the attribute exists with exactly `count` values of that type. */
fr_result h5_get_integers(const h5_source *h5, const h5_object *at, const char *name, int64_t *values, int count);
fr_result h5_get_reals(const h5_source *h5, const h5_object *at, const char *name, double *values, int count);
fr_result h5_get_text(const h5_source *h5, const h5_object *at, const char *name, arena *arena, const char **text);

/* Type, size and storage of a dataset. Checks that contiguous bytes lie inside the file and that chunks are not
   empty. */
fr_result h5_get_array(const h5_source *h5, const h5_object *dataset, h5_array *array);

/* The values of a contiguous dataset, in the machine's byte order. */
fr_result h5_get_values(h5_source *h5, const h5_array *array, void *values);

/* The chunks of a dataset, checked to lie inside the file and the dataset, in order and without duplicates. The caller
   frees them. */
fr_result h5_get_chunks(h5_source *h5, const h5_array *array, h5_chunk **chunks, int64_t *count);

#endif
