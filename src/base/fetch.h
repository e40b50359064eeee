/* Asking for memory before it is read. Where a row is short, or its parts lie here and there, the processor does not see
   it coming. Compilers take a function that does nothing else for one without effect, and leave it out unless it is
   inlined. */
#ifndef FR_BASE_FETCH_H
#define FR_BASE_FETCH_H

#include <stddef.h>

enum { FETCH_LINE = 64 };

static inline __attribute__((always_inline)) void fetch(const void *from, ptrdiff_t bytes)
{
    for (ptrdiff_t at = 0; at < bytes; at += FETCH_LINE)
        __builtin_prefetch((const char *)from + at);
}

#endif
