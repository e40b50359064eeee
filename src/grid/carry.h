/* Semi-Lagrangian transport of fields along a flow, Dφ/Dt = 0, with a second-order (midpoint) trace. Where a point
   comes from, the value is linear, or cubic and kept between the samples around it (quasi-monotone: Bermejo &
   Staniforth 1992); or MacCormack's correction is laid on the linear one:

     φ̂ = A(φⁿ),   φ̄ = A⁻¹(φ̂),   φⁿ⁺¹ = φ̂ + ½ (φⁿ − φ̄)

   kept between the least and the greatest of the samples that φ̂ came from, so that no new extrema appear
   (Selle, Fedkiw, Kim, Liu & Rossignac 2008). Stable at any Courant number. */
#ifndef FR_GRID_CARRY_H
#define FR_GRID_CARRY_H

#include "grid/field.h"

typedef enum carry_kind { CARRY_MACCORMACK, CARRY_LINEAR, CARRY_CUBIC } carry_kind;

/* A field on its way. MacCormack keeps φ̂ and the upper bound in the memory of `forward` and `high`, the lower bound in
 * `to`. */
typedef struct carry_load {
    const field *from;       /* ghosts filled */
    field *to;
    field forward, high;
} carry_load;

/* Fields of one location that share their traces: most of the work is finding where values come from. */
enum { CARRY_LOADS = 3 };

typedef struct carry {
    const domain *d;         /* of the fields carried */
    int refine;              /* its cells per cell of the flow */
    const field *velocity;   /* of the flow that carries, one field of faces per axis; ghosts filled */
    float scale[3];          /* turns it into cells of `d` */
    carry_kind kind;
    carry_load loads[CARRY_LOADS];
    int load_count;
    void (*fill_ghosts)(void *context, int load, field *forward);   /* of φ̂, the way those of φ are filled */
    void *context;
    const field *share;      /* of the correction that is made, at the samples carried; NULL: all of it. MacCormack */
    int64_t *clamps;         /* room for a number per row; MacCormack */

    int64_t clamped;         /* results: values that the bounds held back; bytes moved through memory at the least */
    double traffic;
} carry;

void carry_run(carry *c);

#endif
