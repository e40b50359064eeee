/* Shared by the tests of io: a temporary folder, small file helpers, and made-up frames. Include first. */
#ifndef TEST_IO_WORKSPACE_H
#define TEST_IO_WORKSPACE_H

#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <freshet/io.h>

#define WORKSPACE_UNUSED __attribute__((unused))

static char workspace[64];

WORKSPACE_UNUSED static int workspace_make(void **state)
{
    (void)state;
    snprintf(workspace, sizeof workspace, "/tmp/freshet_io_XXXXXX");
    return mkdtemp(workspace) ? 0 : -1;
}

static int workspace_remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

WORKSPACE_UNUSED static int workspace_remove(void **state)
{
    (void)state;
    return nftw(workspace, workspace_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* A path in the workspace; good until the 64th call after. */
WORKSPACE_UNUSED static const char *in_workspace(const char *name)
{
    static char paths[64][512];
    static int next;
    char *path = paths[next++ % 64];
    snprintf(path, sizeof paths[0], "%s/%s", workspace, name);
    return path;
}

WORKSPACE_UNUSED static unsigned char *load_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = calloc(*size + 1, 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

WORKSPACE_UNUSED static void store_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

WORKSPACE_UNUSED static void store_text(const char *path, const char *text)
{
    store_file(path, text, strlen(text));
}

WORKSPACE_UNUSED static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* A disk with room for files of at most `bytes`; RLIM_INFINITY ends it. */
WORKSPACE_UNUSED static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A small generator, the same numbers everywhere. */
WORKSPACE_UNUSED static uint32_t test_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

WORKSPACE_UNUSED static void assert_message_has(const char *text)
{
    if (!strstr(fr_error_message(), text))
        fail_msg("the message \"%s\" does not have \"%s\"", fr_error_message(), text);
}

/* Counts warnings; a log sink. */
WORKSPACE_UNUSED static void count_warnings(void *context, fr_log_level level, const char *message)
{
    (void)message;
    *(int *)context += level == FR_LOG_WARNING;
}

#endif
