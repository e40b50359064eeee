/* Nodes from a NumPy array (numpy/lib/format.py): float32 or float64 of shape (nt+1, ns+1, 2), in 3D (nr+1, nt+1, ns+1,
 * 3). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "river/nodes_parts.h"

enum { NPY_HEADER = 4096, NPY_AXES = 8, NPY_NODES = 1024 };

typedef struct npy_head {
    int bytes;                   /* of a number */
    int axes;
    long long size[NPY_AXES];
    char shape[96];              /* as text, for messages */
} npy_head;

static fr_result npy_damaged(const node_table *table, const char *what)
{
    return fr_fail_key("river.nodes", "%s: %s; write it with numpy.save", table->file, what);
}

/* The dictionary in the file's header, as text. Its length takes two bytes in format 1, four in 2 and 3. */
static fr_result npy_read_text(FILE *file, const node_table *table, char text[NPY_HEADER])
{
    unsigned char begin[12];
    if (fread(begin, 1, 8, file) != 8)
        return npy_damaged(table, "the file ends in its header");
    size_t digits = begin[6] == 1 ? 2 : 4, length = 0;
    if (begin[6] < 1 || begin[6] > 3)
        return npy_damaged(table, "this version of NPY is not known");
    if (fread(begin + 8, 1, digits, file) != digits)
        return npy_damaged(table, "the file ends in its header");
    for (size_t i = digits; i-- > 0;)
        length = length << 8 | begin[8 + i];
    if (length >= NPY_HEADER)
        return npy_damaged(table, "the header is too long");
    if (fread(text, 1, length, file) != length)
        return npy_damaged(table, "the file ends in its header");
    text[length] = 0;
    return FR_OK;
}

/* The text after a key of the dictionary; NULL: the key is missing. */
static const char *npy_value(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool npy_parse_shape(const char *value, npy_head *head)
{
    const char *end = *value == '(' ? strchr(value, ')') : NULL;
    if (!end)
        return false;
    snprintf(head->shape, sizeof head->shape, "%.*s", (int)(end - value < 80 ? end - value + 1 : 80), value);
    for (const char *at = value + 1; at < end && head->axes < NPY_AXES; head->axes++) {
        char *after;
        head->size[head->axes] = strtoll(at, &after, 10);
        if (after == at)
            return false;
        at = after + strspn(after, ", ");
    }
    return true;
}

static fr_result npy_parse(const node_table *table, const char *text, npy_head *head)
{
    const char *type = npy_value(text, "'descr'"), *order = npy_value(text, "'fortran_order'"),
               *shape = npy_value(text, "'shape'");
    if (!type || !order || !shape || !npy_parse_shape(shape, head))
        return npy_damaged(table, "the header does not describe an array");
    if (strncmp(type, "'<f4'", 5) != 0 && strncmp(type, "'<f8'", 5) != 0)
        return fr_fail_key(
            "river.nodes",
            "%s holds numbers of type %.8s; save them as float32 or float64: numpy.save(name, a.astype('<f8'))",
            table->file, type);
    if (strncmp(order, "False", 5) != 0)
        return fr_fail_key("river.nodes",
                           "%s is in Fortran's order; save it in C's: numpy.save(name, numpy.ascontiguousarray(a))",
                           table->file);
    head->bytes = type[3] - '0';
    return FR_OK;
}

static fr_result npy_check_shape(const node_table *table, const npy_head *head)
{
    bool fits = head->axes == table->dims + 1 && head->size[table->dims] == table->dims;
    for (int a = 0; fits && a < table->dims; a++)
        fits = head->size[table->dims - 1 - a] == table->nodes[a];
    if (fits)
        return FR_OK;
    char wanted[64];
    const int *n = table->nodes;
    if (table->dims == 2)
        snprintf(wanted, sizeof wanted, "(%d, %d, 2)", n[1], n[0]);
    else
        snprintf(wanted, sizeof wanted, "(%d, %d, %d, 3)", n[2], n[1], n[0]);
    return fr_fail_key("river.nodes", "the array in %s has shape %s, but %s nodes: %s", table->file, head->shape,
                       river_nodes_need(table).text, wanted);
}

static double npy_decode(const unsigned char *p, int bytes)
{
    uint64_t bits = 0;
    for (int i = bytes; i-- > 0;)
        bits = bits << 8 | p[i];
    uint32_t low = (uint32_t)bits;
    float single;
    double value;
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return bytes == 4 ? single : value;
}

static fr_result npy_take_nodes(const node_table *table, const npy_head *head, int64_t first, const unsigned char *data,
                                int64_t count)
{
    for (int64_t n = first; n < first + count; n++)
        for (int x = 0; x < table->dims; x++, data += head->bytes) {
            double value = npy_decode(data, head->bytes);
            if (!isfinite(value))
                return fr_fail_key("river.nodes", "%s: a hole in the grid: node %s has %c = %g", table->file,
                                   river_nodes_name(table, n).text, "xyz"[x], value);
            table->at[3 * n + x] = value;
        }
    return FR_OK;
}

/* Refuses a file with more data than the nodes: it is probably not the one meant. `begin` is where they begin. */
static fr_result npy_check_end(const node_table *table, const npy_head *head, int64_t begin)
{
    int64_t end = begin + table->count * table->dims * head->bytes;
    if (begin >= 0 && table->bytes <= end)
        return FR_OK;
    return fr_fail_key(
        "river.nodes",
        "%s has %lld bytes, but its array ends after %lld; write it with numpy.save, one array in one file",
        table->file, (long long)table->bytes, (long long)end);
}

static fr_result npy_read_nodes(FILE *file, const node_table *table, const npy_head *head)
{
    unsigned char data[NPY_NODES * 3 * 8];
    size_t node_bytes = (size_t)(head->bytes * table->dims);
    for (int64_t n = 0; n < table->count;) {
        int64_t left = table->count - n;
        int64_t count = (int64_t)fread(data, node_bytes, (size_t)(left < NPY_NODES ? left : NPY_NODES), file);
        if (count == 0)
            return fr_fail_key("river.nodes", "%s ends before node %s: it was cut short; write it again", table->file,
                               river_nodes_name(table, n).text);
        FR_TRY(npy_take_nodes(table, head, n, data, count));
        n += count;
    }
    return FR_OK;
}

fr_result river_nodes_npy(FILE *file, const node_table *table)
{
    char text[NPY_HEADER];
    npy_head head = {0};
    FR_TRY(npy_read_text(file, table, text));
    FR_TRY(npy_parse(table, text, &head));
    FR_TRY(npy_check_shape(table, &head));
    FR_TRY(npy_check_end(table, &head, ftell(file)));
    return npy_read_nodes(file, table, &head);
}
