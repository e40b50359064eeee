#include "render/draw/colour.h"

#include <math.h>

/* The sRGB transfer curve (IEC 61966-2-1). */
static double colour_decode(double srgb)
{
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

rgb colour_light(const double srgb[3])
{
    return (rgb){(float)colour_decode(srgb[0]), (float)colour_decode(srgb[1]), (float)colour_decode(srgb[2])};
}

rgb colour_of_bytes(const uint8_t bytes[3])
{
    double srgb[3] = {bytes[0] / 255.0, bytes[1] / 255.0, bytes[2] / 255.0};
    return colour_light(srgb);
}

/* Linear light, of any size and also NaN, to sRGB 0 … 255 before rounding. */
static float colour_level(float light)
{
    if (!(light > 0))
        return 0;
    if (light >= 1)
        return 255;
    return light <= 0.0031308f ? 255 * 12.92f * light : 255 * (1.055f * powf(light, 1 / 2.4f) - 0.055f);
}

void colour_to_bytes(rgb light, uint8_t bytes[3])
{
    bytes[0] = (uint8_t)(colour_level(light.r) + 0.5f);
    bytes[1] = (uint8_t)(colour_level(light.g) + 0.5f);
    bytes[2] = (uint8_t)(colour_level(light.b) + 0.5f);
}

float colour_luminance(rgb light)
{
    return 0.2126f * light.r + 0.7152f * light.g + 0.0722f * light.b;
}

float colour_noise(uint32_t x, uint32_t y, uint32_t salt)
{
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ salt * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    h ^= h >> 15;
    return (float)(h >> 8) * 0x1p-24f;
}

static uint8_t colour_dither(float light, float noise)
{
    float level = colour_level(light) + noise;
    return (uint8_t)(level > 255 ? 255 : level);
}

void colour_to_bytes_dithered(rgb light, uint32_t x, uint32_t y, uint8_t bytes[3])
{
    float noise = colour_noise(x, y, 7);
    bytes[0] = colour_dither(light.r, noise);
    bytes[1] = colour_dither(light.g, noise);
    bytes[2] = colour_dither(light.b, noise);
}
