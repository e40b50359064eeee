/* Eight floats at once (SIMD), for the few loops that the compiler does not vectorise well (gathers, stencils). Uses
   the vector extensions of gcc and clang: runs on any processor, with wider registers where it has them. */
#ifndef FR_BASE_WIDE_H
#define FR_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

enum { WIDE = 8 };

/* For parts of a loop whose values must stay in registers: inlined before the compiler looks for those. */
#define WIDE_INLINE static inline __attribute__((always_inline))

typedef float wide __attribute__((vector_size(32)));
typedef float wide_anywhere __attribute__((vector_size(32), aligned(4)));   /* unaligned */
typedef int32_t wide_mask __attribute__((vector_size(32)));

/* n rounded up to a multiple of eight. */
static inline int wide_round(int n) { return (n + WIDE - 1) / WIDE * WIDE; }

static inline wide wide_load(const float *from) { return *(const wide_anywhere *)from; }

static inline void wide_store(float *to, wide v) { *(wide_anywhere *)to = v; }

/* Stores the first n, or all eight if n is more. */
static inline void wide_store_first(float *to, wide v, int n)
{
    if (n >= WIDE)
        wide_store(to, v);
    else
        memcpy(to, &v, (size_t)n * sizeof(float));
}

/* Stores a[0] b[0] a[1] b[1] …, sixteen in all. */
static inline void wide_store_pairs(float *to, wide a, wide b)
{
    wide_store(to, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
    wide_store(to + WIDE, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
}

/* Loads eight bytes. */
static inline wide_mask wide_load_bytes(const uint8_t *from)
{
#ifdef __AVX2__
    return (wide_mask)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
#else
    wide_mask v;
    for (int l = 0; l < WIDE; l++)
        v[l] = from[l];
    return v;
#endif
}

/* Loads eight 16-bit integers. */
static inline wide_mask wide_load_small(const uint16_t *from)
{
#ifdef __AVX2__
    return (wide_mask)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
#else
    uint16_t narrow __attribute__((vector_size(16)));
    memcpy(&narrow, from, sizeof narrow);
    return __builtin_convertvector(narrow, wide_mask);
#endif
}

/* Stores eight integers of at most 16 bits. */
static inline void wide_store_small(uint16_t *to, wide_mask v)
{
#ifdef __AVX2__
    __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32((__m256i)v, (__m256i)v), 8);
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(packed));
#else
    for (int l = 0; l < WIDE; l++)
        to[l] = (uint16_t)v[l];
#endif
}

static inline wide wide_all(float value) { return value - (wide){0}; }

/* Consecutive samples for eight points: v[s] holds sample s of all eight. Each point's samples are loaded together and
   then transposed. */
typedef struct wide_group {
    wide v[4];
} wide_group;

/* The same address, worked out once: where several rows are read by the same eight indices, compilers would rather add
   the way from row to row to each of them. */
static inline const float *wide_base(const float *row)
{
    __asm__("" : "+r"(row));
    return row;
}

/* An index without a sign, in a register. */
static inline size_t wide_index(uint32_t index)
{
    size_t at = index;
    __asm__("" : "+r"(at));
    return at;
}

/* Gathers data[at[l]] and data[at[l] + 1] for each lane l. */
static inline wide_group wide_pick_pairs(const float *data, const int32_t *at)
{
    typedef double pairs __attribute__((vector_size(32)));
    double pair[WIDE];
    for (int l = 0; l < WIDE; l++)
        memcpy(&pair[l], data + at[l], sizeof pair[l]);
    wide a = (wide)(pairs){pair[0], pair[1], pair[4], pair[5]}, b = (wide)(pairs){pair[2], pair[3], pair[6], pair[7]};
    return (wide_group){{__builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14),
                         __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15)}};
}

/* Transposes four samples of eight points: both[l] holds those of point l, then those of point l + 4. */
static inline wide_group wide_turn_fours(const wide both[4])
{
    wide a = __builtin_shufflevector(both[0], both[1], 0, 8, 1, 9, 4, 12, 5, 13);
    wide b = __builtin_shufflevector(both[2], both[3], 0, 8, 1, 9, 4, 12, 5, 13);
    wide c = __builtin_shufflevector(both[0], both[1], 2, 10, 3, 11, 6, 14, 7, 15);
    wide d = __builtin_shufflevector(both[2], both[3], 2, 10, 3, 11, 6, 14, 7, 15);
    return (wide_group){{__builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13),
                         __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15),
                         __builtin_shufflevector(c, d, 0, 1, 8, 9, 4, 5, 12, 13),
                         __builtin_shufflevector(c, d, 2, 3, 10, 11, 6, 7, 14, 15)}};
}

/* Gathers data[at[l]] … data[at[l] + 3] for each lane l. */
static inline wide_group wide_pick_fours(const float *data, const int32_t *at)
{
    wide both[4];
    for (int l = 0; l < 4; l++) {
        float eight[WIDE];
        memcpy(eight, data + at[l], sizeof eight / 2);
        memcpy(eight + 4, data + at[l + 4], sizeof eight / 2);
        both[l] = wide_load(eight);
    }
    return wide_turn_fours(both);
}

/* Floor, for |v| < 2³¹. */
static inline wide wide_floor(wide v)
{
#ifdef __AVX__
    return (wide)_mm256_floor_ps((__m256)v);
#else
    wide whole = __builtin_convertvector(__builtin_convertvector(v, wide_mask), wide);
    return whole - (wide)((whole > v) & (wide_mask)wide_all(1));
#endif
}

/* Bit l is lane l of the mask. */
static inline unsigned wide_bits(wide_mask mask)
{
#ifdef __AVX__
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#else
    unsigned bits = 0;
    for (int l = 0; l < WIDE; l++)
        bits |= (unsigned)(mask[l] != 0) << l;
    return bits;
#endif
}

static inline bool wide_every(wide_mask mask) { return wide_bits(mask) == 0xff; }
static inline bool wide_any(wide_mask mask) { return wide_bits(mask) != 0; }

/* Compaction: a table of permutations, one per mask, that move the mask's lanes to the front in order. A look-up is
   faster than computing it. The lanes behind them are unspecified. */
typedef struct wide_orders {
    uint8_t lane[1 << WIDE][WIDE];
} wide_orders;

static inline void wide_orders_fill(wide_orders *orders)
{
    for (unsigned bits = 0; bits < 1 << WIDE; bits++)
        for (int l = 0, to = 0; l < WIDE; l++) {
            orders->lane[bits][l] = 0;
            if (bits >> l & 1)
                orders->lane[bits][to++] = (uint8_t)l;
        }
}

static inline wide_mask wide_pack_order(const wide_orders *orders, unsigned bits)
{
    return wide_load_bytes(orders->lane[bits]);
}

static inline wide wide_pack(wide v, wide_mask order)
{
#ifdef __AVX2__
    return (wide)_mm256_permutevar8x32_ps((__m256)v, (__m256i)order);
#else
    wide packed;
    for (int l = 0; l < WIDE; l++)
        packed[l] = v[order[l]];
    return packed;
#endif
}

/* The value where the mask is set, else 0. */
static inline wide wide_keep(wide_mask mask, wide value) { return (wide)(mask & (wide_mask)value); }

static inline wide wide_choose(wide_mask mask, wide yes, wide no)
{
#ifdef __AVX__
    return (wide)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (wide)((mask & (wide_mask)yes) | (~mask & (wide_mask)no));
#endif
}

/* b where one of them is NaN. */
static inline wide wide_min(wide a, wide b)
{
#ifdef __AVX__
    return (wide)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return wide_choose(a < b, a, b);
#endif
}

static inline wide wide_max(wide a, wide b)
{
#ifdef __AVX__
    return (wide)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return wide_choose(a > b, a, b);
#endif
}

static inline wide wide_sqrt(wide v)
{
#ifdef __AVX__
    return (wide)_mm256_sqrt_ps((__m256)v);
#else
    wide root;
    for (int l = 0; l < WIDE; l++)
        root[l] = __builtin_sqrtf(v[l]);
    return root;
#endif
}

/* Sum of the lanes, in a fixed order. */
static inline float wide_sum(wide v)
{
    typedef float four __attribute__((vector_size(16)));
    four both = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
    return (both[0] + both[2]) + (both[1] + both[3]);
}

/* The sums of four vectors at once. */
static inline void wide_sums(const wide v[4], float to[4])
{
    typedef float four __attribute__((vector_size(16)));
    wide a = __builtin_shufflevector(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13) +
             __builtin_shufflevector(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);
    wide b = __builtin_shufflevector(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13) +
             __builtin_shufflevector(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);
    wide all = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
               __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    four sums = __builtin_shufflevector(all, all, 0, 1, 2, 3) + __builtin_shufflevector(all, all, 4, 5, 6, 7);
    memcpy(to, &sums, sizeof sums);
}

/* Minimum and maximum of the lanes. */
static inline float wide_least(wide v)
{
    v = wide_min(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
    v = wide_min(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
    return v[0] < v[1] ? v[0] : v[1];
}

static inline float wide_greatest(wide v) { return -wide_least(-v); }

/* e^v for −87 < v < 88, to seven digits: 2^k times a polynomial in x = v − k ln 2. */
static inline wide wide_exp(wide v)
{
    wide k = wide_floor(v * 1.44269504f + 0.5f);
    wide x = v - k * 0.693359375f + k * 2.12194440e-4f;   /* ln 2 split in two; k times the first is exact */
    wide p = wide_all(1.9875691500e-4f);
    p = p * x + 1.3981999507e-3f;
    p = p * x + 8.3334519073e-3f;
    p = p * x + 4.1665795894e-2f;
    p = p * x + 1.6666665459e-1f;
    p = p * x + 5.0000001201e-1f;
    p = p * x * x + x + 1.0f;
    wide_mask power = (__builtin_convertvector(k, wide_mask) + 127) << 23;
    return p * (wide)power;
}

#endif
