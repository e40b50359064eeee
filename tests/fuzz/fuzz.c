#define _XOPEN_SOURCE 700
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static pid_t owner;

static void fuzz_remove_folder(void)
{
    DIR *dir = owner == getpid() ? opendir(folder) : NULL;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

static void fuzz_make_folder(void)
{
    snprintf(folder, sizeof folder, "%s/freshet-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    FUZZ_REQUIRE(mkdtemp(folder));
    owner = getpid();
    atexit(fuzz_remove_folder);
}

const char *fuzz_path(const char *name)
{
    static char path[128];
    if (!*folder)
        fuzz_make_folder();
    snprintf(path, sizeof path, "%s%s%s", folder, *name ? "/" : "", name);
    return path;
}

const char *fuzz_store(const char *name, const void *data, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    FUZZ_REQUIRE(file);
    FUZZ_REQUIRE(fwrite(data, 1, size, file) == size);
    FUZZ_REQUIRE(fclose(file) == 0);
    return path;
}

/* Blocks that cannot be had are a case like others. Read by the sanitizer where there is one. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
