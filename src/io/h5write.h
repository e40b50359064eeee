/* HDF5 files: objects are described in memory, one header each, and written children first, for a parent has to know
   where they are. What goes wrong with a header sticks to it and is reported by h5_end; errors of the file stick to the
   draft. */
#ifndef FR_IO_H5WRITE_H
#define FR_IO_H5WRITE_H

#include "base/files.h"
#include "io/h5format.h"

/* An object on its way: its messages so far. */
typedef struct h5_header {
    unsigned char *bytes;
    size_t count, room;
    int messages;
    fr_result trouble;            /* the first */
} h5_header;

/* Leaves room for what h5_finish writes at the front of the file. */
void h5_create(file_draft *draft);
void h5_finish(file_draft *draft, uint64_t root);

/* Where the next byte goes, at a multiple of 8. */
uint64_t h5_place(file_draft *draft);

void h5_begin_group(h5_header *header);
/* array->address is known: the bytes, or the tree that finds the chunks, are in the file. */
void h5_begin_dataset(h5_header *header, const h5_array *array);

void h5_put_link(h5_header *group, const char *name, uint64_t object);
void h5_put_integers(h5_header *header, const char *name, const int64_t *values, int count);
void h5_put_reals(h5_header *header, const char *name, const double *values, int count);
void h5_put_text(h5_header *header, const char *name, const char *text);

/* Writes the header, to which so many links will point, and says where. The header is over either way. */
fr_result h5_end(file_draft *draft, h5_header *header, int links, uint64_t *address);
/* The same for an object that has one link only, which is put into a group. */
fr_result h5_end_child(file_draft *draft, h5_header *header, h5_header *group, const char *name);
void h5_drop(h5_header *header);

/* Writes the tree that finds the chunks of an array. They are in the order of their places, which are those of `layers`
   equal layers along the first index: a layer more costs no more than its places in the tree. */
typedef struct h5_index {
    const h5_array *array;
    const h5_chunk *chunks;
    int64_t count;                /* of one layer */
    int layers;
} h5_index;
uint64_t h5_put_index(file_draft *draft, const h5_index *index);

#endif
