/* The grid of the coarse-grid correction (sph/pressure/coarse.h), its solver and fields. */
#ifndef FR_SPH_PRESSURE_COARSE_SPACE_H
#define FR_SPH_PRESSURE_COARSE_SPACE_H

#include "grid/field.h"
#include "grid/poisson/poisson.h"
#include "sph/model.h"

/* Residuals are shared out by parts of the particles, each into a grid of its own: sums of floats have one order,
   whichever thread does a part. */
enum { COARSE_PARTS = 8 };

typedef struct coarse_part {
    float *data;                 /* as of a field of cells; 0 but while it is used */
    ptrdiff_t low, high;         /* first of the eight cells to which it has shared out, the least and the greatest */
} coarse_part;

typedef struct sph_coarse {
    domain block;
    poisson *solver;
    field weight[3], extra; /* of the operator */
    field right, error;
    field filled;                /* share of a cell that the liquid fills */
    double full;                 /* particles that fill a cell */
    particle_vector first, per_edge; /* m, centre of the first cell; 1/m, of an axis that is not there 0 */
    particle_vector most, period;    /* cells from there on in which places are looked for; 0 where not periodic */
    uint8_t *inside;             /* a bit for each particle that is not of a surface; eight in a byte */
    int64_t room;                /* bytes */
    float *memory;               /* of the parts */
    coarse_part parts[COARSE_PARTS];
} sph_coarse;

fr_result sph_coarse_create(const sph_model *m, sph_coarse **out);
fr_result sph_coarse_reserve(sph_coarse *c, int64_t particles);
void sph_coarse_destroy(sph_coarse *c);
double sph_coarse_bytes(const sph_model *m);

#endif
