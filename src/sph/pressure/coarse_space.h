/* The grid of the coarse-grid correction (sph/pressure/coarse.h), its solver and fields. */
#ifndef FR_SPH_PRESSURE_COARSE_SPACE_H
#define FR_SPH_PRESSURE_COARSE_SPACE_H

#include "grid/field.h"
#include "grid/poisson/poisson.h"
#include "sph/model.h"

typedef struct sph_coarse {
    domain block;
    poisson *solver;
    field weight[3], extra;      /* of the operator */
    field right, error;
    field filled;                /* share of a cell that the liquid fills */
    double full;                 /* particles that fill a cell */
} sph_coarse;

fr_result sph_coarse_create(const sph_model *m, sph_coarse **out);
void sph_coarse_destroy(sph_coarse *c);
double sph_coarse_bytes(const sph_model *m);

#endif
