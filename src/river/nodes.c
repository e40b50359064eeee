#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "river/model.h"
#include "river/nodes_parts.h"

curve_name river_nodes_name(const node_table *table, int64_t node)
{
    int64_t row = node / table->nodes[0];
    return curve_name_of(table->dims, (int[3]){(int)(node % table->nodes[0]), (int)(row % table->nodes[1]),
                                               (int)(row / table->nodes[1])});
}

node_need river_nodes_need(const node_table *table)
{
    node_need need;
    const int *n = table->nodes;
    if (table->dims == 2)
        snprintf(need.text, sizeof need.text, "river.cells = {%d, %d} needs %d x %d = %lld", n[0] - 1, n[1] - 1, n[0],
                 n[1], (long long)table->count);
    else
        snprintf(need.text, sizeof need.text, "river.cells = {%d, %d, %d} needs %d x %d x %d = %lld", n[0] - 1,
                 n[1] - 1, n[2] - 1, n[0], n[1], n[2], (long long)table->count);
    return need;
}

static fr_result nodes_evaluate(const fr_river_def *river, int dims, const double at[3], double out[3])
{
    char where[96];
    snprintf(where, sizeof where, dims == 2 ? "s = %g, t = %g" : "s = %g, t = %g, r = %g", at[0], at[1], at[2]);
    double world[3] = {0, 0, 0};
    fr_result result = river->grid(river->grid_context, at, world);
    if (result != FR_OK)
        return fr_fail(result, "%s (at %s)", fr_error_message(), where);
    for (int x = 0; x < dims; x++) {
        if (!isfinite(world[x]))
            return fr_fail_key("river.grid", "river.grid gave %c = %g at %s; it must be a finite number everywhere",
                               "xyz"[x], world[x], where);
        out[x] = world[x];
    }
    return FR_OK;
}

static fr_result nodes_from_function(const fr_river_def *river, const node_table *table)
{
    double *at = table->at;
    for (int k = 0; k < table->nodes[2]; k++)
        for (int j = 0; j < table->nodes[1]; j++)
            for (int i = 0; i < table->nodes[0]; i++, at += 3) {
                double r = table->dims == 3 ? (double)k / river->cells[2] : 0;
                const double grid[3] = {(double)i / river->cells[0], (double)j / river->cells[1], r};
                FR_TRY(nodes_evaluate(river, table->dims, grid, at));
            }
    return FR_OK;
}

static fr_result nodes_read(FILE *file, const node_table *table)
{
    static const char magic[6] = "\x93NUMPY";
    char begin[sizeof magic];
    bool npy = fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, magic, sizeof magic) == 0;
    if (!ferror(file))
        rewind(file);
    fr_result result = npy ? river_nodes_npy(file, table) : river_nodes_csv(file, table);
    return ferror(file) ? fr_fail_key("river.nodes", "cannot read '%s': %s; it must be a table of nodes, CSV or NPY",
                                      table->file, strerror(errno))
                        : result;
}

static fr_result nodes_from_file(node_table *table)
{
    input_file in;
    if (!input_open(table->file, &in))
        return fr_fail_key("river.nodes", "'%s' %s; it must be a table of nodes, CSV or NPY", table->file, in.trouble);
    table->bytes = in.bytes;
    fr_result result = nodes_read(in.stream, table);
    fclose(in.stream);
    return result;
}

fr_result river_nodes(const fr_scene_def *def, double **out)
{
    const fr_river_def *river = &def->river;
    int dims = river->cells[2] > 0 ? 3 : 2;
    node_table table = {
        dims, {river->cells[0] + 1, river->cells[1] + 1, dims == 3 ? river->cells[2] + 1 : 1}, .file = river->nodes};
    table.count = (int64_t)table.nodes[0] * table.nodes[1] * table.nodes[2];
    table.at = MEMORY_NEW(double, 3 * table.count);
    if (!table.at)
        return FR_ERROR_MEMORY;
    fr_result result = river->grid ? nodes_from_function(river, &table) : nodes_from_file(&table);
    if (result == FR_OK)
        *out = table.at;
    else
        memory_free(table.at);
    return result;
}
