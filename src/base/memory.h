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

#endif
