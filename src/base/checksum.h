/* XXH64, the 64-bit xxHash with seed 0: what `xxhsum -H64` prints, so that a run can be checked without Freshet.
   It finds damage; it is no protection against forgery. */
#ifndef FR_BASE_CHECKSUM_H
#define FR_BASE_CHECKSUM_H

#include "base/files.h"

typedef struct checksum {
    uint64_t lane[4];
    uint64_t length;         /* bytes so far */
    unsigned char rest[32];  /* the last length % 32 of them */
} checksum;

void checksum_begin(checksum *sum);
void checksum_add(checksum *sum, const void *data, size_t count);
uint64_t checksum_end(const checksum *sum);

uint64_t checksum_of(const void *data, size_t count);

/* Of the first `count` bytes of a file. False, with the error stuck, when they cannot be read. */
bool checksum_of_file(file_bytes *bytes, int64_t count, uint64_t *sum);

#endif
