/* Memory: every request may be refused. The C library's own names for its functions spare us looking them up, which
   may need memory itself. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);

static bool memory_is_refused(void)
{
    return !plan_is_off() && plan_ask(FAULT_ALLOC) == FAULT_FAIL;
}

void *malloc(size_t size)
{
    return memory_is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return memory_is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return memory_is_refused() ? NULL : __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size)
{
    return memory_is_refused() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    int before = errno;
    void *given = memalign(alignment, size);
    errno = before;
    if (!given)
        return ENOMEM;
    *block = given;
    return 0;
}
