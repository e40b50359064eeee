/* Tells lumps apart: a watershed of the depth below the surface (Vincent & Soille 1991). Samples come in from the
   deepest to the shallowest; each goes to the basin of its deepest neighbour, or begins one. Where two basins meet they
   become one, unless it is in a neck: less deep than a part of the shallower one. So balls of any size come apart where
   they are narrowest. */
#include <string.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

enum {
    LUMPS_STEPS = 8,    /* of the depth in a cell */
    LUMPS_DEPTHS = 512, /* all that is deeper counts as alike */
    LUMPS_BASINS = 255,
    LUMPS_LEAST = 4 /* samples of a lump */
};

static const float LUMPS_NECK = 0.85f;

/* How deep below the surface the samples of a run lie, in steps; strains reach half a cell beyond it. */
static void lumps_depths(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const stress *s = context;
    const float *surface = field_row(s->problem.surface, run->first[1], run->first[2]) + run->first[0];
    const double h = domain_min_h(&s->block);
    const bool beyond = run->first[1] >= l->cells[1] || run->first[2] >= l->cells[2];
    const int inside = beyond ? 0 : l->cells[0] - run->first[0];
    for (int i = 0; i < run->n; i++) {
        const ptrdiff_t at = run->at + i;
        const bool active = l->mass.of[0][at] > 0 || l->mass.of[1][at] > 0 || l->mass.of[2][at] > 0;
        const double steps = i < inside ? LUMPS_STEPS * (0.5 - (double)surface[i] / h) : 0;
        const int depth = steps < LUMPS_DEPTHS - 1 ? (int)steps : LUMPS_DEPTHS - 1;
        s->lumps.depths[at] = (uint16_t)(active ? 1 + (depth > 0 ? depth : 0) : 0);
    }
}

/* Writes the samples of liquid into the queue, the deepest first; returns how many. */
static int lumps_sort(stress *s)
{
    const stress_level *l = &s->level[0];
    int place[LUMPS_DEPTHS + 1] = {0}, sum = 0;
    for (int r = 0; r < l->run_count; r++)
        for (int i = 0; i < l->runs[r].n; i++)
            place[s->lumps.depths[l->runs[r].at + i]]++;
    for (int d = LUMPS_DEPTHS; d > 0; d--) {
        const int count = place[d];
        place[d] = sum;
        sum += count;
    }
    for (int r = 0; r < l->run_count; r++)
        for (int i = 0; i < l->runs[r].n; i++) {
            const int at = (int)l->runs[r].at + i, depth = s->lumps.depths[at];
            if (depth > 0)
                s->lumps.queue[place[depth]++] = at;
        }
    return sum;
}

/* Basins of the depth, by their labels; `into` is the one that a basin has been joined to, or itself. */
typedef struct lumps_basins {
    int count, into[LUMPS_BASINS + 1], peak[LUMPS_BASINS + 1], size[LUMPS_BASINS + 1];
} lumps_basins;

static int lumps_root(const lumps_basins *basins, int label)
{
    while (basins->into[label] != label)
        label = basins->into[label];
    return label;
}

/* Joins two basins that meet at a depth unless what they meet in is a neck. */
static void lumps_meet(lumps_basins *basins, int one, int other, int depth)
{
    const int deep = basins->peak[one] >= basins->peak[other] ? one : other, flat = one + other - deep;
    const bool neck = (float)depth < LUMPS_NECK * (float)basins->peak[flat];
    if (!neck && one != other)
        basins->into[flat] = deep;
}

/* The label of the deepest neighbour that has one, 0: none has. Basins that meet here become one, but in a neck. */
static int lumps_join(const stress *s, lumps_basins *basins, ptrdiff_t at)
{
    const stress_level *l = &s->level[0];
    const stress_lumps *lumps = &s->lumps;
    int mine = 0, deepest = -1;
    for (int side = 0; side < 2 * l->dims; side++) {
        const ptrdiff_t to = at + (side % 2 ? l->stride[side / 2] : -l->stride[side / 2]);
        const int label = lumps->labels[to], beside = lumps->depths[to];
        if (!label)
            continue;
        if (mine && label != mine)
            lumps_meet(basins, lumps_root(basins, mine), lumps_root(basins, label), lumps->depths[at] - 1);
        mine = beside > deepest ? label : mine;
        deepest = beside > deepest ? beside : deepest;
    }
    return mine;
}

static void lumps_pour(stress *s, lumps_basins *basins, int at)
{
    int mine = lumps_join(s, basins, at);
    if (!mine && basins->count < LUMPS_BASINS) {
        mine = ++basins->count;
        basins->into[mine] = mine;
        basins->peak[mine] = s->lumps.depths[at] - 1;
    }
    s->lumps.labels[at] = (uint8_t)mine;
    basins->size[mine]++;
}

/* Makes the sizes of basins those of all that has been joined to them. */
static void lumps_count(lumps_basins *basins)
{
    for (int b = 1; b <= basins->count; b++)
        if (basins->into[b] != b) {
            basins->size[lumps_root(basins, b)] += basins->size[b];
            basins->size[b] = 0;
        }
}

/* Numbers the largest basins; label 0 is none. */
static void lumps_choose(stress *s, const lumps_basins *basins, uint8_t number[LUMPS_BASINS + 1])
{
    stress_lumps *lumps = &s->lumps;
    memset(number, 0, LUMPS_BASINS + 1);
    while (lumps->count < STRESS_LUMPS) {
        int largest = 0;
        for (int b = 1; b <= basins->count; b++)
            if (basins->into[b] == b && !number[b] && (!largest || basins->size[b] > basins->size[largest]))
                largest = b;
        if (!largest || basins->size[largest] < LUMPS_LEAST)
            break;
        number[largest] = (uint8_t)++lumps->count;
    }
    for (int b = 1; b <= basins->count; b++)
        number[b] = number[lumps_root(basins, b)];
}

typedef struct lumps_names {
    stress *s;
    uint8_t number[LUMPS_BASINS + 1];
} lumps_names;

/* Labels a run by lumps; how many samples of liquid have none. */
static void lumps_name(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)l;
    const lumps_names *names = context;
    const stress_lumps *lumps = &names->s->lumps;
    int left = 0;
    for (ptrdiff_t at = run->at; at < run->at + run->n; at++) {
        lumps->labels[at] = names->number[lumps->labels[at]];
        left += lumps->depths[at] && !lumps->labels[at];
    }
    names->s->partial[index] = left;
}

/* The neighbours of a sample that are liquid without a label; how many. */
static int lumps_bare(const stress *s, ptrdiff_t at, int to[6])
{
    const stress_level *l = &s->level[0];
    int count = 0;
    for (int side = 0; side < 2 * l->dims; side++) {
        const ptrdiff_t next = at + (side % 2 ? l->stride[side / 2] : -l->stride[side / 2]);
        if (s->lumps.depths[next] && !s->lumps.labels[next])
            to[count++] = (int)next;
    }
    return count;
}

/* Hands the labels on to all that hangs together with them. */
static void lumps_flood(stress *s)
{
    const stress_level *l = &s->level[0];
    stress_lumps *lumps = &s->lumps;
    int waiting = 0, to[6];
    for (int r = 0; r < l->run_count; r++)
        for (ptrdiff_t at = l->runs[r].at; at < l->runs[r].at + l->runs[r].n; at++)
            if (lumps->labels[at] && lumps_bare(s, at, to) > 0)
                lumps->queue[waiting++] = (int)at;
    for (int done = 0; done < waiting; done++) {
        const int bare = lumps_bare(s, lumps->queue[done], to);
        for (int i = 0; i < bare; i++) {
            lumps->labels[to[i]] = lumps->labels[lumps->queue[done]];
            lumps->queue[waiting++] = to[i];
        }
    }
}

/* Marks the samples of a run that have a component without an unknown. */
static void lumps_mark(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const stress *s = context;
    for (ptrdiff_t at = run->at; at < run->at + run->n; at++) {
        bool all = true;
        for (int a = 0; a < l->dims; a++)
            all = all && l->inverse.of[a][at] > 0;
        s->lumps.labels[at] |= all ? 0 : STRESS_RAGGED;
    }
}

/* Basins, and then all of the liquid by the nearest; of a single lump the labels are of no use. */
void stress_label_lumps(stress *s)
{
    const stress_level *l = &s->level[0];
    stress_lumps *lumps = &s->lumps;
    lumps_basins basins = {0};
    lumps_names names = {.s = s};
    const size_t span = (size_t)stress_offset(l, (int[3]){l->n[0], l->n[1] - 1, l->n[2] - 1});
    memset(lumps->labels, 0, span);
    memset(lumps->depths, 0, sizeof(uint16_t) * span);
    lumps->count = 0;
    stress_for_runs(l, lumps_depths, s);
    const int count = lumps_sort(s);
    for (int i = 0; i < count; i++)
        lumps_pour(s, &basins, lumps->queue[i]);
    lumps_count(&basins);
    lumps_choose(s, &basins, names.number);
    if (lumps->count < 2)
        return;
    stress_for_runs(l, lumps_name, &names);
    if (threads_sum(s->partial, l->run_count) > 0)
        lumps_flood(s);
    stress_for_runs(l, lumps_mark, s);
}
