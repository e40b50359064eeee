/* Semi-Lagrangian advection of fields, Dφ/Dt = 0, with a second-order (midpoint) trace. The value at the departure
   point is interpolated linearly, or cubically and clamped to the samples around it (quasi-monotone: Bermejo &
   Staniforth 1992), or linearly with MacCormack's correction:

     φ̂ = A(φⁿ),   φ̄ = A⁻¹(φ̂),   φⁿ⁺¹ = φ̂ + ½ (φⁿ − φ̄)

   clamped to the minimum and maximum of the samples that φ̂ was interpolated from, so that no new extrema appear
   (Selle, Fedkiw, Kim, Liu & Rossignac 2008). Stable at any Courant number. Nothing keeps that from feeding on kinks,
   such as those at a free surface; for velocities of liquids there is a correction that gains no energy
   (carry_balanced.c). */
#ifndef FR_GRID_CARRY_H
#define FR_GRID_CARRY_H

#include "grid/field.h"

typedef enum carry_kind { CARRY_MACCORMACK, CARRY_LINEAR, CARRY_CUBIC, CARRY_BALANCED } carry_kind;

/* One advected field. MacCormack stores φ̂ in `forward`, the upper bound in `high` and the lower bound in `to`;
   balanced transport stores in `forward` what it carries, in `to` what points have read, and does without `high`. */
typedef struct carry_load {
    const field *from;       /* ghosts filled */
    field *to;
    field forward, high;
} carry_load;

/* Fields at the same location share their traces, since tracing is most of the work. This is the most at once. */
enum { CARRY_LOADS = 3 };

typedef struct carry {
    const domain *d;         /* of the advected fields */
    int refine;              /* cells of `d` per cell of the flow, along each axis */
    const field *velocity;   /* the advecting velocity, one field of faces per axis; ghosts filled */
    float scale[3];          /* converts a velocity to a displacement in cells of `d` */
    carry_kind kind;
    carry_load loads[CARRY_LOADS];
    int load_count;
    void (*fill_ghosts)(void *context, int load, field *forward);   /* of φ̂, as for φ */
    void *context;
    const uint8_t *where;    /* a map of layers (grid/extend.h): where it says far, loads are 0 and stay so. NULL: all
                                are carried */
    const field *share;      /* MacCormack: factor of the correction at each sample, 0 … 1; NULL: 1 */
    int64_t *clamps;         /* MacCormack, balanced: scratch, one number per row */
    float *ways[3];          /* balanced, of one load and with a map: scratch, one number per sample without ghosts for
                                each axis */
    double *partial;         /* the same: two per row for each axis */

    int64_t clamped;         /* result: number of values that were clamped */
    double traffic;          /* result: lower bound of the memory traffic, bytes */
} carry;

void carry_run(carry *c);

#endif
