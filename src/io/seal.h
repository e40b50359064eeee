/* The last 32 bytes of caches and checkpoints: a magic mark, a number that the writer chooses, and the checksum of
   everything before. HDF5 readers ignore bytes beyond the end-of-file address, so they can still open a cache. */
#ifndef FR_IO_SEAL_H
#define FR_IO_SEAL_H

#include "base/checksum.h"

typedef enum seal_kind { SEAL_CACHE = 1, SEAL_CHECKPOINT = 2 } seal_kind;

typedef struct seal {
    seal_kind kind;
    int64_t number;      /* checkpoint: its order; cache: its frame */
} seal;

/* Appends the seal. The file is read again for its checksum. `bytes` remembers errors. */
void seal_write(file_bytes *bytes, seal seal);

/* The same for a file that is written from front to back: seal_put writes and hashes data, seal_end appends the
   seal. */
void seal_put(file_draft *draft, checksum *sum, const void *data, size_t count);
void seal_end(file_draft *draft, checksum *sum, seal seal);

/* Reads only the seal: cheap, and detects truncated files. `path` is for the message. */
fr_result seal_read(file_bytes *bytes, const char *path, seal *seal);

/* Reads the seal and the whole file: detects any damage. Afterwards bytes->size excludes the seal. */
fr_result seal_check(file_bytes *bytes, const char *path, seal *seal);

#endif
