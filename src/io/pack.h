/* Fields into chunked HDF5 datasets [z][y][x], compressed as HDF5's own filters shuffle and deflate do it, and back. */
#ifndef FR_IO_PACK_H
#define FR_IO_PACK_H

#include <freshet/frame.h>

#include "io/h5read.h"
#include "io/h5write.h"

enum { PACK_SAMPLES_MOST = 64 << 10 /* in a chunk: 256 KiB */ };

/* What fills a dataset: one field as it is; or, with three parts, the velocity at the cell centres, the mean of the
   two faces along each axis, in a fourth index [x|y|z]. A part that is NULL counts as zero. */
typedef struct pack_source {
    const fr_field *part[3];
    int parts;               /* 1 or 3 */
    int64_t size[3];         /* of the dataset, x first */
} pack_source;

/* Chunks that are in the file, not yet in a dataset. */
typedef struct pack_stored {
    h5_array array;          /* its address is still to come */
    h5_chunk *chunks;        /* in order; freed by pack_free */
    int64_t count;
} pack_stored;

/* Writes the chunks. An error of the file sticks to the draft. pack_free is called either way. */
fr_result pack_write(file_draft *draft, const pack_source *source, pack_stored *stored);
void pack_free(pack_stored *stored);

/* Fills `data`, zeroed and dense, with the samples of a dataset of three indices. */
fr_result pack_read(h5_source *h5, const h5_array *array, float *data);

#endif
