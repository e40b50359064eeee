/* Flat views: a field in colours, with title, time, colour bar and scale bar. */
#ifndef FR_RENDER_FLAT_FLAT_H
#define FR_RENDER_FLAT_FLAT_H

#include "render/body/cast.h"
#include "render/flat/bend.h"
#include "render/draw/canvas.h"
#include "render/draw/colormap.h"
#include "render/draw/palette.h"
#include "render/draw/range.h"

#include <math.h>

/* The content of the plot. */
typedef enum flat_kind {
    FLAT_FIELD,          /* a field through a colour map */
    FLAT_INKS,           /* all inks together, in their own colours */
    FLAT_VELOCITY,       /* the two components in the plane as red and green */
    FLAT_PLAIN,          /* the ground only, with particles on it */
    FLAT_GRID,           /* the lines of the grid */
    FLAT_DISCS,          /* a liquid's particles through a colour map */
    FLAT_LIQUID,         /* a liquid's smooth surface */
    FLAT_CELLS           /* cells of liquid, of its surface, of air and of obstacles */
} flat_kind;

/* What a flat picture is made from. */
typedef struct flat {
    flat_kind kind;
    const fr_frame *frame; /* with bodies in its field "solid" */
    const fr_scene_def *def;
    const fr_view_def *view;
    fr_range range;
    bool decades;        /* its colours go by logarithms */
    bool clipped[2];     /* values lie below or above the range: marked at the colour bar's ends */
    cut cut;
    palette palette;
    int plot[4];         /* pixels of the plot: x0, y0, x1, y1 */
    double text;         /* cap height, pixels; 0: the picture is too small for labels */
    colormap map;        /* of fields and discs */
    cast bodies;
    plane solid;         /* data NULL: no obstacles */
    plane around;        /* distance to obstacles and bodies, negative outside them; data NULL: no bodies */
    plane level;         /* the liquid's surface, where the field is known in the liquid alone; data NULL: everywhere */
    bend bend;           /* node NULL: a uniform grid. Otherwise land surrounds the grid, and obstacles are land */
} flat;

/* The position in cells under a point of the picture. On a curvilinear grid that of the pixel; NaN on land. */
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
/* Metres per pixel. */
static inline double flat_metres(const flat *flat, int axis)
{
    return flat->cut.size[axis] / (flat->plot[axis + 2] - flat->plot[axis]);
}

/* The pixel of a position given in metres along the cut's axes. */
static inline void flat_point(const flat *flat, const double metres[2], double point[2])
{
    point[0] = flat->plot[0] + (metres[0] - flat->cut.low[0]) / flat_metres(flat, 0);
    point[1] = flat->plot[3] - (metres[1] - flat->cut.low[1]) / flat_metres(flat, 1);
}

/* The spacing of arrows and streamlines in pixels: `along` of them fit along the longer side. On a curvilinear grid it
   is smaller if needed, so that several fit across the river. */
static inline double flat_lattice(const flat *flat, int along)
{
    double longest = fmax(flat->plot[2] - flat->plot[0], flat->plot[3] - flat->plot[1]) / along;
    return flat->bend.node ? fmin(longest, fmax(flat->bend.width / 5, 8)) : longest;
}

/* Whether the picture has a colour bar. */
static inline bool flat_is_mapped(const flat *flat)
{
    return flat->kind == FLAT_FIELD || flat->kind == FLAT_DISCS;
}

/* Whether a key beside the plot explains the colours. */
static inline bool flat_has_key(const flat *flat)
{
    return flat_is_mapped(flat) || flat->kind == FLAT_VELOCITY;
}

fr_result flat_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                      fr_image *image);

/* The parts of a flat view; most have their own file. */
fr_result flat_paint(const flat *flat, const fr_image *image);         /* the field and the obstacles */
void flat_grid(const flat *flat, canvas *canvas);                      /* lines of the grid */
int flat_grid_step(const flat *flat);                                  /* draws every n-th line */
void flat_banks(const flat *flat, canvas *canvas);                     /* of a curvilinear grid */
/* The colour of a velocity whose components, relative to the range's end, are x and y in −1 … 1. */
void flat_velocity_colour(double x, double y, uint8_t pixel[3]);
void flat_label(const flat *flat, canvas *canvas);                     /* title, time, colour bar, scale bar */
void flat_legend(const flat *flat, canvas *canvas);                    /* the same without scale bar and frame */
fr_result flat_arrows(const flat *flat, canvas *canvas);
fr_result flat_streamlines(const flat *flat, canvas *canvas);
void flat_dots(const flat *flat, canvas *canvas);                      /* tracer particles */
fr_result flat_discs(const flat *flat, canvas *canvas);                /* a liquid's particles, and the obstacles */
fr_result flat_liquid(const flat *flat, const fr_image *image);        /* a liquid's surface, and the obstacles */
fr_result flat_cell_types(const flat *flat, const fr_image *image);    /* each cell in the colour of its type */

void flat_bodies(const flat *flat, const fr_image *image);

/* Blends the obstacles into the pixel at that position (in cells). */
void flat_obstacle(const flat *flat, const double at[2], uint8_t *pixel);

#endif
