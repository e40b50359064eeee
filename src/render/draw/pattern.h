/* Patterns on a liquid, in its texture coordinates. */
#ifndef FR_RENDER_DRAW_PATTERN_H
#define FR_RENDER_DRAW_PATTERN_H

#include "render/draw/colour.h"

#include <freshet/defs.h>

typedef struct pattern {
    fr_pattern kind;
    double size; /* m */
} pattern;

/* The pattern of the look; `shortest`: m, the domain's shortest side. */
pattern pattern_of_look(const fr_look_def *look, double shortest);

/* How dark the pattern is at a place (m), 0 … 1. */
float pattern_at(const pattern *pattern, const float place[3]);

/* The colour with the pattern on it. */
rgb pattern_paint(const pattern *pattern, const float place[3], rgb colour);

/* Smooth noise of lattice 1, about −1 … 1. */
float pattern_noise(const float place[3]);

#endif
