/* What memory the machine has free, and what this process takes. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>

#include "world/world.h"

double fr_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    double kilobytes = 0;
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return 1024 * kilobytes;
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
