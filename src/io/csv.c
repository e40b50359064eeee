/* Tables of numbers as CSV: comma-separated, no quotes, a header line; an empty cell is NaN. The decimal point does not
   depend on the program's locale. */
#define _POSIX_C_SOURCE 200809L
#include <freshet/io.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/files.h"

typedef struct csv_locale {
    locale_t plain, before;
} csv_locale;

static csv_locale csv_locale_begin(void)
{
    csv_locale locale = {.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (locale.plain)
        locale.before = uselocale(locale.plain);
    return locale;
}

static void csv_locale_end(csv_locale locale)
{
    if (!locale.plain)
        return;
    uselocale(locale.before);
    freelocale(locale.plain);
}

/* Nine digits restore every float32 exactly; integers are written without a fraction. */
static const char *csv_number(arena *texts, double value)
{
    if (isnan(value))
        return "";
    bool whole = fabs(value) < 1e15 && value == floor(value);
    return arena_printf(texts, whole ? "%.0f" : "%.9g", value == 0 ? 0.0 : value);
}

static char *csv_join(arena *texts, const char *const *cells, int count)
{
    size_t length = 2;
    for (int i = 0; i < count; i++)
        length += strlen(cells[i]) + 1;
    char *line = arena_alloc(texts, length), *end = line;
    if (!line)
        return NULL;
    for (int i = 0; i < count; i++)
        end += sprintf(end, i ? ",%s" : "%s", cells[i]);
    strcpy(end, "\n");
    return line;
}

fr_result fr_ledger_append(const char *path, const fr_ledger *row)
{
    arena texts = {0};
    csv_locale locale = csv_locale_begin();
    bool ready = true;
    const char **cells = ARENA_NEW(&texts, const char *, row->count + 1);
    for (int i = 0; cells && i < row->count; i++)
        ready = (cells[i] = csv_number(&texts, row->values[i])) && ready;
    csv_locale_end(locale);
    char *header = csv_join(&texts, row->names, row->count);
    char *line = cells && ready ? csv_join(&texts, cells, row->count) : NULL;
    fr_result result = header && line ? fr_text_append(path, header, line) : FR_ERROR_MEMORY;
    arena_free(&texts);
    return result;
}

/* Reads a text line by line; each line break is replaced by a terminating zero. */
typedef struct csv_reader {
    const char *path;
    char *text, *next, *end;
    int line;
} csv_reader;

static fr_result csv_open(csv_reader *reader, const char *path)
{
    size_t length;
    *reader = (csv_reader){.path = path};
    FR_TRY(fr_text_read(path, FILE_TABLE_MOST, &reader->text, &length));
    reader->next = reader->text;
    reader->end = reader->text + length;
    return FR_OK;
}

/* The next line, or NULL. A last line without a line break was cut short by a crash and is skipped. */
static char *csv_line(csv_reader *reader)
{
    char *line = reader->next;
    char *end = memchr(line, '\n', (size_t)(reader->end - line));
    if (!end) {
        if (line < reader->end)
            fr_log(FR_LOG_WARNING, "%s: the last line is not finished and is left out", reader->path);
        reader->next = reader->end;
        return NULL;
    }
    reader->line++;
    reader->next = end + 1;
    *end = 0;
    if (end > line && end[-1] == '\r')
        end[-1] = 0;
    return line;
}

/* Splits off the first cell of a line; NULL at the end of the line. */
static char *csv_cell(char **line)
{
    char *cell = *line;
    if (!cell)
        return NULL;
    char *comma = strchr(cell, ',');
    *line = comma ? comma + 1 : NULL;
    if (comma)
        *comma = 0;
    return cell;
}

static bool csv_parse(const char *cell, double *value)
{
    char *end;
    *value = NAN;
    cell += strspn(cell, " \t");
    if (!*cell)
        return true;
    *value = strtod(cell, &end);
    return end > cell && end[strspn(end, " \t")] == 0;
}

static fr_result csv_read_header(csv_reader *reader, fr_table *table)
{
    char *line = csv_line(reader);
    if (!line || !*line)
        return fr_fail(FR_ERROR_FILE, "%s has no header line", reader->path);
    int columns = 1;
    for (const char *c = line; *c; c++)
        columns += *c == ',';
    table->names = calloc((size_t)columns, sizeof *table->names);
    if (!table->names)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for %d columns", columns);
    for (char *name = csv_cell(&line); name; name = csv_cell(&line)) {
        table->names[table->columns] = strdup(name + strspn(name, " \t"));
        if (!table->names[table->columns++])
            return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for %d columns", columns);
    }
    return FR_OK;
}

static fr_result csv_read_row(const csv_reader *reader, char *line, fr_table *table)
{
    double *row = table->values + (size_t)table->rows * (size_t)table->columns;
    int count = 0;
    for (char *cell = csv_cell(&line); cell; cell = csv_cell(&line), count++)
        if (count < table->columns && !csv_parse(cell, &row[count]))
            return fr_fail(FR_ERROR_FILE, "%s:%d: '%.40s' in column '%.40s' is not a number", reader->path,
                           reader->line, cell, table->names[count]);
    if (count != table->columns)
        return fr_fail(FR_ERROR_FILE, "%s:%d: the line has %d cells, the header has %d", reader->path, reader->line,
                       count, table->columns);
    table->rows++;
    return FR_OK;
}

static fr_result csv_read_rows(csv_reader *reader, fr_table *table)
{
    size_t lines = 0;
    for (const char *c = reader->next; c < reader->end; c++)
        lines += *c == '\n';
    table->values = calloc(lines * (size_t)table->columns + 1, sizeof *table->values);
    if (!table->values)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: %s has %zu rows of %d columns", reader->path, lines,
                       table->columns);
    for (char *line = csv_line(reader); line; line = csv_line(reader))
        if (*line)
            FR_TRY(csv_read_row(reader, line, table));
    return FR_OK;
}

fr_result fr_table_read(const char *path, fr_table *table)
{
    csv_reader reader;
    *table = (fr_table){0};
    FR_TRY(csv_open(&reader, path));
    csv_locale locale = csv_locale_begin();
    fr_result result = csv_read_header(&reader, table);
    if (result == FR_OK)
        result = csv_read_rows(&reader, table);
    csv_locale_end(locale);
    free(reader.text);
    if (result != FR_OK)
        fr_table_free(table);
    return result;
}

void fr_table_free(fr_table *table)
{
    for (int i = 0; i < table->columns; i++)
        free(table->names[i]);
    free(table->names);
    free(table->values);
    *table = (fr_table){0};
}
