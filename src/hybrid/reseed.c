#include "hybrid/reseed.h"

#include <assert.h>
#include <math.h>

#include "base/random.h"
#include "base/threads.h"
#include "hybrid/place.h"
#include "hybrid/seed_parts.h"

typedef struct reseed_job {
    const reseed *r;
    parcels *p;
    int parts; /* of a cell */
} reseed_job;

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

/* How many parcels are to come (positive) or to go (negative). */
static int reseed_change(const reseed_job *job, const int cell[3], int held)
{
    const reseed *r = job->r;
    const domain *d = &job->p->d;
    double depth = -(double)field_row(r->seed.surface, cell[1], cell[2])[cell[0]];
    bool solid = r->seed.solid && field_row(r->seed.solid, cell[1], cell[2])[cell[0]] < (float)domain_min_h(d);
    if (r->deepest > 0 && depth > r->deepest + domain_min_h(d))
        return -held;
    if (held > r->most)
        return r->most - held;
    bool fill = depth >= r->from && !(r->deepest > 0 && depth > r->deepest) && !solid;
    return fill && held < r->least ? r->least - held : 0;
}

static int64_t reseed_range(const reseed_job *job, const int cell[3], int64_t *end)
{
    int64_t c = parcels_cell(job->p, cell);
    *end = job->p->start[c + 1];
    return job->p->start[c];
}

/* Of a crowded cell those parcels go first that share a part of it with an earlier one. */
static void reseed_thin(const reseed_job *job, const int cell[3], int excess)
{
    int64_t end, begin = reseed_range(job, cell, &end);
    uint64_t seen = 0;
    bool all = excess == end - begin;
    for (int64_t n = begin; n < end && excess > 0; n++) {
        uint64_t part = UINT64_C(1) << reseed_part(job, n);
        if (!(seen & part) && !all) {
            seen |= part;
            continue;
        }
        parcels_remove(job->p, n);
        excess--;
    }
}

/* New parcels in empty parts, from a random one on. */
static void reseed_fill(const reseed_job *job, const int cell[3], int wanted)
{
    int64_t end, n = reseed_range(job, cell, &end);
    uint64_t taken = 0;
    for (; n < end; n++)
        taken |= UINT64_C(1) << reseed_part(job, n);
    int first = (int)(random_bits(job->r->seed.seed, (uint64_t)parcels_cell(job->p, cell)) % (uint64_t)job->parts);
    for (int i = 0; i < job->parts && wanted > 0; i++) {
        int part = (first + i) % job->parts;
        float x[3];
        if (taken >> part & 1)
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
        int come = 0, go = 0;
        for (int i = 0; i < d->n[0]; i++) {
            int cell[3] = {i, row % d->n[1], row / d->n[1]};
            int64_t last, first = reseed_range(job, cell, &last);
            int change = reseed_change(job, cell, (int)(last - first));
            come += change > 0 ? change : 0;
            go += change < 0 ? -change : 0;
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
    for (int i = 0; i < d->n[0]; i++) {
        int cell[3] = {i, row % d->n[1], row / d->n[1]};
        int64_t last, first = reseed_range(job, cell, &last), left = budget - (job->p->count - before);
        int change = reseed_change(job, cell, (int)(last - first));
        if (change < 0)
            reseed_thin(job, cell, -change);
        else if (change > 0 && left > 0)
            reseed_fill(job, cell, change < left ? change : (int)left);
    }
    return job->p->count - before;
}

fr_result reseed_run(const reseed *r, parcels *p, reseed_report *report)
{
    reseed_job job = {r, p, 1};
    int rows = p->d.n[1] * p->d.n[2];
    for (int a = 0; a < p->d.dims; a++)
        job.parts *= r->seed.along;
    assert(job.parts <= 64 && r->most >= job.parts && r->least <= job.parts);
    threads_for_cost(rows, p->d.n[0], reseed_count_rows, &job);
    *report = (reseed_report){0};
    for (int row = 0; row < rows; row++) {
        report->added += p->row_come[row];
        report->removed += p->row_go[row];
    }
    int64_t budget = r->balance && report->removed < report->added ? report->removed : report->added;
    FR_TRY(parcels_reserve(p, p->count + budget));
    report->added = 0;
    for (int row = 0; row < rows; row++)
        if (p->row_come[row] + p->row_go[row])
            report->added += reseed_row(&job, row, budget - report->added);
    return FR_OK;
}
