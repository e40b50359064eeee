/* Tells lumps apart: a watershed of the depth below the surface (Vincent & Soille 1991). Samples come in from the
   deepest to the shallowest; each goes to the basin of its deepest neighbour, or begins one. Where two basins meet they
   become one, unless it is in a neck: less deep than a part of the shallower one. So balls of any size come apart where
   they are narrowest. */
#include <math.h>
#include <string.h>

#include "grid/stress/parts.h"

enum {
    LUMPS_STEPS = 8,    /* of the depth in a cell */
    LUMPS_DEPTHS = 512, /* all that is deeper counts as alike */
    LUMPS_BASINS = 255,
    LUMPS_LEAST = 4 /* samples of a lump */
};

static const float LUMPS_NECK = 0.85f;

static void lumps_place(const stress_level *l, int index, int at[3])
{
    at[0] = index % l->n[0];
    at[1] = index / l->n[0] % l->n[1];
    at[2] = index / l->n[0] / l->n[1];
}

static bool lumps_is_active(const stress *s, const int at[3])
{
    const stress_level *l = &s->level[0];
    const ptrdiff_t to = stress_offset(l, at);
    return l->mass.of[0][to] > 0 || l->mass.of[1][to] > 0 || l->mass.of[2][to] > 0;
}

/* Hands the labels of `waiting` samples in the queue on to all that hang together with them. */
static void lumps_flood(stress *s, int waiting)
{
    const stress_level *l = &s->level[0];
    stress_lumps *lumps = &s->lumps;
    for (int done = 0; done < waiting; done++) {
        int at[3];
        lumps_place(l, lumps->queue[done], at);
        for (int side = 0; side < 2 * l->dims; side++) {
            int to[3] = {at[0], at[1], at[2]};
            to[side / 2] += side % 2 ? 1 : -1;
            if (to[side / 2] < 0 || to[side / 2] >= l->n[side / 2])
                continue;
            const int next = stress_lump_index(l, to);
            if (lumps->labels[next] || !lumps_is_active(s, to))
                continue;
            lumps->labels[next] = lumps->labels[lumps->queue[done]];
            lumps->queue[waiting++] = next;
        }
    }
}

/* How deep below the surface a sample lies, in steps; strains reach half a cell beyond it. −1 where there is no liquid.
 */
static int lumps_depth(const stress *s, const int at[3])
{
    if (!lumps_is_active(s, at))
        return -1;
    for (int a = 0; a < s->block.dims; a++)
        if (at[a] >= s->level[0].cells[a])
            return 0;
    const double cells = 0.5 - (double)field_row(s->problem.surface, at[1], at[2])[at[0]] / domain_min_h(&s->block);
    return (int)fmin(fmax(LUMPS_STEPS * cells, 0), LUMPS_DEPTHS - 1);
}

/* Writes the samples of liquid into the queue, the deepest first; returns how many. */
static int lumps_sort(stress *s)
{
    const stress_level *l = &s->level[0];
    const int samples = l->n[0] * l->n[1] * l->n[2];
    int place[LUMPS_DEPTHS] = {0}, at[3];
    for (int i = 0; i < samples; i++) {
        lumps_place(l, i, at);
        const int depth = lumps_depth(s, at);
        if (depth >= 0)
            place[LUMPS_DEPTHS - 1 - depth]++;
    }
    for (int d = 0, sum = 0; d < LUMPS_DEPTHS; d++) {
        const int count = place[d];
        place[d] = sum;
        sum += count;
    }
    for (int i = 0; i < samples; i++) {
        lumps_place(l, i, at);
        const int depth = lumps_depth(s, at);
        if (depth >= 0)
            s->lumps.queue[place[LUMPS_DEPTHS - 1 - depth]++] = i;
    }
    return place[LUMPS_DEPTHS - 1];
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
    if (!neck && one != other) {
        basins->into[flat] = deep;
        basins->size[deep] += basins->size[flat];
    }
}

/* The label of the deepest neighbour that has one, 0: none has. Basins that meet here become one, but in a neck. */
static int lumps_join(const stress *s, lumps_basins *basins, const int at[3])
{
    const stress_level *l = &s->level[0];
    const int depth = lumps_depth(s, at);
    int mine = 0, deepest = -1;
    for (int side = 0; side < 2 * l->dims; side++) {
        int to[3] = {at[0], at[1], at[2]};
        to[side / 2] += side % 2 ? 1 : -1;
        const bool outside = to[side / 2] < 0 || to[side / 2] >= l->n[side / 2];
        const int label = outside ? 0 : s->lumps.labels[stress_lump_index(l, to)];
        if (!label)
            continue;
        const int beside = lumps_depth(s, to);
        if (mine)
            lumps_meet(basins, lumps_root(basins, mine), lumps_root(basins, label), depth);
        mine = beside > deepest ? label : mine;
        deepest = beside > deepest ? beside : deepest;
    }
    return mine;
}

static void lumps_pour(stress *s, lumps_basins *basins, int index)
{
    int at[3];
    lumps_place(&s->level[0], index, at);
    int mine = lumps_join(s, basins, at);
    if (!mine && basins->count < LUMPS_BASINS) {
        mine = ++basins->count;
        basins->into[mine] = mine;
        basins->peak[mine] = lumps_depth(s, at);
        basins->size[mine] = 0;
    }
    s->lumps.labels[index] = (uint8_t)mine;
    basins->size[lumps_root(basins, mine)]++;
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

/* Basins, and then all of the liquid by the nearest. */
void stress_label_lumps(stress *s)
{
    const stress_level *l = &s->level[0];
    stress_lumps *lumps = &s->lumps;
    const int samples = l->n[0] * l->n[1] * l->n[2], count = lumps_sort(s);
    lumps_basins basins = {0};
    uint8_t number[LUMPS_BASINS + 1];
    memset(lumps->labels, 0, (size_t)samples);
    for (int i = 0; i < count; i++)
        lumps_pour(s, &basins, lumps->queue[i]);
    lumps_choose(s, &basins, number);
    int waiting = 0;
    for (int i = 0; i < samples; i++) {
        lumps->labels[i] = number[lumps->labels[i]];
        if (lumps->labels[i])
            lumps->queue[waiting++] = i;
    }
    if (lumps->count > 1)
        lumps_flood(s, waiting);
}
