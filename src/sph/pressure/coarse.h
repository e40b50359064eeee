/* The smooth part of what the solver's preconditioner does (sph/pressure/solve.h): a residual that varies little from
   particle to particle is carried one support further by each product with A, and asks for as many steps as a liquid is
   deep in supports.

   For pressures that vary little from particle to particle A is a Laplacian, A Q → −(κ d)² ∇²Q, κ what sums over
   neighbours make of the gradient of x (sph_model.slope). Residuals are shared out to the cells around, of two
   supports, by linear hats P, and

       −(κ d)² ∇²e + pin e = Pᵀ r

   is solved there: no flux where no liquid is, and a pressure held at zero by the particles of a surface, pin = 2 κ²
   (d/h) times their share of a full cell: their area, half a cell away. P e adds to the preconditioned residual, which
   stays symmetric. Where it is wrong steps take longer; what they lead to is the same. */
#ifndef FR_SPH_PRESSURE_COARSE_H
#define FR_SPH_PRESSURE_COARSE_H

#include "sph/state.h"

/* Sets the grid up for the present particles. Returns whether the liquid has a surface somewhere. */
bool sph_coarse_begin(const sph_model *m, sph_state *s);

/* P e for the residuals of what is inside the liquid and under pressure (`cold`: nothing is yet, and all that is inside
   counts), into SPH_CORRECTION and walls.correction; 0 elsewhere. Returns their sum with the products. */
double sph_coarse_correct(const sph_model *m, sph_state *s, bool cold);

#endif
