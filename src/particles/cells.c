#include "particles/cells.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

/* Sorts the axes from the shortest to the longest; in 2D z comes first, with one cell. */
static void cells_order_axes(cells_layout *c)
{
    for (int a = 0; a < 3; a++)
        c->axis[a] = a;
    for (int pass = 0; pass < 2; pass++)
        for (int a = 0; a < 2; a++)
            if (c->n[c->axis[a]] > c->n[c->axis[a + 1]]) {
                int swap = c->axis[a];
                c->axis[a] = c->axis[a + 1];
                c->axis[a + 1] = swap;
            }
}

cells_layout cells_layout_of(int dims, const double low[3], const double high[3], const bool periodic[3],
                             double support)
{
    cells_layout c = {.dims = dims, .count = 1};
    for (int a = 0; a < 3; a++) {
        bool used = a < dims;
        c.low[a] = used ? low[a] : -support / 2;
        c.high[a] = used ? high[a] : support / 2;
        c.periodic[a] = used && periodic[a];
        double length = c.high[a] - c.low[a];
        int inside = (int)fmax(1, floor(length / support * (1 + 1e-9)));
        double edge = fmax(length / inside, support);
        int around = used && !c.periodic[a];
        c.n[a] = inside + 2 * around;
        c.from[a] = (float)(c.low[a] - around * edge);
        c.per_edge[a] = (float)(1 / edge);
        c.length[a] = (float)length;
        c.count *= c.n[a];
    }
    cells_order_axes(&c);
    return c;
}

void cells_destroy(cells *c)
{
    memory_free(c->start);
    memory_free(c->of);
    memory_free(c->order);
    *c = (cells){0};
}

fr_result cells_reserve(cells *c, const cells_layout *layout, int64_t particles)
{
    if (c->start && c->layout == layout && c->room >= particles)
        return FR_OK;
    cells_destroy(c);
    *c = (cells){.layout = layout, .room = particles};
    c->start = MEMORY_NEW(int32_t, layout->count + 1);
    c->of = MEMORY_NEW(int32_t, particles);
    c->order = MEMORY_NEW(int32_t, particles);
    return c->start && c->of && c->order ? FR_OK : FR_ERROR_MEMORY;
}

enum { BLOCK = 4096 };

static int cells_blocks(int64_t count) { return (int)((count + BLOCK - 1) / BLOCK); }

static int64_t cells_block_end(int64_t count, int block)
{
    int64_t end = (int64_t)(block + 1) * BLOCK;
    return end < count ? end : count;
}

typedef struct cells_job {
    cells *c;
    const particle_vector *position;
    int64_t count;
} cells_job;

static void cells_find(void *context, int begin, int end)
{
    const cells_job *job = context;
    const cells_layout *layout = job->c->layout;
    int32_t *of = job->c->of;
    for (int64_t n = (int64_t)begin * BLOCK; n < cells_block_end(job->count, end - 1); n++) {
        int at[3];
        for (int a = 0; a < 3; a++)
            at[a] = cells_along(layout, a, job->position[n][a]);
        of[n] = (int32_t)cells_number(layout, at);
    }
}

/* Counting sort: counts the particles of each cell, sums the counts to the cells' begins, and gives each particle its
   place. Then `of` is rewritten in sorted order. */
void cells_sort(cells *c, const particle_vector *position, int64_t count)
{
    assert(count <= c->room);
    cells_job job = {.c = c, .position = position, .count = count};
    threads_for(cells_blocks(count), cells_find, &job);
    memset(c->start, 0, sizeof *c->start * (size_t)(c->layout->count + 1));
    for (int64_t n = 0; n < count; n++)
        c->start[c->of[n] + 1]++;
    for (int64_t k = 0; k < c->layout->count; k++)
        c->start[k + 1] += c->start[k];
    for (int64_t n = 0; n < count; n++)
        c->order[c->start[c->of[n]]++] = (int32_t)n;
    memmove(c->start + 1, c->start,
            sizeof *c->start * (size_t)c->layout->count); /* each begin has advanced to that of the next cell */
    c->start[0] = 0;
    for (int64_t k = 0; k < c->layout->count; k++)
        for (int32_t place = c->start[k]; place < c->start[k + 1]; place++)
            c->of[place] = (int32_t)k;
}

#define CELLS_GATHER(type)                                                              \
    do {                                                                                \
        const type *from = job->from;                                                   \
        type *to = job->to;                                                             \
        for (int64_t n = first; n < last; n++)                                          \
            to[n] = from[order[n]];                                                     \
    } while (0)

typedef struct cells_move {
    const int32_t *order;
    int64_t count;
    const cells_column *columns;
    int column_count;
} cells_move;

static void cells_gather_column(const int32_t *order, const cells_column *job, int64_t first, int64_t last)
{
    typedef uint32_t four __attribute__((may_alias));
    typedef uint64_t eight __attribute__((may_alias));
    typedef struct __attribute__((may_alias)) sixteen { uint64_t part[2]; } sixteen;
    if (job->size == sizeof(sixteen))
        CELLS_GATHER(sixteen);
    else if (job->size == sizeof(eight))
        CELLS_GATHER(eight);
    else
        CELLS_GATHER(four);
}

static void cells_gather(void *context, int begin, int end)
{
    const cells_move *job = context;
    for (int c = 0; c < job->column_count; c++)
        cells_gather_column(job->order, &job->columns[c], (int64_t)begin * BLOCK,
                            cells_block_end(job->count, end - 1));
}

void cells_reorder_columns(const cells *c, int64_t count, const cells_column *columns, int column_count)
{
    cells_move job = {.order = c->order, .count = count, .columns = columns, .column_count = column_count};
    threads_for(cells_blocks(count), cells_gather, &job);
}

void cells_reorder(const cells *c, int64_t count, size_t size, const void *from, void *to)
{
    assert(size == 4 || size == 8 || size == 16);
    cells_reorder_columns(c, count, &(cells_column){size, from, to}, 1);
}
