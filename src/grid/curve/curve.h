/* A curvilinear structured grid: the unit cells of a plain block, bent by a map from grid coordinates (s, t, r),
   counted in cells, to the world. All that the flow needs of the map are volumes and the vectors of faces,

     J      volume of a cell, m³ (2D: m², a sheet one metre deep),
     S^k    vector of a face across axis k: as long as its area, square to it, towards higher grid coordinates,

   taken from the nodes so that the faces of every cell add up to nothing exactly: a flow that is the same everywhere
   then has no divergence (the geometric conservation law: Thomas & Lombard 1979). A flux is U^k = u·S^k. Left-handed
   maps, whose volumes would be negative, are as good as right-handed ones: the sign of all S^k is turned. */
#ifndef FR_GRID_CURVE_CURVE_H
#define FR_GRID_CURVE_CURVE_H

#include "grid/field.h"

/* Vectors b_j with u = Σ_j b_j U^j at the samples of one location, where U^j is the flux of the faces across j
   there: that of the sample itself, or the mean of those around it. Exact for a flow that is the same everywhere. On
   faces part of the own flux is first taken off the others (basis.c). */
typedef struct curve_basis {
    field vector[3][3];      /* [j][x, y, z]; in 2D those of the third axis have no memory, here and below */
} curve_basis;

typedef struct curve {
    domain domain;           /* in grid space: n, h = 1, origin 0, periodic */
    int nodes[3];            /* along every axis; 1 along the third in 2D */
    double *node;            /* x, y, z of each, the first axis fastest; in 2D z is 0 */
    bool left_handed;
    field volume;            /* J of cells; ghosts repeat what is inside, or the other end */
    field face[3][3];        /* S^k on the faces across k: [k][x, y, z]; ghosts as those of volume */
    field inverse[3];        /* 1/J on the faces across k: of the mean of the two cells, of the one cell at sides */
    curve_basis on_face[3], on_cell;
    field lean[3][3];        /* [k][j], j ≠ k: γ on the faces across k (basis.c) */
    bool leans[3][3];        /* whether any of them is more than rounding */
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

/* Whether the grid can be used: every number finite, no cell folded or turned inside out (a corner whose edges turn the
   other way than those of the rest), none so skewed that two edges of a corner are nearly parallel (under 10 degrees),
   no two neighbouring nodes in one place; on periodic axes the two ends fit together: same place (annulus), or moved by
   one vector (a straight stretch repeated). The failure names the cell by its indices and says what is wrong there. */
fr_result curve_check(const curve_def *def);

/* The grid must have passed the check. Fails also where cells of a 3D grid are bent too far against their neighbours.
 */
fr_result curve_create(const curve_def *def, curve *out);
void curve_destroy(curve *c);
size_t curve_bytes(const domain *d);

/* World position of a place in grid coordinates (0 … n along each axis), trilinear in the nodes of its cell. */
void curve_position(const curve *c, const double grid[3], double world[3]);

/* The rows ∂x/∂s, ∂x/∂t, ∂x/∂r of the trilinear map at a place, m per cell. In 2D the third is (0, 0, 1). */
void curve_tangents(const curve *c, const double grid[3], double tangents[3][3]);

/* Velocity at the centres of cells from fluxes, m/s; and on the faces across k. The ghosts of `flux` must be filled. */
void curve_velocity_on_cells(const curve *c, const field flux[3], field velocity[3]);
void curve_velocity_on_faces(const curve *c, int k, const field flux[3], field velocity[3]);

/* Sine of the angle between the lines of the grid at a sample of the faces across k, by its offset there; in 3D of the
   least between one line and the plane of the other two. */
double curve_sine_on_face(const curve *c, int k, ptrdiff_t at);

/* The grid coordinates of a place in the world, by Newton's iteration in the cells whose boxes hold it; false: outside
   the grid. Slow: it looks at every cell. */
bool curve_find(const curve *c, const double world[3], double grid[3]);

#endif
