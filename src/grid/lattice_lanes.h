/* Sums over rows and blocks in a fixed order: float (or double) lanes within a row, double across rows, so that the bits do not
   depend on the number of threads. Written with the vector types of gcc and clang, for a compiler may not reorder a
   plain sum. */
#ifndef FR_GRID_LATTICE_LANES_H
#define FR_GRID_LATTICE_LANES_H

#include <freshet/base.h>

typedef float lanes_f __attribute__((vector_size(32), aligned(4), may_alias));
typedef double lanes_d __attribute__((vector_size(32), aligned(8), may_alias));
typedef int32_t lanes_i __attribute__((vector_size(32), aligned(4), may_alias));
typedef int64_t lanes_l __attribute__((vector_size(32), aligned(8), may_alias));

/* By address: passing vectors by value would depend on the processor's options. */
static inline double lanes_total(const lanes_f *a, const lanes_f *b)
{
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += (double)(*a)[i] + (double)(*b)[i];
    return sum;
}

/* Σ a b; n is a multiple of 16, as in all that follows. */
static inline double lanes_dot(const float *a, const float *b, ptrdiff_t n)
{
    lanes_f s0 = {0}, s1 = {0};
    for (ptrdiff_t i = 0; i < n; i += 16) {
        s0 += *(const lanes_f *)(a + i) * *(const lanes_f *)(b + i);
        s1 += *(const lanes_f *)(a + i + 8) * *(const lanes_f *)(b + i + 8);
    }
    return lanes_total(&s0, &s1);
}

/* to += factor v, of 16 elements. */
static inline void lanes_add(float *to, const float *v, float factor)
{
    *(lanes_f *)to += factor * *(const lanes_f *)v;
    *(lanes_f *)(to + 8) += factor * *(const lanes_f *)(v + 8);
}

/* Absolute values compare like integers. */
static inline void lanes_larger(lanes_i *most, const lanes_f *v)
{
    lanes_i bits = (lanes_i)*v & 0x7fffffff, take = bits > *most;
    *most = (bits & take) | (*most & ~take);
}

/* a −= factor b; adds Σ a² and takes the largest |a|. */
static inline void lanes_step(float *a, const float *b, float factor, ptrdiff_t n, double norms[2])
{
    lanes_f s0 = {0}, s1 = {0};
    lanes_i m0 = {0}, m1 = {0};
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
    norms[0] += lanes_total(&s0, &s1);
    lanes_f most = (lanes_f)m1;
    lanes_larger(&m0, &most);
    most = (lanes_f)m0;
    for (int i = 0; i < 8; i++)
        norms[1] = (double)most[i] > norms[1] ? (double)most[i] : norms[1];
}

/* Adds Σ v² and takes the largest |v|. */
static inline void lanes_measure(const double *v, ptrdiff_t n, double norms[2])
{
    lanes_d s0 = {0}, s1 = {0};
    lanes_l most = {0};
    for (ptrdiff_t i = 0; i < n; i += 8) {
        lanes_d v0 = *(const lanes_d *)(v + i), v1 = *(const lanes_d *)(v + i + 4);
        s0 += v0 * v0;
        s1 += v1 * v1;
        for (int half = 0; half < 2; half++) {
            lanes_l bits = (lanes_l)(half ? v1 : v0) & INT64_MAX, take = bits > most;
            most = (bits & take) | (most & ~take);
        }
    }
    lanes_d largest = (lanes_d)most;
    for (int i = 0; i < 4; i++) {
        norms[0] += s0[i] + s1[i];
        norms[1] = largest[i] > norms[1] ? largest[i] : norms[1];
    }
}

#endif
