/* Several passes over a level in one run through memory.

   A pass that reads its neighbours may follow the pass before it one slice behind (a slice: a plane, or on flat levels
   a band of rows), while what it reads is still in the cache:

     slice      0  1  2  3  4  5                 each column one point in time; pass s works on slice t − lag
     pass 0     0  1  2  3  4  5
     pass 1        0  1  2  3  4 …
     pass 2           0  1  2  3 …

   Adjacent slices are then never more than one pass apart, so that passes may overwrite what they read: what a cell
   sees is the same as if every pass were finished before the next one begins, bit for bit.

   Each thread owns a slab of slices. Where two slabs meet, every pass stays one slice further away from the seam than
   the one before it; the wedge that is left there is worked off in a second round. */
#ifndef FR_GRID_POISSON_LATTICE_CHAIN_H
#define FR_GRID_POISSON_LATTICE_CHAIN_H

#include "grid/poisson/lattice_level.h"

typedef struct lattice_pass {
    lattice_work work;
    void *context;
    int lag; /* slices behind the first pass: one more than the pass before where neighbours are read */
    void (*renew)(void *context); /* renews the periodic ghosts that the pass reads; NULL: it reads none */
} lattice_pass;

/* Does all passes on all strips of the level. Levels with periodic axes take pass after pass, for their ghosts must be
   renewed in between. */
void lattice_chain(const lattice *l, const lattice_pass *passes, int count);

#endif
