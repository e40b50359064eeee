/* XXH64 by its specification (Collet, "xxHash fast digest algorithm", version 0.1.1): four lanes each take 8 bytes of
   every 32-byte stripe and are merged into one; the remaining bytes are added 8, 4 and 1 at a time. */
#include "base/checksum.h"

#include <string.h>

static const uint64_t PRIME_1 = 0x9E3779B185EBCA87u;
static const uint64_t PRIME_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t PRIME_3 = 0x165667B19E3779F9u;
static const uint64_t PRIME_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t PRIME_5 = 0x27D4EB2F165667C5u;

static uint64_t checksum_rotate(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

/* Little-endian on every machine; compilers turn the loop into one load. */
static uint64_t checksum_load(const unsigned char *p, int bytes)
{
    uint64_t v = 0;
    for (int i = 0; i < bytes; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static uint64_t checksum_round(uint64_t lane, uint64_t input)
{
    return checksum_rotate(lane + input * PRIME_2, 31) * PRIME_1;
}

static void checksum_stripes(checksum *sum, const unsigned char *p, size_t stripes)
{
    uint64_t a = sum->lane[0], b = sum->lane[1], c = sum->lane[2], d = sum->lane[3];
    for (; stripes > 0; stripes--, p += 32) {
        a = checksum_round(a, checksum_load(p, 8));
        b = checksum_round(b, checksum_load(p + 8, 8));
        c = checksum_round(c, checksum_load(p + 16, 8));
        d = checksum_round(d, checksum_load(p + 24, 8));
    }
    sum->lane[0] = a, sum->lane[1] = b, sum->lane[2] = c, sum->lane[3] = d;
}

void checksum_begin(checksum *sum)
{
    *sum = (checksum){.lane = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1}};
}

void checksum_add(checksum *sum, const void *data, size_t count)
{
    const unsigned char *p = data;
    size_t held = sum->length % 32;
    sum->length += count;
    if (held > 0) {
        size_t taken = count < 32 - held ? count : 32 - held;
        memcpy(sum->rest + held, p, taken);
        p += taken;
        count -= taken;
        if (held + taken < 32)
            return;
        checksum_stripes(sum, sum->rest, 1);
    }
    checksum_stripes(sum, p, count / 32);
    if (count % 32 > 0)
        memcpy(sum->rest, p + count / 32 * 32, count % 32);
}

static uint64_t checksum_fold(const checksum *sum)
{
    if (sum->length < 32)
        return PRIME_5;
    const uint64_t *lane = sum->lane;
    uint64_t h = checksum_rotate(lane[0], 1) + checksum_rotate(lane[1], 7) + checksum_rotate(lane[2], 12)
        + checksum_rotate(lane[3], 18);
    for (int i = 0; i < 4; i++)
        h = (h ^ checksum_round(0, lane[i])) * PRIME_1 + PRIME_4;
    return h;
}

uint64_t checksum_end(const checksum *sum)
{
    uint64_t h = checksum_fold(sum) + sum->length;
    const unsigned char *p = sum->rest;
    size_t left = sum->length % 32;
    for (; left >= 8; left -= 8, p += 8)
        h = checksum_rotate(h ^ checksum_round(0, checksum_load(p, 8)), 27) * PRIME_1 + PRIME_4;
    if (left >= 4) {
        h = checksum_rotate(h ^ checksum_load(p, 4) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        left -= 4;
        p += 4;
    }
    for (; left > 0; left--, p++)
        h = checksum_rotate(h ^ *p * PRIME_5, 11) * PRIME_1;
    h = (h ^ h >> 33) * PRIME_2;
    h = (h ^ h >> 29) * PRIME_3;
    return h ^ h >> 32;
}

uint64_t checksum_of(const void *data, size_t count)
{
    checksum sum;
    checksum_begin(&sum);
    checksum_add(&sum, data, count);
    return checksum_end(&sum);
}

bool checksum_of_file(file_bytes *bytes, int64_t count, uint64_t *out)
{
    enum { PIECE = 64 << 10 };
    unsigned char piece[PIECE];
    checksum sum;
    checksum_begin(&sum);
    for (int64_t at = 0; at < count; at += PIECE) {
        size_t some = count - at < PIECE ? (size_t)(count - at) : PIECE;
        if (!file_bytes_read(bytes, at, piece, some))
            return false;
        checksum_add(&sum, piece, some);
    }
    *out = checksum_end(&sum);
    return true;
}
