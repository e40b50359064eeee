/* One-sided derivatives for eight cells at once, from five differences in the order in which the flow passes them: q[2]
   is the upwind one beside the cell, q[3] the downwind one. */
#ifndef FR_SURFACE_LEVELSET_UPWIND_H
#define FR_SURFACE_LEVELSET_UPWIND_H

#include "base/wide.h"

static inline wide upwind_abs(wide v)
{
    return wide_max(v, -v);
}

static inline wide upwind_smaller(wide a, wide b)
{
    return wide_choose(upwind_abs(a) <= upwind_abs(b), a, b);
}

/* ENO of second order: the smoother of the two parabolas (Shu & Osher 1989). */
static inline wide upwind_eno2(const wide q[5])
{
    return q[2] + 0.5f * upwind_smaller(q[2] - q[1], q[3] - q[2]);
}

/* The three derivatives of third order that ENO chooses from and WENO weighs. */
static inline void upwind_thirds(const wide q[5], wide third[3])
{
    third[0] = (1.0f / 3) * q[0] - (7.0f / 6) * q[1] + (11.0f / 6) * q[2];
    third[1] = (-1.0f / 6) * q[1] + (5.0f / 6) * q[2] + (1.0f / 3) * q[3];
    third[2] = (1.0f / 3) * q[2] + (5.0f / 6) * q[3] - (1.0f / 6) * q[4];
}

static inline wide upwind_eno3(const wide q[5])
{
    wide third[3], bend[3];
    upwind_thirds(q, third);
    for (int s = 0; s < 3; s++)
        bend[s] = upwind_abs(q[s] - 2 * q[s + 1] + q[s + 2]);
    wide low = wide_choose(bend[0] <= bend[1], third[0], third[1]);
    wide high = wide_choose(bend[1] <= bend[2], third[1], third[2]);
    return wide_choose(upwind_abs(q[2] - q[1]) <= upwind_abs(q[3] - q[2]), low, high);
}

/* WENO of fifth order (Jiang & Peng 2000). */
static inline wide upwind_weno5(const wide q[5])
{
    const float tiny = 1e-6f; /* slopes are about one */
    wide third[3], weight[3], slope[3] = {q[0] - 4 * q[1] + 3 * q[2], q[1] - q[3], 3 * q[2] - 4 * q[3] + q[4]};
    upwind_thirds(q, third);
    const float ideal[3] = {0.1f, 0.6f, 0.3f};
    for (int s = 0; s < 3; s++) {
        wide bend = q[s] - 2 * q[s + 1] + q[s + 2];
        wide roughness = tiny + (13.0f / 12) * bend * bend + 0.25f * slope[s] * slope[s];
        weight[s] = ideal[s] / (roughness * roughness);
    }
    return (weight[0] * third[0] + weight[1] * third[1] + weight[2] * third[2]) / (weight[0] + weight[1] + weight[2]);
}

#endif
