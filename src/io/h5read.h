/* The HDF5 files that h5write.h writes, and no others, read with every number checked: a file may be whole by its
   checksum and still not make sense. Every failure is a message with the file's path. */
#ifndef FR_IO_H5READ_H
#define FR_IO_H5READ_H

#include "base/arena.h"
#include "io/h5format.h"
#include "io/seal.h"

/* A file open for reading. */
typedef struct h5_source {
    file_bytes bytes;
    const char *path;             /* for messages; the caller's */
    uint64_t root;
} h5_source;

/* A group's or dataset's header. */
typedef struct h5_object {
    unsigned char *messages;
    size_t count;                 /* bytes */
    uint64_t address;             /* of the messages */
} h5_object;

/* Opens a whole file of that kind; damaged and foreign files fail. h5_close is called either way. */
fr_result h5_open(h5_source *h5, const char *path, seal_kind kind);
void h5_close(h5_source *h5);

/* "<path> cannot be used: its <what> makes no sense" */
fr_result h5_refuse(const h5_source *h5, const char *what);

/* Whether so many bytes are in the file, and those bytes. */
bool h5_inside(const h5_source *h5, uint64_t address, uint64_t count);
fr_result h5_read(h5_source *h5, uint64_t address, void *data, size_t count);

/* h5_release is called either way. */
fr_result h5_open_root(h5_source *h5, h5_object *root);
fr_result h5_open_child(h5_source *h5, const h5_object *group, const char *name, h5_object *child);
void h5_release(h5_object *object);

bool h5_has_child(const h5_object *group, const char *name);
bool h5_has_attribute(const h5_object *object, const char *name);

/* Fail unless the attribute is there with exactly `count` values of that sort. */
fr_result h5_get_integers(const h5_source *h5, const h5_object *at, const char *name, int64_t *values, int count);
fr_result h5_get_reals(const h5_source *h5, const h5_object *at, const char *name, double *values, int count);
fr_result h5_get_text(const h5_source *h5, const h5_object *at, const char *name, arena *arena, const char **text);

/* What a dataset is. Contiguous bytes lie inside the file; chunks have at least one sample. */
fr_result h5_get_array(const h5_source *h5, const h5_object *dataset, h5_array *array);

/* The bytes of a contiguous dataset, in the machine's order. */
fr_result h5_get_values(h5_source *h5, const h5_array *array, void *values);

/* The chunks of a dataset, all inside the file and the dataset, in order and none twice; freed by the caller. */
fr_result h5_get_chunks(h5_source *h5, const h5_array *array, h5_chunk **chunks, int64_t *count);

#endif
