/* Blocks of memory for fields: aligned to a cache line, zeroed, on huge pages where they are large. */
#ifndef FR_BASE_MEMORY_H
#define FR_BASE_MEMORY_H

#include <freshet/base.h>

/* NULL with a recorded FR_ERROR_MEMORY when there is none. Freed with memory_free. */
void *memory_alloc(size_t bytes);
void memory_free(void *block);

/* Bytes that the machine has free; 0: it does not say. */
double memory_available(void);

#define MEMORY_NEW(type, count) ((type *)memory_alloc(sizeof(type) * (size_t)(count)))

#endif
