#define _POSIX_C_SOURCE 200809L
#include "scene/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static fr_result source_fail(const char *path, const char *what)
{
    return fr_fail(FR_ERROR_INPUT, "%s: %s", path, what);
}

/* Before opening: a pipe would wait for ever. */
static fr_result source_examine(const char *path, size_t *bytes)
{
    struct stat info;
    if (stat(path, &info))
        return fr_fail(FR_ERROR_INPUT, "%s: cannot read the scene: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return source_fail(path, "is a folder; name a scene file, for example plume.lua");
    if (!S_ISREG(info.st_mode))
        return source_fail(path, "is not a regular file");
    if ((uintmax_t)info.st_size > SOURCE_MOST_BYTES)
        return fr_fail(FR_ERROR_INPUT, "%s: %.0f MB is too much for a scene; the limit is 8 MB", path,
                       (double)info.st_size / 1048576);
    *bytes = (size_t)info.st_size;
    return FR_OK;
}

/* Reads at most what was announced: the file may change under us. */
static fr_result source_slurp(const char *path, char *text, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return fr_fail(FR_ERROR_INPUT, "%s: cannot read the scene: %s", path, strerror(errno));
    *bytes = fread(text, 1, *bytes, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    text[*bytes] = '\0';
    return failed ? source_fail(path, "cannot read the scene: the disk reports an error") : FR_OK;
}

static fr_result source_check_text(const char *path, const char *text, size_t bytes)
{
    if (text[0] == '\033')
        return fr_fail(FR_ERROR_INPUT, "%s:1: compiled Lua is not accepted; scenes are text", path);
    const char *zero = memchr(text, '\0', bytes);
    if (!zero)
        return FR_OK;
    int line = 1;
    for (const char *c = text; c < zero; c++)
        line += *c == '\n';
    return fr_fail(FR_ERROR_INPUT, "%s:%d: the file has a zero byte; scenes are text", path, line);
}

fr_result source_read(const char *path, arena *arena, source_text *source)
{
    size_t bytes = 0;
    FR_TRY(source_examine(path, &bytes));
    char *text = arena_alloc(arena, bytes + 1);
    if (!text)
        return FR_ERROR_MEMORY;
    FR_TRY(source_slurp(path, text, &bytes));
    FR_TRY(source_check_text(path, text, bytes));
    const char *code = text;
    if (!strncmp(code, "\xef\xbb\xbf", 3))
        code += 3;
    /* The newline stays, so that lines keep their numbers. */
    if (*code == '#')
        code += strcspn(code, "\n");
    *source = (source_text){text, code, (size_t)(text + bytes - code)};
    return FR_OK;
}
