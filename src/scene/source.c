#include "scene/source.h"

#include <stdio.h>
#include <string.h>

#include "base/input.h"

static fr_result source_open(const char *path, input_file *in)
{
    if (!input_open(path, in)) {
        if (!strcmp(in->trouble, "is a folder"))
            return fr_fail(FR_ERROR_INPUT, "%s: is a folder; name a scene file, for example plume.lua", path);
        return fr_fail(FR_ERROR_INPUT, "%s: cannot read the scene: it %s", path, in->trouble);
    }
    if ((uint64_t)in->bytes <= SOURCE_MOST_BYTES)
        return FR_OK;
    fclose(in->stream);
    return fr_fail(FR_ERROR_INPUT, "%s: %.0f MB is too much for a scene; the limit is 8 MB", path,
                   (double)in->bytes / 1048576);
}

/* Reads at most the size found before: the file may grow meanwhile. */
static fr_result source_slurp(const char *path, arena *arena, char **text, size_t *bytes)
{
    input_file in;
    FR_TRY(source_open(path, &in));
    *text = arena_alloc(arena, (size_t)in.bytes + 1);
    *bytes = *text ? fread(*text, 1, (size_t)in.bytes, in.stream) : 0;
    bool failed = ferror(in.stream) != 0;
    fclose(in.stream);
    if (!*text)
        return FR_ERROR_MEMORY;
    (*text)[*bytes] = '\0';
    return failed ? fr_fail(FR_ERROR_INPUT, "%s: cannot read the scene: the disk reports an error", path) : FR_OK;
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
    char *text = NULL;
    FR_TRY(source_slurp(path, arena, &text, &bytes));
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
