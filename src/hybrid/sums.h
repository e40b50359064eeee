/* Sums at the samples of a grid: some floats per sample of a field's layout, ghosts included. */
#ifndef FR_HYBRID_SUMS_H
#define FR_HYBRID_SUMS_H

#include <string.h>

#include "grid/field.h"

typedef struct sums {
    field layout; /* without data */
    int each;     /* floats per sample */
    float *block; /* of the first ghost, */
    float *data;  /* and of sample (0, 0, 0) */
} sums;

/* Over a block of each · (samples with ghosts) floats. */
sums sums_over(float *block, const domain *d, fr_location at, int each);

static inline float *sums_row(const sums *s, int j, int k)
{
    return s->data + s->each * (j * s->layout.stride[1] + k * s->layout.stride[2]);
}

/* Sets a row along x with its ghosts to zero. */
static inline void sums_clear_row(const sums *s, int j, int k)
{
    memset(sums_row(s, j, k) - s->each * GHOST, 0, sizeof(float) * (size_t)(s->each * (s->layout.size[0] + 2 * GHOST)));
}

/* Sets the layers [begin, end) across an axis to zero, as far as they exist. */
void sums_clear(const sums *s, int axis, int begin, int end);

/* The same for those of their rows along x that are `wanted`, which may set the span of samples that are. */
typedef bool (*sums_wanted)(const void *context, int j, int k, int span[2]);
void sums_clear_rows(const sums *s, int axis, const int layers[2], sums_wanted wanted, const void *context);

/* Adds what lies beyond the ends of an axis to the samples it stands for: on a periodic axis those of the other end,
   else its mirror image, where channel `odd` (−1: none) changes its sign. Then fills what lies beyond with the sums. */
void sums_fold(const sums *s, int axis, bool periodic, int odd);

#endif
