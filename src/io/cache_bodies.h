/* The rigid bodies of a cache file; cache.h describes the layout. */
#ifndef FR_IO_CACHE_BODIES_H
#define FR_IO_CACHE_BODIES_H

#include <freshet/frame.h>

#include "io/h5read.h"
#include "io/h5write.h"

/* Writes the group `bodies` and links it from `own`, the group /freshet. */
fr_result cache_put_bodies(file_draft *draft, const fr_frame *frame, h5_header *own);

/* Reads the group into new memory (memory_free); *bodies may be set after a failure, too. */
fr_result cache_get_bodies(h5_source *h5, const h5_object *group, fr_body_state **bodies, int *count);

#endif
