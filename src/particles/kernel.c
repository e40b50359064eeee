#include "particles/kernel.h"

#include <math.h>

#include "base/vec.h"

typedef struct kernel_facts {
    double reach;                /* support radius in smoothing lengths */
    double value[3], slope[3];   /* normalization in 1D, 2D, 3D: one over the integrals of kernel.h's shapes */
} kernel_facts;

#define BOTH(...) .value = {__VA_ARGS__}, .slope = {__VA_ARGS__}
static const kernel_facts kernel_of_cubic = {2, BOTH(1.0 / 6, 5 / (14 * FR_PI), 1 / (4 * FR_PI))};
static const kernel_facts kernel_of_quintic = {3, BOTH(1.0 / 120, 7 / (478 * FR_PI), 1 / (120 * FR_PI))};
static const kernel_facts kernel_of_wendland = {2, BOTH(5.0 / 8, 7 / (4 * FR_PI), 21 / (16 * FR_PI))};
static const kernel_facts kernel_of_poly6 = {
    1, .value = {35.0 / 32, 4 / FR_PI, 315 / (64 * FR_PI)}, .slope = {2, 10 / FR_PI, 15 / FR_PI}};
/* exp(−q²/2) is truncated at q = 3, so it is normalized over that ball: one over l = √(2π) erf(3/√2),
   2π (1 − exp(−4.5)) and 2π (l − 6 exp(−4.5)). */
static const kernel_facts kernel_of_gaussian = {
    3, BOTH(0.40002225892128485, 0.16094285673016559, 0.065409539329026822)};

#define KERNEL_FACTS(KIND, name) [FR_KERNEL_##KIND] = &kernel_of_##name,
static const kernel_facts *const kernels[FR_KERNELS] = {KERNEL_LIST(KERNEL_FACTS)};

double kernel_reach(fr_kernel kind)
{
    return kernels[kind]->reach;
}

kernel kernel_of(fr_kernel kind, int dims, double support)
{
    const kernel_facts *facts = kernels[kind];
    double h = support / facts->reach;
    return (kernel){.kind = kind, .dims = dims, .support = support, .length = h, .per_length = (float)(1 / h),
                    .scale = (float)(facts->value[dims - 1] / pow(h, dims)),
                    .slope_scale = (float)(facts->slope[dims - 1] / pow(h, dims + 1))};
}

double kernel_value(const kernel *k, double r)
{
    wide value, slope;
    kernel_lanes(k->kind, k, wide_all((float)r), &value, &slope);
    return r < k->support ? value[0] : 0;
}

double kernel_slope(const kernel *k, double r)
{
    wide value, slope;
    kernel_lanes(k->kind, k, wide_all((float)r), &value, &slope);
    return r < k->support ? slope[0] : 0;
}
