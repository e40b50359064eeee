/* The potential energy of the liquid. A cell that the surface cuts holds its liquid on one side, and that is where its
   height counts: by the cells' middles a film in the lower halves of cells is a quarter of a cell too high, and a dam
   of twelve cells in space seemed to gain 1 % of energy as it spread. */
#include <math.h>

#include "base/threads.h"
#include "liquid/liquid.h"

typedef struct energy_job {
    const liquid_run *run;
    const field *share; /* of each cell that is liquid */
    float whole;        /* m: levelset_whole */
    double *partial;
} energy_job;

/* A slab of a cell, across `axis` and 1/`slabs` of it thick, is a cell of its own in a grid of just its neighbours. */
static double energy_slab_share(const field *phi, const float *at, int axis, double middle, int slabs)
{
    const field near = {.stride = {1, 3, phi->stride[2] ? 9 : 0}};
    const float low = at[-phi->stride[axis]], high = at[phi->stride[axis]];
    const bool bent = (low < 0) == (high < 0) && (low < 0) != (at[0] < 0); /* as levelset_share has it */
    const float slope = !bent ? 0.5f * (high - low) : middle > 0 ? high - at[0] : at[0] - low;
    const float value = at[0] + (float)middle * slope;
    float samples[27] = {0}, *centre = samples + 13;
    *centre = value;
    for (int a = 0; a < 3 && near.stride[a]; a++)
        for (int way = -1; way <= 1; way += 2)
            centre[way * near.stride[a]] =
                value + (a == axis ? (float)way * slope / (float)slabs : at[way * phi->stride[a]] - at[0]);
    return levelset_share(&near, centre, 0);
}

/* From the middle of a cut cell to that of its liquid along an axis, in cells. */
static double energy_lean(const field *phi, const float *at, int axis)
{
    enum { SLABS = 4 };
    double sum = 0, moment = 0;
    for (int n = 0; n < SLABS; n++) {
        const double middle = (n + 0.5) / SLABS - 0.5, share = energy_slab_share(phi, at, axis, middle, SLABS);
        sum += share;
        moment += share * middle;
    }
    return sum > 0 ? moment / sum : 0;
}

/* g·x from the middle of a cell to that of its liquid. */
static double energy_leans(const energy_job *job, const float *at)
{
    const domain *d = liquid_domain(job->run);
    const double *g = job->run->model.gravity;
    double sum = 0;
    for (int a = 0; a < d->dims && fabsf(*at) < job->whole; a++)
        sum += g[a] != 0 ? g[a] * d->h[a] * energy_lean(&job->run->liquid.surface, at, a) : 0;
    return sum;
}

/* Σ share g·x of each row. */
static void energy_rows(void *context, int begin, int end)
{
    const energy_job *job = context;
    const domain *d = liquid_domain(job->run);
    const double *g = job->run->model.gravity;
    double origin[3];
    field_origin(job->share, d, origin);
    for (int r = begin; r < end; r++) {
        int j = r % job->share->size[1], k = r / job->share->size[1];
        const float *share = field_row(job->share, j, k), *phi = field_row(&job->run->liquid.surface, j, k);
        double sum = 0, row = g[1] * (origin[1] + j * d->h[1]) + (d->dims == 3 ? g[2] * (origin[2] + k * d->h[2]) : 0);
        for (int i = 0; i < job->share->size[0]; i++)
            if (share[i] > 0)
                sum += (double)share[i] * (row + g[0] * (origin[0] + i * d->h[0]) + energy_leans(job, phi + i));
        job->partial[r] = sum;
    }
}

double liquid_potential_energy(const liquid_run *run, const field *share)
{
    const model *m = run->flow.model;
    energy_job job = {
        .run = run, .share = share, .whole = levelset_whole(run->liquid.levelset), .partial = run->flow.state->partial};
    field_for_rows(share, energy_rows, &job);
    return -m->fluid.density * domain_cell_volume(liquid_domain(run)) * threads_sum(job.partial, field_rows(share));
}
