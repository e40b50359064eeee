#include "surface/source.h"

#include "base/memory.h"

fr_result source_places(source *s)
{
    for (int a = 0; a < 3; a++) {
        s->place[a] = MEMORY_NEW(double, s->n[a]);
        if (!s->place[a]) {
            source_destroy(s);
            return FR_ERROR_MEMORY;
        }
    }
    return FR_OK;
}

void source_destroy(source *s)
{
    for (int a = 0; a < 3; a++) {
        memory_free(s->place[a]);
        s->place[a] = NULL;
    }
}
