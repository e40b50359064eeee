/* Stable counting sort by cell in two rounds, so that both can be shared by threads: chunks of parcels are dealt to
   layers of cells, then each layer is sorted by itself, its counters in cache. */
#include <string.h>

#include "base/threads.h"
#include "hybrid/parcels_parts.h"

static int32_t *sort_tally(const parcels *p, int chunk)
{
    return p->tally + (int64_t)chunk * p->d.n[p->slow];
}

/* Finds the cell of each parcel, −1 for those gone, and counts each chunk's parcels in each layer. */
static void sort_find(void *context, int begin, int end)
{
    const parcels *p = context;
    int64_t plane = (int64_t)p->d.n[0] * p->d.n[p->mid];
    for (int chunk = begin; chunk < end; chunk++) {
        int32_t *tally = sort_tally(p, chunk);
        memset(tally, 0, sizeof *tally * (size_t)p->d.n[p->slow]);
        for (int64_t n = parcels_chunk_begin(chunk); n < parcels_chunk_end(p, chunk); n++) {
            int cell[3];
            p->cell[n] = -1;
            if (!parcels_has(p, n))
                continue;
            parcels_cell_of(p, n, cell);
            p->cell[n] = (int32_t)(parcels_cell(p, cell) - plane * cell[p->slow]);
            tally[cell[p->slow]]++;
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

/* Lists the parcels of each layer. */
static void sort_deal(void *context, int begin, int end)
{
    const parcels *p = context;
    for (int chunk = begin; chunk < end; chunk++) {
        int32_t *next = sort_tally(p, chunk);
        for (int64_t n = parcels_chunk_begin(chunk); n < parcels_chunk_end(p, chunk); n++)
            if (p->cell[n] >= 0) {
                int layer = (int)p->x[p->slow][n];
                p->list[next[layer < p->d.n[p->slow] ? layer : p->d.n[p->slow] - 1]++] = (int32_t)n;
            }
    }
}

/* Counting sort of each layer's list by cell. */
static void sort_layers(void *context, int begin, int end)
{
    const parcels *p = context;
    int64_t plane = (int64_t)p->d.n[0] * p->d.n[p->mid];
    for (int l = begin; l < end; l++) {
        int32_t *start = p->start + l * plane, next = p->layer[l];
        memset(start, 0, sizeof *start * (size_t)plane);
        for (int32_t i = p->layer[l]; i < p->layer[l + 1]; i++)
            start[p->cell[p->list[i]]]++;
        for (int64_t c = 0; c < plane; c++) {
            int32_t here = start[c];
            start[c] = next;
            next += here;
        }
        for (int32_t i = p->layer[l]; i < p->layer[l + 1]; i++)
            p->order[start[p->cell[p->list[i]]]++] = p->list[i];
        /* each begin has advanced to that of the next cell */
        memmove(start + 1, start, sizeof *start * (size_t)(plane - 1));
        start[0] = p->layer[l];
    }
}

typedef struct sort_move {
    const parcels *p;
    const float *from;
    float *to;
} sort_move;

static void sort_gather(void *context, int begin, int end)
{
    const sort_move *move = context;
    const int32_t *order = move->p->order;
    for (int64_t n = parcels_chunk_begin(begin); n < parcels_chunk_end(move->p, end - 1); n++)
        move->to[n] = move->from[order[n]];
}

void parcels_sort(parcels *p)
{
    int chunks = parcels_chunks(p->count), layers = p->d.n[p->slow];
    threads_for_cost(chunks, PARCELS_CHUNK, sort_find, p);
    sort_begins(p);
    threads_for_cost(chunks, PARCELS_CHUNK, sort_deal, p);
    threads_for_cost(layers, p->count / layers, sort_layers, p);
    p->count = p->sorted = p->start[domain_cells(&p->d)] = p->layer[layers];
    p->gone = 0;
    float **of[PARCELS_ARRAYS];
    int arrays = parcels_arrays(p, of);
    for (int i = 0; i < arrays; i++) {
        sort_move move = {p, *of[i], p->spare};
        threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, sort_gather, &move);
        p->spare = *of[i];
        *of[i] = move.to;
    }
}
