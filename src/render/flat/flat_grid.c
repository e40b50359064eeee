/* The grid lines of a flat view, and the banks of a curvilinear grid. */
#include "render/flat/flat.h"

/* The smallest mean distance between lines, pixels. */
static const double least_gap = 5;

static void flat_node(const flat *flat, int i, int j, double point[2])
{
    if (flat->bend.node) {
        const double *node = bend_node(&flat->bend, i, j);
        point[0] = node[0];
        point[1] = node[1];
        return;
    }
    const cut *cut = &flat->cut;
    flat_point(flat, (double[2]){cut->low[0] + i * cut->spacing[0], cut->low[1] + j * cut->spacing[1]}, point);
}

/* The mean distance between neighbouring lines across `axis`, measured along the middle line of the grid. */
static double flat_gap(const flat *flat, int axis)
{
    double length = 0, last[2], here[2];
    const int *n = flat->cut.cells;
    flat_node(flat, axis == 0 ? 0 : n[0] / 2, axis == 0 ? n[1] / 2 : 0, last);
    for (int i = 1; i <= n[axis]; i++) {
        flat_node(flat, axis == 0 ? i : n[0] / 2, axis == 0 ? n[1] / 2 : i, here);
        length += hypot(here[0] - last[0], here[1] - last[1]);
        last[0] = here[0];
        last[1] = here[1];
    }
    return length / n[axis];
}

int flat_grid_step(const flat *flat)
{
    static const int steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    enum { COUNT = sizeof steps / sizeof *steps };
    double gap = fmin(flat_gap(flat, 0), flat_gap(flat, 1));
    int n = 0;
    while (n < COUNT - 1 && gap * steps[n] < least_gap)
        n++;
    return steps[n];
}

/* Draws the line of nodes at index `at` of `axis`. */
static void flat_grid_line(const flat *flat, canvas *canvas, int axis, int at, double width)
{
    double last[2], here[2];
    flat_node(flat, axis == 0 ? at : 0, axis == 0 ? 0 : at, last);
    for (int i = 1; i <= flat->cut.cells[1 - axis]; i++) {
        flat_node(flat, axis == 0 ? at : i, axis == 0 ? i : at, here);
        canvas_line(canvas, last, here, width);
        last[0] = here[0];
        last[1] = here[1];
    }
}

void flat_grid(const flat *flat, canvas *canvas)
{
    int step = flat_grid_step(flat);
    for (int axis = 0; axis < 2; axis++)
        for (int at = 0; at <= flat->cut.cells[axis]; at += step)
            flat_grid_line(flat, canvas, axis, at, 1);
    canvas_paint(canvas, flat->palette.text, 0.5);
}

void flat_banks(const flat *flat, canvas *canvas)
{
    for (int axis = 0; axis < 2; axis++)
        for (int end = 0; end < 2 && !flat->bend.closed[axis]; end++)
            flat_grid_line(flat, canvas, axis, end * flat->cut.cells[axis], fmax(flat->text / 8, 1));
    canvas_paint(canvas, flat->palette.outline, 1);
}
