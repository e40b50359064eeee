/* Stable counting sort by cell in two rounds, so that both can be shared by threads: chunks of parcels are dealt to
   layers of cells, then each layer is sorted by itself, its counters in cache. */
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"
#include "hybrid/parcels_parts.h"

/* Parcels come from here and there: those so many places ahead are asked for. */
enum { SORT_AHEAD = 64 };

static int32_t *sort_tally(const parcels *p, int chunk)
{
    return p->tally + (int64_t)chunk * p->d.n[p->slow];
}

/* The layer of each of eight parcels; the last one for those beyond it. */
static wide_mask sort_layer(const parcels *p, wide along)
{
    wide_mask layer = __builtin_convertvector(along, wide_mask), beyond = layer >= p->d.n[p->slow];
    return (beyond & (p->d.n[p->slow] - 1)) | (~beyond & layer);
}

/* Bits of the parcels from n on that are there. */
static unsigned sort_there(const parcels *p, int64_t n, wide along)
{
    return wide_bits(along >= 0) & (p->count - n < WIDE ? (1u << (p->count - n)) - 1 : 0xff);
}

/* Counts each chunk's parcels in each layer. */
static void sort_count(void *context, int begin, int end)
{
    const parcels *p = context;
    for (int chunk = begin; chunk < end; chunk++) {
        int32_t *tally = sort_tally(p, chunk);
        memset(tally, 0, sizeof *tally * (size_t)p->d.n[p->slow]);
        for (int64_t n = parcels_chunk_begin(chunk); n < parcels_chunk_end(p, chunk); n += WIDE) {
            wide along = wide_load(p->x[p->slow] + n);
            wide_mask layer = sort_layer(p, along);
            for (unsigned lanes = sort_there(p, n, along); lanes; lanes &= lanes - 1)
                tally[layer[__builtin_ctz(lanes)]]++;
        }
    }
}

/* Turns the counts into begins: layer by layer, in it chunk by chunk. */
static void sort_begins(parcels *p)
{
    int32_t begin = 0;
    for (int l = 0; l < p->d.n[p->slow]; l++) {
        p->layer[l] = begin;
        for (int chunk = 0; chunk < parcels_chunks(p->count); chunk++) {
            int32_t *tally = sort_tally(p, chunk) + l, here = *tally;
            *tally = begin;
            begin += here;
        }
    }
    p->layer[p->d.n[p->slow]] = begin;
}

/* The parcels of each layer in their old order. It is needed until they are in the new one, which goes to `list`, and
   only then are the spare arrays. */
static int32_t *sort_list(const parcels *p)
{
    return (int32_t *)(void *)p->spare[0];
}

/* The cells of those in that list, within their layers. */
static int32_t *sort_cells(const parcels *p)
{
    return (int32_t *)(void *)p->spare[1];
}

/* Lists the parcels of each layer. */
static void sort_deal(void *context, int begin, int end)
{
    const parcels *p = context;
    int32_t *list = sort_list(p);
    for (int chunk = begin; chunk < end; chunk++) {
        int32_t *next = sort_tally(p, chunk);
        for (int64_t n = parcels_chunk_begin(chunk); n < parcels_chunk_end(p, chunk); n += WIDE) {
            wide along = wide_load(p->x[p->slow] + n);
            wide_mask layer = sort_layer(p, along);
            for (unsigned lanes = sort_there(p, n, along); lanes; lanes &= lanes - 1) {
                int l = __builtin_ctz(lanes);
                list[next[layer[l]]++] = (int32_t)n + l;
            }
        }
    }
}

/* What the cell of a parcel within its layer depends on. */
typedef struct sort_plane {
    const float *x, *y; /* places along x and the middle axis */
    int nx, ny;
} sort_plane;

static inline int32_t sort_cell(const sort_plane plane, int32_t n)
{
    int32_t i = (int32_t)plane.x[n], j = (int32_t)plane.y[n];
    i = i < plane.nx ? i : plane.nx - 1;
    j = j < plane.ny ? j : plane.ny - 1;
    return i + plane.nx * j;
}

/* Counting sort of each layer's list by cell. */
static void sort_layers(void *context, int begin, int end)
{
    const parcels *p = context;
    const sort_plane plane = {p->x[0], p->x[p->mid], p->d.n[0], p->d.n[p->mid]};
    const int64_t cells = (int64_t)plane.nx * plane.ny;
    const int32_t *restrict list = sort_list(p);
    int32_t *restrict order = p->list, *restrict cell = sort_cells(p);
    for (int l = begin; l < end; l++) {
        int32_t *restrict start = p->start + l * cells;
        int32_t next = p->layer[l], last = p->layer[l + 1];
        memset(start, 0, sizeof *start * (size_t)cells);
        for (int32_t i = next; i < last; i++) {
            const int32_t ahead = list[i + SORT_AHEAD < last ? i + SORT_AHEAD : i];
            __builtin_prefetch(plane.x + ahead);
            __builtin_prefetch(plane.y + ahead);
            start[cell[i] = sort_cell(plane, list[i])]++;
        }
        for (int64_t c = 0; c < cells; c++) {
            int32_t here = start[c];
            start[c] = next;
            next += here;
        }
        for (int32_t i = p->layer[l]; i < last; i++)
            order[start[cell[i]]++] = list[i];
        /* each begin has advanced to that of the next cell */
        memmove(start + 1, start, sizeof *start * (size_t)(cells - 1));
        start[0] = p->layer[l];
    }
}

typedef struct sort_move {
    const parcels *p;
    int arrays;
    const float *from[3];
    float *to[3];
} sort_move;

static void sort_gather(void *context, int begin, int end)
{
    const sort_move *move = context;
    const int32_t *order = move->p->list;
    const int64_t last = parcels_chunk_end(move->p, end - 1);
    for (int64_t n = parcels_chunk_begin(begin); n < last; n++)
        for (int a = 0; a < move->arrays; a++) {
            __builtin_prefetch(move->from[a] + order[n + SORT_AHEAD < last ? n + SORT_AHEAD : n]);
            move->to[a][n] = move->from[a][order[n]];
        }
}

/* Reorders up to three arrays: they change places with the spare ones. */
static void sort_apply(parcels *p, float **const *of, int arrays)
{
    sort_move move = {.p = p, .arrays = arrays};
    for (int a = 0; a < arrays; a++) {
        move.from[a] = *of[a];
        move.to[a] = p->spare[a];
    }
    threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, sort_gather, &move);
    for (int a = 0; a < arrays; a++) {
        p->spare[a] = *of[a];
        *of[a] = move.to[a];
    }
}

void parcels_sort(parcels *p)
{
    int chunks = parcels_chunks(p->count), layers = p->d.n[p->slow];
    threads_for_cost(chunks, PARCELS_CHUNK, sort_count, p);
    sort_begins(p);
    threads_for_cost(chunks, PARCELS_CHUNK, sort_deal, p);
    threads_for_cost(layers, p->count / layers, sort_layers, p);
    p->count = p->sorted = p->start[domain_cells(&p->d)] = p->layer[layers];
    p->gone = 0;
    p->age = 0;
    float **of[PARCELS_ARRAYS];
    int arrays = parcels_arrays(p, of);
    for (int i = 0; i < arrays; i += 3)
        sort_apply(p, of + i, arrays - i < 3 ? arrays - i : 3);
}
