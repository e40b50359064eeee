/* Little-endian numbers in files, on any machine. Inline for speed: a field has many. */
#ifndef FR_IO_NUMBERS_H
#define FR_IO_NUMBERS_H

#include <string.h>

#include "base/files.h"

static inline void number_store(unsigned char *to, uint64_t bits, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(bits >> (8 * i));
}

static inline uint64_t number_load(const unsigned char *from, size_t bytes)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < bytes; i++)
        bits |= (uint64_t)from[i] << (8 * i);
    return bits;
}

/* Converts numbers in memory to little-endian order, and back. */
static inline void numbers_swap(void *values, size_t count, size_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (unsigned char *p = values; count > 0; count--, p += bytes)
        for (size_t i = 0; i < bytes / 2; i++) {
            unsigned char kept = p[i];
            p[i] = p[bytes - 1 - i];
            p[bytes - 1 - i] = kept;
        }
#else
    (void)values, (void)count, (void)bytes;
#endif
}

/* A buffered writer of numbers. */
typedef struct numbers {
    file_draft *draft;
    size_t filled;
    unsigned char buffer[64 << 10];
} numbers;

static inline void numbers_flush(numbers *to)
{
    file_put(to->draft, to->buffer, to->filled);
    to->filled = 0;
}

static inline void numbers_put(numbers *to, uint64_t bits, size_t bytes)
{
    if (to->filled + bytes > sizeof to->buffer)
        numbers_flush(to);
    number_store(to->buffer + to->filled, bits, bytes);
    to->filled += bytes;
}

static inline void numbers_put_float(numbers *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    numbers_put(to, bits, sizeof bits);
}

#endif
