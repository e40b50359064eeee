/* Writes HDF5 files. Each object's header is built in memory and written after its children, since it contains their
   addresses. A header remembers its first failure, which h5_end reports; the draft remembers write errors. */
#ifndef FR_IO_H5WRITE_H
#define FR_IO_H5WRITE_H

#include "base/files.h"
#include "io/h5format.h"

/* An object under construction: its messages so far. */
typedef struct h5_header {
    unsigned char *bytes;
    size_t count, room;
    int messages;
    fr_result trouble;            /* the first failure */
} h5_header;

/* Reserves space for the superblock, which h5_finish writes at the front of the file. */
void h5_create(file_draft *draft);
void h5_finish(file_draft *draft, uint64_t root);

/* Pads the file to a multiple of 8 and returns the address of the next byte. */
uint64_t h5_place(file_draft *draft);

void h5_begin_group(h5_header *header);
/* array->address must be set: the bytes, or the B-tree of the chunks, are already in the file. */
void h5_begin_dataset(h5_header *header, const h5_array *array);

void h5_put_link(h5_header *group, const char *name, uint64_t object);
void h5_put_integers(h5_header *header, const char *name, const int64_t *values, int count);
void h5_put_reals(h5_header *header, const char *name, const double *values, int count);
void h5_put_text(h5_header *header, const char *name, const char *text);

/* Writes the header and returns its address; `links` is the number of links that will point to it. The header is freed
   in either case. */
fr_result h5_end(file_draft *draft, h5_header *header, int links, uint64_t *address);
/* The same for an object with a single link, which is added to `group`. */
fr_result h5_end_child(file_draft *draft, h5_header *header, h5_header *group, const char *name);
void h5_drop(h5_header *header);

/* Writes the B-tree of an array's chunks, which must be sorted by position. The chunks of one layer are repeated as
   `layers` equal layers along the first index: another layer costs only its entries in the tree. */
typedef struct h5_index {
    const h5_array *array;
    const h5_chunk *chunks;
    int64_t count;                /* chunks of one layer */
    int layers;
} h5_index;
uint64_t h5_put_index(file_draft *draft, const h5_index *index);

#endif
