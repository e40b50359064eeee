/* Cubic interpolation through equally spaced samples (Catmull and Rom 1974). */
#ifndef FR_RENDER_CUBIC_H
#define FR_RENDER_CUBIC_H

/* Weights of the samples -1, 0, 1, 2 at the place f between 0 and 1; those of 1 - f are the same in reverse. */
static inline void cubic_weights(float f, float weights[4])
{
    float g = 1 - f;
    weights[0] = -0.5f * f * g * g;
    weights[1] = g * (1 + f - 1.5f * f * f);
    weights[2] = f * (1 + g - 1.5f * g * g);
    weights[3] = -0.5f * g * f * f;
}

#endif
