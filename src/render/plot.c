/* Plots of curves: stacked panels, each with round ticks, a light grid and a legend above it. */
#include "base/memory.h"
#include "base/vec.h"
#include "render/draw/pen.h"
#include "render/draw/ticks.h"

#include <string.h>
#include <strings.h>

enum { PLOT_WIDTH = 820, PLOT_HEIGHT = 220, PLOT_LEFT = 86, PLOT_RIGHT = 22, PLOT_ABOVE = 46, PLOT_BELOW = 50 };
enum { PLOT_LEGEND_ROW = 18, PLOT_MOST_PANELS = 20 };
static const double letter = 8.5, title_letter = 10;
static const uint32_t black = 0x22262b, gray = 0x5b636d, grid = 0xe4e7eb;
static const uint32_t colours[] = {0x1f6fb4, 0xd9541e, 0x2a9461, 0x8b52b5, 0xc99a12, 0xc43c6b, 0x3aa3b8, 0x6b5b4b};

typedef struct plot_panel {
    pen *pen;
    const fr_plot_def *def;
    double box[4];           /* area of the curves: x0, y0, x1, y1 */
    double low[2], high[2];  /* range of the axes */
} plot_panel;

static uint32_t plot_colour(int curve)
{
    return colours[(size_t)curve % (sizeof colours / sizeof *colours)];
}

/* The range of the axes, with a small margin; 0 … 1 for curves without any number. */
static void plot_span(plot_panel *panel)
{
    for (int c = 0; c < 2; c++) {
        panel->low[c] = INFINITY;
        panel->high[c] = -INFINITY;
    }
    for (int i = 0; i < panel->def->curve_count; i++) {
        const fr_curve *curve = &panel->def->curves[i];
        for (int k = 0; k < curve->count; k++)
            if (isfinite(curve->x[k]) && isfinite(curve->y[k])) {
                const double p[2] = {curve->x[k], curve->y[k]};
                for (int c = 0; c < 2; c++) {
                    panel->low[c] = fmin(panel->low[c], p[c]);
                    panel->high[c] = fmax(panel->high[c], p[c]);
                }
            }
    }
    for (int c = 0; c < 2; c++) {
        if (!(panel->low[c] <= panel->high[c]))
            panel->low[c] = 0, panel->high[c] = 1;
        double span = panel->high[c] - panel->low[c], size = fmax(fabs(panel->low[c]), fabs(panel->high[c]));
        double room = span > 1e-9 * size ? span * (c == 0 ? 0.015 : 0.07) : size > 0 ? 0.1 * size : 0.5;
        panel->low[c] -= room;
        panel->high[c] += room;
    }
}

/* Computed from halved values, so that the span does not overflow near the limits of double. */
static void plot_place(const plot_panel *panel, const double value[2], double place[2])
{
    for (int c = 0; c < 2; c++) {
        double t = (value[c] / 2 - panel->low[c] / 2) / (panel->high[c] / 2 - panel->low[c] / 2);
        t = c == 0 ? t : 1 - t;
        place[c] = panel->box[c] + t * (panel->box[c + 2] - panel->box[c]);
    }
}

static void plot_axis(const plot_panel *panel, int axis)
{
    ticks ticks = ticks_between(panel->low[axis], panel->high[axis], axis == 0 ? 8 : 5);
    for (int i = 0; i < ticks.count; i++) {
        double value[2] = {panel->low[0], panel->low[1]}, at[2];
        value[axis] = ticks_value(&ticks, i);
        plot_place(panel, value, at);
        double line[2][2] = {{at[0], at[1]}, {at[0], at[1]}};
        line[1][axis == 0 ? 1 : 0] = panel->box[axis == 0 ? 1 : 2];
        panel->pen->line(panel->pen, line, 2, 1, grid);
        char text[48];
        ticks_label(&ticks, i, text, sizeof text);
        canvas_text where = {.at = {at[0], at[1] + letter + 7}, .anchor = 0.5, .size = letter};
        if (axis == 1)
            where = (canvas_text){.at = {at[0] - 8, at[1] + letter / 2}, .anchor = 1, .size = letter};
        panel->pen->text(panel->pen, &where, text, gray);
    }
}

static void plot_frame(const plot_panel *panel)
{
    const double *b = panel->box;
    const double corner[3][2] = {{b[0], b[1]}, {b[0], b[3]}, {b[2], b[3]}};
    panel->pen->line(panel->pen, corner, 3, 1, gray);
    const fr_plot_def *def = panel->def;
    if (def->x_label) {
        canvas_text where = {.at = {(b[0] + b[2]) / 2, b[3] + 38}, .anchor = 0.5, .size = letter};
        panel->pen->text(panel->pen, &where, def->x_label, black);
    }
    if (def->y_label) {
        canvas_text where = {.at = {24, (b[1] + b[3]) / 2}, .anchor = 0.5, .size = letter, .up = true};
        panel->pen->text(panel->pen, &where, def->y_label, black);
    }
}

static void plot_mark(const plot_panel *panel, const double at[2], uint32_t colour)
{
    double corners[12][2];
    for (int i = 0; i < 12; i++) {
        corners[i][0] = at[0] + 3 * cos(i * FR_PI / 6);
        corners[i][1] = at[1] + 3 * sin(i * FR_PI / 6);
    }
    panel->pen->polygon(panel->pen, corners, 12, colour);
}

/* Draws a part of a curve without gaps; a single point between gaps becomes a mark. */
static void plot_stretch(const plot_panel *panel, const double (*points)[2], int count, uint32_t colour)
{
    if (count == 1)
        plot_mark(panel, points[0], colour);
    else if (count > 1)
        panel->pen->line(panel->pen, points, count, 1.6, colour);
}

static fr_result plot_curve(const plot_panel *panel, const fr_curve *curve, uint32_t colour)
{
    double(*points)[2] = memory_alloc(sizeof *points * (size_t)(curve->count > 0 ? curve->count : 1));
    if (!points)
        return FR_ERROR_MEMORY;
    int stretch = 0;
    for (int i = 0; i < curve->count; i++) {
        double value[2] = {curve->x[i], curve->y[i]};
        bool gap = !isfinite(value[0]) || !isfinite(value[1]);
        if (!gap)
            plot_place(panel, value, points[stretch]);
        if (!gap && curve->points)
            plot_mark(panel, points[stretch], colour);
        else if (!gap)
            stretch++;
        if (gap || i == curve->count - 1) {
            plot_stretch(panel, (const double(*)[2])points, stretch, colour);
            stretch = 0;
        }
    }
    memory_free(points);
    return FR_OK;
}

static double plot_legend_width(const fr_curve *curve)
{
    return canvas_text_width(curve->name ? curve->name : "", letter) + 44;
}

/* Lays out the curves' names in rows; draws them only when given a panel. Returns the number of rows. */
static int plot_legend(const fr_plot_def *def, const plot_panel *panel)
{
    double right = PLOT_WIDTH - PLOT_RIGHT, row = 0, start = PLOT_LEFT;
    if (def->title)
        start += canvas_text_width(def->title, title_letter) + 30;
    double x = start;
    for (int i = 0; i < def->curve_count; i++) {
        const fr_curve *curve = &def->curves[i];
        if (!curve->name)
            continue;
        if (x > start && x + plot_legend_width(curve) > right) {
            row++;
            x = start = PLOT_LEFT;
        }
        if (panel) {
            double y =
                panel->box[1] - PLOT_ABOVE + 30 - letter / 2 - (plot_legend(def, NULL) - 1 - row) * PLOT_LEGEND_ROW;
            const double line[2][2] = {{x, y}, {x + 18, y}}, middle[2] = {x + 9, y};
            if (curve->points)
                plot_mark(panel, middle, plot_colour(i));
            else
                panel->pen->line(panel->pen, line, 2, 2, plot_colour(i));
            canvas_text where = {.at = {x + 24, y + letter / 2}, .size = letter};
            panel->pen->text(panel->pen, &where, curve->name, gray);
        }
        x += plot_legend_width(curve);
    }
    return (int)row + 1;
}

static fr_result plot_draw_panel(pen *pen, const fr_plot_def *def, double top)
{
    int rows = plot_legend(def, NULL);
    double above = top + PLOT_ABOVE + (rows - 1) * PLOT_LEGEND_ROW;
    plot_panel panel = {
        .pen = pen, .def = def, .box = {PLOT_LEFT, above, PLOT_WIDTH - PLOT_RIGHT, above + PLOT_HEIGHT}};
    plot_span(&panel);
    plot_axis(&panel, 0);
    plot_axis(&panel, 1);
    plot_frame(&panel);
    canvas_text where = {.at = {PLOT_LEFT, top + 30}, .size = title_letter};
    if (def->title)
        pen->text(pen, &where, def->title, black);
    plot_legend(def, &panel);
    for (int i = 0; i < def->curve_count; i++)
        FR_TRY(plot_curve(&panel, &def->curves[i], plot_colour(i)));
    return FR_OK;
}

static double plot_panel_height(const fr_plot_def *def)
{
    return PLOT_ABOVE + PLOT_HEIGHT + PLOT_BELOW + (plot_legend(def, NULL) - 1) * PLOT_LEGEND_ROW;
}

static bool plot_ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

fr_result fr_plot_write(const char *path, const fr_plot_def *panels, int count)
{
    if (count < 1 || count > PLOT_MOST_PANELS)
        return fr_fail(FR_ERROR_INPUT, "cannot plot %d panels into %s; one picture holds 1 to %d", count, path,
                       PLOT_MOST_PANELS);
    double height = 8;
    for (int i = 0; i < count; i++)
        height += plot_panel_height(&panels[i]);
    pen pen;
    if (plot_ends_with(path, ".svg"))
        FR_TRY(pen_open_svg(&pen, path, PLOT_WIDTH, (int)height));
    else if (plot_ends_with(path, ".png"))
        FR_TRY(pen_open_png(&pen, path, PLOT_WIDTH, (int)height));
    else
        return fr_fail(FR_ERROR_INPUT, "cannot tell the format of %s; end its name in .svg or .png", path);
    fr_result result = FR_OK;
    double top = 0;
    for (int i = 0; i < count && result == FR_OK; i++) {
        result = plot_draw_panel(&pen, &panels[i], top);
        top += plot_panel_height(&panels[i]);
    }
    return pen.close(&pen, result);
}
