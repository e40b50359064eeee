#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
    arena_chunk *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

enum { CHUNK_SIZE = 64 << 10, ALIGNMENT = alignof(max_align_t) };

static arena_chunk *arena_grow(arena *arena, size_t bytes)
{
    size_t size = bytes > CHUNK_SIZE ? bytes : CHUNK_SIZE;
    arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk) {
        fr_fail(FR_ERROR_MEMORY, "out of memory: a block of %zu bytes could not be allocated", size);
        return NULL;
    }
    chunk->size = size;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

void *arena_alloc(arena *arena, size_t bytes)
{
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < rounded)
        chunk = arena_grow(arena, rounded);
    if (!chunk)
        return NULL;
    void *block = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return block;
}

char *arena_strdup(arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = arena_alloc(arena, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

char *arena_printf(arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(arena, (size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void arena_free(arena *arena)
{
    for (arena_chunk *chunk = arena->chunks; chunk;) {
        arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    arena->chunks = NULL;
}
