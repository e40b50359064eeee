#include "surface/blocks.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"

/* A mark used only while the table is filled: to be stored. */
enum { BLOCK_NEAR = -3 };

static const double most_blocks = 1 << 28;

/* The largest distance of a liquid node from a particle, plus a cell for its neighbours. */
static double blocks_reach(const blocks *b)
{
    return (double)b->sampler->farthest + 1.01 * b->cell;
}

/* The table covers everything within reach of a particle, up to a nearby side of the domain, plus one block. */
static fr_result blocks_size(blocks *b, const double origin[3])
{
    double size = BLOCK_SIDE * b->cell, total = 1;
    for (int a = 0; a < 3; a++) {
        double reach = blocks_reach(b) + (double)b->sampler->shore + 1.01 * b->cell;
        double low = floor((b->sampler->low[a] - reach - origin[a]) / size) - 1;
        double high = floor((b->sampler->high[a] + reach - origin[a]) / size) + 1;
        b->origin[a] = origin[a] + low * size - b->sampler->low[a];
        total *= high - low + 1;
        b->n[a] = total <= most_blocks ? (int)(high - low + 1) : 0;
    }
    if (!(total <= most_blocks))
        return fr_fail(FR_ERROR_INPUT,
                       "the liquid's particles lie too far from each other for a surface: cells of %.3g m all over the "
                       "box around them would be too many; take larger ones",
                       b->cell);
    b->table = MEMORY_NEW(int32_t, total);
    return b->table ? FR_OK : FR_ERROR_MEMORY;
}

static void blocks_mark_particle(blocks *b, const float place[3])
{
    int low[3], high[3], at[3];
    double size = BLOCK_SIDE * b->cell, reach = blocks_reach(b);
    for (int a = 0; a < 3; a++) {
        const sampler *s = b->sampler;
        /* liquid near a side extends up to it */
        double sides[2] = {(double)s->domain[0][a] - 1.01 * b->cell, (double)s->domain[1][a] + 1.01 * b->cell};
        double begin = place[a] - reach, end = place[a] + reach;
        begin = begin < sides[0] + (double)s->shore ? fmin(begin, sides[0]) : begin;
        end = end > sides[1] - (double)s->shore ? fmax(end, sides[1]) : end;
        low[a] = (int)((begin - b->origin[a]) / size);
        high[a] = (int)((end - b->origin[a]) / size);
    }
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++)
                b->table[blocks_index(b, at)] = BLOCK_NEAR;
}

/* Marks blocks as all liquid where every bin in and around the block has particles. */
static void blocks_find_inside(void *context, int begin, int end)
{
    blocks *b = context;
    int at[3];
    for (at[2] = begin; at[2] < end; at[2]++)
        for (at[1] = 0; at[1] < b->n[1]; at[1]++)
            for (at[0] = 0; at[0] < b->n[0]; at[0]++) {
                int32_t *mark = &b->table[blocks_index(b, at)];
                double low[3], high[3];
                for (int a = 0; a < 3; a++) {
                    low[a] = b->origin[a] + at[a] * BLOCK_SIDE * b->cell - (double)b->sampler->edge;
                    high[a] = low[a] + BLOCK_SIDE * b->cell + 2 * (double)b->sampler->edge;
                }
                if (*mark == BLOCK_NEAR && sampler_is_filled(b->sampler, low, high))
                    *mark = BLOCK_INSIDE;
            }
}

static void blocks_mark(blocks *b)
{
    size_t total = (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
    for (size_t i = 0; i < total; i++)
        b->table[i] = BLOCK_OUTSIDE;
    for (int64_t n = 0; n < b->sampler->count; n++)
        blocks_mark_particle(b, b->sampler->place[n]);
    threads_for(b->n[2], blocks_find_inside, b);
}

/* Appends the marked blocks to the stored ones. */
static fr_result blocks_store(blocks *b)
{
    size_t total = (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2], found = 0;
    for (size_t i = 0; i < total; i++)
        found += b->table[i] == BLOCK_NEAR;
    if (found + (size_t)b->count > INT32_MAX / BLOCK_NODES)
        return fr_fail(FR_ERROR_UNSUPPORTED, "the liquid's surface has too many cells of %.3g m; take larger ones",
                       b->cell);
    block *stored = MEMORY_NEW(block, found + (size_t)b->count);
    if (!stored)
        return FR_ERROR_MEMORY;
    for (int32_t i = 0; i < b->count; i++)
        stored[i] = b->stored[i];
    memory_free(b->stored);
    b->stored = stored;
    int at[3];
    for (at[2] = 0; at[2] < b->n[2]; at[2]++)
        for (at[1] = 0; at[1] < b->n[1]; at[1]++)
            for (at[0] = 0; at[0] < b->n[0]; at[0]++) {
                int32_t *mark = &b->table[blocks_index(b, at)];
                if (*mark != BLOCK_NEAR)
                    continue;
                *mark = b->count;
                for (int a = 0; a < 3; a++)
                    stored[b->count].at[a] = at[a];
                b->count++;
            }
    return FR_OK;
}

typedef struct blocks_job {
    blocks *blocks;
    int32_t first;
} blocks_job;

static void blocks_evaluate(void *context, int begin, int end)
{
    const blocks_job *job = context;
    for (int n = begin; n < end; n++) {
        block *block = &job->blocks->stored[job->first + n];
        int node[3], i = 0;
        float place[3];
        for (node[2] = 0; node[2] < BLOCK_SIDE; node[2]++)
            for (node[1] = 0; node[1] < BLOCK_SIDE; node[1]++)
                for (node[0] = 0; node[0] < BLOCK_SIDE; node[0]++) {
                    blocks_place(job->blocks, block, node, place);
                    block->value[i++] = sampler_closed_distance(job->blocks->sampler, place);
                }
    }
}

/* Whether any of the block's nodes that border its neighbour at `step` is in the air. */
static bool blocks_open_towards(const block *block, const int step[3])
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = step[a] > 0 ? BLOCK_SIDE - 1 : 0;
        high[a] = step[a] < 0 ? 0 : BLOCK_SIDE - 1;
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++)
                if (!(block->value[block_node(i, j, k)] < 0))
                    return true;
    return false;
}

/* Marks blocks that were assumed to be all liquid but border air at a stored block from `first` on: they must be
   evaluated. Returns their number. */
static int64_t blocks_mark_doubtful(blocks *b, int32_t first)
{
    int64_t doubted = 0;
    for (int32_t n = first; n < b->count; n++)
        for (int d = 0; d < 27; d++) {
            const int step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
            int at[3] = {b->stored[n].at[0] + step[0], b->stored[n].at[1] + step[1], b->stored[n].at[2] + step[2]};
            bool beyond = false;
            for (int a = 0; a < 3; a++)
                beyond = beyond || at[a] < 0 || at[a] >= b->n[a];
            if (beyond || b->table[blocks_index(b, at)] != BLOCK_INSIDE || !blocks_open_towards(&b->stored[n], step))
                continue;
            b->table[blocks_index(b, at)] = BLOCK_NEAR;
            doubted++;
        }
    return doubted;
}

static fr_result blocks_fill(blocks *b)
{
    blocks_mark(b);
    int32_t first;
    do {
        first = b->count;
        FR_TRY(blocks_store(b));
        threads_for(b->count - first, blocks_evaluate, &(blocks_job){b, first});
    } while (blocks_mark_doubtful(b, first) > 0);
    return FR_OK;
}

fr_result blocks_create(const sampler *s, const double origin[3], double cell, blocks *out)
{
    *out = (blocks){.sampler = s, .cell = cell};
    fr_result result = blocks_size(out, origin);
    if (result == FR_OK)
        result = blocks_fill(out);
    if (result != FR_OK)
        blocks_destroy(out);
    return result;
}

void blocks_destroy(blocks *b)
{
    memory_free(b->table);
    memory_free(b->stored);
    b->table = NULL;
    b->stored = NULL;
}
