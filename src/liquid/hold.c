/* Liquid comes into a cell from its neighbours, and through no wall.

   φ knows nothing of walls: it goes on inside them, long steps carry it across, and a shift for the volume moves what
   lies in them as well as the surface. So a cell that was dry stays dry, unless a way of open cells leads to it from
   one that was wet, no longer than a step can go. Ways pass neither closed cells nor sealed faces (mac/solids). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "liquid/liquid.h"

enum { HOLD_REACH = 12, HOLD_SIDE = 2 * HOLD_REACH + 1 };
/* How dry a cell is that is held, in cells. */
static const float HOLD_DRY = 0.5f;

typedef struct hold_job {
    const solids *solids;
    const field *before;
    field *phi;
    const uint8_t *held; /* cells in which there are parcels, x fastest; NULL: there are none, or they are not known:
                            a thin wall may pass between the cells of a finer φ in a cell of the flow */
    const uint16_t *swept; /* what obstacles have passed over since `before`; NULL: nothing */
    double *dried;         /* per row: how many cells were made dry */
    int reach;           /* cells */
    float cell;          /* m */
} hold_job;

static ptrdiff_t hold_offset(const hold_job *job, const int c[3])
{
    return field_row(job->phi, c[1], c[2]) + c[0] - job->phi->block;
}

/* Whether there was liquid in a cell: outside of obstacles, where φ is more than what goes on inside them, and not
   passed over. */
static bool hold_was_wet(const hold_job *job, const int c[3], ptrdiff_t at)
{
    const int *n = job->phi->size;
    if (job->swept && job->swept[at] & (SWEPT_INSIDE | SWEPT_PASSED))
        return false;
    return (job->before->block[at] < 0 && job->solids->distance.block[at] >= 0) ||
           (job->held && job->held[c[0] + n[0] * (c[1] + (int64_t)n[1] * c[2])]);
}

static bool hold_is_closed(const hold_job *job, ptrdiff_t at)
{
    return job->solids->cell_layers[at] != SOLIDS_FLUID;
}

/* The neighbour of a cell, wrapped along periodic axes; false where none can be reached. */
static bool hold_step(const hold_job *job, const int c[3], int axis, int end, int to[3])
{
    const domain *d = &job->solids->domain;
    memcpy(to, c, 3 * sizeof *to);
    to[axis] += end ? 1 : -1;
    if (d->periodic[axis])
        to[axis] = (to[axis] + d->n[axis]) % d->n[axis];
    if (to[axis] < 0 || to[axis] >= d->n[axis])
        return false;
    ptrdiff_t at = hold_offset(job, to), face = end ? at : hold_offset(job, c);
    return !hold_is_closed(job, at) && !(job->solids->sealed && job->solids->sealed[face] >> axis & 1);
}

/* Cells by their place around the first, and those still to be looked at. */
typedef struct hold_search {
    uint8_t seen[HOLD_SIDE * HOLD_SIDE * HOLD_SIDE];
    int16_t queue[HOLD_SIDE * HOLD_SIDE * HOLD_SIDE];
    int count;
} hold_search;

static void hold_put(hold_search *s, const int around[3])
{
    int place = around[0] + HOLD_SIDE * (around[1] + HOLD_SIDE * around[2]);
    if (!s->seen[place])
        s->queue[s->count++] = (int16_t)place;
    s->seen[place] = 1;
}

/* Whether a wet cell can be reached from a cell. */
static bool hold_reaches(const hold_job *job, const int start[3], hold_search *s)
{
    const domain *d = &job->solids->domain;
    memset(s->seen, 0, sizeof s->seen);
    s->count = 0;
    hold_put(s, (int[3]){HOLD_REACH, HOLD_REACH, HOLD_REACH});
    for (int next = 0; next < s->count; next++) {
        int place = s->queue[next], c[3], to[3];
        int around[3] = {place % HOLD_SIDE, place / HOLD_SIDE % HOLD_SIDE, place / HOLD_SIDE / HOLD_SIDE};
        for (int a = 0; a < 3; a++) {
            c[a] = start[a] + around[a] - HOLD_REACH;
            c[a] = a < d->dims && d->periodic[a] ? (c[a] + d->n[a]) % d->n[a] : c[a];
        }
        if (hold_was_wet(job, c, hold_offset(job, c)))
            return true;
        for (int face = 0; face < 2 * d->dims; face++) {
            int beside[3] = {around[0], around[1], around[2]};
            beside[face / 2] += face % 2 ? 1 : -1;
            if (abs(beside[face / 2] - HOLD_REACH) <= job->reach && hold_step(job, c, face / 2, face % 2, to))
                hold_put(s, beside);
        }
    }
    return false;
}

/* Cells further from obstacles than this are not looked at, m. */
static float hold_near(const hold_job *job) { return (float)(job->reach + 1) * job->cell; }

static void hold_rows(void *context, int begin, int end)
{
    const hold_job *job = context;
    hold_search search;
    const float near = hold_near(job);
    for (int r = begin; r < end; r++) {
        int c[3] = {0, r % job->phi->size[1], r / job->phi->size[1]};
        float *phi = field_row(job->phi, c[1], c[2]);
        job->dried[r] = 0;
        const ptrdiff_t row = phi - job->phi->block;
        for (c[0] = 0; c[0] < job->phi->size[0]; c[0]++) {
            const ptrdiff_t at = row + c[0];
            if (phi[c[0]] >= HOLD_DRY * job->cell || job->solids->distance.block[at] > near ||
                hold_was_wet(job, c, at) || hold_is_closed(job, at) || hold_reaches(job, c, &search))
                continue;
            job->dried[r]++;
            phi[c[0]] = HOLD_DRY * job->cell;
        }
    }
}

static hold_job hold_of(const liquid_run *run, const field *before, bool moved, field *phi)
{
    const solids *solids = liquid_solids(run);
    const int refine = run->model.settings.refine, reach = refine * (2 * (int)ceil(run->flow.model->cfl) + 2);
    return (hold_job){.solids = solids,
                      .before = before,
                      .phi = phi,
                      .held = run->liquid.parcels.room && refine == 1 ? run->liquid.transfer.near.held : NULL,
                      .swept = moved && solids->any_swept ? solids->swept : NULL,
                      .dried = run->flow.state->partial,
                      .reach = reach < HOLD_REACH ? reach : HOLD_REACH,
                      .cell = (float)domain_min_h(&solids->domain)};
}

bool liquid_hold(const liquid_run *run, const field *before, bool moved, field *phi)
{
    if (!liquid_solids(run)->any)
        return false;
    hold_job job = hold_of(run, before, moved, phi);
    field_for_rows(phi, hold_rows, &job);
    levelset_fill_ghosts(run->liquid.levelset, phi);
    return threads_sum(job.dried, field_rows(phi)) > 0;
}

/* Those in wet cells, and far from obstacles, are where liquid may be. */
void liquid_hold_particles(const liquid_run *run, const field *before, bool moved, field *phi)
{
    levelset_particles *p = run->liquid.level_particles;
    hold_job job = hold_of(run, before, moved, phi);
    hold_search search;
    for (int n = 0; n < p->count && job.solids->any; n++) {
        int c[3] = {(int)p->place[0][n], (int)p->place[1][n], p->d.dims == 3 ? (int)p->place[2][n] : 0};
        for (int a = 0; a < p->d.dims; a++)
            c[a] = c[a] < p->d.n[a] ? c[a] : p->d.n[a] - 1;
        const ptrdiff_t at = hold_offset(&job, c);
        if (p->radius[n] < 0 && phi->block[at] >= 0 && job.solids->distance.block[at] <= hold_near(&job) &&
            !hold_reaches(&job, c, &search))
            p->radius[n] = 0;
    }
}
