/* Flat views: a field as colours, with everything that helps to read it. */
#ifndef FR_RENDER_FLAT_FLAT_H
#define FR_RENDER_FLAT_FLAT_H

#include "render/flat/bend.h"
#include "render/draw/canvas.h"
#include "render/draw/colormap.h"
#include "render/draw/palette.h"
#include "render/draw/range.h"

#include <math.h>

/* What is drawn below the labels. */
typedef enum flat_kind {
    FLAT_FIELD,          /* numbers by a colour map */
    FLAT_INKS,           /* all inks together, in their own colours */
    FLAT_VELOCITY,       /* its two components in the plane as red and green */
    FLAT_PLAIN,          /* the ground alone, for particles */
    FLAT_GRID,           /* the lines of the grid */
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
    bend bend;           /* node NULL: the grid is plain. Otherwise land lies around it, and obstacles are land */
} flat;

/* The place in cells under a point of the picture (on a bent grid: under that pixel; not a number on land), and metres
 * per pixel. */
static inline void flat_cells(const flat *flat, double x, double y, double cells[2])
{
    if (flat->bend.node) {
        ptrdiff_t n = bend_pixel(&flat->bend, x, y);
        cells[0] = n < 0 ? (double)NAN : (double)flat->bend.place[n][0];
        cells[1] = n < 0 ? (double)NAN : (double)flat->bend.place[n][1];
        return;
    }
    cells[0] = (x - flat->plot[0]) / (flat->plot[2] - flat->plot[0]) * flat->cut.cells[0];
    cells[1] = (flat->plot[3] - y) / (flat->plot[3] - flat->plot[1]) * flat->cut.cells[1];
}
static inline double flat_metres(const flat *flat, int axis)
{
    return flat->cut.size[axis] / (flat->plot[axis + 2] - flat->plot[axis]);
}

/* Where a place lies in the picture that is so many metres along the cut's axes. */
static inline void flat_point(const flat *flat, const double metres[2], double point[2])
{
    point[0] = flat->plot[0] + (metres[0] - flat->cut.low[0]) / flat_metres(flat, 0);
    point[1] = flat->plot[3] - (metres[1] - flat->cut.low[1]) / flat_metres(flat, 1);
}

/* Pixels between things that are strewn over the picture: so many fit along its longer side; on a bent grid some fit
 * across. */
static inline double flat_lattice(const flat *flat, int along)
{
    double longest = fmax(flat->plot[2] - flat->plot[0], flat->plot[3] - flat->plot[1]) / along;
    return flat->bend.node ? fmin(longest, fmax(flat->bend.width / 5, 8)) : longest;
}

/* Whether its colours are numbers on a bar. */
static inline bool flat_is_mapped(const flat *flat)
{
    return flat->kind == FLAT_FIELD || flat->kind == FLAT_DISCS;
}

/* Whether something beside the plot tells what its colours mean. */
static inline bool flat_has_key(const flat *flat)
{
    return flat_is_mapped(flat) || flat->kind == FLAT_VELOCITY;
}

fr_result flat_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                      fr_image *image);

/* Parts, each in its own file. */
void flat_layout(flat *flat, int *width, int *height);                 /* sets plot and text */
fr_result flat_paint(const flat *flat, const fr_image *image);         /* the field and the obstacles */
void flat_grid(const flat *flat, canvas *canvas);                      /* lines of the grid */
int flat_grid_step(const flat *flat);                                  /* which of them: 1 all, 2 every second … */
void flat_banks(const flat *flat, canvas *canvas);                     /* of a bent grid */
/* The colour of a velocity whose components are x and y of the range's end, −1 … 1. */
void flat_velocity_colour(double x, double y, uint8_t pixel[3]);
void flat_label(const flat *flat, canvas *canvas);                     /* title, time, colour bar, scale bar */
fr_result flat_arrows(const flat *flat, canvas *canvas);
fr_result flat_streamlines(const flat *flat, canvas *canvas);
void flat_dots(const flat *flat, canvas *canvas);                      /* particles that are carried */
fr_result flat_discs(const flat *flat, canvas *canvas);                /* a liquid's particles, and the obstacles */
fr_result flat_liquid(const flat *flat, const fr_image *image);        /* its surface, and the obstacles */

/* Draws the obstacles' share of a pixel at that place (in cells). */
void flat_obstacle(const flat *flat, const double at[2], uint8_t *pixel);

#endif
