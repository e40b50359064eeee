/* Free memory of the machine and resident memory of this process. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "world/world.h"

double fr_memory_available(void)
{
    return memory_available();
}

double world_resident_mb(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;
    if (file) {
        if (fscanf(file, "%*d %ld", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return 1e-6 * (double)pages * (double)sysconf(_SC_PAGESIZE);
}
