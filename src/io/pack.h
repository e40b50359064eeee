/* Fields into chunked HDF5 datasets [z][y][x], compressed by HDF5's own filters shuffle and deflate. */
#ifndef FR_IO_PACK_H
#define FR_IO_PACK_H

#include <freshet/frame.h>

#include "io/h5file.h"

/* What fills a dataset: one field as it is; or, with three parts, the velocity at the cell centres, the mean of the
   two faces along each axis, in a fourth index [x|y|z]. A part that is NULL counts as zero. */
typedef struct pack_source {
    const fr_field *part[3];
    int parts;               /* 1 or 3 */
    int64_t size[3];         /* of the dataset, x first */
} pack_source;

/* Makes the dataset `name` in `group` and fills it; `dataset` is left open. */
fr_result pack_dataset(h5_file *h5, hid_t group, const char *name, const pack_source *source, hid_t *dataset);

#endif
