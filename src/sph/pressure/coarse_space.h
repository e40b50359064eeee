/* The grid of the coarse-grid correction (sph/pressure/coarse.h), its solver and fields. */
#ifndef FR_SPH_PRESSURE_COARSE_SPACE_H
#define FR_SPH_PRESSURE_COARSE_SPACE_H

#include "grid/field.h"
#include "grid/poisson/poisson.h"
#include "sph/model.h"

typedef struct sph_coarse {
    domain block;
    poisson *solver;
    field weight[3], extra; /* of the operator */
    field right, error;
    field filled;                /* share of a cell that the liquid fills */
    double full;                 /* particles that fill a cell */
    particle_vector first, per_edge; /* m, centre of the first cell; 1/m, of an axis that is not there 0 */
    particle_vector most, period;    /* cells from there on in which places are looked for; 0 where not periodic */
} sph_coarse;

fr_result sph_coarse_create(const sph_model *m, sph_coarse **out);
void sph_coarse_destroy(sph_coarse *c);
double sph_coarse_bytes(const sph_model *m);

#endif
