/* Counter-based random numbers: a pure function of seed and index. The result does not depend on the thread, the order
   of calls, or a resume. */
#ifndef FR_BASE_RANDOM_H
#define FR_BASE_RANDOM_H

#include <math.h>
#include <stdint.h>

/* The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the input reaches every bit of the result. */
static inline uint64_t random_mix(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
    return v ^ (v >> 31);
}

static inline uint64_t random_bits(uint64_t seed, uint64_t index)
{
    return random_mix(random_mix(seed + 0x9e3779b97f4a7c15u) + (index + 1) * 0x9e3779b97f4a7c15u);
}

/* Uniform in [0, 1). */
static inline double random_unit(uint64_t seed, uint64_t index)
{
    return (double)(random_bits(seed, index) >> 11) * 0x1p-53;
}

/* Normally distributed with mean 0 and variance 1 (Box and Muller 1958). */
static inline double random_normal(uint64_t seed, uint64_t index)
{
    double u = 1 - random_unit(seed, 2 * index), v = random_unit(seed, 2 * index + 1);
    return sqrt(-2 * log(u)) * cos(6.28318530717958647692 * v);
}

#endif
