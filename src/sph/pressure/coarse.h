/* The smooth part of the pressure, from a coarse grid: sweeps over particles carry it one support further each.

   For pressures that vary little from particle to particle the operator of sph_solve.h is a Laplacian, A Q → −(κ d)²
   ∇²Q, κ the sums' own gradient of x (sph_model.slope). What a sweep has left of the sources is summed over cells of
   two supports, walls with the cells beside them, and

       −(κ d)² ∇²e + pin e = left

   solved there: no flux where no liquid is, and a pressure held at zero by the particles of a surface, pin = 2 κ² (d/h)
   times their share of a full cell: their area, half a cell away. Then e is added to the pressures. It is but a better
   place to start from: what it leaves, sweeps find and correct. */
#ifndef FR_SPH_PRESSURE_COARSE_H
#define FR_SPH_PRESSURE_COARSE_H

#include "sph/pressure/solve.h"

/* Adds e to the next unknowns of liquid and walls, from what a sweep has left, unless that is little more than noise;
 * whether it did. */
bool sph_coarse_correct(const sph_model *m, sph_state *s, const sph_solve *solve);

#endif
