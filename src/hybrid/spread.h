/* Spreads parcels evenly, so that the liquid keeps its volume and nothing clumps (after Kugelstadt, Longva, Thuerey &
   Bender 2019, "Implicit density projection for volume conserving liquids"). Places change, velocities do not.

   ρ is the density of parcels at a cell's centre, with trilinear weights, 1 where n₀ are in each cell; ρ₀ what it would
   be if the liquid were full up to its surface φ: 1 − (1 + φ/h)²/2 just inside, (1 − φ/h)²/2 just outside. Parcels move
   by δ = −∇q, whose flux out of a cell of volume V makes up for the excess:

     −∇·∇q = share (ρ − ρ₀)      q = 0 on the free surface, ∂q/∂n = 0 at walls

   which is the pressure's own system. Spray is left alone: cells near the surface with less than half of the parcels.
 */
#ifndef FR_HYBRID_SPREAD_H
#define FR_HYBRID_SPREAD_H

#include "grid/projection.h"
#include "hybrid/transfer.h"

typedef struct spread {
    double per_cell;        /* n₀ */
    double share;           /* of the excess that is taken away at once, 0 … 1 */
    double deepest;         /* m below the surface: of a narrow band of parcels; 0: no band */
    const field *surface;   /* φ of the parcels, ghosts filled */
    projection *projection; /* built with `surface` and with the walls and obstacles below */
    bool open_side[FR_SIDES];
    const field *solid;        /* cells: signed distance to obstacles, m, ghosts filled; NULL: none */
    float *density;            /* scratch: the block of a field of cells; NULL: the transfer's block is used */
    bool summed;               /* `density` holds what transfer_to_grid has summed */
    bool goes_on;              /* from a demand in `excess`, m³ a cell, to which that of the density is added, and its
                                  q, which the projection has just found */
    field *excess, *potential; /* cells; else scratch */
    field *shift;              /* faces, one per axis: holds δ afterwards, m, as far as the transfer's reach */
    solve_limits limits;
} spread;

typedef struct spread_report {
    double excess;   /* root of the mean square of ρ − ρ₀ over the liquid's cells, before */
    int64_t left;    /* parcels that went through open sides */
    solve_stats solve;
} spread_report;

/* Finds δ on the faces, ghosts filled, for a caller who moves the parcels by it. */
spread_report spread_find(const spread *s, transfer *t, const parcels *p);

/* Finds it and moves them. */
spread_report spread_run(const spread *s, transfer *t, parcels *p);

#endif
