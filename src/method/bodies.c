#include "method/bodies.h"

#include "base/memory.h"

fr_result bodies_create(const fr_obstacle_def *def, int count, bodies *out)
{
    *out = (bodies){.count = count, .def = def, .of = MEMORY_NEW(body, count)};
    if (!out->of)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        FR_TRY(motion_over(&def[i], 0, 0, &out->of[i].motion));
        out->of[i].moves = motion_moves(&def[i]);
        out->of[i].present = true;
        out->of[i].temperature = def[i].temperature;
    }
    return FR_OK;
}

void bodies_destroy(bodies *b)
{
    memory_free(b->of);
    *b = (bodies){0};
}

void bodies_release(bodies *b, int index, bool pushed)
{
    b->of[index].moves = b->of[index].free = true;
    b->of[index].rigid = pushed;
}

fr_result bodies_move(bodies *b, double from, double to)
{
    for (int i = 0; i < b->count; i++)
        if (b->of[i].moves && !b->of[i].free)
            FR_TRY(motion_over(&b->def[i], from, to, &b->of[i].motion));
    return FR_OK;
}
