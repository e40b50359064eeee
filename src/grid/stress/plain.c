/* Samples around which nothing is held or missing: most of a liquid, also of one with solids in it. */
#include <string.h>

#include "grid/stress/parts.h"

/* Whether a sample lies so near an end of an axis that it has to do with it. With marks that is so for the ends of
   periodic axes, too. */
static bool plain_at_end(const stress *s, int axis, int at)
{
    const stress_level *l = &s->level[0];
    return (s->problem.marks || !l->periodic[axis]) && (at < 1 || at > l->cells[axis] - 2);
}

/* Adds the marks of a row of faces, and of those in the rows around it. */
static void plain_collect(const stress *s, int axis, const int from[3], int count, uint8_t *marked)
{
    const int deep = s->block.dims == 3;
    field layout;
    field_layout(&s->block, field_face(axis), &layout);
    for (int k = -deep; k <= deep; k++)
        for (int j = -1; j <= 1; j++) {
            const uint8_t *marks = s->problem.marks[axis] + field_offset(&layout, from[0] + GHOST, from[1] + j + GHOST,
                                                                         from[2] + k + GHOST);
            for (int i = 0; i < count; i++)
                marked[i] |= marks[i];
        }
}

void stress_find_plain(const stress *s, const int from[3], int count, bool plain[STRESS_RUN])
{
    uint8_t marked[STRESS_RUN + 2] = {0}; /* of the samples before and after as well */
    bool inside = true;
    for (int a = 1; a < s->block.dims; a++)
        inside = inside && !plain_at_end(s, a, from[a]);
    for (int i = 0; i < count; i++)
        plain[i] = inside && !plain_at_end(s, 0, from[0] + i);
    if (!inside || !s->problem.marks)
        return;
    const int low = from[0] > 0 ? from[0] - 1 : 0, last = s->level[0].cells[0] - 1;
    const int high = from[0] + count < last ? from[0] + count : last;
    for (int a = 0; a < s->block.dims; a++)
        plain_collect(s, a, (int[3]){low, from[1], from[2]}, high - low + 1, marked + low - from[0] + 1);
    for (int i = 0; i < count; i++)
        plain[i] = plain[i] && (marked[i] | marked[i + 1] | marked[i + 2]) == DIFFUSION_FREE;
}
