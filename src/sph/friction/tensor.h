/* Vectors and symmetric 3 × 3 tensors of the nodes, in double precision: rounding resists rotations, and that of single
   precision, times a strong friction, would be more than the inertia of what turns. */
#ifndef FR_SPH_FRICTION_TENSOR_H
#define FR_SPH_FRICTION_TENSOR_H

typedef double hats_vector __attribute__((vector_size(32)));   /* the fourth number is of no use */

typedef struct hats_tensor {
    hats_vector own;             /* xx, yy, zz */
    hats_vector mixed;           /* xy, xz, yz */
} hats_tensor;

static inline hats_vector hats_tensor_times(const hats_tensor *t, hats_vector v)
{
    return t->own * v +
           __builtin_shufflevector(t->mixed, t->mixed, 0, 0, 1, 3) * __builtin_shufflevector(v, v, 1, 0, 0, 3) +
           __builtin_shufflevector(t->mixed, t->mixed, 1, 2, 2, 3) * __builtin_shufflevector(v, v, 2, 2, 1, 3);
}

/* The inverse of a positive definite one; 0 for 0. */
hats_tensor hats_tensor_inverse(hats_tensor t);

#endif
