/* The particles of a cache file; cache.h describes the layout. */
#ifndef FR_IO_CACHE_PARTICLES_H
#define FR_IO_CACHE_PARTICLES_H

#include <freshet/frame.h>

#include "io/h5write.h"

/* Writes the group `particles` and links it from `own`, the group /freshet. */
fr_result cache_put_particles(file_draft *draft, const fr_frame *frame, h5_header *own);

#endif
