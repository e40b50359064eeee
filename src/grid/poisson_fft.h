/* The seven-point Laplacian of a plain box, solved directly by fast transforms (FFTW):

     Σ_a c_a (2 x_i − x_{i−1} − x_{i+1}) = b

   with, per axis, periodic ends or on each side a closed wall (x mirrored) or an open one (x = 0 at the face).
   The matching transforms are the real Fourier transform and the cosine and sine transforms of types II and IV. */
#ifndef FR_GRID_POISSON_FFT_H
#define FR_GRID_POISSON_FFT_H

#include "grid/field.h"
#include "linalg/solve.h"

typedef enum side_kind { SIDE_CLOSED, SIDE_OPEN, SIDE_PERIODIC } side_kind;

typedef struct poisson_fft poisson_fft;

/* Whether this build has fast transforms. */
bool poisson_fft_available(void);
fr_result poisson_fft_create(const domain *block, const double coefficient[3], const side_kind sides[6], poisson_fft **out);
void poisson_fft_destroy(poisson_fft *solver);
size_t poisson_fft_bytes(const domain *block);

/* Adds factor·(x_i − x_{i−1}) of the last solve, in double, to the faces across `axis`: inner ones and periodic ones;
   on open sides the value beyond is −x. See poisson_add_gradient. */
void poisson_fft_add_gradient(const poisson_fft *solver, int axis, double factor, field *faces);

/* Direct, then refined until the limits hold: once or twice, four passes at most (max_iterations is not read).
   All-closed and all-periodic boxes: the mean of b is removed and the answer has mean zero. Allocates nothing. */
solve_stats poisson_fft_solve(poisson_fft *solver, const field *b, field *x, const solve_limits *limits);

#endif
