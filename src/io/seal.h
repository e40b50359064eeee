/* The last 32 bytes of caches and checkpoints: a mark, a number of the writer's own, and the checksum of everything
   before it. Readers of HDF5 do not look beyond the end that a cache's own header names, so they still open it. */
#ifndef FR_IO_SEAL_H
#define FR_IO_SEAL_H

#include "base/checksum.h"

typedef enum seal_kind { SEAL_CACHE = 1, SEAL_CHECKPOINT = 2 } seal_kind;

typedef struct seal {
    seal_kind kind;
    int64_t number;      /* of a checkpoint its order, of a cache file its frame */
} seal;

/* Adds the seal to all that is written so far, which is read again for its checksum. An error sticks to `bytes`. */
void seal_write(file_bytes *bytes, seal seal);

/* The same for a file that is written from front to back: what `sum` holds is the checksum of all bytes so far. */
void seal_put(file_draft *draft, checksum *sum, const void *data, size_t count);
void seal_end(file_draft *draft, checksum *sum, seal seal);

/* Reads the seal alone: cheap, and finds files cut short. `path` is for the message. */
fr_result seal_read(file_bytes *bytes, const char *path, seal *seal);

/* Reads it and the whole file: finds every damage. Afterwards bytes->size leaves the seal out. */
fr_result seal_check(file_bytes *bytes, const char *path, seal *seal);

#endif
