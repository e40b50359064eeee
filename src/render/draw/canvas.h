/* Drawing on a picture: anti-aliased lines, polygons and text. A shape is first collected in a coverage mask and then
   painted once, so that overlapping strokes do not show. Coordinates in pixels, y down, pixel centres at halves. */
#ifndef FR_RENDER_DRAW_CANVAS_H
#define FR_RENDER_DRAW_CANVAS_H

#include "render/draw/colour.h"
#include "render/draw/image.h"

typedef struct canvas {
    fr_image *image;
    float *mask;       /* coverage 0 … 1 */
    int box[4];        /* the used part of the mask: x0, y0, x1, y1 */
} canvas;

fr_result canvas_create(canvas *canvas, fr_image *image);
void canvas_destroy(canvas *canvas);

/* Add a shape to the mask. */
void canvas_line(canvas *canvas, const double a[2], const double b[2], double width);
void canvas_polyline(canvas *canvas, const double (*points)[2], int count, double width);
void canvas_polygon(canvas *canvas, const double (*points)[2], int count);   /* at most CANVAS_CORNERS corners */
enum { CANVAS_CORNERS = 64 };

/* Blends the colour into the picture through the mask, and clears the mask. */
void canvas_paint(canvas *canvas, rgb colour, double opacity);

/* A filled rectangle of whole pixels. */
void canvas_rectangle(canvas *canvas, const int box[4], rgb colour);

/* Placement of text. `at` lies on the baseline; anchor 0, 0.5, 1: at the text's left end, middle, right end; `size`:
   height of capitals in pixels; `up`: rotated to read upwards. */
typedef struct canvas_text {
    double at[2], anchor, size;
    bool up;
} canvas_text;
void canvas_write(canvas *canvas, const canvas_text *where, const char *text);
double canvas_text_width(const char *text, double size);

#endif
