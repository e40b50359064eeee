/* Velocity arrows on a lattice, with lengths by speed: white with a dark outline, visible on any colour. */
#include "base/vec.h"
#include "render/flat/flow.h"

/* Corners of an arrow of that length around `at`, in the direction `unit`. */
static void arrows_shape(const double at[2], const double unit[2], double length, double corners[7][2])
{
    double head = fmin(length * 0.6, 3.5 + length * 0.2), half = fmax(head * 0.36, 0.9), stem = fmax(half * 0.32, 0.5);
    const double along[7] = {-length / 2, length / 2 - head, length / 2 - head, length / 2,
                             length / 2 - head, length / 2 - head, -length / 2};
    const double side[7] = {stem, stem, half, 0, -half, -stem, -stem};
    for (int i = 0; i < 7; i++) {
        corners[i][0] = at[0] + along[i] * unit[0] - side[i] * unit[1];
        corners[i][1] = at[1] + along[i] * unit[1] + side[i] * unit[0];
    }
}

static void arrows_draw(const flow *flow, canvas *canvas, const double at[2], double spacing)
{
    double v[2];
    if (!flow_at(flow, at, v))
        return;
    double speed = hypot(v[0], v[1]), length = 1.15 * spacing * fmin(speed / flow->fastest, 1.25);
    if (!(length > 1.5))
        return;
    double unit[2] = {v[0] / speed, v[1] / speed}, corners[7][2];
    arrows_shape(at, unit, length, corners);
    for (int i = 0; i < 7; i++)
        canvas_line(canvas, corners[i], corners[(i + 1) % 7], 2.4);
    /* Short arrows get a fainter outline, which would otherwise hide them. */
    canvas_paint(canvas, (rgb){0.01f, 0.01f, 0.01f}, 0.85 * fmin(length / 9, 1));
    canvas_polygon(canvas, corners, 7);
    canvas_paint(canvas, (rgb){1, 1, 1}, 0.92);
}

fr_result flat_arrows(const flat *flat, canvas *canvas)
{
    flow flow;
    FR_TRY(flow_create(&flow, flat));
    double width = flat->plot[2] - flat->plot[0], height = flat->plot[3] - flat->plot[1];
    double wanted = fmax(flat_lattice(flat, 30), 12);
    int columns = (int)fmax(1, round(width / wanted)), rows = (int)fmax(1, round(height / wanted));
    for (int j = 0; j < rows && flow.fastest > 0; j++)
        for (int i = 0; i < columns; i++) {
            double at[2] = {flat->plot[0] + width * (i + 0.5) / columns, flat->plot[1] + height * (j + 0.5) / rows};
            arrows_draw(&flow, canvas, at, wanted);
        }
    flow_destroy(&flow);
    return FR_OK;
}
