/* The surface of a 2D liquid as a curve of a plot. */
#include "validate/validate.h"

#include <math.h>
#include <stdlib.h>

/* A triangle of cell centres: half a square, the one below its diagonal (half 0) or above it. */
typedef struct outline_triangle {
    int i, j, half;
} outline_triangle;

/* Its side s from one centre to the next: the diagonal, the upright one and the level one. */
static void outline_side(outline_triangle t, int side, int from[2], int to[2])
{
    const int corner[2] = {t.half ? t.i : t.i + 1, t.half ? t.j + 1 : t.j};
    const bool low = side == (t.half ? 1 : 2); /* from the square's low corner to the third one */
    from[0] = t.i + (side > 0 && !low);
    from[1] = t.j + (side > 0 && !low);
    to[0] = side > 0 ? corner[0] : t.i + 1;
    to[1] = side > 0 ? corner[1] : t.j + 1;
}

/* The triangle on the other side. */
static outline_triangle outline_beside(outline_triangle t, int side)
{
    const int step = t.half ? -1 : 1;
    return (outline_triangle){t.i + (side == 1 ? step : 0), t.j + (side == 2 ? -step : 0), !t.half};
}

/* Whether the surface passes through a side, and where in cells. */
static bool outline_crosses(const fr_field *phi, outline_triangle t, int side, double at[2])
{
    int from[2], to[2];
    outline_side(t, side, from, to);
    double low = validate_value(phi, from[0], from[1], 0), high = validate_value(phi, to[0], to[1], 0);
    for (int a = 0; a < 2; a++)
        at[a] = from[a] + 0.5 + low / (low - high) * (to[a] - from[a]);
    return (low < 0) != (high < 0);
}

/* Follows the surface from triangle to triangle, from one that it passes through until it has been there, or to the
   side of the box. */
static void outline_trace(const fr_frame *frame, outline_triangle t, bool *seen, validate_curve *curve)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    const int n[2] = {frame->cells[0] - 1, frame->cells[1] - 1};
    int entered = -1;
    while (t.i >= 0 && t.j >= 0 && t.i < n[0] && t.j < n[1]) {
        bool *here = &seen[2 * (t.j * n[0] + t.i) + t.half], again = *here;
        int side = 0;
        double at[2];
        while (side < 3 && (side == entered || !outline_crosses(phi, t, side, at)))
            side++;
        if (side == 3)
            return;
        validate_point_add(curve, frame->origin[0] + at[0] * frame->spacing[0],
                           frame->origin[1] + at[1] * frame->spacing[1]);
        *here = true;
        if (again)
            break;
        t = outline_beside(t, side);
        entered = side;
    }
    validate_point_add(curve, NAN, NAN);
}

void validate_outline(const fr_frame *frame, double shift, validate_curve *curve)
{
    const int first = curve->count, squares = (frame->cells[0] - 1) * (frame->cells[1] - 1),
              along = frame->cells[0] - 1;
    bool *seen = calloc(2 * (size_t)squares, sizeof *seen);
    for (int n = 0; seen && n < 2 * squares; n++)
        if (!seen[n])
            outline_trace(frame, (outline_triangle){n / 2 % along, n / 2 / along, n % 2}, seen, curve);
    for (int n = first; n < curve->count; n++)
        curve->x[n] += shift;
    free(seen);
}
