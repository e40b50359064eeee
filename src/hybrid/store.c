#include "hybrid/store.h"

#include "base/random.h"
#include "base/threads.h"
#include "hybrid/parcels_parts.h"
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

/* Removes the parcels of the store and below it, and counts those to come. */
static void store_empty_rows(void *context, int begin, int end)
{
    const store_job *job = context;
    parcels *p = job->p;
    for (int row = begin; row < end; row++) {
        int cell[3] = {0, row % p->d.n[1], row / p->d.n[1]};
        int32_t come = 0, go = 0;
        for (; cell[0] < p->d.n[0]; cell[0]++) {
            const double depth = store_depth(job, cell);
            const int64_t at = parcels_cell(p, cell);
            if (depth <= job->s->from)
                continue;
            come += depth <= job->s->to ? store_fill(job, cell, -1) : 0;
            for (int64_t n = p->start[at]; n < p->start[at + 1]; n++) {
                go += parcels_has(p, n);
                p->x[p->slow][n] = PARCELS_GONE;
            }
        }
        p->row_come[row] = come;
        p->row_go[row] = go;
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
    int32_t come = 0, go = 0;
    for (int a = 0; a < p->d.dims; a++)
        job.parts *= s->seed.along;
    threads_for_cost(rows, p->d.n[0], store_empty_rows, &job);
    for (int row = 0; row < rows; row++) {
        int32_t here = p->row_come[row];
        p->row_come[row] = come;
        come += here;
        go += p->row_go[row];
    }
    p->gone += go;
    FR_TRY(parcels_reserve(p, p->count + come));
    threads_for_cost(rows, p->d.n[0], store_fill_rows, &job);
    p->count += come;
    report->added += come;
    report->removed += go;
    return FR_OK;
}
