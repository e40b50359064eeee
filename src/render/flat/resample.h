/* Resamples cell fields on a finer or coarser lattice of the same box. */
#ifndef FR_RENDER_FLAT_RESAMPLE_H
#define FR_RENDER_FLAT_RESAMPLE_H

#include <freshet/frame.h>

typedef struct resample_source {
    const fr_field *field;
    const fr_field *solid;   /* signed distance of obstacles; values are extrapolated into their cells, so that smoke
                                does not fade towards their surface. NULL: none */
    bool smooth;             /* B-spline near the samples (cubic.h), constant beyond the sides. Else: through the
                                samples, with linear extrapolation, as a distance needs */
} resample_source;

/* The field at the centres of n[0] × n[1] × n[2] voxels, [z][y][x]; values that are not finite count as zero. */
fr_result resample_field(const resample_source *source, const int n[3], float *out);

#endif
