/* What a tracker's particles were before the step. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "liquid/liquid.h"

fr_result liquid_keep_room(liquid_state *l, int64_t floats)
{
    if (floats <= l->before_room)
        return FR_OK;
    memory_free(l->before);
    l->before_room = floats + floats / 2;
    l->before = MEMORY_NEW(float, l->before_room);
    if (!l->before)
        l->before_room = 0;
    return l->before ? FR_OK : FR_ERROR_MEMORY;
}

void liquid_keep(liquid_state *l, float *const *arrays, int array_count, int64_t count)
{
    assert(array_count * count <= l->before_room);
    l->before_count = count;
    for (int a = 0; a < array_count && count > 0; a++) /* without particles there may be no arrays */
        memcpy(l->before + a * count, arrays[a], (size_t)count * sizeof(float));
}

void liquid_put_back(const liquid_state *l, float *const *arrays, int array_count)
{
    for (int a = 0; a < array_count && l->before_count > 0; a++)
        memcpy(arrays[a], l->before + a * l->before_count, (size_t)l->before_count * sizeof(float));
}
