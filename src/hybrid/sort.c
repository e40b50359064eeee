/* Stable counting sort by cell in two rounds, so that both can be shared by threads: chunks of parcels are dealt to
   layers of cells, then each layer is sorted by itself, its counters in cache. */
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"
#include "hybrid/parcels_parts.h"

static int32_t *sort_tally(const parcels *p, int chunk)
{
    return p->tally + (int64_t)chunk * p->d.n[p->slow];
}

/* Finds the cells of eight parcels within their layers, −1 for those gone; returns the layers. */
static wide_mask sort_find_eight(const parcels *p, int64_t n)
{
    wide_mask cell[3], gone = wide_load(p->x[p->slow] + n) < 0;
    for (int a = 0; a < 3; a++) {
        wide_mask at = __builtin_convertvector(wide_load(p->x[a] + n), wide_mask), beyond = at >= p->d.n[a];
        cell[a] = (beyond & (p->d.n[a] - 1)) | (~beyond & at);
    }
    wide_mask in_layer = gone | (cell[0] + p->d.n[0] * cell[p->mid]);
    memcpy(p->cell + n, &in_layer, sizeof in_layer);
    return cell[p->slow];
}

/* Finds the cell of each parcel, and counts each chunk's parcels in each layer. */
static void sort_find(void *context, int begin, int end)
{
    const parcels *p = context;
    for (int chunk = begin; chunk < end; chunk++) {
        int32_t *tally = sort_tally(p, chunk);
        memset(tally, 0, sizeof *tally * (size_t)p->d.n[p->slow]);
        for (int64_t n = parcels_chunk_begin(chunk); n < parcels_chunk_end(p, chunk); n += WIDE) {
            wide_mask layer = sort_find_eight(p, n);
            for (int l = 0; l < WIDE && n + l < p->count; l++)
                if (p->cell[n + l] >= 0)
                    tally[layer[l]]++;
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
    int arrays;
    const float *from[3];
    float *to[3];
} sort_move;

static void sort_gather(void *context, int begin, int end)
{
    const sort_move *move = context;
    const int32_t *order = move->p->order;
    for (int64_t n = parcels_chunk_begin(begin); n < parcels_chunk_end(move->p, end - 1); n++)
        for (int a = 0; a < move->arrays; a++)
            move->to[a][n] = move->from[a][order[n]];
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
    threads_for_cost(chunks, PARCELS_CHUNK, sort_find, p);
    sort_begins(p);
    threads_for_cost(chunks, PARCELS_CHUNK, sort_deal, p);
    threads_for_cost(layers, p->count / layers, sort_layers, p);
    p->count = p->sorted = p->start[domain_cells(&p->d)] = p->layer[layers];
    p->gone = 0;
    float **of[PARCELS_ARRAYS];
    int arrays = parcels_arrays(p, of);
    for (int i = 0; i < arrays; i += 3)
        sort_apply(p, of + i, arrays - i < 3 ? arrays - i : 3);
}
