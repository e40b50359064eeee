/* Where grid lines are nearly parallel, a velocity is the sum of two large fluxes that nearly cancel. MacCormack's
   correction, a difference of such velocities, is amplified by 1/sin θ, θ the angle between the lines; below 10 degrees
   it grows from step to step. So the correction fades out as θ becomes small. What is left, linear interpolation, makes
   no new extrema. */
#include "river/model.h"

static const double WHOLE_FROM = 0.5, NONE_BELOW = 0.17;     /* sin θ: 30 degrees between the lines, 10 degrees */

static float correction_share(double sine)
{
    double share = (sine - NONE_BELOW) / (WHOLE_FROM - NONE_BELOW);
    return (float)(share < 0 ? 0 : share > 1 ? 1 : share);
}

/* Fills a field on the faces; returns whether any share is below 1. */
static bool correction_fill(const curve *c, field *share)
{
    bool less = false;
    for (int r = 0; r < field_rows(share); r++)
        for (int i = 0; i < share->size[0]; i++) {
            ptrdiff_t at = field_offset(share, i, r % share->size[1], r / share->size[1]);
            share->data[at] = correction_share(curve_sine_on_face(c, field_axis(share), at));
            less |= share->data[at] < 1;
        }
    return less;
}

fr_result river_make_correction(river_model *m)
{
    for (int k = 0; k < m->curve.domain.dims; k++) {
        FR_TRY(field_create(&m->curve.domain, field_face(k), &m->correction[k]));
        if (!correction_fill(&m->curve, &m->correction[k]))
            field_destroy(&m->correction[k]);
    }
    return FR_OK;
}
