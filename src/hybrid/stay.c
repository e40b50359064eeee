#include "hybrid/stay.h"

#include <math.h>

#include "base/threads.h"
#include "hybrid/eight.h"
#include "hybrid/gather.h"
#include "hybrid/parcels_parts.h"
#include "hybrid/place.h"
#include "hybrid/seals.h"

static const float STAY_SKIN = 1e-3f; /* cells: so far from the sides */

typedef struct stay_job {
    const stay *s;
    parcels *p;
    float half; /* m, of a cell's diagonal: φ, a distance, changes by less between a place and its cell's centre */
} stay_job;

static float stay_surface(const stay_job *job, const float x[3])
{
    return place_value_fine(job->s->surface, job->s->fine, x);
}

/* The normal of the surface, of length one in metres. */
static void stay_normal(const stay_job *job, const float x[3], float n[3])
{
    const domain *d = &job->p->d;
    const float away = job->s->fine > 1 ? 0.5f / (float)job->s->fine : 0.5f;
    float square = 1e-20f;
    for (int a = 0; a < d->dims; a++) {
        float low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[a] -= away;
        high[a] += away;
        n[a] = (stay_surface(job, high) - stay_surface(job, low)) / (float)d->h[a];
        square += n[a] * n[a];
    }
    for (int a = 0; a < d->dims; a++)
        n[a] /= sqrtf(square);
}

/* How far spreading has moved a parcel along a direction, m. */
static float stay_moved(const stay_job *job, const float x[3], const float n[3])
{
    float moved = 0;
    for (int a = 0; a < job->p->d.dims; a++)
        moved += n[a] * (place_value(&job->s->drift[a], a, x) -
                         (job->s->velocity ? place_value(&job->s->velocity[a], a, x) : 0));
    return moved * (float)job->s->dt;
}

/* Never beyond the sides. */
static float stay_confine(const parcels *p, int axis, float x)
{
    const float n = (float)p->d.n[axis], low = STAY_SKIN, high = n - STAY_SKIN;
    if (p->d.periodic[axis])
        x = x < 0 ? x + n : x < n ? x : x - n;
    return x < low ? low : x < high ? x : high;
}

/* Parcel i is `out` m nearer to the surface than it should be, or beyond. */
static void stay_parcel(const stay_job *job, int64_t i, float out)
{
    parcels *p = job->p;
    float x[3] = {p->x[0][i], p->x[1][i], p->x[2][i]}, n[3];
    stay_normal(job, x, n);
    float moved = stay_moved(job, x, n), back = moved < out ? moved : out;
    float to[3] = {x[0], x[1], x[2]};
    if (!(back > 0))
        return;
    for (int a = 0; a < p->d.dims; a++)
        to[a] -= back * n[a] / (float)p->d.h[a];
    if (job->s->sealed)
        seals_trace(&(seals){job->s->sealed, job->s->solid}, x, STAY_SKIN, to);
    for (int a = 0; a < p->d.dims; a++)
        p->x[a][i] = stay_confine(p, a, to[a]);
}

/* Those of eight parcels whose cells are near the surface or beyond; most are not. */
WIDE_INLINE unsigned stay_near(const stay_job *job, int64_t n)
{
    eight e = eight_from(job->p, n);
    if (job->s->fine > 1)
        eight_refine(&e, job->p, n, job->s->surface);
    return wide_bits(eight_values(&e, job->s->surface) > -(job->half + job->s->least)) & e.there;
}

/* How much too near to the surface eight parcels are, m; `lanes` are those that are there. */
WIDE_INLINE wide stay_out(const stay_job *job, int64_t n, unsigned lanes)
{
    const parcels *p = job->p;
    const wide_mask bit = {1, 2, 4, 8, 16, 32, 64, 128}, used = ((int32_t)lanes & bit) != 0;
    const float fine = job->s->fine > 1 ? (float)job->s->fine : 1;
    wide x[3];
    for (int a = 0; a < 3; a++)
        x[a] = fine * wide_choose(used, wide_load(p->x[a] + n), wide_all(0.5f));
    gather_place place;
    gather_find(job->s->surface, -1, x, &place);
    return gather_value(job->s->surface, &place) + job->s->least;
}

static void stay_chunks(void *context, int begin, int end)
{
    const stay_job *job = context;
    for (int64_t n = parcels_chunk_begin(begin); n < parcels_chunk_end(job->p, end - 1); n += WIDE) {
        unsigned lanes = stay_near(job, n);
        if (!lanes)
            continue;
        const wide out = stay_out(job, n, lanes);
        for (lanes &= wide_bits(out > 0); lanes; lanes &= lanes - 1)
            stay_parcel(job, n + __builtin_ctz(lanes), out[__builtin_ctz(lanes)]);
    }
}

void stay_inside(const stay *s, parcels *p)
{
    stay_job job = {s, p, place_diagonal(&p->d) / 2};
    threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, stay_chunks, &job);
}
