/* Sums over the neighbours of a particle, two pairs at a time as their records lie (particles/pairs.h); eight where
   every pair needs numbers of its own. */
#ifndef FR_SPH_PRESSURE_SUMS_H
#define FR_SPH_PRESSURE_SUMS_H

#include "particles/pairs.h"

typedef float four __attribute__((vector_size(16)));

static inline four sums_load(const particle_vector *v) { return *(const four *)v; }

static inline void sums_store(particle_vector *to, four v) { *(four *)to = v; }

/* A vector for both pairs. */
static inline wide sums_twice(four v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3); }

/* The vectors of two neighbours side by side. */
static inline wide sums_two_vectors(const particle_vector *v, const int32_t *other)
{
    return __builtin_shufflevector(sums_load(&v[other[0]]), sums_load(&v[other[1]]), 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline wide sums_two_numbers(const float *v, const int32_t *other)
{
    float a = v[other[0]], b = v[other[1]];
    return (wide){a, a, a, a, b, b, b, b};
}

/* The sum over both pairs. */
static inline four sums_both(wide sum)
{
    return __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
}

/* For each pair the sum over its four lanes, in all four. */
static inline wide sums_each(wide v)
{
    v += __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
    return v + __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
}

/* For each pair its distance, in all four lanes; and the records with distances set to 0. */
static inline wide sums_distance(wide record)
{
    return __builtin_shufflevector(record, record, 3, 3, 3, 3, 7, 7, 7, 7);
}
static inline wide sums_gradient(wide record) { return record * (wide){1, 1, 1, 0, 1, 1, 1, 0}; }

/* Sums of eight lanes each, in double precision. */
typedef double sums_lanes __attribute__((vector_size(64)));

static inline sums_lanes sums_exactly(wide v) { return __builtin_convertvector(v, sums_lanes); }

static inline double sums_total(sums_lanes v)
{
    return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

/* Σ_j v_j·g_ij; the fourth number of v must be 0. */
static inline float sums_dot(const pairs *p, int64_t n, const particle_vector *v)
{
    const int32_t *other = p->other + p->begin[n];
    const pair_record *record = p->record + p->begin[n];
    wide sum = {0};
    for (int32_t k = 0; k < p->number[n]; k += 2)
        sum += pairs_load(record + k) * sums_two_vectors(v, other + k);
    return wide_sum(sum);
}

/* Σ_j q_j g_ij; its fourth number is of no use. */
static inline four sums_weigh(const pairs *p, int64_t n, const float *q)
{
    const int32_t *other = p->other + p->begin[n];
    const pair_record *record = p->record + p->begin[n];
    wide sum = {0};
    for (int32_t k = 0; k < p->number[n]; k += 2)
        sum += pairs_load(record + k) * sums_two_numbers(q, other + k);
    return sums_both(sum);
}

static inline float sums_product(four a, four b)
{
    four p = a * b;
    return p[0] + p[1] + p[2];
}

/* Eight pairs from number k of a list on: lanes hold the pairs 0, 2, 4, 6, 1, 3, 5, 7. Behind the end of the list lie
   others, which sums_there leaves out. */
static inline wide_mask sums_there(const pairs *p, int64_t n, int32_t k)
{
    const wide_mask lanes = {0, 2, 4, 6, 1, 3, 5, 7};
    return lanes < p->number[n] - k;
}

static inline wide_mask sums_others(const pairs *p, int64_t n, int32_t k)
{
    const int32_t *o = p->other + p->begin[n] + k;
    return (wide_mask){o[0], o[2], o[4], o[6], o[1], o[3], o[5], o[7]};
}

/* g_ij by axis, then |x_i − x_j| as a share of the support. */
static inline wide_group sums_records(const pairs *p, int64_t n, int32_t k)
{
    const pair_record *record = p->record + p->begin[n] + k;
    const wide both[4] = {pairs_load(record), pairs_load(record + 2), pairs_load(record + 4), pairs_load(record + 6)};
    return wide_turn_fours(both);
}

/* The vectors of the neighbours, by axis. */
static inline wide_group sums_vectors(const pairs *p, int64_t n, int32_t k, const particle_vector *v)
{
    const int32_t *other = p->other + p->begin[n] + k;
    const wide both[4] = {sums_two_vectors(v, other), sums_two_vectors(v, other + 2), sums_two_vectors(v, other + 4),
                          sums_two_vectors(v, other + 6)};
    return wide_turn_fours(both);
}

static inline wide sums_numbers(const pairs *p, int64_t n, int32_t k, const float *v)
{
    const int32_t *o = p->other + p->begin[n] + k;
    return (wide){v[o[0]], v[o[2]], v[o[4]], v[o[6]], v[o[1]], v[o[3]], v[o[5]], v[o[7]]};
}

#endif
