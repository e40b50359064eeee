/* The last 32 bytes of our HDF5 files: a mark, a number of the writer's own, and the checksum of everything before
   it. HDF5 does not look beyond the end that its own header names, so every reader still opens the file; and
   ours knows that a file is whole before HDF5 reads it, which does not survive every damaged file. */
#ifndef FR_IO_SEAL_H
#define FR_IO_SEAL_H

#include "base/files.h"

typedef enum seal_kind { SEAL_CACHE = 1, SEAL_CHECKPOINT = 2 } seal_kind;

typedef struct seal {
    seal_kind kind;
    int64_t number;      /* of a checkpoint its order, of a cache file its frame */
} seal;

/* Adds the seal to all that is written so far. An error sticks to `bytes`. */
void seal_write(file_bytes *bytes, seal seal);

/* Reads the seal alone: cheap, and finds files cut short. `path` is for the message. */
fr_result seal_read(file_bytes *bytes, const char *path, seal *seal);

/* Reads it and the whole file: finds every damage. Afterwards bytes->size leaves the seal out. */
fr_result seal_check(file_bytes *bytes, const char *path, seal *seal);

#endif
