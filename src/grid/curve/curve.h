/* A curvilinear structured grid: the unit cells of a plain block, mapped from grid coordinates (s, t, r), counted in
   cells, to the world. The flow needs only volumes and face vectors of the map,

     J      volume of a cell, m³ (2D: m², a sheet one metre deep),
     S^k    area vector of a face across axis k: normal to it, towards higher grid coordinates,

   computed from the nodes so that the face vectors of every cell sum to exactly zero: a uniform flow then has no
   divergence (the geometric conservation law: Thomas & Lombard 1979). The contravariant flux is U^k = u·S^k.
   Left-handed maps, whose volumes would be negative, work as well: the sign of all S^k is reversed. */
#ifndef FR_GRID_CURVE_CURVE_H
#define FR_GRID_CURVE_CURVE_H

#include "grid/field.h"

/* Vectors b_j with u = Σ_j b_j U^j at the samples of one location, where U^j is the flux of the sample itself or the
   mean of the surrounding faces across j. Exact for a uniform flow. On faces part of the own flux is first subtracted
   from the others (basis.c). */
typedef struct curve_basis {
    field vector[3][3];      /* [j][x, y, z]; in 2D those of the third axis have no memory, here and below */
} curve_basis;

typedef struct curve {
    domain domain;           /* in grid space: n, h = 1, origin 0, periodic */
    int nodes[3];            /* along every axis; 1 along the third in 2D */
    double *node;            /* x, y, z of each, the first axis fastest; in 2D z is 0 */
    bool left_handed;
    field volume;            /* J of cells; ghosts copy the nearest cell, or the other end of a periodic axis */
    field face[3][3];        /* S^k on the faces across k: [k][x, y, z]; ghosts as those of volume */
    field inverse[3];        /* 1/J on the faces across k: J the mean of the two cells, at sides of the one cell */
    curve_basis on_face[3], on_cell;
    field lean[3][3];        /* [k][j], j ≠ k: γ on the faces across k (basis.c) */
    bool leans[3][3];        /* whether any of them differs from 0 by more than rounding */
} curve;

typedef struct curve_def {
    int dims, cells[3];      /* 2D: cells[2] is not read */
    bool periodic[3];
    const double *node;      /* x, y, z of each of (cells + 1) nodes, the first axis fastest */
} curve_def;

/* How messages name a cell or a node: "(3, 4)", or "(3, 4, 5)" in 3D. */
typedef struct curve_name {
    char text[40];
} curve_name;

curve_name curve_name_of(int dims, const int at[3]);

/* Whether the grid can be used: every number is finite; no cell is folded or inside out (a corner with the opposite
   orientation to the rest); none is so skewed that two edges of a corner are nearly parallel (under 10 degrees); no two
   neighbouring nodes coincide; on periodic axes the two ends match: at the same place (annulus), or moved by one vector
   (a straight reach repeated). The failure names the cell by its indices and says what is wrong there. */
fr_result curve_check(const curve_def *def);

/* The grid must have passed the check. Also fails where neighbouring cells of a 3D grid are bent too strongly against
   each other. */
fr_result curve_create(const curve_def *def, curve *out);
void curve_destroy(curve *c);
size_t curve_bytes(const domain *d);

/* World position of a place in grid coordinates (0 … n along each axis), trilinear in the nodes of its cell. */
void curve_position(const curve *c, const double grid[3], double world[3]);

/* The rows ∂x/∂s, ∂x/∂t, ∂x/∂r of the trilinear map at a place, m per cell. In 2D the third is (0, 0, 1). */
void curve_tangents(const curve *c, const double grid[3], double tangents[3][3]);

/* Velocity from fluxes, m/s: at the cell centres; on the faces across k. The ghosts of `flux` must be filled. */
void curve_velocity_on_cells(const curve *c, const field flux[3], field velocity[3]);
void curve_velocity_on_faces(const curve *c, int k, const field flux[3], field velocity[3]);

/* Sine of the angle between the grid lines at a sample of the faces across k, by its offset; in 3D the smallest angle
   between one line and the plane of the other two. */
double curve_sine_on_face(const curve *c, int k, ptrdiff_t at);

/* The grid coordinates of a world position, by Newton's iteration in the cells whose bounding boxes contain it; false:
   outside the grid. Slow: it visits every cell. */
bool curve_find(const curve *c, const double world[3], double grid[3]);

#endif
