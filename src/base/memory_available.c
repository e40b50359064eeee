/* How much memory is available on this machine. */
#include <stdio.h>

#include "base/memory.h"

double memory_available(void)
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
