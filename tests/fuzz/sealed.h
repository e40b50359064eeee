/* Files whose checksum is right whatever is in them, so that the reader behind it is reached. */
#ifndef FUZZ_SEALED_H
#define FUZZ_SEALED_H

#include <fcntl.h>
#include <string.h>

#include "fuzz.h"
#include "io/seal.h"

enum { SEALED_TAIL = 32 };

/* Stores bytes with a new seal, in place of the one that they may have. */
static inline const char *fuzz_store_sealed(const char *name, const uint8_t *data, size_t size, seal_kind kind)
{
    if (size >= SEALED_TAIL && memcmp(data + size - SEALED_TAIL, "FRESHET\n", 8) == 0)
        size -= SEALED_TAIL;
    const char *path = fuzz_store(name, data, size);
    file_bytes bytes = {.fd = open(path, O_RDWR | O_CLOEXEC), .size = (int64_t)size};
    FUZZ_REQUIRE(bytes.fd >= 0);
    seal_write(&bytes, (seal){kind, 1});
    FUZZ_REQUIRE(bytes.error == 0);
    file_close(&bytes);
    return path;
}

#endif
