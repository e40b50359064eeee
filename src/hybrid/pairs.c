/* Two staggered fields side by side, in the memory that they are in. With a component to spare behind them,

     before x   before y   before z   faces x   faces y   faces z   –
     before x   before y   before z   faces x   faces y   z………………………z
     before x   y………………………………y   faces x   faces y   z………………………z
     –          y………………………………y   x………………………x         z………………………z

   each time two neighbours are free but for what is read: row r of the pairs goes where rows 2r and 2r + 1 were, so
   that the upper half of the rows can be made at once, then the upper half of what is left. */
#include "base/threads.h"
#include "hybrid/transfer.h"

typedef struct pairs_job {
    const field *velocity, *faces, *before; /* one component; velocity NULL: the faces alone */
    const extend_span *reach;
    float scale;
    float *to;
    int first; /* row */
} pairs_job;

/* The samples of a row with ghosts, from its block on, that are read: those beyond the sides are copies of the row and
   of the samples beside them. */
static extend_span pairs_span(const pairs_job *job, int row)
{
    const field *f = job->faces;
    const int high = f->size[1] + 2 * GHOST, most[2] = {f->size[1] - 1, f->size[2] - 1};
    int at[2] = {row % high - GHOST, row / high - GHOST};
    for (int a = 0; a < 2; a++)
        at[a] = at[a] < 0 ? 0 : at[a] > most[a] ? most[a] : at[a];
    const extend_span in = job->reach[at[0] + (ptrdiff_t)at[1] * f->size[1]];
    if (in.begin == in.end)
        return (extend_span){0, 0};
    return (extend_span){in.begin > 0 ? in.begin + GHOST : 0,
                         in.end < f->size[0] ? in.end + GHOST : (int32_t)f->stride[1]};
}

static void pairs_row(const pairs_job *job, int row)
{
    const ptrdiff_t along = job->faces->stride[1], at = row * along;
    const float *u = job->velocity ? job->velocity->block + at : NULL;
    const float *shift = job->faces->block + at, *taken = job->before->block + at;
    float *to = job->to + 2 * at;
    const extend_span span = pairs_span(job, row);
    for (ptrdiff_t i = span.begin; i < span.end && u; i++) {
        to[2 * i] = u[i] + job->scale * shift[i];
        to[2 * i + 1] = taken[i];
    }
    for (ptrdiff_t i = span.begin; i < span.end && !u; i++) {
        to[2 * i] = shift[i];
        to[2 * i + 1] = taken[i];
    }
}

static void pairs_rows(void *context, int begin, int end)
{
    const pairs_job *job = context;
    for (int row = begin; row < end; row++)
        pairs_row(job, job->first + row);
}

/* The first row is one of ghosts in a corner, which are never read. */
static void pairs_component(pairs_job *job)
{
    const field *f = job->faces;
    for (int end = (f->size[1] + 2 * GHOST) * (f->size[2] + 2 * GHOST); end > 1; end = job->first) {
        job->first = (end + 1) / 2;
        threads_for_cost(end - job->first, f->stride[1], pairs_rows, job);
    }
}

void transfer_pair(transfer *t, const field velocity[3], float scale, field pairs[3])
{
    float *const over[3] = {t->faces[0].block, t->before[1].block, t->faces[2].block};
    for (int a = 2; a >= 0; a--) {
        pairs_job job = {velocity ? &velocity[a] : NULL, &t->faces[a], &t->before[a], t->reach[a], scale, over[a], 0};
        pairs_component(&job);
        const field *one = &t->faces[a];
        pairs[a] = *one;
        pairs[a].block = over[a];
        pairs[a].data = over[a] + 2 * field_first(one);
        pairs[a].count = 2 * one->count;
        for (int b = 0; b < 3; b++)
            pairs[a].stride[b] = 2 * one->stride[b];
    }
}
