#include "grid/poisson/lattice_level.h"

#include <string.h>

#include "grid/carver.h"
#include "base/memory.h"
#include "base/threads.h"

/* Cells per work item: enough to outweigh its overhead, few enough to split a 2D block. */
enum { ITEM_CELLS = 16384 };

void lattice_layout(lattice *l, const lattice_shape *shape)
{
    *l = (lattice){0};
    for (int a = 0; a < 3; a++) {
        l->n[a] = shape->n[a];
        l->wrap[a] = shape->periodic[a] && shape->n[a] > 1;
        l->clash = l->clash || (l->wrap[a] && shape->n[a] % 2 == 1);
    }
    l->deep = l->n[2] > 1;
    int slots = (l->n[0] + 1) / 2 + (l->wrap[0] ? 2 : 0);
    l->blocks = (slots + LANES - 1) / LANES;
    l->row = (ptrdiff_t)l->blocks * LANES;
    ptrdiff_t plane = l->row * (l->n[1] + 2);
    l->plane = l->deep ? plane : 0;
    l->origin = l->row + l->plane;
    l->slots = plane * (l->deep ? l->n[2] + 2 : 1);
    l->band = ITEM_CELLS / l->n[0];
    l->band = l->band < 1 ? 1 : l->band > l->n[1] ? l->n[1] : l->band;
    l->bands = (l->n[1] + l->band - 1) / l->band;
}

static lattice_vector lattice_carve(const lattice *l, carver *c)
{
    lattice_vector v;
    for (int colour = 0; colour < 2; colour++) {
        float *part = carver_take(c, (size_t)l->slots * sizeof(float));
        v.of[colour] = part ? part + l->origin : NULL;
    }
    return v;
}

static void lattice_place(lattice *l, bool finest, carver *c)
{
    for (int a = 0; a < 2 + l->deep; a++) {
        l->w[a] = lattice_carve(l, c);
        if (!finest)
            l->side[a] = lattice_carve(l, c);
    }
    l->e = lattice_carve(l, c);
    if (l->surface)
        l->over = lattice_carve(l, c);
    l->x = lattice_carve(l, c);
    l->b = lattice_carve(l, c);
    for (int colour = 0; colour < 2; colour++) {
        uint16_t *flags = carver_take(c, (size_t)l->slots * sizeof(uint16_t));
        uint8_t *code = carver_take(c, (size_t)(l->slots / LANES));
        l->flags[colour] = flags ? flags + l->origin : NULL;
        l->code[colour] = code ? code + l->origin / LANES : NULL;
    }
    size_t rows = (size_t)l->n[1] * (size_t)l->n[2], items = (size_t)lattice_items(l);
    l->moved_rows = carver_take(c, rows);
    l->span = carver_take(c, rows * sizeof(lattice_span));
    l->strips = carver_take(c, items * sizeof(lattice_strip));
    l->load = carver_take(c, (items + 1) * sizeof(int32_t));
}

size_t lattice_bytes(const lattice *l, bool finest)
{
    lattice copy = *l;
    carver count = {0};
    lattice_place(&copy, finest, &count);
    return count.used;
}

fr_result lattice_allocate(lattice *l, bool finest)
{
    l->memory = memory_alloc(lattice_bytes(l, finest));
    if (!l->memory)
        return FR_ERROR_MEMORY;
    carver parts = {.start = l->memory};
    lattice_place(l, finest, &parts);
    return FR_OK;
}

void lattice_free(lattice *l)
{
    memory_free(l->memory);
    *l = (lattice){0};
}

typedef struct wrap_work {
    const lattice *l;
    char *to, *const *from;
    size_t unit;
    int colour;
} wrap_work;

/* Copies cells (…, source) to the ghost row (…, ghost) of this colour. A ghost cell has the i of its source, so the
   slots agree; the colour of the source follows from its indices. */
static void lattice_wrap_row(const wrap_work *w, const int ghost[2], const int source[2])
{
    const lattice *l = w->l;
    int parity = lattice_parity(w->colour, ghost[0], ghost[1]);
    const char *from = w->from[lattice_colour(parity, source[0], source[1])];
    memcpy(w->to + lattice_at(l, ghost[0], ghost[1]) * (ptrdiff_t)w->unit,
           from + lattice_at(l, source[0], source[1]) * (ptrdiff_t)w->unit, (size_t)l->row * w->unit);
}

/* The ghosts of one plane: first rows j = −1 and j = n, then cells i = −1 and i = n of every row. The order matters:
   cell i = −1 of row 0 lies in the padding of row −1. */
static void lattice_wrap_plane(const wrap_work *w, int k)
{
    const lattice *l = w->l;
    ptrdiff_t unit = (ptrdiff_t)w->unit;
    if (l->wrap[1]) {
        lattice_wrap_row(w, (int[2]){-1, k}, (int[2]){l->n[1] - 1, k});
        lattice_wrap_row(w, (int[2]){l->n[1], k}, (int[2]){0, k});
    }
    for (int end = 0; end < 2 && l->wrap[0]; end++) {
        int ghost = end ? l->n[0] : -1, source = end ? 0 : l->n[0] - 1;
        int first = lattice_colour(ghost, 0, k) == w->colour ? 0 : 1;
        for (int j = first; j < l->n[1]; j += 2)
            memcpy(w->to + lattice_slot(l, ghost, j, k) * unit,
                   w->from[lattice_colour(source, j, k)] + lattice_slot(l, source, j, k) * unit, w->unit);
    }
}

static void lattice_wrap_planes(void *context, int begin, int end)
{
    const wrap_work *w = context;
    const lattice *l = w->l;
    for (int k = begin; k < end; k++) {
        if (l->wrap[0] || l->wrap[1])
            lattice_wrap_plane(w, k);
        for (int j = 0; j < l->n[1] && l->wrap[2]; j++) {
            if (k == l->n[2] - 1)
                lattice_wrap_row(w, (int[2]){j, -1}, (int[2]){j, k});
            if (k == 0)
                lattice_wrap_row(w, (int[2]){j, l->n[2]}, (int[2]){j, k});
        }
    }
}

void lattice_wrap(const lattice *l, void *const arrays[2], size_t unit, int colour)
{
    if (!l->wrap[0] && !l->wrap[1] && !l->wrap[2])
        return;
    char *const from[2] = {arrays[0], arrays[1]};
    wrap_work w = {l, arrays[colour], from, unit, colour};
    threads_for_cost(l->n[2], (int64_t)l->n[1] * l->row, lattice_wrap_planes, &w);
}

typedef struct strip_work {
    const lattice *l;
    lattice_work work;
    void *context;
} strip_work;

static void lattice_strips(void *context, int begin, int end)
{
    const strip_work *s = context;
    const lattice_strip *first = s->l->strips + s->l->slices[0] * lattice_slice_items(s->l);
    for (int item = begin; item < end; item++)
        s->work(s->context, first + item);
}

void lattice_for(const lattice *l, lattice_work work, void *context)
{
    strip_work s = {l, work, context};
    int items = (l->slices[1] - l->slices[0]) * lattice_slice_items(l);
    int64_t cells = (int64_t)l->load[lattice_items(l)] * 2 * LANES;
    if (items > 0)
        threads_for_cost(items, cells / items, lattice_strips, &s);
}
