/* Symmetric 3 × 3 tensors of single precision that multiply vectors. */
#ifndef FR_SPH_FRICTION_TENSOR_H
#define FR_SPH_FRICTION_TENSOR_H

#include "sph/pressure/sums.h"

typedef struct hats_tensor {
    four own;                    /* xx, yy, zz, and a number that is not read */
    four mixed;                  /* xy, xz, yz, likewise */
} hats_tensor;

static inline four hats_tensor_times(hats_tensor t, four v)
{
    return t.own * v +
           __builtin_shufflevector(t.mixed, t.mixed, 0, 0, 1, 3) * __builtin_shufflevector(v, v, 1, 0, 0, 3) +
           __builtin_shufflevector(t.mixed, t.mixed, 1, 2, 2, 3) * __builtin_shufflevector(v, v, 2, 2, 1, 3);
}

/* The inverse of a positive definite one; 0 for 0. */
hats_tensor hats_tensor_inverse(hats_tensor t);

#endif
