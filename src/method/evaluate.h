/* Evaluates values that may be constants or callbacks. */
#ifndef FR_METHOD_EVALUATE_H
#define FR_METHOD_EVALUATE_H

#include <freshet/defs.h>

#include "grid/field.h"

fr_result evaluate_number(const fr_number *number, const double at[3], double t, double *out);
fr_result evaluate_vector(const fr_vector *vector, const double at[3], double t, double out[3]);

/* The same at all samples of a field, without its ghosts. A velocity has a field of faces for each axis. */
fr_result evaluate_field(const fr_number *number, const domain *d, double t, field *out);
fr_result evaluate_velocity(const fr_vector *vector, const domain *d, double t, field out[3]);

#endif
