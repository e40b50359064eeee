/* Default colours of inks, backgrounds and labels, where the scene's look does not set them. */
#ifndef FR_RENDER_DRAW_PALETTE_H
#define FR_RENDER_DRAW_PALETTE_H

#include "render/draw/colour.h"

#include <freshet/defs.h>
#include <freshet/frame.h>

/* Colours of a flat picture. */
typedef struct palette {
    rgb background, text, faint;   /* faint: frames and ticks */
    rgb obstacle, outline;
    bool dark;                     /* the background is dark */
} palette;
palette palette_of_look(const fr_look_def *look);

/* The colour that is set, or the default when all its numbers are zero. */
rgb palette_colour(const double srgb[3], double r, double g, double b);

/* Inks are the cell fields that the scene declares. Returns the next one from index *at on and advances *at; NULL at
   the end. */
const fr_field *palette_next_ink(const fr_frame *frame, int *at);
int palette_ink_count(const fr_frame *frame);

/* The colour of the n-th ink: the look's, else that of its name ("red"), else the n-th of a list that mixes well. */
rgb palette_ink_colour(const fr_look_def *look, const char *name, int n);

#endif
