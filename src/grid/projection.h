/* The pressure problem of a projection on the staggered grid, as one object:

     Σ_faces w (A/h) (p_i − p_j) + C K Cᵀ p = b,      then      u_face −= (Δt/ρ) ∇p.

   A method adds what it has:
     closed and cut faces    open share w of each face (Batty, Bertails & Bridson 2007)
     open sides              p = 0 on the side itself, half a cell from the centre
     air                     p = 0 on a surface between two centres, at θ cells from the one in the liquid: the face
                             counts 1/θ times (ghost fluid: Gibou, Fedkiw, Cheng & Kang 2002), second order in p
     bodies                  rigid bodies that move with the pressure: C what they sweep, K their inverse masses (see
                             poisson_body); their velocities then change by (Δt/ρ) K Cᵀ p

   Without air and open sides p has no level: its mean is kept at zero, per closed part that no body can compress. The
   gradient has the same coefficients as the system, so the divergence that is left is the residual. Bounds (walls that
   let go of the liquid) will be a loop around projection_solve that opens and closes faces between builds. */
#ifndef FR_GRID_PROJECTION_H
#define FR_GRID_PROJECTION_H

#include <freshet/defs.h>

#include "grid/poisson/poisson.h"

/* What the system is built from. The fields must stay as they are until the next build. */
typedef struct projection_geometry {
    const field *open;            /* one per axis: open share of each face; NULL: all open */
    const field *surface;         /* cells: signed distance to the free surface, negative in the liquid, ghosts filled
                                     where periodic; NULL: no air */
    bool open_side[FR_SIDES];
} projection_geometry;

typedef struct projection projection;

/* `surface`: there may be air; takes a little more memory. */
fr_result projection_create(const domain *d, bool surface, projection **out);
void projection_destroy(projection *p);
size_t projection_bytes(const domain *d, bool surface);   /* what projection_create will take */

/* Room for bodies, as poisson_reserve_bodies takes it: once, before the first step. */
fr_result projection_reserve_bodies(projection *p, int bodies, int cells, int rows);
size_t projection_bodies_bytes(const domain *d, int bodies, int cells, int rows);

/* Builds the system anew, without bodies; `work` is a field of cells that is spoilt. Allocates nothing. */
void projection_build(projection *p, const projection_geometry *g, field *work);

/* The bodies of the system and the rows that hold them, kept by reference until the next build: see poisson_set_bodies.
   Both return how many rows there is room for. */
int projection_set_bodies(projection *p, const poisson_body *bodies, int count, const poisson_row *rows, int row_count);
int projection_set_rows(projection *p, const poisson_row *rows, int count);

/* Cells [span[0], span[1]) of a row hold all its liquid; b and x are not read elsewhere, and x is 0 there. */
void projection_active(const projection *p, int j, int k, int span[2]);

typedef enum projection_solver { PROJECTION_MULTIGRID, PROJECTION_CG } projection_solver;

/* Solves for x from a first guess, which may be x itself; NULL: 0. Of b what lies outside the liquid is not read. */
typedef struct projection_task {
    projection_solver solver;
    const field *b, *guess;
    bool goes_on;                 /* multigrid: from the answer of the last solve instead, of the same system */
    const solve_limits *limits;
} projection_task;
solve_stats projection_solve(projection *p, const projection_task *task, field *x);

/* u −= (Δt/ρ) ∇x on all faces that are open, x being the answer of the last solve. */
void projection_correct(projection *p, const field *x, double dt, double density, field velocity[3]);

/* The same for a caller who has more to do with each row of faces while it is at hand: `begin` before the gradient is
   added, `end` after it; either may be NULL. Rows are visited in parallel, all of every axis. */
typedef struct projection_row {
    int axis, j, k;
    float *u;
} projection_row;
typedef struct projection_rows {
    void (*begin)(void *context, const projection_row *row);
    void (*end)(void *context, const projection_row *row);
    void *context;
} projection_rows;
typedef struct projection_step {
    const field *x;
    double dt, density;
} projection_step;
void projection_correct_rows(projection *p, const projection_step *step, const projection_rows *own, field velocity[3]);

/* Cᵀx of a body and the last solve: what the pressure does to it. */
void projection_push(const projection *p, int body, double force[6]);

#endif
