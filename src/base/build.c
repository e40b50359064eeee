/* The library's version, compiler and instruction sets. */
#include "base/processor.h"

#if defined(__AVX512F__)
#define BUILD_SET "AVX-512"
#elif defined(__AVX2__)
#define BUILD_SET "AVX2"
#elif defined(__AVX__)
#define BUILD_SET "AVX"
#elif defined(__SSE2__)
#define BUILD_SET "SSE2"
#else
#define BUILD_SET "no vectors"
#endif

#if defined(__clang__)
#define BUILD_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define BUILD_COMPILER "gcc " __VERSION__
#else
#define BUILD_COMPILER "an unknown compiler"
#endif

#if defined(__OPTIMIZE__)
#define BUILD_KIND "optimised"
#else
#define BUILD_KIND "not optimised"
#endif

const processor_needs processor_built_for = {
#ifdef __AVX__
    .avx = true,
#endif
#ifdef __AVX2__
    .avx2 = true,
#endif
#ifdef __FMA__
    .fma = true,
#endif
#ifdef __BMI2__
    .bmi2 = true,
#endif
#ifdef __AVX512F__
    .avx512f = true,
#endif
#ifdef __AVX512BW__
    .avx512bw = true,
#endif
#ifdef __AVX512VL__
    .avx512vl = true,
#endif
};

const char *fr_version(void)
{
    return FR_VERSION;
}

const char *fr_build(void)
{
    return FR_VERSION ", " BUILD_COMPILER ", " BUILD_SET ", " BUILD_KIND;
}
