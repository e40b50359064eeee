/* Flat views: a field as colours, with everything that helps to read it. */
#ifndef FR_RENDER_FLAT_H
#define FR_RENDER_FLAT_H

#include "render/canvas.h"
#include "render/colormap.h"
#include "render/palette.h"
#include "render/range.h"

/* What is drawn below the labels. */
typedef enum flat_kind {
    FLAT_FIELD,          /* numbers by a colour map */
    FLAT_INKS,           /* all inks together, in their own colours */
    FLAT_DISCS,          /* a liquid's particles, their numbers by a colour map */
    FLAT_LIQUID          /* its smooth surface */
} flat_kind;

/* What a flat picture is made from. */
typedef struct flat {
    flat_kind kind;
    const fr_frame *frame;
    const fr_scene_def *def;
    const fr_view_def *view;
    fr_range range;
    bool clipped[2];     /* values lie below, above the range; marked at the colour bar's ends */
    cut cut;
    palette palette;
    int plot[4];         /* where the field is drawn: x0, y0, x1, y1 */
    double text;         /* height of capitals; 0: the picture is too small for labels */
    colormap map;        /* of fields and discs */
    plane solid;         /* data NULL: no obstacles */
} flat;

/* The place in cells under a point of the picture, and metres per pixel. */
static inline void flat_cells(const flat *flat, double x, double y, double cells[2])
{
    cells[0] = (x - flat->plot[0]) / (flat->plot[2] - flat->plot[0]) * flat->cut.cells[0];
    cells[1] = (flat->plot[3] - y) / (flat->plot[3] - flat->plot[1]) * flat->cut.cells[1];
}
static inline double flat_metres(const flat *flat, int axis)
{
    return flat->cut.cells[axis] * flat->cut.spacing[axis] / (flat->plot[axis + 2] - flat->plot[axis]);
}

static inline bool flat_is_mapped(const flat *flat)
{
    return flat->kind == FLAT_FIELD || flat->kind == FLAT_DISCS;
}

fr_result flat_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                      fr_image *image);

/* Parts, each in its own file. */
void flat_layout(flat *flat, int *width, int *height);                 /* sets plot and text */
fr_result flat_paint(const flat *flat, const fr_image *image);         /* the field and the obstacles */
void flat_label(const flat *flat, canvas *canvas);                     /* title, time, colour bar, scale bar */
fr_result flat_arrows(const flat *flat, canvas *canvas);
fr_result flat_streamlines(const flat *flat, canvas *canvas);
void flat_dots(const flat *flat, canvas *canvas);                      /* particles that are carried */
fr_result flat_discs(const flat *flat, canvas *canvas);                /* a liquid's particles, and the obstacles */
fr_result flat_liquid(const flat *flat, const fr_image *image);        /* its surface, and the obstacles */

/* Draws the obstacles' share of a pixel at that place (in cells). */
void flat_obstacle(const flat *flat, const double at[2], uint8_t *pixel);

#endif
