/* Colours. Pictures store sRGB; light is added and mixed in linear RGB. */
#ifndef FR_RENDER_DRAW_COLOUR_H
#define FR_RENDER_DRAW_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

/* Linear light, 1 is the white of the picture. */
typedef struct rgb {
    float r, g, b;
} rgb;

static inline rgb rgb_add(rgb a, rgb b) { return (rgb){a.r + b.r, a.g + b.g, a.b + b.b}; }
static inline rgb rgb_mul(rgb a, rgb b) { return (rgb){a.r * b.r, a.g * b.g, a.b * b.b}; }
static inline rgb rgb_scale(rgb a, float s) { return (rgb){a.r * s, a.g * s, a.b * s}; }
static inline rgb rgb_mix(rgb a, rgb b, float t)
{
    return (rgb){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

/* sRGB 0 … 1 to linear light. */
rgb colour_light(const double srgb[3]);

/* The same for the bytes of a picture. */
rgb colour_of_bytes(const uint8_t bytes[3]);
void colour_to_bytes(rgb light, uint8_t bytes[3]);

/* Luminance, 0 … 1. */
float colour_luminance(rgb light);

/* A pseudo-random number in [0, 1) that depends only on the pixel and the salt: the same on every thread and
   machine. */
float colour_noise(uint32_t x, uint32_t y, uint32_t salt);

/* As colour_to_bytes, with dithering by one level, which hides banding in dark gradients. */
void colour_to_bytes_dithered(rgb light, uint32_t x, uint32_t y, uint8_t bytes[3]);

#endif
