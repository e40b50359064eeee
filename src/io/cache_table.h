/* Contiguous datasets of a cache file with a row per thing: particles, bodies. */
#ifndef FR_IO_CACHE_TABLE_H
#define FR_IO_CACHE_TABLE_H

#include "io/h5read.h"
#include "io/h5write.h"

/* One or several numbers per row. */
typedef struct cache_table {
    h5_type type;
    int columns; /* 1: the dataset has no second index */
    int64_t rows;
    const void *values;
    ptrdiff_t stride; /* from row to row, in numbers */
} cache_table;

/* Writes the numbers and begins the dataset's header. */
void cache_begin_table(file_draft *draft, const cache_table *table, h5_header *header);
/* The same as a whole dataset, linked from `group`. */
fr_result cache_put_table(file_draft *draft, h5_header *group, const char *name, const cache_table *table);

/* Reads a dataset of table->type and table->columns into new memory (memory_free), without gaps between its rows. Their
   number is refused as the one of `what` if it is not table->rows; −1: any. */
fr_result cache_get_table(h5_source *h5, const h5_object *dataset, const char *what, cache_table *table);

#endif
