#include "hybrid/reseed.h"

#include <assert.h>
#include <math.h>

#include "base/random.h"
#include "base/threads.h"
#include "hybrid/place.h"
#include "hybrid/seed_parts.h"

enum { PARTS = 512 }; /* of a cell, at most */

typedef struct reseed_job {
    const reseed *r;
    parcels *p;
    int parts;         /* of a cell */
    double shallowest; /* m: no place in a cell that is less deep is deep enough */
} reseed_job;

/* Some parts of a cell. */
typedef struct reseed_set {
    uint64_t bits[PARTS / 64];
} reseed_set;

static bool reseed_in(const reseed_set *set, int part)
{
    return set->bits[part / 64] >> (part % 64) & 1;
}

static void reseed_put(reseed_set *set, int part)
{
    set->bits[part / 64] |= UINT64_C(1) << (part % 64);
}

/* The part of its cell that a parcel is in. */
static int reseed_part(const reseed_job *job, int64_t n)
{
    int along = job->r->seed.along, part = 0;
    for (int a = job->p->d.dims - 1; a >= 0; a--) {
        float x = job->p->x[a][n];
        int at = (int)((x - floorf(x)) * (float)along);
        part = part * along + (at < along ? at : along - 1);
    }
    return part;
}

/* The parcels of a cell. */
static int64_t reseed_range(const reseed_job *job, const int cell[3], int64_t *end)
{
    int64_t c = parcels_cell(job->p, cell);
    *end = job->p->start[c + 1];
    return job->p->start[c];
}

/* Whether a new parcel may come to a place. */
static bool reseed_is_deep(const reseed *r, const float x[3])
{
    double depth = -(double)place_value_fine(r->seed.surface, r->seed.fine, x);
    return depth >= r->from && (!r->seed.solid || place_value(r->seed.solid, -1, x) > 0);
}

/* The empty parts of a cell in which there is a place for a new parcel; *deep: how many parts are deep enough. Gives up
   once there can no longer be `needed` of these. */
static int reseed_room(const reseed_job *job, const int cell[3], int needed, reseed_set *room, int *deep)
{
    int64_t end, n = reseed_range(job, cell, &end);
    reseed_set taken = {{0}};
    int count = 0;
    *room = (reseed_set){{0}};
    *deep = 0;
    for (; n < end; n++)
        reseed_put(&taken, reseed_part(job, n));
    for (int part = 0; part < job->parts && *deep + job->parts - part >= needed; part++) {
        float x[3];
        seed_place(&job->r->seed, job->p, cell, part, x);
        if (!reseed_is_deep(job->r, x))
            continue;
        ++*deep;
        if (!reseed_in(&taken, part)) {
            reseed_put(room, part);
            count++;
        }
    }
    return count;
}

/* How many parcels are to come. A cell beside the surface is short of its share. */
static int reseed_short(const reseed_job *job, const int cell[3], int held, reseed_set *room)
{
    const int least = job->r->least, needed = ((held + 1) * job->parts + least - 1) / least;
    int deep, empty = reseed_room(job, cell, needed, room, &deep), wanted = least * deep / job->parts - held;
    return wanted <= 0 ? 0 : wanted < empty ? wanted : empty;
}

/* How many parcels are to come (positive) or to go (negative). */
static int reseed_change(const reseed_job *job, const int cell[3], int held, reseed_set *room)
{
    const reseed *r = job->r;
    double depth = -(double)place_centre(r->seed.surface, r->seed.fine, cell);
    if (r->deepest > 0 && depth > r->deepest)
        return 0;
    if (held > r->most && depth >= r->from)
        return r->most - held;
    if (held >= r->least || depth < job->shallowest || !seed_reaches(&r->seed, job->p, cell))
        return 0;
    return reseed_short(job, cell, held, room);
}

/* The next cell of a row, from i on, that is short or crowded and not out in the air; few are. The number of cells
   where there is none. */
static int reseed_next(const reseed_job *job, int i, int j, int k)
{
    const int n = job->p->d.n[0], least = job->r->least, most = job->r->most;
    const int32_t *start = job->p->start + parcels_cell(job->p, (int[3]){0, j, k});
    const seed *s = &job->r->seed;
    const float air = (float)-job->shallowest;
    for (; i < n; i++) {
        const int32_t held = start[i + 1] - start[i];
        const bool usual = held >= least && held <= most;
        if (!usual && !(place_centre(s->surface, s->fine, (int[3]){i, j, k}) > air))
            break;
    }
    return i;
}

/* Of a crowded cell those parcels go first that share a part of it with an earlier one. */
static void reseed_thin(const reseed_job *job, const int cell[3], int excess)
{
    int64_t end, begin = reseed_range(job, cell, &end);
    reseed_set seen = {{0}};
    bool all = excess == end - begin;
    for (int64_t n = begin; n < end && excess > 0; n++) {
        int part = reseed_part(job, n);
        if (!reseed_in(&seen, part) && !all) {
            reseed_put(&seen, part);
            continue;
        }
        parcels_remove(job->p, n);
        excess--;
    }
}

/* New parcels in empty parts, from a random one on. */
static void reseed_fill(const reseed_job *job, const int cell[3], const reseed_set *room, int wanted)
{
    int first = (int)(random_bits(job->r->seed.seed, (uint64_t)parcels_cell(job->p, cell)) % (uint64_t)job->parts);
    for (int i = 0; i < job->parts && wanted > 0; i++) {
        int part = (first + i) % job->parts;
        float x[3];
        if (!reseed_in(room, part))
            continue;
        seed_place(&job->r->seed, job->p, cell, part, x);
        seed_set(&job->r->seed, job->p, job->p->count++, x);
        wanted--;
    }
}

/* Counts what is to come to and go from each row of cells. */
static void reseed_count_rows(void *context, int begin, int end)
{
    const reseed_job *job = context;
    const domain *d = &job->p->d;
    for (int row = begin; row < end; row++) {
        int come = 0, go = 0, cell[3] = {0, row % d->n[1], row / d->n[1]};
        while ((cell[0] = reseed_next(job, cell[0], cell[1], cell[2])) < d->n[0]) {
            int64_t last, first = reseed_range(job, cell, &last);
            reseed_set room;
            int change = reseed_change(job, cell, (int)(last - first), &room);
            come += change > 0 ? change : 0;
            go += change < 0 ? -change : 0;
            cell[0]++;
        }
        job->p->row_come[row] = come;
        job->p->row_go[row] = go;
    }
}

/* Does it, `budget` parcels to come at most. Returns how many came. */
static int64_t reseed_row(const reseed_job *job, int row, int64_t budget)
{
    const domain *d = &job->p->d;
    int64_t before = job->p->count;
    int cell[3] = {0, row % d->n[1], row / d->n[1]};
    while ((cell[0] = reseed_next(job, cell[0], cell[1], cell[2])) < d->n[0]) {
        int64_t last, first = reseed_range(job, cell, &last), left = budget - (job->p->count - before);
        reseed_set room;
        int change = reseed_change(job, cell, (int)(last - first), &room);
        if (change < 0)
            reseed_thin(job, cell, -change);
        else if (change > 0 && left > 0)
            reseed_fill(job, cell, &room, change < left ? change : (int)left);
        cell[0]++;
    }
    return job->p->count - before;
}

fr_result reseed_run(const reseed *r, parcels *p, reseed_report *report)
{
    reseed_job job = {r, p, 1, r->from - (double)place_diagonal(&p->d)};
    int rows = p->d.n[1] * p->d.n[2];
    for (int a = 0; a < p->d.dims; a++)
        job.parts *= r->seed.along;
    assert(job.parts <= PARTS && r->most >= job.parts && r->least <= job.parts);
    threads_for_cost(rows, p->d.n[0], reseed_count_rows, &job);
    *report = (reseed_report){0};
    for (int row = 0; row < rows; row++) {
        report->added += p->row_come[row];
        report->removed += p->row_go[row];
    }
    int64_t budget = report->removed + (r->lacking > 0 ? r->lacking : 0);
    budget = report->added < budget ? report->added : budget;
    FR_TRY(parcels_reserve(p, p->count + budget));
    report->added = 0;
    /* where there are not enough for all cells, no row comes first in every step */
    int first = (int)(random_bits(r->seed.seed, (uint64_t)p->d.n[0] * (uint64_t)rows) % (uint64_t)rows);
    for (int n = 0; n < rows; n++) {
        int row = (first + n) % rows;
        if (p->row_come[row] + p->row_go[row])
            report->added += reseed_row(&job, row, budget - report->added);
    }
    return FR_OK;
}
