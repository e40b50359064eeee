/* Transport of a cell field in flux form, by a flow given on the faces:

     V φ' = V φ − Σ λ φ_f,      λ = (Δt/h) w u        (out of the cell positive, V and λ in shares of a whole cell)

   φ_f is the value of the cell the flow comes from plus a limited part of its slope (Koren 1993, third order along an
   axis): with d₁ the difference behind that cell and d₂ the one across the face,

     φ_f = φ + δ,    δ = (d₁ + 2 d₂)/6,  kept between 0 and the smaller of d₁, d₂; 0 at an extremum.

   What flows in then lies between the two cells of its face, and what flows out takes at most d₁ more than φ with it.
   So where as much flows in as out φ' is a mean of φ and its neighbours as long as Σ_in λ ≤ V/2 and Σ_out λ ≤ V/2: no
   new extrema. Where it does not, nothing falls below the origin that lay above it. All axes at once: mirrored flows
   give mirrored bits. */
#ifndef FR_GRID_FLUX_H
#define FR_GRID_FLUX_H

#include "grid/field.h"

typedef struct flux_flow {
    const domain *d;
    const field *velocity;   /* three: m/s on the faces; ghosts are not read */
    const field *open;       /* three: open share of every face, ghosts filled; NULL: 1 */
    const field *volume;     /* open share of every cell; NULL: 1. Cells with none keep their value */
    bool closed[6];          /* sides through which nothing passes, whatever the velocity there */
    bool sweeps; /* obstacles move. Beside them more flows out than in, by the volume that they take: φ is not
                    gathered there but kept, V φ' = V φ − Σ λ (φ_f − φ), so that what is even stays even */
} flux_flow;

/* Steps longer than the inverse of this, 1/s, could make new extrema; `partial` has room for one number per row. */
double flux_rate(const flux_flow *flow, double *partial);

/* to = start + mix·(φ' − start): one forward step, or the end of a method of several stages. */
typedef struct flux_step {
    double dt;               /* s */
    float origin;            /* the value that counts as nothing: φ − origin is what is carried */
    const field *from;       /* ghosts filled */
    const field *start;      /* may be `to` */
    float mix;
    field *to;               /* not `from` */
} flux_step;
void flux_advance(const flux_flow *flow, const flux_step *step);

/* What the step of `from` lets in through the sides less what it lets out, in whole cells. Ghosts next to a side
   through which the flow enters must hold what it brings, the others what is inside. */
double flux_entered(const flux_flow *flow, const flux_step *step);

#endif
