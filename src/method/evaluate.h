/* Evaluates values that may be constants or callbacks. */
#ifndef FR_METHOD_EVALUATE_H
#define FR_METHOD_EVALUATE_H

#include <freshet/defs.h>

fr_result evaluate_number(const fr_number *number, const double at[3], double t, double *out);
fr_result evaluate_vector(const fr_vector *vector, const double at[3], double t, double out[3]);

#endif
