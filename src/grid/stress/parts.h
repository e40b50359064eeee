/* Internals of the viscosity solver, shared by its files.

   Everything lives on lattices: sample (i, j, k) of component a is the lower face of cell (i, j, k) along a, and sample
   (i, j, k) of an edge along c is the cell's lower edge along c. A lattice has cells + 1 samples along an axis, or as
   many as cells where it is periodic, and one layer of ghosts around them.

   The unknowns are û_a = u_a h_a / h, with h the shortest edge of a cell: then all strains are sums of plain
   differences,

     h² ε_aa = (h/h_a)² Δ_a û_a,      2 h² ε_ab = h²/(h_a h_b) (Δ_b û_a + Δ_a û_b),

   and the factors go into K, however the cells are stretched. */
#ifndef FR_GRID_STRESS_PARTS_H
#define FR_GRID_STRESS_PARTS_H

#include "grid/stress/stress.h"

enum {
    STRESS_RUN = 256, /* most samples in a run */
    STRESS_GAP = 16   /* samples without unknowns that end it */
};

/* One array for each axis. In 2D the third is all zero. */
typedef struct stress_vector {
    float *of[3];
} stress_vector;

/* A piece of a row that holds unknowns. */
typedef struct stress_run {
    ptrdiff_t at; /* offset of the first sample */
    int n;        /* at most STRESS_RUN */
} stress_run;

typedef struct stress_level {
    int dims;
    int cells[3], n[3]; /* cells, samples */
    bool periodic[3];
    ptrdiff_t stride[3];   /* stride[2] = 0 in 2D */
    size_t count;          /* samples of an array, ghosts included */
    stress_vector mass;    /* W; 0 where there is no unknown. All made by stress_set */
    stress_vector normal;  /* K of the strains Δ_a u_a of cells */
    stress_vector shear;   /* K of the strains Δ_b u_a + Δ_a u_b of the edges along the third axis */
    stress_vector inverse; /* 1 / diagonal of W + BᵀKB; 0 where there is no unknown */
    stress_run *runs;
    int run_count;
    stress_vector b, x, t; /* right-hand side, unknown and scratch; 0 where there is no unknown */
    float *zero;           /* all 0 */
    bool coupled;          /* components share strains; not in the Laplacian form. Made by stress_set */
} stress_level;

struct stress {
    domain block;
    stress_problem problem;
    stress_level fine;
    stress_vector p;   /* direction of search */
    double *change[3]; /* û − û* */
    double *partial;   /* one per run */
    void *memory;
};

static inline ptrdiff_t stress_offset(const stress_level *l, const int at[3])
{
    return at[0] + at[1] * l->stride[1] + at[2] * l->stride[2];
}

/* û/u along an axis. */
static inline double stress_scale(const domain *d, int a)
{
    return d->h[a] / domain_min_h(d);
}

/* Liquid share of the box of a cell's size around a point with `low` in the middle of cells or, along each axis with
   `half` set, of the faces below them. */
float stress_share(const domain *d, const field *surface, const int low[3], const bool half[3]);

/* Sets a vector to 0, ghosts included. */
void stress_clear(const stress_level *l, const stress_vector *v);

/* û* into p, with the velocity of walls beyond the sides; the change becomes 0. */
void stress_load(stress *s, field velocity[3]);
/* Adds the change to the velocity. */
void stress_unload(stress *s, field velocity[3]);

/* Sets masses, K, diagonal and runs of the finest level from s->problem. */
void stress_build(stress *s);

/* Copies the outermost samples to the ghosts on the other side, on periodic axes. */
void stress_wrap(const stress_level *l, const stress_vector *v);

/* out = BᵀKB u for component a of a run. */
void stress_force(const stress_level *l, const stress_vector *u, int a, const stress_run *run, float *restrict out);

typedef void (*stress_work)(void *context, const stress_level *l, const stress_run *run, int index);
/* Does `work` for every run. */
void stress_for_runs(const stress_level *l, stress_work work, void *context);

#endif
