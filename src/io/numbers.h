/* Numbers into a file, little-endian whatever the machine, gathered in a buffer. Inline: a field has many of them. */
#ifndef FR_IO_NUMBERS_H
#define FR_IO_NUMBERS_H

#include <string.h>

#include "base/files.h"

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
    for (size_t i = 0; i < bytes; i++)
        to->buffer[to->filled + i] = (unsigned char)(bits >> (8 * i));
    to->filled += bytes;
}

static inline void numbers_put_float(numbers *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    numbers_put(to, bits, sizeof bits);
}

#endif
