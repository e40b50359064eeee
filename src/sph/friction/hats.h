/* Velocities that are linear on simplices, and how friction resists them: the coarse space of the solve in
   sph/stage/drag_solve.c, with its multigrid.

   The nodes are those of a grid of boxes. Every box is divided into dims! simplices along its diagonal, one for each
   order of the axes: its corners are those of a path from the lowest corner to the highest, an axis at a time (Kuhn
   1960; Freudenthal 1942). The simplices of a grid twice as coarse are unions of these. So hats of a coarse grid are
   hats of a fine one, and as the gradient G of a velocity is constant in a simplex, the energy

       Σ_K v_K·M_K v_K + Σ_S W_S (G:G + G:Gᵀ + (tr G)²)

   of a coarse velocity needs nothing but sums: W of a simplex is that of its parts. Rotations cost nothing, exactly. */
#ifndef FR_SPH_FRICTION_HATS_H
#define FR_SPH_FRICTION_HATS_H

#include <freshet/base.h>

#include "sph/friction/tensor.h"

enum { HATS_CORNERS = 4, HATS_ORDERS = 6, HATS_EDGES = 7, HATS_LEVELS = 24 };

typedef struct hats_grid {
    int dims;
    int n[3];                    /* nodes; 1 along the third axis in 2D */
    bool around[3];              /* node n is node 0 */
    double h[3];                 /* between nodes */
} hats_grid;

/* An edge of a simplex and what a W of 1 there adds to its spring. The corner of the simplex lies at the edge's first
   node less `back`, a set of axes. */
typedef struct hats_part {
    int edge, back, order;
    hats_tensor spring;
} hats_part;

/* Nodes around one: how far they lie in memory, by sets of axes, and along which axes there are none. */
typedef struct hats_near {
    int64_t ahead[8], back[8];
    int ends_ahead, ends_back;
} hats_near;

typedef struct hats_level {
    hats_grid grid;
    int64_t stride[3], count;
    hats_near within;            /* of nodes that have some on all sides */
    int halved;                  /* axes along which the next coarser one has half of the nodes */
    double *weight;              /* W: HATS_ORDERS for each box, known by its lowest node */
    hats_tensor *mass, *inverse;      /* M, and the inverse of the operator's diagonal block */
    hats_tensor *spring;              /* of the 2^dims − 1 edges from each node to those a set of axes further */
    hats_part part[HATS_ORDERS * 6];
    int parts;
    hats_vector *right, *error, *left;
} hats_level;

typedef struct hats hats;

/* The finest grid over a box; its cells are about `edge` wide. */
hats_grid hats_grid_of(int dims, const double length[3], const bool around[3], double edge);

fr_result hats_create(const hats_grid *grid, hats **out);
void hats_destroy(hats *h);
double hats_bytes(const hats_grid *grid);

/* The finest level, of which `weight` and `mass` are to be set, then hats_set called; and `right`, then hats_solve. */
hats_level *hats_finest(hats *h);
void hats_set(hats *h);

/* error ≈ the operator's inverse times right, by one cycle: a symmetric positive operator. */
void hats_solve(hats *h);

/* The simplex that a point lies in, from its place between two nodes on each axis, 0 to 1: the order of its axes, the
   corners as sets of axes from the lowest node, and the hats' values. */
int hats_simplex(int dims, const float place[3], int corner[HATS_CORNERS], float share[HATS_CORNERS]);

/* Node `from` shifted by one along a set of axes. */
int64_t hats_ahead(const hats_level *l, const int at[3], int axes);

#endif
