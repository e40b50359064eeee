/* The light of a hot body: Planck's law, seen by the eye. */
#ifndef FR_RENDER_DRAW_BLACK_BODY_H
#define FR_RENDER_DRAW_BLACK_BODY_H

#include "render/draw/colour.h"

/* Tristimulus values (CIE 1931) of a black body's light; [1] is the luminance in W/(m² sr), weighted by the eye. */
void black_body_xyz(double kelvin, double xyz[3]);

/* What a picture shows of it, linear light: the body's own hue. Luminance grows by 500 from 1100 K to 1500 K, more than
   a picture holds; it is shown with the power 0.5, as 1 at 1320 K. What is too bright for the picture
   goes towards white, as in the eye. */
rgb black_body_glow(double kelvin);

#endif
