#include "hybrid/store.h"

#include "base/random.h"
#include "base/threads.h"
#include "hybrid/place.h"
#include "hybrid/seed_parts.h"

/* Seeds of the second parcel of a part, and of what decides whether there is one. */
static const uint64_t AGAIN = UINT64_C(1) << 40, LOT = UINT64_C(1) << 41;

typedef struct store_job {
    const store *s;
    parcels *p;
    int parts; /* of a cell */
} store_job;

/* Sets the parcels of a cell of the store from `to` on, or counts them where that is negative. Returns their number. */
static int32_t store_fill(const store_job *job, const int cell[3], int64_t to)
{
    seed s = job->s->seed;
    int32_t count = 0;
    for (int i = 0; i < 2 * job->parts; i++) {
        const int part = i % job->parts, again = i / job->parts;
        const uint64_t id = (uint64_t)(parcels_cell(job->p, cell) * job->parts + part);
        float x[3];
        s.seed = job->s->seed.seed + (again ? AGAIN : 0);
        seed_place(&s, job->p, cell, part, x);
        if (random_unit(job->s->seed.seed + LOT, id) >= job->s->share - again ||
            (s.solid && place_value(s.solid, -1, x) <= 0))
            continue;
        if (to >= 0)
            seed_set(&s, job->p, to + count, x);
        count++;
    }
    return count;
}

static double store_depth(const store_job *job, const int cell[3])
{
    return -(double)place_centre(job->s->seed.surface, job->s->seed.fine, cell);
}

/* Counts those to come to each row of cells, and those in its store and below it. */
static void store_count_rows(void *context, int begin, int end)
{
    const store_job *job = context;
    const parcels *p = job->p;
    for (int row = begin; row < end; row++) {
        int cell[3] = {0, row % p->d.n[1], row / p->d.n[1]};
        int32_t come = 0, go = 0;
        for (; cell[0] < p->d.n[0]; cell[0]++) {
            const double depth = store_depth(job, cell);
            const int64_t at = parcels_cell(p, cell);
            come += depth > job->s->from && depth <= job->s->to ? store_fill(job, cell, -1) : 0;
            go += depth > job->s->from ? p->start[at + 1] - p->start[at] : 0;
        }
        p->row_come[row] = come;
        p->row_go[row] = go;
    }
}

static void store_empty_row(const store_job *job, int row)
{
    parcels *p = job->p;
    int cell[3] = {0, row % p->d.n[1], row / p->d.n[1]};
    for (; cell[0] < p->d.n[0]; cell[0]++) {
        const int64_t at = parcels_cell(p, cell);
        for (int64_t n = p->start[at]; n < p->start[at + 1] && store_depth(job, cell) > job->s->from; n++)
            parcels_remove(p, n);
    }
}

static void store_fill_rows(void *context, int begin, int end)
{
    const store_job *job = context;
    const parcels *p = job->p;
    for (int row = begin; row < end; row++) {
        int cell[3] = {0, row % p->d.n[1], row / p->d.n[1]};
        int64_t to = p->count + p->row_come[row];
        for (; cell[0] < p->d.n[0]; cell[0]++) {
            const double depth = store_depth(job, cell);
            if (depth > job->s->from && depth <= job->s->to)
                to += store_fill(job, cell, to);
        }
    }
}

fr_result store_renew(const store *s, parcels *p, reseed_report *report)
{
    store_job job = {s, p, 1};
    const int rows = p->d.n[1] * p->d.n[2];
    const int64_t gone = p->gone;
    int32_t come = 0;
    for (int a = 0; a < p->d.dims; a++)
        job.parts *= s->seed.along;
    threads_for_cost(rows, p->d.n[0], store_count_rows, &job);
    for (int row = 0; row < rows; row++) {
        int32_t here = p->row_come[row];
        p->row_come[row] = come;
        come += here;
        if (p->row_go[row])
            store_empty_row(&job, row);
    }
    FR_TRY(parcels_reserve(p, p->count + come));
    threads_for_cost(rows, p->d.n[0], store_fill_rows, &job);
    p->count += come;
    report->added += come;
    report->removed += p->gone - gone;
    return FR_OK;
}
