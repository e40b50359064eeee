/* The inside of the multigrid solver, shared by its files. */
#ifndef FR_GRID_POISSON_PARTS_H
#define FR_GRID_POISSON_PARTS_H

#include "grid/lattice_level.h"
#include "grid/poisson.h"
#include "linalg/pcg.h"

enum { POISSON_LEVELS = 40, POISSON_SWEEPS = 2 };

struct poisson {
    int levels;
    lattice level[POISSON_LEVELS]; /* 0 is the finest: its b is the residual r, its x both z = M r and q = A p */
    double *x[2];                  /* the solution, by colour, laid out as the finest level */
    lattice_vector p;
    double *partial[4];            /* per item of the finest level */
    int components;                /* closed ones; computed by poisson_set_operator */
    void *memory;

    /* Of the solve that runs. */
    const field *right;
    bool started;                  /* x is not all zero */
    double scale;                  /* r, z, p and q are `scale` times the true ones: about one, whatever b's unit */
    double pending;                /* x lacks pending·p: added when p changes, in the same pass */
    bool cycles;                   /* preconditioned by cycles: each step does the first sweeps of the next one as well */
    bool swept;                    /* … and has done them: the finest level's x holds their result */
    bool measured;                 /* right_norms and mean are known */
    pcg_norms right_norms;         /* of b less its means; computed by the first poisson_residual */
    double mean;                   /* of b, where one component is closed; likewise */
};

/* Passes, as callbacks of pcg_system; context: the solver. */
pcg_norms poisson_residual(void *context);
double poisson_direction(void *context, double beta);
pcg_norms poisson_step(void *context, double alpha);
double poisson_divide(void *context);      /* the diagonal preconditioner */
double poisson_cycle(void *context);       /* the multigrid one */

/* Norms from the partial sums of squares and maxima at these places. */
pcg_norms poisson_norms(const poisson *s, int square, int largest);

/* The first guess into x, and x less its means into a field. */
void poisson_load(poisson *s, const field *x);
void poisson_store(poisson *s, field *x);

#endif
