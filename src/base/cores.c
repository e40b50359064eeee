#define _GNU_SOURCE
#include "base/cores.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096 };

static int cores_bound_to(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);   /* the machine has more cores than a cpu_set_t holds */
}

/* The first line of a file; false without one. */
static bool cores_read(const char *folder, const char *name, char *line, int size)
{
    char path[2 * PATH_LENGTH];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, size, file);
    if (file)
        fclose(file);
    return read;
}

/* CPU limit of one cgroup in cores: quota / period. INFINITY without a limit, which is written "max 100000" (version 2)
   or -1 (version 1). */
static double cores_of_group(const char *folder)
{
    char line[64], period_line[64];
    double quota = 0, period = 0;
    if (cores_read(folder, "cpu.max", line, sizeof line))
        sscanf(line, "%lf %lf", &quota, &period);
    else if (cores_read(folder, "cpu.cfs_quota_us", line, sizeof line) &&
             cores_read(folder, "cpu.cfs_period_us", period_line, sizeof period_line)) {
        quota = strtod(line, NULL);
        period = strtod(period_line, NULL);
    }
    return quota > 0 && period > 0 && isfinite(quota) ? quota / period : INFINITY;
}

/* The smallest limit among a cgroup and its ancestors up to the root. */
static double cores_up(const char *root, const char *group)
{
    char folder[PATH_LENGTH];
    if (snprintf(folder, sizeof folder, "%s%s", root, group) >= (int)sizeof folder)
        return INFINITY;
    double least = INFINITY;
    for (size_t length = strlen(folder); length >= strlen(root); length--)
        if (length == strlen(root) || (folder[length] == '/' && length > 0) || folder[length] == 0) {
            folder[length] = 0;
            least = fmin(least, cores_of_group(folder));
        }
    return least;
}

/* Whether the comma-separated list contains the "cpu" controller. */
static bool cores_names_cpu(const char *list)
{
    for (const char *name = list; name; name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL)
        if (!strncmp(name, "cpu", 3) && (name[3] == 0 || name[3] == ','))
            return true;
    return false;
}

int cores_of_groups(const char *groups, const char *root)
{
    FILE *file = fopen(groups, "r");
    char line[PATH_LENGTH], folder[2 * PATH_LENGTH];
    double least = INFINITY;
    while (file && fgets(line, sizeof line, file)) {
        /* Version 2: "0::/path". Version 1: "4:cpu,cpuacct:/path", with one folder per list of controllers. */
        line[strcspn(line, "\n")] = 0;
        char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = 0;
        list++;
        snprintf(folder, sizeof folder, "%s%s%s", root, *list ? "/" : "", list);
        if (!*list || cores_names_cpu(list))
            least = fmin(least, cores_up(folder, path));
    }
    if (file)
        fclose(file);
    return isfinite(least) ? (int)fmax(1, ceil(fmin(least, 1e6))) : 0;
}

int cores_count(void)
{
    static _Atomic int count;
    if (!atomic_load(&count)) {
        int bound = cores_bound_to(), share = cores_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
        int cores = share > 0 && share < bound ? share : bound;
        atomic_store(&count, cores > 0 ? cores : 1);
    }
    return atomic_load(&count);
}
