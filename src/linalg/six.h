/* Symmetric matrices of the six motions that a rigid thing has: three velocities and three spins. */
#ifndef FR_LINALG_SIX_H
#define FR_LINALG_SIX_H

/* Modes that are linear along a row, first + slope i: adds Σ w modeᵀ mode, from Σ w, Σ w i and Σ w i². */
void six_add(double m[6][6], const double first[6], const double slope[6], const double sum[3]);

/* Cholesky's factor of a matrix that is not negative; motions that it does not have, as rotations about a single point,
   are left out. */
void six_factor(double m[6][6]);

/* y = A⁻¹ y from the factor of A; 0 for motions that were left out. */
void six_solve(const double m[6][6], double y[6]);

/* out = m x; returns x·m x. */
double six_times(const double m[6][6], const double x[6], double out[6]);

#endif
