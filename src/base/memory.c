#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };

void *memory_alloc(size_t bytes)
{
    size_t alignment = bytes >= 4 * HUGE_PAGE ? HUGE_PAGE : CACHE_LINE;
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *block = bytes > SIZE_MAX - HUGE_PAGE ? NULL : aligned_alloc(alignment, rounded ? rounded : alignment);
    if (!block) {
        fr_fail(FR_ERROR_MEMORY, "out of memory: a block of %.1f MB could not be had", (double)bytes / 1e6);
        return NULL;
    }
#ifdef __linux__
    if (alignment == HUGE_PAGE)
        madvise(block, rounded, MADV_HUGEPAGE); /* a hint: 7 % on the pressure solve, nothing lost without it */
#endif
    memset(block, 0, rounded);
    return block;
}

void memory_free(void *block)
{
    free(block);
}
