#include "io/seal.h"

#include <string.h>

#include "io/numbers.h"

/* Version 1: caches and checkpoints written through the HDF5 library. */
enum { SEAL_BYTES = 32, SEAL_MARK = 8, SEAL_VERSION = 2 };
static const char seal_mark[SEAL_MARK + 1] = "FRESHET\n";

/* mark, 8 bytes | version, 4 | kind, 4 | number, 8 | checksum of the file and of the seal up to here, 8 */
static void seal_fill(unsigned char tail[SEAL_BYTES], seal seal)
{
    memcpy(tail, seal_mark, SEAL_MARK);
    number_store(tail + 8, SEAL_VERSION, 4);
    number_store(tail + 12, (uint64_t)seal.kind, 4);
    number_store(tail + 16, (uint64_t)seal.number, 8);
}

void seal_write(file_bytes *bytes, seal seal)
{
    unsigned char tail[SEAL_BYTES];
    uint64_t sum;
    seal_fill(tail, seal);
    int64_t end = bytes->size;
    file_bytes_write(bytes, end, tail, SEAL_BYTES - 8);
    if (bytes->error || !checksum_of_file(bytes, end + SEAL_BYTES - 8, &sum))
        return;
    number_store(tail + 24, sum, 8);
    file_bytes_write(bytes, end + 24, tail + 24, 8);
}

void seal_put(file_draft *draft, checksum *sum, const void *data, size_t count)
{
    checksum_add(sum, data, count);
    file_put(draft, data, count);
}

void seal_end(file_draft *draft, checksum *sum, seal seal)
{
    unsigned char tail[SEAL_BYTES];
    seal_fill(tail, seal);
    checksum_add(sum, tail, SEAL_BYTES - 8);
    number_store(tail + 24, checksum_end(sum), 8);
    file_put(draft, tail, SEAL_BYTES);
}

static fr_result seal_parse(file_bytes *bytes, const char *path, unsigned char tail[SEAL_BYTES], seal *seal)
{
    if (bytes->size < SEAL_BYTES)
        return fr_fail(FR_ERROR_FILE, "%s is not a file of Freshet, or it was cut short", path);
    if (!file_bytes_read(bytes, bytes->size - SEAL_BYTES, tail, SEAL_BYTES))
        return fr_fail(FR_ERROR_FILE, "cannot read %s: %s", path, strerror(bytes->error));
    if (memcmp(tail, seal_mark, SEAL_MARK) != 0)
        return fr_fail(FR_ERROR_FILE, "%s is not a file of Freshet, or it was cut short", path);
    uint64_t version = number_load(tail + 8, 4);
    if (version == 1)
        return fr_fail(FR_ERROR_FILE,
                       "%s was written by Freshet 0.1.0, whose files this version cannot read: run the scene again, "
                       "or render it with that version",
                       path);
    if (version != SEAL_VERSION)
        return fr_fail(FR_ERROR_FILE, "%s has format %d; this program knows format %d", path, (int)version,
                       SEAL_VERSION);
    seal->kind = (seal_kind)number_load(tail + 12, 4);
    seal->number = (int64_t)number_load(tail + 16, 8);
    return FR_OK;
}

fr_result seal_read(file_bytes *bytes, const char *path, seal *seal)
{
    unsigned char tail[SEAL_BYTES];
    return seal_parse(bytes, path, tail, seal);
}

fr_result seal_check(file_bytes *bytes, const char *path, seal *seal)
{
    unsigned char tail[SEAL_BYTES];
    uint64_t sum;
    FR_TRY(seal_parse(bytes, path, tail, seal));
    if (!checksum_of_file(bytes, bytes->size - 8, &sum))
        return fr_fail(FR_ERROR_FILE, "cannot read %s: %s", path, strerror(bytes->error));
    if (sum != number_load(tail + 24, 8))
        return fr_fail(FR_ERROR_FILE, "%s is damaged: its checksum does not match", path);
    bytes->size -= SEAL_BYTES;
    return FR_OK;
}
