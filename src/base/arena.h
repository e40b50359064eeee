/* An arena: many small blocks that are freed together. */
#ifndef FR_BASE_ARENA_H
#define FR_BASE_ARENA_H

#include <freshet/base.h>

typedef struct arena_chunk arena_chunk;
typedef struct arena {
    arena_chunk *chunks;
} arena;

/* Zeroed memory, aligned for any type. NULL when out of memory, with the failure recorded by fr_fail. */
void *arena_alloc(arena *arena, size_t bytes);
char *arena_strdup(arena *arena, const char *text);
char *arena_printf(arena *arena, const char *format, ...) FR_PRINTF(2, 3);
void arena_free(arena *arena);

#define ARENA_NEW(arena, type, count) ((type *)arena_alloc(arena, sizeof(type) * (size_t)(count)))

#endif
