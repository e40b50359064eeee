#include "surface/drops.h"

#include <math.h>

#include "base/threads.h"
#include "surface/blocks.h"

/* The largest distance of a liquid node from a particle, plus a cell for its neighbours. */
static double drops_reach(const drops *d)
{
    double into_obstacles = d->sampler->solid.field ? (double)(d->sampler->shore + d->overlap) : 0;
    return (double)d->sampler->farthest + into_obstacles + 1.01 * d->cell;
}

/* The nodes within reach of a range of positions (m) along an axis, up to a nearby side; false when there are none. */
static bool drops_nodes(const drops *d, const source *s, int axis, const double range[2], int nodes[2])
{
    const double *place = s->place[axis], shore = (double)d->sampler->shore;
    double begin = range[0] - drops_reach(d), end = range[1] + drops_reach(d), low = place[0];
    int last = s->n[axis] - 1;
    if (!(end >= low && begin <= place[last]))
        return false;
    /* liquid near a side extends up to it */
    nodes[0] = begin < low + shore ? 0 : (int)((begin - low) / d->cell);
    nodes[1] = end > place[last] - shore ? last : (int)((end - low) / d->cell);
    nodes[0] = nodes[0] < last ? nodes[0] : last;
    nodes[1] = nodes[1] < last ? nodes[1] : last;
    return true;
}

static void drops_mark_particle(const drops *d, const source *s, blocks *b, const float place[3])
{
    int low[3], high[3], at[3];
    for (int a = 0; a < 3; a++) {
        double own = d->sampler->low[a] + (double)place[a];
        int nodes[2];
        if (!drops_nodes(d, s, a, (const double[2]){own, own}, nodes))
            return;
        low[a] = nodes[0] / BLOCK_SIDE - b->first[a];
        high[a] = nodes[1] / BLOCK_SIDE - b->first[a];
    }
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++)
                b->table[blocks_index(b, at)] = BLOCK_NEAR;
}

typedef struct drops_marking {
    const drops *drops;
    const source *source;
    blocks *blocks;
} drops_marking;

/* Whether every bin in and around the block has particles. A block at a side of the domain is needed in any case. */
static bool drops_fill_block(const drops_marking *job, const int at[3])
{
    const sampler *s = job->drops->sampler;
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        int first = BLOCK_SIDE * (job->blocks->first[a] + at[a]), next = first + BLOCK_SIDE;
        if (first == 0 || next >= job->source->n[a])
            return false;
        low[a] = job->source->place[a][first] - s->low[a] - (double)s->edge;
        high[a] = job->source->place[a][next] - s->low[a] + (double)s->edge;
    }
    return sampler_is_filled(s, low, high);
}

static void drops_find_inside(void *context, int begin, int end)
{
    const drops_marking *job = context;
    blocks *b = job->blocks;
    int at[3];
    for (at[2] = begin; at[2] < end; at[2]++)
        for (at[1] = 0; at[1] < b->n[1]; at[1]++)
            for (at[0] = 0; at[0] < b->n[0]; at[0]++) {
                int32_t *mark = &b->table[blocks_index(b, at)];
                if (*mark == BLOCK_NEAR && drops_fill_block(job, at))
                    *mark = BLOCK_INSIDE;
            }
}

static fr_result drops_mark(const source *s, blocks *b)
{
    const drops *d = s->of;
    size_t total = (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2];
    for (size_t i = 0; i < total; i++)
        b->table[i] = BLOCK_OUTSIDE;
    for (int64_t n = 0; n < d->sampler->count; n++)
        drops_mark_particle(d, s, b, d->sampler->place[n]);
    threads_for(b->n[2], drops_find_inside, &(drops_marking){d, s, b});
    return FR_OK;
}

static float drops_value(const drops *d, const double at[3])
{
    const sampler *s = d->sampler;
    float place[3], outside = s->solid.field ? -(probe_at(&s->solid, at) + d->overlap) : -INFINITY;
    if (outside > s->spacing)
        return outside;
    for (int a = 0; a < 3; a++)
        place[a] = (float)(at[a] - s->low[a]);
    return fmaxf(sampler_distance(s, place), outside);
}

static void drops_fill(const source *s, const int node[3], float *values)
{
    for (int k = 0; k < BLOCK_SIDE && node[2] + k < s->n[2]; k++)
        for (int j = 0; j < BLOCK_SIDE && node[1] + j < s->n[1]; j++)
            for (int i = 0; i < BLOCK_SIDE && node[0] + i < s->n[0]; i++) {
                const double at[3] = {s->place[0][node[0] + i], s->place[1][node[1] + j], s->place[2][node[2] + k]};
                values[block_node(i, j, k)] = drops_value(s->of, at);
            }
}

static void drops_velocity(const source *s, const double at[3], float velocity[3])
{
    const drops *d = s->of;
    float place[3];
    for (int a = 0; a < 3; a++)
        place[a] = (float)(at[a] - d->sampler->low[a]);
    sampler_velocity(d->sampler, place, velocity);
}

/* Cells of one size from the lower side on; the last one may be cut by the upper side. */
static fr_result drops_count_nodes(const drops *d, source *s)
{
    for (int a = 0; a < 3; a++) {
        double cells = ceil(d->frame->cells[a] * d->frame->spacing[a] / d->cell - 0.05);
        if (!(cells < INT32_MAX / 2))
            return fr_fail(FR_ERROR_INPUT, "the domain is %g cells long, too many for a surface; take larger ones",
                           cells);
        s->n[a] = (int)fmax(cells, 1) + 1;
    }
    return FR_OK;
}

fr_result drops_source(drops *d, double cell, double overlap, source *out, bool *empty)
{
    const fr_frame *f = d->frame;
    const sampler *sampler = d->sampler;
    d->cell = cell * f->particle_spacing;
    d->overlap = (float)(overlap * f->particle_spacing);
    *out =
        (source){.of = d, .far = sampler->radius, .mark = drops_mark, .fill = drops_fill, .velocity = drops_velocity};
    *empty = sampler->count == 0;
    FR_TRY(drops_count_nodes(d, out));
    FR_TRY(source_places(out));
    for (int a = 0; a < 3; a++) {
        int nodes[2] = {0, 0}, last = out->n[a] - 1;
        for (int i = 0; i < last; i++)
            out->place[a][i] = f->origin[a] + i * d->cell;
        out->place[a][last] = f->origin[a] + f->cells[a] * f->spacing[a];
        if (!*empty && !drops_nodes(d, out, a, (const double[2]){sampler->low[a], sampler->high[a]}, nodes))
            *empty = true;
        out->low[a] = nodes[0];
        out->high[a] = nodes[1];
    }
    if (*empty)
        source_destroy(out);
    return FR_OK;
}
