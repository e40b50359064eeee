/* Nodes from a table: one line per node with its coordinates x,y[,z], the first axis fastest; or with its indices
   i,j[,k], counted from 0, before them, in any order. A header line may name the columns; then their order is free.
   Lines that begin with # are comments. Empty lines may separate the rows of the grid. */
#define _POSIX_C_SOURCE 200809L /* getc_unlocked */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "river/nodes_parts.h"

enum { CSV_LINE = 2048, CSV_COLUMNS = 64 };
enum { CSV_PLACE = 0, CSV_INDEX = 3, CSV_WANTED = 6 };
static const char *const csv_names[CSV_WANTED] = {"x", "y", "z", "i", "j", "k"};

typedef struct csv_reader {
    FILE *file;
    const node_table *table;
    int line, empty; /* number of the current line, and of the first empty one inside a row of nodes; 0: none */
    int first;                   /* line of the header or, without one, of the first node; 0: not yet seen */
    int columns;
    int where[CSV_WANTED];       /* column of each name, or −1 */
    int64_t nodes;               /* lines of nodes so far */
    char text[CSV_LINE];
    char *fields[CSV_COLUMNS];
    int count;                   /* fields of the line */
} csv_reader;

/* The next line without its line ending; false at the end of the file. */
static fr_result csv_next(csv_reader *csv, bool *found)
{
    int letter = getc_unlocked(csv->file);
    size_t length = 0;
    *found = letter != EOF;
    csv->line += *found;
    for (; letter != EOF && letter != '\n'; letter = getc_unlocked(csv->file)) {
        if (letter == 0)
            return fr_fail_key("river.nodes", "%s:%d: the line has a zero byte; a table of nodes is text",
                               csv->table->file, csv->line);
        if (length + 1 == sizeof csv->text)
            return fr_fail_key("river.nodes",
                               "%s:%d: the line is longer than %d letters; a table of nodes has x,y on every line",
                               csv->table->file, csv->line, CSV_LINE - 1);
        csv->text[length++] = (char)letter;
    }
    csv->text[length] = 0;
    return FR_OK;
}

static char *csv_trim(char *text)
{
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static void csv_split(csv_reader *csv)
{
    static const char mark[] = "\xEF\xBB\xBF";   /* UTF-8 byte order mark */
    char *next = csv->text;
    if (csv->line == 1 && strncmp(next, mark, strlen(mark)) == 0)
        next += strlen(mark);
    for (csv->count = 0; next && csv->count < CSV_COLUMNS; csv->count++) {
        char *field = next;
        next = strchr(field, ',');
        if (next)
            *next++ = 0;
        csv->fields[csv->count] = csv_trim(field);
    }
}

static int csv_find(const csv_reader *csv, const char *name)
{
    for (int c = 0; c < csv->count; c++)
        if (strcasecmp(csv->fields[c], name) == 0)
            return c;
    return -1;
}

static fr_result csv_take_header(csv_reader *csv)
{
    for (int n = 0; n < CSV_WANTED; n++)
        csv->where[n] = n % 3 < csv->table->dims ? csv_find(csv, csv_names[n]) : -1;
    int indices = 0;
    for (int a = 0; a < csv->table->dims; a++) {
        if (csv->where[CSV_PLACE + a] < 0)
            return fr_fail_key("river.nodes", "%s:%d: the header names no column %s", csv->table->file, csv->line,
                               csv_names[CSV_PLACE + a]);
        indices += csv->where[CSV_INDEX + a] >= 0;
    }
    if (indices && indices < csv->table->dims)
        return fr_fail_key("river.nodes",
                           "%s:%d: the header names some of the columns i, j, k but not all; name all or none",
                           csv->table->file, csv->line);
    return FR_OK;
}

/* Without a header the number of columns says what they are. */
static fr_result csv_guess_columns(csv_reader *csv)
{
    int dims = csv->table->dims;
    if (csv->count != dims && csv->count != 2 * dims)
        return fr_fail_key("river.nodes",
                           "%s:%d: the line has %d columns, but a grid in %dD takes %s, separated by commas; a header "
                           "line can say which "
                           "columns are meant",
                           csv->table->file, csv->line, csv->count, dims,
                           dims == 2 ? "x,y or i,j,x,y" : "x,y,z or i,j,k,x,y,z");
    for (int n = 0; n < CSV_WANTED; n++)
        csv->where[n] = -1;
    for (int a = 0; a < dims; a++) {
        csv->where[CSV_PLACE + a] = csv->count - dims + a;
        csv->where[CSV_INDEX + a] = csv->count > dims ? a : -1;
    }
    return FR_OK;
}

/* Reads the first line that is not empty or a comment; *header: it names columns. */
static fr_result csv_begin(csv_reader *csv, bool *header)
{
    *header = csv_find(csv, "x") >= 0;
    FR_TRY(*header ? csv_take_header(csv) : csv_guess_columns(csv));
    csv->first = csv->line;
    csv->columns = csv->count;
    return FR_OK;
}

/* NaN where the field is empty or missing. */
static fr_result csv_number(const csv_reader *csv, int name, double *out)
{
    int column = csv->where[name];
    const char *text = column < csv->count ? csv->fields[column] : "";
    char *end;
    *out = strtod(text, &end);
    if (*end)
        return fr_fail_key("river.nodes", "%s:%d: '%.40s' is not a number", csv->table->file, csv->line, text);
    *out = *text ? *out : NAN;
    return FR_OK;
}

static fr_result csv_index(const csv_reader *csv, int axis, int64_t *index)
{
    double value;
    int nodes = csv->table->nodes[axis];
    FR_TRY(csv_number(csv, CSV_INDEX + axis, &value));
    if (!(value >= 0 && value < nodes && value == floor(value)))
        return fr_fail_key("river.nodes", "%s:%d: %s = %g is not one of the indices 0 … %d; they are counted from 0",
                           csv->table->file, csv->line, csv_names[CSV_INDEX + axis], value, nodes - 1);
    *index = (int64_t)value;
    return FR_OK;
}

/* The index of the node that the line describes. */
static fr_result csv_which(const csv_reader *csv, int64_t *node)
{
    const node_table *table = csv->table;
    int64_t index[3] = {0, 0, 0};
    *node = csv->nodes;
    if (csv->where[CSV_INDEX] < 0)
        return FR_OK;
    for (int a = 0; a < table->dims; a++)
        FR_TRY(csv_index(csv, a, &index[a]));
    *node = index[0] + table->nodes[0] * (index[1] + table->nodes[1] * index[2]);
    if (!isnan(table->at[3 * *node]))
        return fr_fail_key("river.nodes", "%s:%d: node %s is there for the second time", table->file, csv->line,
                           river_nodes_name(table, *node).text);
    return FR_OK;
}

static fr_result csv_take_node(csv_reader *csv)
{
    const node_table *table = csv->table;
    int64_t node;
    double place[3] = {0, 0, 0};
    if (csv->empty)
        return fr_fail_key("river.nodes", "%s:%d: a hole in the grid: the line is empty where node %s should be",
                           table->file, csv->empty, river_nodes_name(table, csv->nodes).text);
    if (csv->count > csv->columns)
        return fr_fail_key("river.nodes", "%s:%d: the line has %d columns, but line %d has %d", table->file, csv->line,
                           csv->count, csv->first, csv->columns);
    FR_TRY(csv_which(csv, &node));
    for (int a = 0; a < table->dims; a++) {
        FR_TRY(csv_number(csv, CSV_PLACE + a, &place[a]));
        if (!isfinite(place[a]))
            return fr_fail_key("river.nodes", "%s:%d: a hole in the grid: node %s has no %s", table->file, csv->line,
                               river_nodes_name(table, node).text, csv_names[CSV_PLACE + a]);
    }
    memcpy(table->at + 3 * node, place, sizeof place);
    csv->nodes++;
    return FR_OK;
}

static fr_result csv_take_line(csv_reader *csv)
{
    csv_split(csv);
    bool inside = csv->where[CSV_INDEX] < 0 && csv->nodes % csv->table->nodes[0] != 0, header = false;
    if (csv->count == 1 && csv->fields[0][0] == 0) {
        csv->empty = inside && !csv->empty ? csv->line : csv->empty;
        return FR_OK;
    }
    if (csv->fields[0][0] == '#')
        return FR_OK;
    if (!csv->first)
        FR_TRY(csv_begin(csv, &header));
    if (!header && csv->nodes < csv->table->count)
        return csv_take_node(csv);
    csv->nodes += !header;   /* a surplus node: only counted, for the message */
    return FR_OK;
}

static fr_result csv_finish(const csv_reader *csv)
{
    const node_table *table = csv->table;
    bool named = csv->first && csv->where[CSV_INDEX] >= 0;
    if (csv->nodes > table->count || (csv->nodes < table->count && !named))
        return fr_fail_key("river.nodes", "the file %s has %lld nodes, %s", table->file, (long long)csv->nodes,
                           river_nodes_need(table).text);
    for (int64_t n = 0; n < table->count; n++)
        if (isnan(table->at[3 * n]))
            return fr_fail_key("river.nodes",
                               "%s: a hole in the grid: no line has node %s; the file has %lld nodes, %s", table->file,
                               river_nodes_name(table, n).text, (long long)csv->nodes, river_nodes_need(table).text);
    return FR_OK;
}

/* A table has one line per node and some comments: refuses a file much larger than that. */
static fr_result csv_check_size(const node_table *table)
{
    const double remarks = 1e6, line = 256, most = 2e9;
    double limit = fmin(remarks + line * (double)table->count, most);
    if ((double)table->bytes <= limit)
        return FR_OK;
    return fr_fail_key("river.nodes",
                       "%s has %.1f MB, but tables of nodes are read up to %.1f MB: %g letters a node and a million "
                       "for remarks, 2 GB at most; "
                       "%s nodes; leave out what is no node, or write them with numpy.save",
                       table->file, 1e-6 * (double)table->bytes, 1e-6 * limit, line, river_nodes_need(table).text);
}

fr_result river_nodes_csv(FILE *file, const node_table *table)
{
    csv_reader csv = {.file = file, .table = table, .where = {0, 0, 0, -1, -1, -1}};
    FR_TRY(csv_check_size(table));
    for (int64_t n = 0; n < table->count; n++)
        table->at[3 * n] = NAN;
    for (;;) {
        bool found;
        FR_TRY(csv_next(&csv, &found));
        if (!found)
            return csv_finish(&csv);
        FR_TRY(csv_take_line(&csv));
    }
}
