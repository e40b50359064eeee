/* Implicit viscosity of a liquid on the staggered grid: the velocity u that minimises

     ½ ∫ |u − u*|² + Δt ∫ ν ε(u):ε(u),      ε = ½ (∇u + ∇uᵀ),

   over the liquid, which is backward Euler for ∇·(ν(∇u + ∇uᵀ)). No traction on the free surface is the natural boundary
   condition of this form: what lies outside has the weight 0 (Batty & Bridson 2008). Rigid motion has no strain, so
   that a body in flight keeps its spin, and linear and angular momentum, at any viscosity. ν may vary from cell to
   cell.

   In matrices: (W + Bᵀ K B) u = W u*, with W the liquid share of the box around a face, B the strains (normal ones at
   cell centres, shear on edges; corners in 2D), K = 2 ν Δt at centres and ν Δt on edges times the liquid share of the
   box around them. With `bulk` the volume hardly changes either: cells have λ/2 (∇·u)² − p ∇·u besides, λ = bulk ν, by
   their liquid share, and p goes on from step to step as p/√ν (bulk.c). Solved for the change u − u* by conjugate
   gradients with multigrid.

   Solids that stick, and no-slip sides, hold the faces inside at their velocity; the shear to them is taken over the
   distance to the surface, as in grid/diffusion.h. Those that move as the flow makes them are part of the system (see
   solids.h). Solids that slip, free-slip and open sides give no shear stress. */
#ifndef FR_GRID_STRESS_STRESS_H
#define FR_GRID_STRESS_STRESS_H

#include "grid/diffusion.h"
#include "grid/stress/solids.h"

typedef enum stress_form {
    STRESS_FULL,     /* ∇·(ν(∇u + ∇uᵀ)) */
    STRESS_LAPLACIAN /* ∇·(ν∇u): wrong where ν varies and on free surfaces (Carlson 2004, 4.5.2); for comparison */
} stress_form;

/* What the system is built from. All of it must stay as it is until the last solve with it. */
typedef struct stress_problem {
    double dt;                /* s */
    double viscosity;         /* m²/s, where `viscosities` is NULL */
    const field *viscosities; /* m²/s, cells, ghosts filled; also sensible in air cells next to the liquid */
    const field *edges[3];    /* m²/s on the edges along each axis, by shear.h; NULL: by those of the cells around */
    double bulk;              /* λ/ν */
    field *pressure;          /* p/√ν, cells: what the step begins with, and after stress_solve the next; NULL: 0 */
    stress_form form;
    const field *surface;        /* m, cells: level set, negative in the liquid, ghosts filled, continued into solids;
                                    NULL: liquid everywhere */
    const uint8_t *const *marks; /* of the faces across each axis, diffusion_mark by block offset; NULL: all free */
    const field *distance;       /* m, cells: signed distance to the solids that the marks are made of, ghosts filled;
                                    NULL: θ is 1 everywhere */
    const halo_side (*sides)[6]; /* for each component: on the sides of the other axes HALO_VALUE is a wall that
                                    sticks, with its tangential velocity; HALO_PERIODIC; all others have no shear */
    const float *layers[6];      /* m, of the sides that stick: how thick the boundary layer is beside each cell (see
                                    grid/layer.h), the lower of the other two axes fastest; NULL: a straight line */
    bool fixed_sides[6];         /* the flow through this side is given */
    stress_solids *solids;       /* NULL: none moves with the flow */
} stress_problem;

typedef struct stress stress;

fr_result stress_create(const domain *d, stress **out);
void stress_destroy(stress *s);
size_t stress_bytes(const domain *d);

/* Builds the system. Allocates nothing. Where `viscosities` differ by more than 1e5 times from a cell to the next, they
   are smeared first. */
void stress_set(stress *s, const stress_problem *problem);

/* In how many cells of liquid. */
int64_t stress_smeared(const stress *s);

/* Replaces u* by u on the faces that touch a cell of liquid (level set < 0); all others, and held ones, stay as they
   are and have no say. Ghosts need not be filled. Solids of the problem go from V* to V, and their faces with them.

   Stops when the error e of u in the norm √(e·(W + BᵀKB)e), as the preconditioner estimates it, falls to
   limits->tolerance times the change √((u − u*)·W(u − u*)), or to a mean error of limits->absolute in m/s, or to
   rounding. The residual that is returned is the error over the change. Allocates nothing. */
solve_stats stress_solve(stress *s, field velocity[3], const solve_limits *limits);

/* The same by explicit steps, as many as are stable; `iterations` is their number. With more than `most` it has not
   converged, and the velocity stays as it is. Allocates nothing (explicit.c). */
solve_stats stress_march(stress *s, field velocity[3], int most);

/* What acts on the flow, and on the motions of solids, between these two calls, after a solve, changes neither momentum
   nor spin of bodies that nothing holds: the rigid motion that they have won since the first is taken off, off solids
   that are frozen into them too (momentum.c). */
void stress_remember(stress *s, const field velocity[3]);
void stress_keep_momentum(stress *s, field velocity[3]);

#endif
