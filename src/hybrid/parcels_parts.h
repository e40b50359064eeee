/* What the files of the store share. */
#ifndef FR_HYBRID_PARCELS_PARTS_H
#define FR_HYBRID_PARCELS_PARTS_H

#include "hybrid/parcels.h"

enum { PARCELS_ARRAYS = 15, PARCELS_CHUNK = 1 << 15, PARCELS_PER_ORDER = 16 };

/* Along the slow axis, of a parcel that is gone and has been moved since. Below the negative of any place. */
#define PARCELS_GONE (-65536.0f)

/* All arrays of floats that the kind of parcel has; returns their number. */
int parcels_arrays(parcels *p, float **of[PARCELS_ARRAYS]);

/* Places along an axis and the spare ones change places. */
static inline void parcels_exchange(parcels *p, int axis)
{
    float *places = p->x[axis];
    p->x[axis] = p->spare[axis];
    p->spare[axis] = places;
}

/* Work is cut into chunks of this many parcels, for any number of threads. */
static inline int parcels_chunks(int64_t count)
{
    return (int)((count + PARCELS_CHUNK - 1) / PARCELS_CHUNK);
}

static inline int64_t parcels_chunk_begin(int chunk)
{
    return (int64_t)chunk * PARCELS_CHUNK;
}

static inline int64_t parcels_chunk_end(const parcels *p, int chunk)
{
    int64_t end = (int64_t)(chunk + 1) * PARCELS_CHUNK;
    return end < p->count ? end : p->count;
}

#endif
