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

fr_result evaluate_field(const fr_number *number, const domain *d, double t, field *out)
{
    for (int k = 0; k < out->size[2]; k++)
        for (int j = 0; j < out->size[1]; j++)
            for (int i = 0; i < out->size[0]; i++) {
                double at[3], value;
                field_position(out, d, (ptrdiff_t[3]){i, j, k}, at);
                FR_TRY(evaluate_number(number, at, t, &value));
                field_row(out, j, k)[i] = (float)value;
            }
    return FR_OK;
}

static fr_result evaluate_component(const fr_vector *vector, const domain *d, double t, int axis, field *out)
{
    for (int k = 0; k < out->size[2]; k++)
        for (int j = 0; j < out->size[1]; j++)
            for (int i = 0; i < out->size[0]; i++) {
                double at[3], value[3];
                field_position(out, d, (ptrdiff_t[3]){i, j, k}, at);
                FR_TRY(evaluate_vector(vector, at, t, value));
                field_row(out, j, k)[i] = (float)value[axis];
            }
    return FR_OK;
}

fr_result evaluate_velocity(const fr_vector *vector, const domain *d, double t, field out[3])
{
    for (int a = 0; a < d->dims; a++)
        FR_TRY(evaluate_component(vector, d, t, a, &out[a]));
    return FR_OK;
}
