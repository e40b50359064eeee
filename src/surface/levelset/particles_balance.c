/* How far escaped particles are believed, when the volume of the liquid is known.

   A sphere says where φ has erred, but not by how much: one of 32 particles of a cell that has come through the surface
   by a quarter of a cell stands for a 32nd of a cell of liquid, and its sphere can give φ ten times that. Of those of
   the air, too, many err: air without a velocity of its own has nowhere to go when liquid closes around it. Left alone,
   such gains and losses add up to a large part of the liquid in seconds. But a flow without divergence changes no
   volume, so that all corrections together must give back what carrying and redistancing have changed, no more and no
   less.

   So of the two sides the one that asks for too much gets less. Cell by cell it gets the share

     w = min(1, e (1 − τ)/τ)   of its correction,

   where e is the volume that escaped particles stand for there, in cells: 1/per_cell each, by linear weights; and
   τ = 0 … 1 is chosen so that the volume is right. Drops and sheets with many witnesses are then believed before
   particles that are out by themselves. If the volume cannot be had, it is left as near as it comes. */
#include <math.h>

#include "base/root.h"
#include "surface/levelset/particles_parts.h"

/* How close the volume comes, as a share of the whole. Each call aims anew at the whole, so that this does not add up.
 */
static const double BALANCE_CLOSE = 1e-5;

enum { BALANCE_TRIALS = 8, BALANCE_LIQUID = 0, BALANCE_AIR = 1 };

typedef struct balance_job {
    const levelset_particles *p;
    levelset *ls;
    field *phi;
    const field *open;
    double wanted; /* m³, in the listed blocks */
    int side;      /* the one that is believed by τ */
    float gain[2]; /* (1 − τ)/τ of both sides */
} balance_job;

static void balance_keep_part(void *context, int begin, int end)
{
    const balance_job *job = context;
    for (int m = begin; m < end; m++)
        if (job->ls->mark[job->ls->list[m]])
            band_copy_block(job->ls, m, job->phi, job->ls->old + (size_t)m * BLOCK_CELLS);
}

static float balance_value(const balance_job *job, size_t cell)
{
    const float change = job->ls->next[cell] - job->ls->old[cell];
    const int side = change < 0 ? BALANCE_LIQUID : BALANCE_AIR;
    const float weight = job->gain[side] * job->p->witness[2 * cell + (size_t)side];
    return weight < 1 ? job->ls->old[cell] + weight * change : job->ls->next[cell];
}

static void balance_apply_part(void *context, int begin, int end)
{
    const balance_job *job = context;
    const levelset *ls = job->ls;
    for (int m = begin; m < end; m++) {
        if (!ls->mark[ls->list[m]])
            continue;
        const band_block b = band_block_of(ls, ls->list[m]);
        for (int k = 0; k < b.inside[2]; k++)
            for (int j = 0; j < b.inside[1]; j++) {
                float *row = field_row(job->phi, b.first[1] + j, b.first[2] + k) + b.first[0];
                const size_t cell = (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k);
                for (int i = 0; i < b.inside[0]; i++)
                    row[i] = balance_value(job, cell + (size_t)i);
            }
    }
}

/* What the listed blocks hold too much when one side is believed by τ, and the other all the way. */
static double balance_try(void *context, double tau)
{
    balance_job *job = context;
    job->gain[1 - job->side] = INFINITY;
    job->gain[job->side] = tau > 0 ? (float)((1 - tau) / tau) : INFINITY;
    band_for_blocks(job->ls, balance_apply_part, job);
    levelset_fill_ghosts(job->ls, job->phi);
    return band_volume(job->ls, job->phi, job->open) - job->wanted;
}

void levelset_particles_balance(const levelset_particles *p, levelset *ls, const levelset_total *total, field *phi)
{
    balance_job job = {.p = p, .ls = ls, .phi = phi, .open = total->open, .side = BALANCE_AIR};
    const double far = levelset_volume(ls, phi, total->open) - band_volume(ls, phi, total->open);
    const double close = BALANCE_CLOSE * total->volume;
    job.wanted = total->volume - far;
    band_for_blocks(ls, balance_keep_part, &job);
    const double full = balance_try(&job, 0);
    if (fabs(full) <= close)
        return;
    job.side = full > 0 ? BALANCE_LIQUID : BALANCE_AIR;
    const double none = balance_try(&job, 1);
    root_between(balance_try, &job, (root_ends){{0, 1}, {full, none}}, close, BALANCE_TRIALS);
}
