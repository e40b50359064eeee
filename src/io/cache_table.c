#include "io/cache_table.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/numbers.h"

static uint64_t cache_put_rows(file_draft *draft, const cache_table *table)
{
    enum { ROWS = 2048, ROW_BYTES = 32 };
    unsigned char piece[ROWS * ROW_BYTES];
    size_t number = h5_type_size(table->type), width = (size_t)table->columns * number;
    int64_t count = table->rows;
    uint64_t address = count > 0 ? h5_place(draft) : H5_NOWHERE;
    const char *row = table->values;
    for (int64_t first = 0; first < count && !draft->bytes.error; first += ROWS) {
        size_t rows = count - first < ROWS ? (size_t)(count - first) : ROWS;
        for (size_t i = 0; i < rows; i++, row += table->stride * (ptrdiff_t)number)
            memcpy(piece + i * width, row, width);
        numbers_swap(piece, rows * (size_t)table->columns, number);
        file_put(draft, piece, rows * width);
    }
    return address;
}

void cache_begin_table(file_draft *draft, const cache_table *table, h5_header *header)
{
    h5_begin_dataset(header, &(h5_array){
                                 .type = table->type,
                                 .rank = table->columns > 1 ? 2 : 1,
                                 .size = {table->rows, table->columns},
                                 .address = cache_put_rows(draft, table),
                             });
}

fr_result cache_put_table(file_draft *draft, h5_header *group, const char *name, const cache_table *table)
{
    h5_header header;
    cache_begin_table(draft, table, &header);
    return h5_end_child(draft, &header, group, name);
}

fr_result cache_get_table(h5_source *h5, const h5_object *dataset, const char *what, cache_table *table)
{
    h5_array array;
    char number[64];
    const int columns = table->columns;
    FR_TRY(h5_get_array(h5, dataset, &array));
    if (array.type != table->type || array.rank != (columns > 1 ? 2 : 1) || (columns > 1 && array.size[1] != columns) ||
        array.chunk[0] > 0 || (table->rows >= 0 && array.size[0] != table->rows) || array.size[0] > INT64_MAX / 64) {
        snprintf(number, sizeof number, "number of %s", what);
        return h5_refuse(h5, number);
    }
    table->rows = array.size[0];
    table->stride = columns;
    void *values =
        memory_alloc((size_t)(table->rows * columns) * h5_type_size(table->type)); /* at most the file's size */
    table->values = values;
    return values ? h5_get_values(h5, &array, values) : FR_ERROR_MEMORY;
}
