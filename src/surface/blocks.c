#include "surface/blocks.h"

#include "base/memory.h"
#include "base/threads.h"

static const double most_blocks = 1 << 28;

static size_t blocks_total(const blocks *b)
{
    return (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
}

static fr_result blocks_size(blocks *b)
{
    const source *s = b->source;
    double total = 1;
    for (int a = 0; a < 3; a++) {
        b->first[a] = s->low[a] / BLOCK_SIDE;
        b->n[a] = s->high[a] / BLOCK_SIDE - b->first[a] + 1;
        total *= b->n[a];
    }
    if (!(total <= most_blocks))
        return fr_fail(FR_ERROR_INPUT,
                       "the liquid is too far apart for a surface: a box around it has %.3g cells; take larger ones",
                       total * BLOCK_NODES);
    b->table = MEMORY_NEW(int32_t, total);
    return b->table ? FR_OK : FR_ERROR_MEMORY;
}

/* Appends the marked blocks to the stored ones. */
static fr_result blocks_store(blocks *b)
{
    size_t total = blocks_total(b), found = 0;
    for (size_t i = 0; i < total; i++)
        found += b->table[i] == BLOCK_NEAR;
    if (found + (size_t)b->count > INT32_MAX / BLOCK_NODES)
        return fr_fail(FR_ERROR_UNSUPPORTED, "the liquid's surface has too many cells; take larger ones");
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
                    stored[b->count].node[a] = BLOCK_SIDE * (b->first[a] + at[a]);
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
    const source *s = job->blocks->source;
    for (int n = begin; n < end; n++) {
        block *block = &job->blocks->stored[job->first + n];
        s->fill(s, block->node, block->value);
    }
}

/* Whether any of the block's nodes that border its neighbour at `step` is not what that was assumed to be: all liquid,
   or all air. */
static bool blocks_differs_from(const block *block, const int step[3], bool liquid)
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = step[a] > 0 ? BLOCK_SIDE - 1 : 0;
        high[a] = step[a] < 0 ? 0 : BLOCK_SIDE - 1;
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++)
                if ((block->value[block_node(i, j, k)] < 0) != liquid)
                    return true;
    return false;
}

/* Marks blocks that were assumed to be all liquid, or all air, but border the other at a stored block from `first` on,
   as where liquid goes on into an obstacle: they must be evaluated. Returns their number. */
static int64_t blocks_mark_doubtful(blocks *b, int32_t first)
{
    int64_t doubted = 0;
    for (int32_t n = first; n < b->count; n++)
        for (int d = 0; d < 27; d++) {
            const int step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
            int at[3];
            bool beyond = false;
            for (int a = 0; a < 3; a++) {
                at[a] = b->stored[n].node[a] / BLOCK_SIDE - b->first[a] + step[a];
                beyond = beyond || at[a] < 0 || at[a] >= b->n[a];
            }
            int32_t *mark = beyond ? NULL : &b->table[blocks_index(b, at)];
            if (!mark || (*mark != BLOCK_INSIDE && *mark != BLOCK_OUTSIDE) ||
                !blocks_differs_from(&b->stored[n], step, *mark == BLOCK_INSIDE))
                continue;
            *mark = BLOCK_NEAR;
            doubted++;
        }
    return doubted;
}

static fr_result blocks_fill(blocks *b)
{
    FR_TRY(b->source->mark(b->source, b));
    int32_t first;
    do {
        first = b->count;
        FR_TRY(blocks_store(b));
        threads_for(b->count - first, blocks_evaluate, &(blocks_job){b, first});
    } while (blocks_mark_doubtful(b, first) > 0);
    return FR_OK;
}

fr_result blocks_create(const source *s, blocks *out)
{
    *out = (blocks){.source = s};
    fr_result result = blocks_size(out);
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

/* The part of a window that lies in the neighbour at `step`. */
static void blocks_window_part(const blocks *b, const block *block, const int step[3], float *window)
{
    int node[3], low[3], high[3];
    for (int a = 0; a < 3; a++) {
        node[a] = block->node[a] + step[a] * BLOCK_SIDE;
        low[a] = step[a] < 0 ? -1 : step[a] > 0 ? BLOCK_SIDE : 0;
        high[a] = step[a] < 0 ? 0 : step[a] > 0 ? BLOCK_SIDE + 2 : BLOCK_SIDE;
        high[a] = high[a] < b->source->n[a] - block->node[a] ? high[a] : b->source->n[a] - block->node[a];
    }
    if (node[0] < 0 || node[1] < 0 || node[2] < 0)
        return;
    int32_t found = blocks_find(b, node);
    float uniform = found == BLOCK_INSIDE ? -b->source->far : b->source->far;
    const float *value = found >= 0 ? b->stored[found].value : NULL;
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++)
            for (int i = low[0]; i < high[0]; i++)
                window[window_node(i, j, k)] =
                    value ? value[block_node(i & (BLOCK_SIDE - 1), j & (BLOCK_SIDE - 1), k & (BLOCK_SIDE - 1))]
                          : uniform;
}

void blocks_window(const blocks *b, const block *block, float window[WINDOW_NODES])
{
    for (int i = 0; i < WINDOW_NODES; i++)
        window[i] = 0;
    for (int d = 0; d < 27; d++)
        blocks_window_part(b, block, (const int[3]){d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1}, window);
}
