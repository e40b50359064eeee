/* What a scene's look leaves open, filled in: the colours of inks, backgrounds and labels. */
#ifndef FR_RENDER_DRAW_PALETTE_H
#define FR_RENDER_DRAW_PALETTE_H

#include "render/draw/colour.h"

#include <freshet/defs.h>
#include <freshet/frame.h>

/* Colours of a flat picture. */
typedef struct palette {
    rgb background, text, faint;   /* faint: frames and ticks */
    rgb obstacle, outline;
    bool dark;                     /* the background is */
} palette;
palette palette_of_look(const fr_look_def *look);

/* The colour that is set, or the default when all its numbers are zero. */
rgb palette_colour(const double srgb[3], double r, double g, double b);

/* Inks are the cell fields that only the scene knows. The next one from *at on, moving on; NULL at the end. */
const fr_field *palette_next_ink(const fr_frame *frame, int *at);
int palette_ink_count(const fr_frame *frame);

/* The colour of the n-th ink: the look's, else that of its name ("red"), else one of a row of colours that mix well. */
rgb palette_ink_colour(const fr_look_def *look, const char *name, int n);

#endif
