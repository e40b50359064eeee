/* Advection of a cell field in flux form, by a velocity given on the faces:

     V φ' = V φ − Σ λ φ_f,      λ = (Δt/h) w u        (positive out of the cell; V and λ as fractions of a whole cell)

   φ_f is the value of the upwind cell plus a limited slope (Koren 1993, third order along an axis): with d₁ the
   difference behind the upwind cell and d₂ the one across the face,

     φ_f = φ + δ,    δ = (d₁ + 2 d₂)/6,  limited to between 0 and the smaller of d₁, d₂; 0 at an extremum.

   The value flowing in then lies between those of the two cells of the face, and the value flowing out exceeds φ by at
   most d₁. So with Σ_in λ ≤ V/2 and Σ_out λ ≤ V/2, φ' is a convex combination of φ and its neighbours where inflow and
   outflow balance: no new extrema. Where they do not balance, φ still does not fall below the origin. All axes are
   advanced at once (unsplit), so that a mirrored flow gives mirrored bits. */
#ifndef FR_GRID_FLUX_H
#define FR_GRID_FLUX_H

#include "grid/field.h"

typedef struct flux_flow {
    const domain *d;
    const field *velocity;   /* three: m/s on the faces; ghosts are not read */
    const field *open;       /* three: open fraction of every face, ghosts filled; NULL: 1 */
    const field *volume;     /* open fraction of every cell; NULL: 1. Cells with 0 keep their value */
    bool closed[6];          /* sides without flux, whatever the velocity there */
    bool sweeps;             /* obstacles move. Next to them inflow and outflow differ by the volume they sweep. There
                                the advective form V φ' = V φ − Σ λ (φ_f − φ) is used: a constant φ stays constant */
} flux_flow;

/* The inverse of the longest step that makes no new extrema, 1/s; `partial` is scratch for one number per row. */
double flux_rate(const flux_flow *flow, double *partial);

/* to = start + mix·(φ' − start): a forward Euler step (mix = 1), or a stage of a Runge–Kutta method. */
typedef struct flux_step {
    double dt;               /* s */
    float origin;            /* the reference value: φ − origin is the quantity advected */
    const field *from;       /* ghosts filled */
    const field *start;      /* may be `to` */
    float mix;
    field *to;               /* not `from` */
} flux_step;
void flux_advance(const flux_flow *flow, const flux_step *step);

/* Net inflow of φ − origin through the sides during the step of `from`, in whole cells. Ghosts at inflow sides must
   hold the inflow value, those at outflow sides the value inside. */
double flux_entered(const flux_flow *flow, const flux_step *step);

#endif
