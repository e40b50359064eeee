#include "run/probes.h"
#include "kit/text.h"

#include <math.h>
#include <string.h>

enum { PROBE_COLUMNS = 256 };

typedef struct probe_columns {
    const char *names[PROBE_COLUMNS];
    int count;
} probe_columns;

static int probe_column(const probe_columns *columns, const char *name)
{
    for (int i = 0; i < columns->count; i++)
        if (!strcmp(columns->names[i], name))
            return i;
    return -1;
}

static fr_result probe_collect(const fr_scene_def *def, probe_columns *columns)
{
    for (int p = 0; p < def->probe_count; p++)
        for (int f = 0; f < def->probes[p].field_count; f++) {
            const char *name = def->probes[p].fields[f];
            if (probe_column(columns, name) >= 0)
                continue;
            if (columns->count == PROBE_COLUMNS)
                return fr_fail(FR_ERROR_INPUT, "the probes name more than %d fields", PROBE_COLUMNS);
            columns->names[columns->count++] = name;
        }
    return FR_OK;
}

static bool probe_due(const fr_probe_def *probe, double before, double now, bool frame_done)
{
    const double slack = 1e-9;   /* so that 3·0.1 reaches 0.3 in spite of rounding */
    if (before < 0)
        return true;
    if (probe->every <= 0)
        return frame_done;
    return floor(now / probe->every + slack) > floor(before / probe->every + slack);
}

static fr_result probe_row(fr_world *world, const fr_probe_def *probe, const double at[3],
                           const probe_columns *columns, text *rows)
{
    double values[PROBE_COLUMNS];
    for (int c = 0; c < columns->count; c++)
        values[c] = NAN;
    for (int f = 0; f < probe->field_count; f++)
        FR_TRY(fr_world_probe(world, probe->fields[f], at, &values[probe_column(columns, probe->fields[f])]));
    for (int c = 0; c < columns->count; c++)
        if (isnan(values[c]))
            text_add(rows, ",");
        else
            text_add(rows, ",%.9g", values[c]);
    text_add(rows, "\n");
    return FR_OK;
}

static fr_result probe_rows(fr_world *world, const fr_scene_def *def, int index, const probe_columns *columns,
                            text *rows)
{
    const fr_probe_def *probe = &def->probes[index];
    for (int i = 0; i < probe->n; i++) {
        double part = probe->n > 1 ? (double)i / (probe->n - 1) : 0, at[3];
        for (int a = 0; a < 3; a++)
            at[a] = probe->from[a] + part * (probe->to[a] - probe->from[a]);
        /* resuming compares this time with the checkpoint's, so it must read back exactly */
        text_add_number(rows, fr_world_time(world));
        text_add(rows, ",%d,%.9g,%.9g,%.9g", index + 1, at[0], at[1], at[2]);
        FR_TRY(probe_row(world, probe, at, columns, rows));
    }
    return FR_OK;
}

static fr_result probe_append(const char *path, const probe_columns *columns, const text *rows)
{
    text header = {0};
    text_add(&header, "time,probe,x,y,z");
    for (int c = 0; c < columns->count; c++)
        text_add(&header, ",%s", columns->names[c]);
    text_add(&header, "\n");
    fr_result result = fr_text_append(path, header.data, rows->data);
    text_free(&header);
    return result;
}

fr_result probes_sample(fr_world *world, const fr_scene_def *def, const char *path, double before, bool frame_done)
{
    probe_columns columns = {.count = 0};
    FR_TRY(probe_collect(def, &columns));
    text rows = {0};
    fr_result result = FR_OK;
    for (int p = 0; p < def->probe_count && result == FR_OK; p++)
        if (probe_due(&def->probes[p], before, fr_world_time(world), frame_done))
            result = probe_rows(world, def, p, &columns, &rows);
    if (result == FR_OK && rows.length > 0)
        result = probe_append(path, &columns, &rows);
    text_free(&rows);
    return result;
}
