/* Drawing to SVG or PNG: one interface, two backends. Units are SVG pixels, y down. */
#ifndef FR_RENDER_DRAW_PEN_H
#define FR_RENDER_DRAW_PEN_H

#include "render/draw/canvas.h"

#include <stdio.h>

typedef struct pen pen;
struct pen {
    void (*line)(pen *pen, const double (*points)[2], int count, double width, uint32_t colour);   /* 0xRRGGBB */
    void (*polygon)(pen *pen, const double (*points)[2], int count, uint32_t colour);
    void (*text)(pen *pen, const canvas_text *where, const char *text, uint32_t colour);
    /* Writes the file when `result` is FR_OK; frees everything in either case. */
    fr_result (*close)(pen *pen, fr_result result);

    const char *path;
    FILE *file;            /* SVG: a stream into `svg` */
    char *svg;
    size_t length;
    fr_image image;        /* PNG */
    canvas canvas;
};

/* A white sheet that will be written to `path`. */
fr_result pen_open_svg(pen *pen, const char *path, int width, int height);
fr_result pen_open_png(pen *pen, const char *path, int width, int height);

#endif
