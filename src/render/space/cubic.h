/* Cubic interpolation of equally spaced samples: weights of the four samples around a position. */
#ifndef FR_RENDER_SPACE_CUBIC_H
#define FR_RENDER_SPACE_CUBIC_H

/* Interpolates the samples (Catmull and Rom 1974): for values that are read off. Weights of the samples -1, 0, 1, 2 at
   the position f between 0 and 1; those of 1 - f are the same in reverse order. */
static inline void cubic_weights(float f, float weights[4])
{
    float g = 1 - f;
    weights[0] = -0.5f * f * g * g;
    weights[1] = g * (1 + f - 1.5f * f * f);
    weights[2] = f * (1 + g - 1.5f * g * g);
    weights[3] = -0.5f * g * f * f;
}

/* Approximates the samples (cubic B-spline): for smoke and inks in pictures. It damps oscillations from cell to cell,
   which are artefacts of the grid. */
static inline void cubic_smooth_weights(float f, float weights[4])
{
    float g = 1 - f;
    weights[0] = g * g * g / 6;
    weights[1] = (4 - 3 * f * f * (1 + g)) / 6;
    weights[2] = (4 - 3 * g * g * (1 + f)) / 6;
    weights[3] = f * f * f / 6;
}

#endif
