/* What the solvers of grid/diffusion.h share: the problem laid on their lattice. */
#ifndef FR_GRID_DIFFUSION_PARTS_H
#define FR_GRID_DIFFUSION_PARTS_H

#include "grid/diffusion.h"
#include "grid/poisson/poisson.h"

/* One lattice serves cells and faces: n + 1 samples along every axis that is not periodic. Zero weights leave out the
   samples that the field does not have. */
struct diffusion {
    domain block, lattice;
    poisson *solver;
    field weight[3], extra, b, x;
    double *partial; /* per row of the lattice: two numbers */
};

typedef struct diffusion_job {
    diffusion *s;
    field *f;
    const diffusion_problem *p;
    int count[3]; /* the field's samples in the lattice, per axis */
    bool plain;   /* V = 1 everywhere and every sample has a neighbour. V is then a constant of the solver,
                     and `extra` is 0 at inner samples, which keeps them on the solver's fast path */
    double c[3];  /* κ Δt / h² */
    double shift; /* of all unknown samples */
    int only;     /* the axis along which it diffuses; −1: all */
} diffusion_job;

/* Sets the system of a job: weight, extra and b; x is the field as it is. */
void diffusion_set(diffusion_job *job);
/* The solved x becomes the field's. */
void diffusion_take(diffusion_job *job);

/* ∫ of a field of cells over the unknown ones by their volumes and capacities, and these. Whatever has been solved
   since the first call, diffusion_restore gives the field this total again, the same everywhere. */
typedef struct diffusion_total {
    double sum, volume;
} diffusion_total;

diffusion_total diffusion_sum(diffusion_job *job);
void diffusion_restore(diffusion_job *job, diffusion_total before);

#endif
