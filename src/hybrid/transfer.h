/* Momentum between parcels and the faces of the staggered grid, with trilinear weights w.

   To the grid: u_f = Σ w v' / Σ w, v' = v (PIC, FLIP: Brackbill & Ruppel 1986, Zhu & Bridson 2005) or, for APIC (Jiang,
   Schroeder, Selle, Teran & Stomakhin 2015), v' = v + C (x_f − x), C being the parcel's gradient of velocity.

   From the grid, u being its velocity before and u' after the step, at the parcel's place:
     FLIP   v ← α (v + u' − u) + (1 − α) u'  =  α v + (u' − α u):   one field, `change`, is interpolated
     APIC   v ← u',  C ← ∇u'. For trilinear weights this is the C that keeps angular momentum: Σ w u (x_f − x)ᵀ D⁻¹ with
            D = Σ w (x_f − x)(x_f − x)ᵀ diagonal */
#ifndef FR_HYBRID_TRANSFER_H
#define FR_HYBRID_TRANSFER_H

#include <freshet/defs.h>

#include "grid/extend.h"
#include "hybrid/near_surface.h"

/* Memory for sums on the grid, shared by all that adds parcels up. */
typedef struct transfer {
    domain d;
    float *block;
    field before[3];   /* one per axis of the domain, over the first part of `block`; spoilt when parcels are summed */
    field faces[3];    /* the same over the second part */
    extend_span *reach[3]; /* of each row of `before` and `faces`: where they are read, and mean anything. All, unless
                              transfer_restrict has said less */
    near_surface near; /* of the last level set */
    double *rows[2];   /* scratch: a number per row of faces, twice */
    uint8_t *ready;    /* scratch of transfer_to_grid: which rows of sums are in use */
} transfer;

fr_result transfer_create(const domain *d, transfer *out);
/* From now on `before` and `faces` across an axis are read in these spans alone, for parcels: one per row of faces. Not
   with periodic axes, whose parcels read at both ends. */
void transfer_restrict(transfer *t, int axis, const extend_span *spans);
static inline extend_span transfer_reach(const transfer *t, int axis, int j, int k)
{
    return t->reach[axis][j + (ptrdiff_t)k * t->faces[axis].size[1]];
}
void transfer_destroy(transfer *t);
size_t transfer_bytes(const domain *d);

/* Faces to fill, one field per axis. */
typedef struct transfer_faces {
    field *velocity; /* m/s; 0 where unknown */
    field *weight;   /* Σ w, in parcels; NULL: not wanted */
    float *density;  /* Σ w at the centres of cells: a block as that of a field of cells; NULL: not wanted */
    bool stopped;    /* parcels at a side have been stopped there: what they have of velocity into it does not count */
    uint8_t *map[3]; /* see grid/extend.h: EXTEND_KNOWN where parcels say the velocity, else EXTEND_FAR, and
                        EXTEND_OUTSIDE for ghosts; NULL: not wanted */
} transfer_faces;

/* Ghosts of the fields are left as they are, but the upper faces of periodic axes are those of the lower ones. Returns
   the number of strays, for parcels_want_sort. */
int64_t transfer_to_grid(transfer *t, const parcels *p, const transfer_faces *to);

/* Puts velocity + scale · faces (`velocity` NULL: faces) and `before` side by side, sample by sample: a parcel then
   finds both in one place.
   `pairs` are fields of the first of both, with twice the strides, and lie over `faces` and `before`, which are spoilt.
   In space alone. */
void transfer_pair(transfer *t, const field velocity[3], float scale, field pairs[3]);

/* What parcels move in, and what stops them. */
typedef struct transfer_flow {
    const field *velocity; /* u', m/s, faces; ghosts filled */
    const field *drift;  /* what moves them where that is not u', m/s, faces, ghosts filled; NULL: u' */
    const field *change; /* FLIP: u' − α u, faces, ghosts filled (field_blend makes it); not read for other kinds */
    const field *pairs;  /* with order 1: drift, and change (APIC: u') beside it, see transfer_pair; NULL: they are
                            apart. Not for 2D, nor with obstacles */
    float flip;          /* α */
    double dt;           /* s */
    int order; /* of the Runge–Kutta method: 1 (Euler), 2 (midpoint: parcels find it by their own velocity, which is
                  that of the flow up to an error of second order) or 3 (Ralston) */
    bool on;   /* with order 2: straight on, by the flow where they were dt ago instead of half way ahead */
    float own; /* with order 1: the share of the way that they go by their own velocity, whatever the flow is */
    bool stopped; /* those at a side have been stopped there, and lose their velocity into it before they take more */
    bool open_side[FR_SIDES]; /* parcels leave there; else they stop */
    const field *solid;       /* cells: signed distance to obstacles, m, ghosts filled; NULL: none */
    const uint8_t *sealed;    /* faces between two sides of a wall (seals.h), by offset from solid's data; NULL: none */
} transfer_flow;

/* Takes velocities from the grid (not for markers) and moves the parcels with the flow over dt. Those that come upon a
   wall or an obstacle are put back outside, and lose the velocity into it: relative to the flow there, so that moving
   walls push. Where a wall might be crossed the way is cut into pieces of less than half a cell, and sealed faces are
   never passed. Returns how many have
   left; they are gone. */
int64_t transfer_from_grid(const transfer_flow *flow, parcels *p);

/* The same for places alone: velocities stay. */
int64_t transfer_move(const transfer_flow *flow, parcels *p);

/* The same, and leaves the places before for parcels_put_back. */
int64_t transfer_move_from(const transfer_flow *flow, parcels *p);

/* The same, but new places go to `spare`, and the parcels stay: none of them leaves. */
void transfer_look_ahead(const transfer_flow *flow, parcels *p);

#endif
