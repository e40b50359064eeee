/* A coarse-grid correction for the smooth part of the pressure, which sweeps over particles carry only one support
   further each.

   For pressures that vary little from particle to particle the operator of sph/pressure/solve.h is a Laplacian, A Q →
   −(κ d)² ∇²Q, κ what sums over neighbours make of the gradient of x (sph_model.slope). The residual of a sweep is
   summed over cells of two supports, that of walls into the cells beside them, and

       −(κ d)² ∇²e + pin e = left

   solved there: no flux where no liquid is, and a pressure held at zero by the particles of a surface, pin = 2 κ² (d/h)
   times their share of a full cell: their area, half a cell away. Then e is added to the pressures. It need not be
   exact: further sweeps correct what it leaves. */
#ifndef FR_SPH_PRESSURE_COARSE_H
#define FR_SPH_PRESSURE_COARSE_H

#include "sph/pressure/solve.h"

/* Adds e to the next unknowns of liquid and walls, unless little of the residual is smooth. Returns whether it did. */
bool sph_coarse_correct(const sph_model *m, sph_state *s, const sph_solve *solve);

#endif
