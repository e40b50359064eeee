/* The inside of the direct solver, shared by its files. */
#ifndef FR_GRID_POISSON_FFT_PARTS_H
#define FR_GRID_POISSON_FFT_PARTS_H

#include <fftw3.h>

#include "grid/poisson_fft.h"

/* Columns of one item of work: a cache line of floats. Rows are padded by one more, so that columns do not fall into
   the same cache sets. */
enum { COLUMNS = 16 };

struct poisson_fft {
    domain block;
    double c[3];
    side_kind sides[6];
    bool singular;
    ptrdiff_t row, plane;
    float *data;            /* residual, then correction */
    double *x;              /* solution; as `data` */
    double *eigen[3];       /* c λ per mode */
    double *partial[4];     /* per row of cells */
    double scale;           /* of forward and backward transform together */
    fftwf_plan forward[3], backward[3];
    void *memory;

    /* Of the solve that runs. */
    const field *right;
    field *answer;
    double mean;
    bool back;
    int axis;
};

static inline size_t fft_slots(const poisson_fft *s)
{
    return (size_t)s->plane * (size_t)s->block.n[2];
}

static inline size_t fft_rows(const domain *block)
{
    return (size_t)block->n[1] * (size_t)block->n[2];
}

#endif
