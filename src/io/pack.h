/* Writes fields as chunked HDF5 datasets [z][y][x], compressed by HDF5's filters shuffle and deflate; and reads
   them. */
#ifndef FR_IO_PACK_H
#define FR_IO_PACK_H

#include <freshet/frame.h>

#include "io/h5read.h"
#include "io/h5write.h"

enum { PACK_SAMPLES_MOST = 64 << 10 /* in a chunk: 256 KiB */ };

/* The content of a dataset: one field; or, with three parts, the velocity at the cell centres (the mean of the two
   faces along each axis), with a fourth index for the component. A part that is NULL counts as zero. */
typedef struct pack_source {
    const fr_field *part[3];
    int parts;               /* 1 or 3 */
    int64_t size[3];         /* of the dataset, x first */
} pack_source;

/* Chunks that are in the file but not yet part of a dataset. */
typedef struct pack_stored {
    h5_array array;          /* `address` is not set yet */
    h5_chunk *chunks;        /* in order; freed by pack_free */
    int64_t count;
} pack_stored;

/* Writes the chunks. The draft remembers write errors. Call pack_free in either case. */
fr_result pack_write(file_draft *draft, const pack_source *source, pack_stored *stored);
void pack_free(pack_stored *stored);

/* Reads a dataset of three indices into `data`, which must be zeroed and dense. */
fr_result pack_read(h5_source *h5, const h5_array *array, float *data);

#endif
