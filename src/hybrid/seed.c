/* A parcel's place is a function of its cell and its number there: the same for any number of threads. Each row of
   cells counts its parcels first, so that all rows can then be filled at once. */
#include "hybrid/seed.h"

#include "base/random.h"
#include "base/threads.h"
#include "hybrid/place.h"
#include "hybrid/seals.h"
#include "hybrid/seed_parts.h"

typedef struct seed_job {
    const seed *s;
    parcels *p;
    int64_t from; /* where the first new parcel goes */
} seed_job;

void seed_place(const seed *s, const parcels *p, const int cell[3], int number, float x[3])
{
    int along = s->along;
    uint64_t id = (uint64_t)parcels_cell(p, cell) * (uint64_t)(along * along * along) + (uint64_t)number;
    for (int a = 0; a < 3; a++, number /= along) {
        double share = random_unit(s->seed, 3 * id + (uint64_t)a);
        x[a] = (float)(cell[a] + (number % along + share) / along);
    }
    place_clamp(&p->d, x);
}

/* The change of a component of the flow over a cell along axis b. */
static float seed_slope(const field *f, int axis, int b, const float x[3])
{
    float low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
    low[b] -= 0.5f;
    high[b] += 0.5f;
    return place_value(f, axis, high) - place_value(f, axis, low);
}

void seed_set(const seed *s, parcels *p, int64_t n, const float x[3])
{
    for (int a = 0; a < 3; a++)
        p->x[a][n] = x[a];
    for (int a = 0; a < p->d.dims && p->kind != PARCELS_MARKERS; a++)
        p->v[a][n] = s->flow ? place_value(&s->flow[a], a, x) : s->velocity[a];
    for (int a = 0; a < p->d.dims && p->kind == PARCELS_APIC; a++)
        for (int b = 0; b < p->d.dims; b++)
            p->c[a][b][n] = s->flow ? seed_slope(&s->flow[a], a, b, x) : 0;
}

bool seed_reaches(const seed *s, const parcels *p, const int cell[3])
{
    const seals sealed = {s->sealed, s->solid};
    bool touches = false, wet = place_centre(s->surface, s->fine, cell) < 0;
    for (int face = 0; s->sealed && face < 2 * p->d.dims; face++) {
        int a = face / 2, to[3] = {cell[0], cell[1], cell[2]};
        to[a] += face % 2 ? 1 : -1;
        bool closed = seals_closed(&sealed, cell, a, face % 2);
        to[a] = p->d.periodic[a] ? (to[a] + p->d.n[a]) % p->d.n[a] : to[a];
        bool inside = to[a] >= 0 && to[a] < p->d.n[a];
        touches = touches || closed;
        wet = wet || (!closed && inside && place_centre(s->surface, s->fine, to) < 0);
    }
    return wet || !touches;
}

static bool seed_wanted(const seed_job *job, const float x[3])
{
    const seed *s = job->s;
    return place_value_fine(s->surface, s->fine, x) < 0 &&
           (!s->taken || place_value_fine(s->taken, s->fine, x) >= 0) &&
           (!s->solid || place_value(s->solid, -1, x) > 0);
}

/* Parcels of a row of cells, set from `to` on where that is not negative. Returns their number. A centre further than a
   cell's diagonal from the surface says enough. */
static int32_t seed_row(const seed_job *job, int row, int64_t to)
{
    const domain *d = &job->p->d;
    int32_t count = 0;
    int cell[3] = {0, row % d->n[1], row / d->n[1]}, each = 1;
    for (int a = 0; a < d->dims; a++)
        each *= job->s->along;
    for (cell[0] = 0; cell[0] < d->n[0]; cell[0]++) {
        if (place_centre(job->s->surface, job->s->fine, cell) > place_diagonal(d) ||
            !seed_reaches(job->s, job->p, cell))
            continue;
        for (int number = 0; number < each; number++) {
            float x[3];
            seed_place(job->s, job->p, cell, number, x);
            if (!seed_wanted(job, x))
                continue;
            if (to >= 0)
                seed_set(job->s, job->p, to + count, x);
            count++;
        }
    }
    return count;
}

static void seed_count_rows(void *context, int begin, int end)
{
    const seed_job *job = context;
    for (int row = begin; row < end; row++)
        job->p->start[row] = seed_row(job, row, -1);
}

static void seed_fill_rows(void *context, int begin, int end)
{
    const seed_job *job = context;
    for (int row = begin; row < end; row++)
        seed_row(job, row, job->from + job->p->start[row]);
}

fr_result seed_fill(const seed *s, parcels *p)
{
    seed_job job = {s, p, p->count};
    int rows = p->d.n[1] * p->d.n[2], cost = p->d.n[0] * 100;
    threads_for_cost(rows, cost, seed_count_rows, &job);
    int32_t count = 0;
    for (int row = 0; row < rows; row++) {
        int32_t here = p->start[row];
        p->start[row] = count;
        count += here;
    }
    FR_TRY(parcels_reserve(p, p->count + count));
    threads_for_cost(rows, cost, seed_fill_rows, &job);
    p->count += count;
    return FR_OK;
}
