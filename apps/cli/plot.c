/* freshet plot: plots a run's ledger as panels of curves over time. */
#include "run/folder.h"
#include "kit/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLOT_PANELS = 8, PLOT_CURVES = 16, PLOT_STANDARD = 23 };

typedef struct plot_panel {
    const char *title, *unit;
    const char *columns[4];
} plot_panel;

static const plot_panel plot_panels[] = {
    {"energy", "J", {"kinetic_energy", "potential_energy"}},
    {"total of smoke and inks", "", {"smoke_mass"}},
    {"heat", "", {"heat"}},
    {"greatest divergence", "1/s", {"max_divergence"}},
    {"pressure iterations", "", {"pressure_iterations"}},
    {"time step", "s", {"dt_min", "dt_max"}},
    {"greatest speed", "m/s", {"max_speed"}},
    {"wall time per frame", "s", {"wall_s"}},
};

typedef struct plot_data {
    const fr_table *table;
    double *columns;    /* [column][row], the transpose of the table */
    fr_plot_def panels[PLOT_PANELS];
    fr_curve curves[PLOT_PANELS][PLOT_CURVES];
    int count;
} plot_data;

static int plot_find(const fr_table *table, const char *name)
{
    for (int c = 0; c < table->columns; c++)
        if (!strcmp(table->names[c], name))
            return c;
    return -1;
}

/* Whether a column has any number: columns that do not apply to the scene are left out. */
static bool plot_has_numbers(const plot_data *data, int column)
{
    const double *values = data->columns + (size_t)column * (size_t)data->table->rows;
    for (int r = 0; r < data->table->rows; r++)
        if (isfinite(values[r]))
            return true;
    return false;
}

static void plot_add_curve(plot_data *data, fr_plot_def *panel, int column)
{
    if (column < 0 || panel->curve_count == PLOT_CURVES || !plot_has_numbers(data, column))
        return;
    size_t rows = (size_t)data->table->rows;
    data->curves[data->count][panel->curve_count++] = (fr_curve){.name = data->table->names[column],
        .x = data->columns + (size_t)plot_find(data->table, "time") * rows, .y = data->columns + (size_t)column * rows,
        .count = data->table->rows};
}

/* Totals of the scene's own scalars, which come after the standard columns. */
static void plot_add_inks(plot_data *data, fr_plot_def *panel)
{
    for (int c = PLOT_STANDARD; c < data->table->columns; c++) {
        const char *name = data->table->names[c];
        if (!strncmp(name, "total_", 6) && strcmp(name, "total_density") && strcmp(name, "total_temperature"))
            plot_add_curve(data, panel, c);
    }
}

static void plot_fill(plot_data *data)
{
    for (size_t i = 0; i < sizeof plot_panels / sizeof plot_panels[0]; i++) {
        fr_plot_def *panel = &data->panels[data->count];
        *panel = (fr_plot_def){.title = plot_panels[i].title, .x_label = "time (s)", .y_label = plot_panels[i].unit,
                               .curves = data->curves[data->count]};
        for (int c = 0; c < 4 && plot_panels[i].columns[c]; c++)
            plot_add_curve(data, panel, plot_find(data->table, plot_panels[i].columns[c]));
        if (!strcmp(plot_panels[i].columns[0], "smoke_mass"))
            plot_add_inks(data, panel);
        data->count += panel->curve_count > 0;
    }
}

static fr_result plot_turn(plot_data *data)
{
    const fr_table *table = data->table;
    if (table->rows == 0 || plot_find(table, "time") < 0)
        return fr_fail(FR_ERROR_FILE, "the ledger has no rows to plot yet");
    data->columns = malloc((size_t)table->rows * (size_t)table->columns * sizeof(double));
    if (!data->columns)
        return fr_fail(FR_ERROR_MEMORY, "no memory for a ledger of %d rows", table->rows);
    for (int r = 0; r < table->rows; r++)
        for (int c = 0; c < table->columns; c++)
            data->columns[(size_t)c * (size_t)table->rows + (size_t)r] =
                table->values[(size_t)r * (size_t)table->columns + (size_t)c];
    return FR_OK;
}

static fr_result plot_run(const run_folder *folder)
{
    fr_table table = {0};
    FR_TRY(fr_table_read(run_folder_path(folder, "ledger.csv").text, &table));
    plot_data data = {.table = &table};
    fr_result result = plot_turn(&data);
    if (result == FR_OK) {
        plot_fill(&data);
        result = fr_make_folder(run_folder_path(folder, "plots").text);
    }
    static const char *const files[] = {"plots/ledger.svg", "plots/ledger.png"};
    for (int i = 0; i < 2 && result == FR_OK; i++) {
        result = fr_plot_write(run_folder_path(folder, "%s", files[i]).text, data.panels, data.count);
        if (result == FR_OK)
            say_info("plot: %s/%s", folder->dir, files[i]);
    }
    free(data.columns);
    fr_table_free(&table);
    return result;
}

int command_plot(int argc, char **argv)
{
    const options_def def = {.command = "plot",
                             .words = "DIR",
                             .least = 1,
                             .most = 1,
                             .summary = "Draws the ledger of a run, finished or not, into DIR/plots/ledger.svg and "
                                        ".png: energy, totals, divergence,\n"
                                        "iterations, time step, speed, wall time.",
                             .option_count = 0};
    option_list words;
    int status = options_parse(&def, argc, argv, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    run_folder folder;
    status = run_folder_need(&folder, words.items[0], NULL);
    if (status == OPTIONS_GO_ON) {
        fr_result result = run_folder_guard(&folder);
        if (result == FR_OK)
            result = plot_run(&folder);
        if (result != FR_OK)
            say_failure(result);
        status = result == FR_OK ? CLI_DONE : CLI_FAILED;
    }
    run_folder_close(&folder);
    return status;
}
