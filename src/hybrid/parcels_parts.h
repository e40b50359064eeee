/* What the files of the store share. */
#ifndef FR_HYBRID_PARCELS_PARTS_H
#define FR_HYBRID_PARCELS_PARTS_H

#include "hybrid/parcels.h"

enum { PARCELS_ARRAYS = 15, PARCELS_CHUNK = 1 << 15 };

#define PARCELS_GONE (-1024.0f) /* place along the slow axis of a parcel that was removed */

/* All arrays of floats that the kind of parcel has; returns their number. */
int parcels_arrays(parcels *p, float **of[PARCELS_ARRAYS]);

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
