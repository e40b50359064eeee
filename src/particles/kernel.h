/* Smoothing kernels W(r): radial, positive, with compact support and integral one in 1D, 2D or 3D. */
#ifndef FR_PARTICLES_KERNEL_H
#define FR_PARTICLES_KERNEL_H

#include <freshet/defs.h>

#include "base/kernels.h"
#include "base/wide.h"

typedef struct kernel {
    fr_kernel kind;
    int dims;                 /* 1, 2 or 3 */
    double support;           /* m */
    double length;            /* m, the smoothing length h */
    float per_length;         /* 1/h */
    float scale, slope_scale; /* normalization of W and dW/dr; kernel_lanes has their shapes */
} kernel;

/* A kernel with the given radius of support. */
kernel kernel_of(fr_kernel kind, int dims, double support);

/* The support radius in smoothing lengths. */
double kernel_reach(fr_kernel kind);

double kernel_value(const kernel *k, double r);
/* (dW/dr)/r, so that ∇W = slope · x. */
double kernel_slope(const kernel *k, double r);

/* W and dW/dr as functions of q = r/h, without normalization. */
#define KERNEL_SHAPE(name) \
    static inline __attribute__((always_inline)) void kernel_##name(int dims, wide q, wide *shape, wide *steep)

KERNEL_SHAPE(cubic)
{
    (void)dims;
    wide a = wide_max(2 - q, (wide){0}), b = wide_max(1 - q, (wide){0});
    *shape = a * a * a - 4 * b * b * b;
    *steep = -3 * a * a + 12 * b * b;
}

KERNEL_SHAPE(gaussian)
{
    (void)dims;
    *shape = wide_exp(-0.5f * q * q);
    *steep = -q * *shape;
}

KERNEL_SHAPE(quintic)
{
    (void)dims;
    wide a = wide_max(3 - q, (wide){0}), b = wide_max(2 - q, (wide){0}), c = wide_max(1 - q, (wide){0});
    wide a4 = a * a * a * a, b4 = b * b * b * b, c4 = c * c * c * c;
    *shape = a4 * a - 6 * b4 * b + 15 * c4 * c;
    *steep = -5 * (a4 - 6 * b4 + 15 * c4);
}

/* Uses the gradient of the spiky kernel, which does not vanish at the centre (Müller et al. 2003). */
KERNEL_SHAPE(poly6)
{
    (void)dims;
    wide a = wide_max(1 - q * q, (wide){0}), b = wide_max(1 - q, (wide){0});
    *shape = a * a * a;
    *steep = -3 * b * b;
}

KERNEL_SHAPE(wendland)
{
    wide a = wide_max(1 - 0.5f * q, (wide){0}), a3 = a * a * a;
    bool line = dims == 1;
    *shape = line ? a3 * (1.5f * q + 1) : a3 * a * (2 * q + 1);
    *steep = line ? -3 * q * a * a : -5 * q * a3;
}

/* W and (dW/dr)/r at eight distances within the support. `kind` is k->kind; passing it as a constant removes the
   branches from the loop around the call. */
static inline __attribute__((always_inline)) void kernel_lanes(fr_kernel kind, const kernel *k, wide r, wide *value,
                                                               wide *slope)
{
    wide q = r * k->per_length, shape = {0}, steep = {0};
#define KERNEL_CASE(KIND, name) case FR_KERNEL_##KIND: kernel_##name(k->dims, q, &shape, &steep); break;
    switch (kind) {
    KERNEL_LIST(KERNEL_CASE)
    case FR_KERNELS: break;
    }
    *value = shape * k->scale;
    *slope = steep * k->slope_scale / wide_max(r, wide_all(1e-6f * (float)k->support));
}

#endif
