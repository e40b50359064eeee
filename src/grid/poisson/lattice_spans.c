#include "grid/poisson/lattice_spans.h"

#include <string.h>

#include "base/threads.h"

typedef struct spans_work {
    lattice *l;
    lattice_reach reach;
    const void *context;
    const lattice_array *arrays;
    int count;
} spans_work;

/* The rows of an item from the first to the last that has a span. */
static void spans_trim(lattice *l, int item)
{
    lattice_strip s = lattice_strip_whole(l, item);
    const lattice_span *span = l->span + s.k * l->n[1];
    while (s.j0 < s.j1 && lattice_span_empty(span[s.j0]))
        s.j0++;
    while (s.j1 > s.j0 && lattice_span_empty(span[s.j1 - 1]))
        s.j1--;
    l->strips[item] = s;
}

/* Sums the blocks of all items, and finds the slices that have some. */
static void spans_count(lattice *l)
{
    int items = lattice_items(l), per_slice = lattice_slice_items(l), last = 0;
    l->load[0] = 0;
    l->slices[0] = items / per_slice;
    for (int item = 0; item < items; item++) {
        const lattice_strip *s = &l->strips[item];
        const lattice_span *span = l->span + s->k * l->n[1];
        int32_t blocks = 0;
        for (int j = s->j0; j < s->j1; j++)
            blocks += span[j].end - span[j].begin;
        l->load[item + 1] = l->load[item] + blocks;
        if (blocks && item / per_slice < l->slices[0])
            l->slices[0] = item / per_slice;
        if (blocks)
            last = item / per_slice + 1;
    }
    l->slices[1] = last;
    l->slices[0] = last ? l->slices[0] : 0;
}

static void spans_widen_items(void *context, int begin, int end)
{
    const spans_work *w = context;
    lattice *l = w->l;
    for (int item = begin; item < end; item++) {
        lattice_strip s = lattice_strip_whole(l, item);
        for (int j = s.j0; j < s.j1; j++) {
            lattice_span *span = l->span + s.k * l->n[1] + j;
            *span = lattice_span_join(*span, w->reach(w->context, (int[2]){j, s.k}));
        }
        spans_trim(l, item);
    }
}

void lattice_spans_widen(lattice *l, lattice_reach reach, const void *context)
{
    spans_work w = {.l = l, .reach = reach, .context = context};
    threads_for_cost(lattice_items(l), (int64_t)l->n[0] * l->band / 4, spans_widen_items, &w);
    spans_count(l);
}

static void spans_clear(const spans_work *w, ptrdiff_t row, int begin, int end)
{
    for (const lattice_array *a = w->arrays; a < w->arrays + w->count && begin < end; a++)
        for (int colour = 0; colour < 2; colour++)
            memset((char *)a->of[colour] + (row + begin * LANES) * (ptrdiff_t)a->unit, 0,
                   (size_t)(end - begin) * LANES * a->unit);
}

static bool spans_holds(const lattice *l, ptrdiff_t block)
{
    return l->code[0][block] != BLOCK_EMPTY || l->code[1][block] != BLOCK_EMPTY;
}

static void spans_shrink_items(void *context, int begin, int end)
{
    const spans_work *w = context;
    lattice *l = w->l;
    for (int item = begin; item < end; item++) {
        lattice_strip s = l->strips[item];
        for (int j = s.j0; j < s.j1; j++) {
            lattice_span *span = l->span + s.k * l->n[1] + j, was = *span;
            ptrdiff_t row = lattice_at(l, j, s.k), first = row / LANES;
            while (span->begin < span->end && !spans_holds(l, first + span->begin))
                span->begin++;
            while (span->end > span->begin && !spans_holds(l, first + span->end - 1))
                span->end--;
            spans_clear(w, row, was.begin, span->begin);
            spans_clear(w, row, span->end, was.end);
        }
        spans_trim(l, item);
    }
}

void lattice_spans_shrink(lattice *l, const lattice_array *more, int count)
{
    enum { MOST = 8 };
    lattice_array arrays[MOST] = {{{l->x.of[0], l->x.of[1]}, sizeof(float)}, {{l->b.of[0], l->b.of[1]}, sizeof(float)}};
    spans_work w = {.l = l, .arrays = arrays, .count = 2};
    for (int a = 0; a < 3; a++)
        if (l->side[a].of[0])
            arrays[w.count++] = (lattice_array){{l->side[a].of[0], l->side[a].of[1]}, sizeof(float)};
    for (int a = 0; a < count; a++)
        arrays[w.count++] = more[a];
    threads_for_cost(lattice_items(l), (int64_t)l->band * l->blocks, spans_shrink_items, &w);
    spans_count(l);
}
