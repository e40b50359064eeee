/* See cache.h. */
#ifndef FR_IO_CACHE_PARTICLES_H
#define FR_IO_CACHE_PARTICLES_H

#include <freshet/frame.h>

#include "io/h5write.h"

/* Puts the group `particles` into the cache's own group. */
fr_result cache_put_particles(file_draft *draft, const fr_frame *frame, h5_header *own);

#endif
