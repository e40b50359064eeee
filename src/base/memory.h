/* Memory for fields: zeroed, aligned to a cache line; large blocks on huge pages. */
#ifndef FR_BASE_MEMORY_H
#define FR_BASE_MEMORY_H

#include <freshet/base.h>

/* NULL when out of memory, with FR_ERROR_MEMORY recorded. Free with memory_free. */
void *memory_alloc(size_t bytes);
void memory_free(void *block);

/* Bytes of available memory; 0: unknown. */
double memory_available(void);

#define MEMORY_NEW(type, count) ((type *)memory_alloc(sizeof(type) * (size_t)(count)))

enum { FETCH_LINE = 64 };

/* Asks for memory before it is read: where rows are short, or lie here and there, the processor does not see it coming.
   Inlined by force: gcc takes a function that does nothing else for one without effect, and leaves it out. */
static inline __attribute__((always_inline)) void fetch(const void *from, ptrdiff_t bytes)
{
    for (ptrdiff_t at = 0; at < bytes; at += FETCH_LINE)
        __builtin_prefetch((const char *)from + at);
}

#endif
