/* Sums over rows and blocks in a fixed order, so that the bits do not depend on the number of threads: float (or
   double) lanes within a row, double across rows. Written with the vector types of gcc and clang, because a compiler
   may not reorder a plain sum. */
#ifndef FR_GRID_POISSON_LATTICE_LANES_H
#define FR_GRID_POISSON_LATTICE_LANES_H

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <freshet/base.h>

typedef float lanes_f __attribute__((vector_size(32), aligned(4), may_alias));
typedef double lanes_d __attribute__((vector_size(32), aligned(8), may_alias));
typedef int32_t lanes_i __attribute__((vector_size(32), aligned(4), may_alias));
typedef int64_t lanes_l __attribute__((vector_size(32), aligned(8), may_alias));

/* A sum per lane. Rows are added in double lane by lane: reducing the lanes would cost more than a row's products. */
typedef struct lanes_sums {
    lanes_d of[4];
} lanes_sums;

/* Vectors are passed by address: passing them by value would make the ABI depend on the processor options. */
static inline void lanes_add_row(lanes_sums *sums, const lanes_f *a, const lanes_f *b)
{
    sums->of[0] += __builtin_convertvector(__builtin_shufflevector(*a, *a, 0, 1, 2, 3), lanes_d);
    sums->of[1] += __builtin_convertvector(__builtin_shufflevector(*a, *a, 4, 5, 6, 7), lanes_d);
    sums->of[2] += __builtin_convertvector(__builtin_shufflevector(*b, *b, 0, 1, 2, 3), lanes_d);
    sums->of[3] += __builtin_convertvector(__builtin_shufflevector(*b, *b, 4, 5, 6, 7), lanes_d);
}

static inline double lanes_total(const lanes_sums *sums)
{
    lanes_d all = (sums->of[0] + sums->of[1]) + (sums->of[2] + sums->of[3]);
    return (all[0] + all[1]) + (all[2] + all[3]);
}

/* Adds Σ a b. n is a multiple of 16, here and below. */
static inline void lanes_dot(const float *a, const float *b, ptrdiff_t n, lanes_sums *sum)
{
    lanes_f s0 = {0}, s1 = {0};
    for (ptrdiff_t i = 0; i < n; i += 16) {
        s0 += *(const lanes_f *)(a + i) * *(const lanes_f *)(b + i);
        s1 += *(const lanes_f *)(a + i + 8) * *(const lanes_f *)(b + i + 8);
    }
    lanes_add_row(sum, &s0, &s1);
}

/* The bits of absolute values compare like integers. */
static inline void lanes_larger(lanes_i *most, const lanes_f *v)
{
    lanes_i bits = (lanes_i)*v & 0x7fffffff, take = bits > *most;
    *most = (bits & take) | (*most & ~take);
}

/* Σ v² and the largest |v|. */
typedef struct lanes_norms {
    lanes_sums square;
    lanes_i most[2];
} lanes_norms;

/* a −= factor b; takes the norms of a. */
static inline void lanes_step(float *a, const float *b, float factor, ptrdiff_t n, lanes_norms *norms)
{
    lanes_f s0 = {0}, s1 = {0};
    lanes_i m0 = norms->most[0], m1 = norms->most[1];
    for (ptrdiff_t i = 0; i < n; i += 16) {
        lanes_f v0 = *(lanes_f *)(a + i) - factor * *(const lanes_f *)(b + i);
        lanes_f v1 = *(lanes_f *)(a + i + 8) - factor * *(const lanes_f *)(b + i + 8);
        *(lanes_f *)(a + i) = v0;
        *(lanes_f *)(a + i + 8) = v1;
        s0 += v0 * v0;
        s1 += v1 * v1;
        lanes_larger(&m0, &v0);
        lanes_larger(&m1, &v1);
    }
    norms->most[0] = m0;
    norms->most[1] = m1;
    lanes_add_row(&norms->square, &s0, &s1);
}

/* Takes the norms of a. */
static inline void lanes_take_norms(const float *a, ptrdiff_t n, lanes_norms *norms)
{
    lanes_f s0 = {0}, s1 = {0};
    for (ptrdiff_t i = 0; i < n; i += 16) {
        const lanes_f v0 = *(const lanes_f *)(a + i), v1 = *(const lanes_f *)(a + i + 8);
        s0 += v0 * v0;
        s1 += v1 * v1;
        lanes_larger(&norms->most[0], &v0);
        lanes_larger(&norms->most[1], &v1);
    }
    lanes_add_row(&norms->square, &s0, &s1);
}

static inline double lanes_largest(const lanes_norms *norms)
{
    lanes_i most = norms->most[0];
    lanes_f other = (lanes_f)norms->most[1];
    lanes_larger(&most, &other);
    other = (lanes_f)most;
    double largest = 0;
    for (int i = 0; i < 8; i++)
        largest = (double)other[i] > largest ? (double)other[i] : largest;
    return largest;
}

/* Four lanes of doubles, by address as above: conversion from and to float, masks from the bits of the flags, and
   masking. */
static inline void lanes_widen(const float *from, lanes_d *to)
{
#ifdef __AVX__
    *to = (lanes_d)_mm256_cvtps_pd(_mm_loadu_ps(from));
#else
    *to = (lanes_d){from[0], from[1], from[2], from[3]};
#endif
}

/* Leaves the rounding error in `v`. */
static inline void lanes_narrow(lanes_d *v, float *to)
{
#ifdef __AVX__
    __m128 rounded = _mm256_cvtpd_ps((__m256d)*v);
    _mm_storeu_ps(to, rounded);
    *v -= (lanes_d)_mm256_cvtps_pd(rounded);
#else
    for (int i = 0; i < 4; i++) {
        to[i] = (float)(*v)[i];
        (*v)[i] -= (double)to[i];
    }
#endif
}

static inline void lanes_have(const uint16_t *flags, const int bit, lanes_l *to)
{
#ifdef __AVX2__
    *to = -(lanes_l)((lanes_l)_mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)(const void *)flags)) >> bit & 1);
#else
    *to = -((lanes_l){flags[0], flags[1], flags[2], flags[3]} >> bit & 1);
#endif
}

static inline void lanes_widen_mask(const int32_t *from, lanes_l *to)
{
#ifdef __AVX2__
    *to = (lanes_l)_mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)from));
#else
    *to = (lanes_l){from[0], from[1], from[2], from[3]};
#endif
}

static inline void lanes_keep(const lanes_l *mask, lanes_d *v) { *v = (lanes_d)(*mask & (lanes_l)*v); }

/* Σ v² and the largest |v| of doubles. */
typedef struct lanes_size {
    lanes_d square;
    lanes_l most;
} lanes_size;

static inline void lanes_size_add(lanes_size *size, const lanes_d *v)
{
    lanes_l bits = (lanes_l)*v & INT64_MAX, take = bits > size->most;
    size->most = (bits & take) | (size->most & ~take);
    size->square += *v * *v;
}

/* Adds Σ v² to norms[0] and updates the maximum |v| in norms[1]. */
static inline void lanes_size_take(const lanes_size *size, double norms[2])
{
    lanes_d most = (lanes_d)size->most;
    norms[0] += (size->square[0] + size->square[1]) + (size->square[2] + size->square[3]);
    for (int i = 0; i < 4; i++)
        norms[1] = most[i] > norms[1] ? most[i] : norms[1];
}

/* The same for a row. */
static inline void lanes_measure(const double *v, ptrdiff_t n, double norms[2])
{
    lanes_size size[2] = {0};
    for (ptrdiff_t i = 0; i < n; i += 8) {
        lanes_size_add(&size[0], (const lanes_d *)(v + i));
        lanes_size_add(&size[1], (const lanes_d *)(v + i + 4));
    }
    lanes_size_take(&size[0], norms);
    lanes_size_take(&size[1], norms);
}

#endif
