/* 16-bit floats (IEEE binary16): half the memory for numbers that need three digits. Range ±65504; fewer digits below
   6e-5 (subnormal numbers). */
#ifndef FR_BASE_HALF_H
#define FR_BASE_HALF_H

#include "base/wide.h"

typedef uint16_t half_eight __attribute__((vector_size(16)));
typedef uint16_t half_eight_anywhere __attribute__((vector_size(16), aligned(2), may_alias));   /* unaligned */

#ifdef __F16C__
static inline half_eight half_of_wide(wide v)
{
    return (half_eight)_mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline wide wide_of_half(half_eight v) { return (wide)_mm256_cvtph_ps((__m128i)v); }
#else
/* Multiplying by 2^±112 converts between the exponent biases of the two formats, also for subnormal numbers. */
static inline uint16_t half_of(float value)
{
    union { float f; uint32_t u; } bits = {value}, rounded;
    uint32_t sign = bits.u & 0x80000000u;
    bits.u ^= sign;
    if (bits.u >= 0x477ff000u)                                     /* overflow or NaN */
        return (uint16_t)(sign >> 16 | (bits.u > 0x7f800000u ? 0x7e00u : 0x7c00u));
    if (bits.u < 0x38800000u) {                                    /* subnormal: adding 0.5 rounds it */
        rounded.f = bits.f + 0.5f;
        return (uint16_t)(sign >> 16 | (rounded.u - 0x3f000000u));
    }
    uint32_t odd = bits.u >> 13 & 1;
    return (uint16_t)(sign >> 16 | ((bits.u + 0xc8000fffu + odd) >> 13));
}

static inline float float_of_half(uint16_t h)
{
    union { uint32_t u; float f; } bits = {(uint32_t)(h & 0x7fff) << 13}, scale = {0x77800000u};
    bits.f *= scale.f;
    if (bits.f >= 65536.0f)
        bits.u |= 0x7f800000u;
    bits.u |= (uint32_t)(h & 0x8000) << 16;
    return bits.f;
}

static inline half_eight half_of_wide(wide v)
{
    half_eight halves;
    for (int l = 0; l < WIDE; l++)
        halves[l] = half_of(v[l]);
    return halves;
}

static inline wide wide_of_half(half_eight v)
{
    wide floats;
    for (int l = 0; l < WIDE; l++)
        floats[l] = float_of_half(v[l]);
    return floats;
}
#endif

#endif
