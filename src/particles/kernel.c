#include "particles/kernel.h"

#include <math.h>

#include "base/vec.h"

double kernel_reach(fr_kernel kind)
{
    switch (kind) {
    case FR_KERNEL_GAUSSIAN:
    case FR_KERNEL_QUINTIC: return 3;
    case FR_KERNEL_POLY6: return 1;
    default: return 2;
    }
}

/* ∫ exp(−q²/2) over the ball q < 3: what is cut off is not missing from the whole. */
static double kernel_gaussian_whole(int dims)
{
    double line = sqrt(2 * FR_PI) * erf(3 / sqrt(2));
    switch (dims) {
    case 1: return line;
    case 2: return 2 * FR_PI * (1 - exp(-4.5));
    default: return 2 * FR_PI * (line - 6 * exp(-4.5));
    }
}

/* One over the integral of the shape in kernel_lanes over q; [1] of poly6 is the spiky kernel's. */
static double kernel_constant(fr_kernel kind, int dims, bool slope)
{
    static const double cubic[3] = {1.0 / 6, 5 / (14 * FR_PI), 1 / (4 * FR_PI)};
    static const double quintic[3] = {1.0 / 120, 7 / (478 * FR_PI), 1 / (120 * FR_PI)};
    static const double poly6[3] = {35.0 / 32, 4 / FR_PI, 315 / (64 * FR_PI)};
    static const double spiky[3] = {2, 10 / FR_PI, 15 / FR_PI};
    static const double wendland[3] = {5.0 / 8, 7 / (4 * FR_PI), 21 / (16 * FR_PI)};
    switch (kind) {
    case FR_KERNEL_GAUSSIAN: return 1 / kernel_gaussian_whole(dims);
    case FR_KERNEL_QUINTIC: return quintic[dims - 1];
    case FR_KERNEL_POLY6: return slope ? spiky[dims - 1] : poly6[dims - 1];
    case FR_KERNEL_WENDLAND: return wendland[dims - 1];
    default: return cubic[dims - 1];
    }
}

kernel kernel_of(fr_kernel kind, int dims, double support)
{
    double h = support / kernel_reach(kind);
    return (kernel){.kind = kind, .dims = dims, .support = support, .length = h, .per_length = (float)(1 / h),
                    .scale = (float)(kernel_constant(kind, dims, false) / pow(h, dims)),
                    .slope_scale = (float)(kernel_constant(kind, dims, true) / pow(h, dims + 1))};
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
