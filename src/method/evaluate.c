#include "method/evaluate.h"

#include <math.h>

#include "method/limits.h"

static fr_result evaluate_function(fr_function function, void *context, const double at[3], double t, double *out,
                                   int count)
{
    double args[4] = {at[0], at[1], at[2], t};
    FR_TRY(function(context, args, out));
    for (int i = 0; i < count; i++)
        if (!(fabs(out[i]) <= MODEL_LARGEST))
            return fr_fail(
                FR_ERROR_INPUT,
                "a function of the scene gave %g at (%g, %g, %g), t = %g s; numbers must be finite and at most %g",
                out[i], at[0], at[1], at[2], t, MODEL_LARGEST);
    return FR_OK;
}

fr_result evaluate_number(const fr_number *number, const double at[3], double t, double *out)
{
    *out = number->value;
    return number->function ? evaluate_function(number->function, number->context, at, t, out, 1) : FR_OK;
}

fr_result evaluate_vector(const fr_vector *vector, const double at[3], double t, double out[3])
{
    for (int a = 0; a < 3; a++)
        out[a] = vector->value[a];
    return vector->function ? evaluate_function(vector->function, vector->context, at, t, out, 3) : FR_OK;
}
