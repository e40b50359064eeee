/* The surface of the liquid that parcels stand for, as a level set.

   At a cell's centre x the parcels around it are averaged with a tent of radius 2 cells along each axis, k = ½ − ¼|s|:

     A = Σ k / n₀,   c = |Σ k (x_p − x)| / Σ k      (n₀ parcels fill a cell)

   Where the liquid ends in a plane at the distance d (negative inside), all of this is known,

     A(d) = (2 − d)²/8 for d ≥ 0, 1 − A(−d) else,   c(d) = (1/3 − d²/4 + |d|³/12) / A(d),

   so d follows from c (after Zhu & Bridson 2005, whose φ = c − r is right at d = 0 alone). c does not feel how dense
   the parcels are. Between two bodies of liquid c is small though there is air (Solenthaler, Schläfli & Pajarola 2007);
   so d is never less than that of the density, A(d) = 1.25 A. A parcel that is out in the air all the same is a drop of
   its own: its cell is liquid.

   Distances are good within a cell or so of the surface, and have the right sign beyond. A hole of a cell or two
   without parcels is no surface. */
#ifndef FR_HYBRID_LEVEL_SET_H
#define FR_HYBRID_LEVEL_SET_H

#include "hybrid/transfer.h"

typedef struct level_set_from {
    double per_cell;    /* n₀ */
    const field *solid; /* cells: signed distance to obstacles, m, ghosts filled: the liquid goes on as in a mirror
                           behind them, as it does behind walls; NULL: none */
    bool no_drops;      /* they are added later, level_set_add_drops */
} level_set_from;

/* φ in m, negative in the liquid, ±3 cells far from the surface; ghosts are filled. Returns the number of strays, for
   parcels_want_sort. */
int64_t level_set_make(transfer *t, const parcels *p, const level_set_from *from, field *phi);

/* Makes the cells of parcels liquid in `phi`, whose cells are `fine` times as fine along every axis (1: the same), that
   are out in the air by `judge`, which level_set_make has made of the parcels as they are. With one and the same field
   for both, drops are found before any is added. Ghosts of φ are left as they are. */
void level_set_add_drops(const transfer *t, const parcels *p, int fine, const field *judge, field *phi);

#endif
