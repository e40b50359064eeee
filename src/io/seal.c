#include "io/seal.h"

#include <string.h>

#include "base/checksum.h"

enum { SEAL_BYTES = 32, SEAL_MARK = 8, SEAL_VERSION = 1 };
static const char seal_mark[SEAL_MARK + 1] = "FRESHET\n";

/* mark | version and kind, 4 bytes each | number | checksum of the file and of the seal up to here */
static void seal_store(unsigned char *p, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        p[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t seal_load(const unsigned char *p, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

void seal_write(file_bytes *bytes, seal seal)
{
    unsigned char tail[SEAL_BYTES];
    uint64_t sum;
    memcpy(tail, seal_mark, SEAL_MARK);
    seal_store(tail + 8, SEAL_VERSION, 4);
    seal_store(tail + 12, (uint64_t)seal.kind, 4);
    seal_store(tail + 16, (uint64_t)seal.number, 8);
    int64_t end = bytes->size;
    file_bytes_write(bytes, end, tail, SEAL_BYTES - 8);
    if (bytes->error || !checksum_of_file(bytes, end + SEAL_BYTES - 8, &sum))
        return;
    seal_store(tail + 24, sum, 8);
    file_bytes_write(bytes, end + 24, tail + 24, 8);
}

static fr_result seal_parse(file_bytes *bytes, const char *path, unsigned char tail[SEAL_BYTES], seal *seal)
{
    if (bytes->size < SEAL_BYTES)
        return fr_fail(FR_ERROR_FILE, "%s is not a file of Freshet, or it was cut short", path);
    if (!file_bytes_read(bytes, bytes->size - SEAL_BYTES, tail, SEAL_BYTES))
        return fr_fail(FR_ERROR_FILE, "cannot read %s: %s", path, strerror(bytes->error));
    if (memcmp(tail, seal_mark, SEAL_MARK) != 0)
        return fr_fail(FR_ERROR_FILE, "%s is not a file of Freshet, or it was cut short", path);
    uint64_t version = seal_load(tail + 8, 4);
    if (version != SEAL_VERSION)
        return fr_fail(FR_ERROR_FILE, "%s has format %d; this program knows format %d", path, (int)version,
                       SEAL_VERSION);
    seal->kind = (seal_kind)seal_load(tail + 12, 4);
    seal->number = (int64_t)seal_load(tail + 16, 8);
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
    if (sum != seal_load(tail + 24, 8))
        return fr_fail(FR_ERROR_FILE, "%s is damaged: its checksum does not match", path);
    bytes->size -= SEAL_BYTES;
    return FR_OK;
}
