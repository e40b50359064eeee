/* Hands out parts of one block of memory, each at a cache line of its own. */
#ifndef FR_GRID_CARVER_H
#define FR_GRID_CARVER_H

#include <stddef.h>

/* Only counts while `start` is NULL. */
typedef struct carver {
    char *start;
    size_t used;
} carver;

static inline void *carver_take(carver *c, size_t bytes)
{
    void *part = c->start ? c->start + c->used : NULL;
    c->used += (bytes + 63) / 64 * 64;
    return part;
}

#define CARVER_TAKE(carver, type, count) ((type *)carver_take((carver), sizeof(type) * (size_t)(count)))

#endif
