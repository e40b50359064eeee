/* Several passes over a level in one sweep through memory.

   A pass that reads its neighbours may follow the pass before it one slice behind (a slice is a plane, or on flat
   levels a band of rows), while its data are still in the cache:

     slice      0  1  2  3  4  5                 each column is one time t; pass s works on slice t − lag
     pass 0     0  1  2  3  4  5
     pass 1        0  1  2  3  4 …
     pass 2           0  1  2  3 …

   Adjacent slices are never more than one pass apart, so passes may overwrite what they read. The result is bit for bit
   the same as if every pass finished before the next one began.

   Threads take slabs of slices. At a seam between two slabs every pass stops one slice earlier than the pass before it;
   once both are done, the wedge that is left is completed. */
#ifndef FR_GRID_POISSON_LATTICE_CHAIN_H
#define FR_GRID_POISSON_LATTICE_CHAIN_H

#include "grid/poisson/lattice_level.h"

typedef struct lattice_pass {
    lattice_work work;
    void *context;
    int lag; /* slices behind the first pass: one more than the previous pass if this one reads neighbours */
    void (*renew)(void *context); /* updates the periodic ghosts that the pass reads; NULL: it reads none */
    int more; /* cells of the finer level that it visits for each of its own */
} lattice_pass;

/* Runs all passes on all strips of the level. On levels with periodic axes each pass finishes before the next, because
   the ghosts must be updated in between. */
void lattice_chain(const lattice *l, const lattice_pass *passes, int count);

#endif
