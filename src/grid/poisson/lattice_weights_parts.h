/* Internals of the set-up, shared by its two files: lattice_weights.c takes the operator on the finest level and finds
   flags and codes on any, lattice_coarsen.c finds the weights of coarser ones. */
#ifndef FR_GRID_POISSON_LATTICE_WEIGHTS_PARTS_H
#define FR_GRID_POISSON_LATTICE_WEIGHTS_PARTS_H

#include "grid/poisson/lattice_weights.h"

typedef struct weights_work {
    lattice *l;
    const lattice *fine;         /* NULL: l is the finest */
    const poisson_operator *op;  /* of the finest */
} weights_work;

/* Fills a level in one chain of passes: the weights, then the flags and codes, then the marks of moved cells.
   `constant` is added to the extras. */
void weights_fill(lattice *l, lattice_work weights, const weights_work *w, float constant);

#endif
