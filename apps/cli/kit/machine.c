#define _DEFAULT_SOURCE
#include "kit/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

double machine_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#ifdef _SC_PHYS_PAGES
double machine_memory(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
#else
double machine_memory(void)
{
    return 0;
}
#endif

#ifdef _SC_NPROCESSORS_ONLN
int machine_cores(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
#else
int machine_cores(void)
{
    return 1;
}
#endif

double machine_load(void)
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

fr_result machine_can_write(const char *path)
{
    text folder = {0};
    text_add(&folder, "%s", path);
    fr_result result = FR_OK;
    while (access(folder.data, F_OK)) {
        char *slash = strrchr(folder.data, '/');
        if (!slash || slash == folder.data) {
            strcpy(folder.data, slash ? "/" : ".");
            break;
        }
        *slash = 0;
    }
    if (access(folder.data, W_OK))
        result = fr_fail(FR_ERROR_FILE, "cannot write into %s: %s; choose another folder with -o", folder.data,
                         strerror(errno));
    text_free(&folder);
    return result;
}

double machine_disk_free(const char *path)
{
    text folder = {0};
    text_add(&folder, "%s", path);
    struct statvfs disk;
    int failed;
    while ((failed = statvfs(folder.data, &disk)) != 0) {
        char *slash = strrchr(folder.data, '/');
        if (!slash) {
            failed = statvfs(".", &disk);
            break;
        }
        if (slash == folder.data) {
            failed = statvfs("/", &disk);
            break;
        }
        *slash = 0;
    }
    text_free(&folder);
    bool unknown = failed || disk.f_blocks == 0;   /* /proc and similar file systems have no blocks */
    return unknown ? -1 : (double)disk.f_bavail * (double)disk.f_frsize;
}

/* The value of a "key : value" line of a file in /proc. */
static bool machine_line(const char *path, const char *key, char *value, size_t size)
{
    FILE *file = fopen(path, "r");
    char line[512];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        found = true;
    }
    if (file)
        fclose(file);
    return found;
}

void machine_processor(char *name, size_t size)
{
    if (!machine_line("/proc/cpuinfo", "model name", name, size))
        snprintf(name, size, "unknown");
}

machine_stamp machine_now(void)
{
    machine_stamp stamp;
    time_t now = time(NULL);
    struct tm parts;
    strftime(stamp.text, sizeof stamp.text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    return stamp;
}

void machine_describe(json *json)
{
    char processor[256];
    machine_processor(processor, sizeof processor);
    struct utsname system;
    json_open(json, "machine");
    json_string(json, "processor", processor);
    json_number(json, "cores", machine_cores());
    json_number(json, "memory_bytes", machine_memory());
    if (uname(&system) == 0) {
        json_string(json, "system", system.sysname);
        json_string(json, "release", system.release);
        json_string(json, "architecture", system.machine);
    }
    json_close(json);
}

static double machine_status(const char *key)
{
    char value[64];
    return machine_line("/proc/self/status", key, value, sizeof value) ? 1024 * strtod(value, NULL) : 0;
}

double machine_resident(void)
{
    return machine_status("VmRSS");
}

double machine_peak(void)
{
    return machine_status("VmHWM");
}
