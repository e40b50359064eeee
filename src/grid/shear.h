/* The shear rate of a flow, γ = √(2 D:D) with D = ½ (∇u + ∇uᵀ), where strains are: stretching at the centres of cells,
   shear on their edges. Of the other parts each place takes the mean around it.

   A field of edges along c has the layout of cells: sample (i, j, k) is the lower edge of cell (i, j, k), and the first
   ghosts beyond the upper ends are the last edges. In 2D there are those along z alone, the corners. */
#ifndef FR_GRID_SHEAR_H
#define FR_GRID_SHEAR_H

#include "grid/field.h"

/* (∂u_a/∂x_b + ∂u_b/∂x_a)² on the edges along c, 1/s². Ghosts of the velocity must be filled. */
void shear_on_edges(const domain *d, const field velocity[3], int c, field *out);

/* γ² in cells, from the velocity and those on the edges. */
void shear_in_cells(const domain *d, const field velocity[3], const field edges[3], field *out);

/* γ² on the edges along c, in place: to the square there comes the mean of all that cells around have besides. `rest`
   is a field of cells to work in. */
void shear_around_edges(const domain *d, const field *cells, int c, field *rest, field *edges);

#endif
