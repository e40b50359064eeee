/* Where the water is calm its particles have nothing to say, and are let go of: they take most of a particle level
   set's time (Carlson 2004, 5.7.2, who drops all of them after the first second).

   A flat surface stays flat in a flow that stretches it evenly, and φ is carried without an error. What it errs by is
   about what the flow stretches a cell by, times what φ bends by over it, in cells. Where that stays below the least
   radius until particles would be born anew anyway, none of them could object; and where φ bends so little that nothing
   of the surface is thinner than some cells, transport alone keeps it. So a block of the band is calm when both hold
   there and in all blocks beside it. It loses its particles when others are born, unless one of them has escaped; and
   as soon as it is no longer calm, by a factor of two so that it does not change at once, it is filled as at the start.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "surface/levelset/particles_parts.h"

/* By how much φ may bend over a cell, in cells: a tenth is a radius of ten. */
static const float CALM_BEND = 0.1f;

enum { CALM_WAKES = 2 };

typedef struct calm_job {
    levelset *ls;
    const levelset_stir *stir;
    float scale[3]; /* (m/s)⁻¹: what a cell is stretched by until particles are born, per difference of its faces */
    float per_news; /* 1/cells: of the error that no particle would see */
} calm_job;

fr_result levelset_particles_watch(levelset_particles *p, const levelset *ls)
{
    p->block_count = ls->blocks[0] * ls->blocks[1] * ls->blocks[2];
    p->calm = MEMORY_NEW(uint8_t, p->block_count);
    p->calm_before = MEMORY_NEW(uint8_t, p->block_count);
    return p->calm && p->calm_before ? FR_OK : FR_ERROR_MEMORY;
}

/* By how much φ bends along the axis where it bends most, in cells. */
static float calm_bend(const calm_job *job, const float *at)
{
    const domain *d = &job->ls->d;
    float most = 0;
    for (int a = 0; a < d->dims; a++) {
        const ptrdiff_t stride = job->stir->phi->stride[a];
        most = fmaxf(most, fabsf(at[stride] - 2 * at[0] + at[-stride]) / (float)d->h[a]);
    }
    return most;
}

static float calm_stretch(const calm_job *job, const int cell[3])
{
    const levelset_flow *flow = &job->stir->flow;
    float square = 0;
    for (int a = 0; a < job->ls->d.dims; a++) {
        const field *u = &flow->velocity[a];
        const float *at = field_row(u, cell[1] / flow->refine, cell[2] / flow->refine) + cell[0] / flow->refine;
        const float stretch = job->scale[a] * (at[u->stride[a]] - at[0]);
        square += stretch * stretch;
    }
    return sqrtf(square);
}

/* How stirred the surface is in a cell: 1 or less is calm. Farther than a cell from it the flow is not the liquid's. */
static float calm_cell(const calm_job *job, const int cell[3])
{
    const float h = (float)domain_min_h(&job->ls->d);
    const float *at = field_row(job->stir->phi, cell[1], cell[2]) + cell[0];
    const field *solid = job->stir->solid;
    if (!(fabsf(*at) < 2 * h) || (solid && field_row(solid, cell[1], cell[2])[cell[0]] < 0))
        return 0;
    const float bend = calm_bend(job, at), news = fabsf(*at) < h ? calm_stretch(job, cell) * bend * job->per_news : 0;
    return fmaxf(bend / CALM_BEND, news);
}

static void calm_part(void *context, int begin, int end)
{
    const calm_job *job = context;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(job->ls, job->ls->list[m]);
        float most = 0;
        for (int k = b.first[2]; k < b.first[2] + b.inside[2]; k++)
            for (int j = b.first[1]; j < b.first[1] + b.inside[1]; j++)
                for (int i = b.first[0]; i < b.first[0] + b.inside[0]; i++)
                    most = fmaxf(most, calm_cell(job, (const int[3]){i, j, k}));
        job->ls->partial[m] = most;
    }
}

/* Marks the blocks that are stirred by more than `most`, and those beside them. */
static void calm_mark(const levelset *ls, double most)
{
    const band_span whole = {{0, 0, 0},
                             {(int16_t)(ls->side[0] - 1), (int16_t)(ls->side[1] - 1), (int16_t)(ls->side[2] - 1)}};
    const int reach[3] = {ls->side[0], ls->side[1], ls->d.dims == 3 ? ls->side[2] : 0};
    band_unmark(ls);
    for (int m = 0; m < ls->count; m++)
        if (ls->partial[m] > most)
            band_mark(ls, ls->list[m], &whole, reach);
}

static void calm_mark_escaped(levelset_particles *p, const levelset *ls, const field *phi)
{
    const int count = levelset_particles_find_escaped(p, phi);
    for (int n = 0; n < count; n++)
        ls->mark[particles_block(p, ls, p->order[n])] = 1;
}

/* Blocks that are marked or have left the band are not calm. Returns whether there were such among those listed. */
static bool calm_wake(levelset_particles *p, const levelset *ls)
{
    bool any = false;
    for (int b = 0; b < p->block_count; b++) {
        const bool listed = ls->slot[b] >= 0, wakes = p->calm[b] && listed && ls->mark[b];
        p->calm[b] = wakes ? PARTICLES_WAKING : listed ? p->calm[b] : 0;
        any = any || wakes;
    }
    return any;
}

static void calm_settle(levelset_particles *p, const levelset *ls)
{
    for (int m = 0; m < ls->count; m++)
        if (!ls->mark[ls->list[m]])
            p->calm[ls->list[m]] = PARTICLES_CALM;
}

fr_result levelset_particles_stir(levelset_particles *p, levelset *ls, const levelset_stir *stir)
{
    calm_job job = {.ls = ls, .stir = stir, .per_news = (float)domain_min_h(&p->d) / particles_least(p)};
    if (!p->calm || !(stir->settles || memchr(p->calm, PARTICLES_CALM, (size_t)p->block_count)))
        return FR_OK;
    for (int a = 0; a < p->d.dims; a++)
        job.scale[a] = (float)(PARTICLES_RESEED * stir->dt / (p->d.h[a] * stir->flow.refine));
    band_for_blocks(ls, calm_part, &job);
    calm_mark(ls, CALM_WAKES);
    if (calm_wake(p, ls)) {
        FR_TRY(levelset_particles_wake(p, ls, stir));
        for (int b = 0; b < p->block_count; b++)
            p->calm[b] = p->calm[b] == PARTICLES_CALM ? PARTICLES_CALM : 0;
    }
    if (!stir->settles)
        return FR_OK;
    calm_mark(ls, 1);
    calm_mark_escaped(p, ls, stir->phi);
    calm_settle(p, ls);
    return FR_OK;
}

void levelset_particles_keep_calm(levelset_particles *p)
{
    if (p->calm)
        memcpy(p->calm_before, p->calm, (size_t)p->block_count);
}

void levelset_particles_undo_calm(levelset_particles *p)
{
    if (p->calm)
        memcpy(p->calm, p->calm_before, (size_t)p->block_count);
}
