/* Parcels that a wall has passed over come along with it.

   Obstacles move at once, parcels before and after. A parcel that is in a cell that has come to the other side of a
   wall goes to the cell that what was there belongs to; one that the wall has come upon is carried as far as the wall
   has gone, and so stands before it as it did. */
#include <math.h>

#include "base/threads.h"
#include "hybrid/parcels_parts.h"
#include "hybrid/place.h"
#include "hybrid/seals.h"
#include "liquid/swarm/swarm.h"

static const float SKIN = 1e-3f; /* cells: so far from faces */

typedef struct sweep_job {
    const solids *s;
    seals seals;
    parcels *p;
} sweep_job;

/* Where the obstacle of a cell has carried a place, in cells. */
static void sweep_carry(const sweep_job *job, const solids_body *body, const float x[3], float to[3])
{
    const domain *d = &job->p->d;
    double at[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++)
        at[a] = d->origin[a] + (double)x[a] * d->h[a];
    vec3 carried = solids_carried(body, vec3_of(at));
    const double end[3] = {carried.x, carried.y, carried.z};
    for (int a = 0; a < 3; a++)
        to[a] = a < d->dims ? (float)((end[a] - d->origin[a]) / d->h[a]) : x[a];
}

static float sweep_between(float x, float low, float high)
{
    return x < low ? low : x < high ? x : high;
}

static void sweep_parcel(const sweep_job *job, int64_t n)
{
    const solids *s = job->s;
    parcels *p = job->p;
    int cell[3], target[3];
    parcels_cell_of(p, n, cell);
    ptrdiff_t at = field_row(&s->distance, cell[1], cell[2]) + cell[0] - s->distance.block;
    const solids_body *body = &s->bodies[s->owner[at]];
    float x[3] = {p->x[0][n], p->x[1][n], p->x[2][n]}, to[3];
    bool passed = s->swept[at] & SWEPT_PASSED;
    if (!body->moves || (!passed && !(place_value(&s->distance, -1, x) < 0)))
        return;
    sweep_carry(job, body, x, to);
    bool goes = passed && solids_swept_to(s->swept[at], cell, target);
    if (!goes && job->seals.marks)
        seals_trace(&job->seals, x, SKIN, to);
    for (int a = 0; a < p->d.dims; a++)
        p->x[a][n] = goes ? sweep_between(to[a], (float)target[a] + SKIN, (float)(target[a] + 1) - SKIN)
                          : sweep_between(to[a], SKIN, (float)p->d.n[a] - SKIN);
}

static void sweep_chunks(void *context, int begin, int end)
{
    const sweep_job *job = context;
    for (int64_t n = parcels_chunk_begin(begin); n < parcels_chunk_end(job->p, end - 1); n++)
        if (parcels_has(job->p, n))
            sweep_parcel(job, n);
}

void swarm_sweep(const liquid_step *step)
{
    const solids *s = &step->flow.s->solids;
    parcels *p = &step->run->liquid.parcels;
    sweep_job job = {s, {swarm_sealed(step->flow.s), &s->distance}, p};
    if (s->any_swept)
        threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, sweep_chunks, &job);
}
