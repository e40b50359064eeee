/* XXH64, the 64-bit xxHash with seed 0. `xxhsum -H64` prints the same hash, so a run can be checked without Freshet.
   It detects damage, not forgery. */
#ifndef FR_BASE_CHECKSUM_H
#define FR_BASE_CHECKSUM_H

#include "base/files.h"

typedef struct checksum {
    uint64_t lane[4];
    uint64_t length;         /* bytes so far */
    unsigned char rest[32];  /* the last length % 32 bytes: an unfinished stripe */
} checksum;

void checksum_begin(checksum *sum);
void checksum_add(checksum *sum, const void *data, size_t count);
uint64_t checksum_end(const checksum *sum);

uint64_t checksum_of(const void *data, size_t count);

/* Hash of a file's first `count` bytes. False when they cannot be read; bytes->error then says why. */
bool checksum_of_file(file_bytes *bytes, int64_t count, uint64_t *sum);

#endif
