/* A curvilinear ("bent") grid in a picture: the grid coordinates under each pixel. */
#ifndef FR_RENDER_FLAT_BEND_H
#define FR_RENDER_FLAT_BEND_H

#include <freshet/frame.h>

/* The map from the world to the picture: pixel = from + scale·metres. */
typedef struct bend_view {
    int box[4];              /* the pixels to compute: x0, y0, x1, y1 */
    double from[2], scale[2];
} bend_view;

typedef struct bend {
    int n[2];                /* cells */
    bool closed[2];          /* a periodic axis has no banks at its ends */
    int box[4];
    double (*node)[2];       /* the nodes in pixels; NULL: the grid is uniform */
    float (*place)[2];       /* per pixel of the box: grid coordinates in cells; NaN outside the grid */
    float *share;            /* per pixel: the fraction that lies inside the grid */
    double width;            /* mean distance from bank to bank, pixels */
} bend;

/* For a 2D frame with nodes. */
fr_result bend_create(const fr_frame *frame, const bend_view *view, bend *out);
void bend_destroy(bend *bend);

static inline const double *bend_node(const bend *bend, int i, int j)
{
    return bend->node[(size_t)j * (size_t)(bend->n[0] + 1) + (size_t)i];
}

/* The index of the pixel that contains a point, -1 outside the box. */
static inline ptrdiff_t bend_pixel(const bend *bend, double x, double y)
{
    const int *box = bend->box;
    if (!(x >= box[0] && y >= box[1] && x < box[2] && y < box[3]))
        return -1;
    return (ptrdiff_t)((int)y - box[1]) * (box[2] - box[0]) + ((int)x - box[0]);
}

/* Converts a gradient per cell at a position in the grid into one per pixel. */
void bend_slope(const bend *bend, const double place[2], const double per_cell[2], double per_pixel[2]);

#endif
