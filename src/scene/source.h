/* The text of a scene file. */
#ifndef FR_SCENE_SOURCE_H
#define FR_SCENE_SOURCE_H

#include "base/arena.h"

#define SOURCE_MOST_BYTES ((size_t)8 << 20)

typedef struct source_text {
    const char *text; /* as it was read, ends with '\0'; in the arena */
    const char *code; /* the same without a byte order mark and a first line that starts with '#' */
    size_t length;    /* of the code */
} source_text;

/* Failures read "path: what is wrong". */
fr_result source_read(const char *path, arena *arena, source_text *source);

#endif
