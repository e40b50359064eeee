/* The coefficients of the gradient's fluxes on a curvilinear grid: F^k = J g^kj ∂_j p, see tensor.h. */
#ifndef FR_GRID_CURVE_WEIGHTS_H
#define FR_GRID_CURVE_WEIGHTS_H

#include "grid/curve/curve.h"
#include "grid/tensor/tensor.h"

/* w^k = |S^k|²/J on faces and c = S^k·S^j/J on edges. `solid` (per cell of the block, the first axis fastest; NULL:
   none): faces that touch such a cell are closed, and so are those on the closed sides of `t`, which must have been
   created with its sides.

   Where the faces across j at an edge are closed, nothing flows along j. Of the metric tensor g only the part for a
   flow along k alone remains: the inverse of the covariant metric over the open directions. In the plane of k and j
   this is J/(a_k·a_k) instead of J g^kk: the face loses ½ c²/w^j for each such edge. In 3D a quarter of a face at two
   such edges keeps the component of S^k perpendicular to both, and c between k and l decreases by ½ c_kj c_lj/w^j at
   each end of an edge where the faces across j are closed. */
void curve_weights(const curve *c, const uint8_t *solid, tensor *t);

#endif
