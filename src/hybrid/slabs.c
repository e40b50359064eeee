#include "hybrid/slabs.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "grid/field.h"

enum { SLAB = 8, DRIFT = 3, REACH = DRIFT + 1 }; /* layers */

typedef struct slabs_pass {
    const slabs_job *job;
    const slabs_packet *packets; /* of all parcels; NULL: they are not known */
    int odd;
} slabs_pass;

static int slabs_count(const parcels *p)
{
    return (p->d.n[p->slow] + SLAB - 1) / SLAB;
}

static int64_t slabs_begin(const parcels *p, int slab)
{
    int layers = p->d.n[p->slow], layer = slab * SLAB;
    return p->sorted ? p->layer[layer < layers ? layer : layers] : 0;
}

/* Rows of cells along x that are open: those of the cells low … high − 1 along y and z. */
typedef struct slabs_box {
    int low[2], high[2];
} slabs_box;

WIDE_INLINE void slabs_place(const parcels *p, slabs_group *g)
{
    const wide_mask bit = {1, 2, 4, 8, 16, 32, 64, 128};
    g->used = ((int32_t)g->lanes & bit) != 0;
    for (int a = 0; a < 3; a++)
        g->x[a] = slabs_load(g, p->x[a]);
    if (g->lanes == 0xff)
        return;
    for (int a = 0; a < 3; a++)
        g->x[a] = wide_choose(g->used, g->x[a], wide_all(g->x[a][__builtin_ctz(g->lanes)]));
}

static bool slabs_is_open(const slabs_box *box, const slabs_group *g)
{
    wide_mask inside = g->used | ~g->used;
    for (int a = 0; a < 2; a++)
        inside &= (g->x[a + 1] >= (float)box->low[a]) & (g->x[a + 1] < (float)box->high[a]);
    return wide_every(inside);
}

/* The rows that a group is in join the box, or make a new one where it would grow too large. */
static void slabs_grow(slabs_box *box, const domain *d, const slabs_group *g)
{
    enum { LARGEST = 4 };
    slabs_box own;
    bool joined = true;
    for (int a = 0; a < 2; a++) {
        const int last = d->n[a + 1] - 1, low = (int)wide_least(g->x[a + 1]), high = (int)wide_greatest(g->x[a + 1]);
        own.low[a] = low < last ? low : last;
        own.high[a] = (high < last ? high : last) + 1;
        joined = joined && box->high[a] > box->low[a] && box->high[a] - own.low[a] <= LARGEST &&
                 own.high[a] - box->low[a] <= LARGEST;
    }
    for (int a = 0; a < 2 && joined; a++) {
        own.low[a] = box->low[a] < own.low[a] ? box->low[a] : own.low[a];
        own.high[a] = box->high[a] > own.high[a] ? box->high[a] : own.high[a];
    }
    *box = own;
}

/* Opens rows that have not been; those that have are noted in row_come. */
static void slabs_open(const slabs_job *job, const slabs_box *box)
{
    for (int k = box->low[1]; k < box->high[1]; k++)
        for (int j = box->low[0]; j < box->high[0]; j++) {
            int32_t *open = &job->p->row_come[j + job->p->d.n[1] * k];
            if (!*open)
                job->open(job->context, j, k);
            *open = 1;
        }
}

/* Adds those of a group's parcels whose bits are set. */
WIDE_INLINE void slabs_add(const slabs_job *job, slabs_box *box, slabs_group *g, unsigned lanes)
{
    if (!lanes)
        return;
    g->lanes = lanes;
    slabs_place(job->p, g);
    if (job->open && !slabs_is_open(box, g)) {
        slabs_grow(box, &job->p->d, g);
        slabs_open(job, box);
    }
    job->add(job->context, g);
}

/* The layers that a slab's parcels may be in; others are strays. */
typedef struct slabs_range {
    int low, high; /* [low, high) */
} slabs_range;

/* Whether parcels from n on are a packet that adds nothing, and no stray is among them. */
static bool slabs_passes(const slabs_pass *pass, int64_t n, int64_t end, slabs_range range)
{
    if (!pass->packets || n % SLABS_PACKET || n + SLABS_PACKET > end)
        return false;
    const slabs_packet *packet = &pass->packets[n / SLABS_PACKET];
    const int low = packet->low[pass->job->p->slow], high = packet->high[pass->job->p->slow];
    return packet->silent && low >= range.low && high < range.high;
}

/* Adds the parcels of a slab that are within its reach and lists the others in its own part of `list`. Returns the
   number of those. With packets, groups begin where packets do. */
static int32_t slabs_add_slab(const slabs_pass *pass, int slab)
{
    const parcels *p = pass->job->p;
    int64_t begin = slabs_begin(p, slab), end = slabs_begin(p, slab + 1), next;
    const slabs_range range = {slab * SLAB > DRIFT ? slab * SLAB - DRIFT : 0, slab * SLAB + SLAB + DRIFT};
    wide low = wide_all((float)range.low), high = wide_all((float)range.high);
    slabs_box box = {{0, 0}, {0, 0}};
    slabs_group group = {.index = NULL}; /* one for all: to clear it for each takes longer than to look at its places */
    int32_t strays = 0;
    for (int64_t n = begin; n < end; n = next) {
        next = n + SLABS_PACKET;
        if (slabs_passes(pass, n, end, range))
            continue;
        group.first = n;
        for (int a = 0; a < 3; a++)
            fetch(p->x[a] + n + SLABS_AHEAD, FETCH_LINE);
        next = pass->packets ? n / WIDE * WIDE + WIDE : n + WIDE;
        wide along = wide_load(p->x[p->slow] + n);
        const int64_t count = (next < end ? next : end) - n;
        unsigned valid = (1u << count) - 1;
        unsigned near = wide_bits((along >= low) & (along < high)) & valid, there = wide_bits(along >= 0) & valid;
        for (unsigned far = there & ~near; far; far &= far - 1)
            p->list[begin + strays++] = (int32_t)(n + __builtin_ctz(far));
        slabs_add(pass->job, &box, &group, near);
    }
    return strays;
}

/* Every second slab. Even ones clear all layers in their reach first: no other even slab reaches those. */
static void slabs_part(void *context, int begin, int end)
{
    const slabs_pass *pass = context;
    const slabs_job *job = pass->job;
    for (int item = begin; item < end; item++) {
        int slab = 2 * item + pass->odd;
        if (!pass->odd && !job->open)
            job->clear(job->context, slab * SLAB - REACH, slab * SLAB + SLAB + REACH);
        if (slab >= slabs_count(job->p) || slabs_begin(job->p, slab) == slabs_begin(job->p, slab + 1))
            continue;
        job->p->strays[slab] = slabs_add_slab(pass, slab);
    }
}

static void slabs_add_list(const slabs_job *job, const int32_t *index, int64_t count)
{
    slabs_box box = {{0, 0}, {0, 0}};
    int32_t which[WIDE];
    slabs_group group = {.index = which};
    for (int64_t n = 0; n < count; n += WIDE) {
        int used = count - n < WIDE ? (int)(count - n) : WIDE;
        for (int l = 0; l < WIDE; l++)
            which[l] = index[n + (l < used ? l : 0)];
        slabs_add(job, &box, &group, used < WIDE ? (1u << used) - 1 : 0xff);
    }
}

/* Parcels behind the sorted ones; returns their number. */
static int64_t slabs_add_new(const slabs_job *job)
{
    const parcels *p = job->p;
    int64_t count = 0;
    for (int64_t n = p->sorted; n < p->count; n++)
        if (parcels_has(p, n))
            p->list[p->sorted + count++] = (int32_t)n;
    slabs_add_list(job, p->list + p->sorted, count);
    return count;
}

int64_t slabs_run_packets(const slabs_job *job, const slabs_packet *packets)
{
    const parcels *p = job->p;
    int layers = p->d.n[p->slow] + 1 + 2 * GHOST, slabs = slabs_count(p);
    int evens = (layers + REACH + 2 * SLAB - 1) / (2 * SLAB);
    int64_t cost = p->count / (slabs > 1 ? slabs : 1);
    if (job->open)
        memset(p->row_come, 0, sizeof *p->row_come * (size_t)(p->d.n[1] * p->d.n[2]));
    threads_for_cost(evens, cost, slabs_part, &(slabs_pass){job, packets, 0});
    threads_for_cost(slabs / 2, cost, slabs_part, &(slabs_pass){job, packets, 1});
    int64_t strays = 0;
    for (int slab = 0; slab < slabs; slab++) {
        int64_t begin = slabs_begin(p, slab);
        if (begin == slabs_begin(p, slab + 1))
            continue;
        slabs_add_list(job, p->list + begin, p->strays[slab]);
        strays += p->strays[slab];
    }
    return strays + slabs_add_new(job);
}

int64_t slabs_run(const slabs_job *job)
{
    return slabs_run_packets(job, NULL);
}
