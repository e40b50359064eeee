/* Cell fields on a finer or coarser lattice of the same box. */
#ifndef FR_RENDER_FLAT_RESAMPLE_H
#define FR_RENDER_FLAT_RESAMPLE_H

#include <freshet/frame.h>

typedef struct resample_source {
    const fr_field *field;
    const fr_field *solid;   /* signed distance of obstacles; their cells take values from outside, so that smoke does
                                not fade towards their surface. NULL: none */
    bool smooth; /* near the samples instead of through them (cubic.h), and held at the sides instead of going
                    on in a straight line, which a distance needs */
} resample_source;

/* The field at the centres of n[0] × n[1] × n[2] voxels, [z][y][x]; what is not finite counts as zero. */
fr_result resample_field(const resample_source *source, const int n[3], float *out);

#endif
