/* Liquids that yield and thin: the viscosity that acts, by the shear rate of the last step (mac/rheology.h). It is
   found where the strains are, in cells and on edges, so that a plug ends where it should and not a cell further on.

   That is Kačanov's iteration, one turn a step. Where stress grows with the shear rate, but no faster, the energy of
   the viscosity found so lies above that of the law, and touches it at the last rate: each turn lowers what the step
   minimises, and nothing can swing (Han, Jensen & Shimansky 1997). What stands still and comes under a stress of s
   times its yield flows faster by the factor s with every step, until it flows as it should. A guess that jumps there
   at once, by the stress of the last step, was tried: it flips between solid and liquid from step to step. */
#include <math.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "grid/shear.h"
#include "liquid/liquid.h"

fr_result liquid_yield_create(liquid_run *run)
{
    const domain *d = &run->flow.model->domain;
    liquid_state *l = &run->liquid;
    FR_TRY(field_create(d, FR_AT_CELL, &l->consistency));
    for (int c = d->dims == 2 ? 2 : 0; c < 3; c++) {
        FR_TRY(field_create(d, FR_AT_CELL, &l->edges[c]));
        FR_TRY(field_create(d, FR_AT_CELL, &l->shear[c]));
    }
    return FR_OK;
}

void liquid_yield_destroy(liquid_run *run)
{
    field_destroy(&run->liquid.consistency);
    for (int c = 0; c < 3; c++) {
        field_destroy(&run->liquid.edges[c]);
        field_destroy(&run->liquid.shear[c]);
    }
}

typedef struct yield_job {
    const rheology *flow;
    const field *square; /* of the shear rate, 1/s² */
    const field *consistency;
    field *viscosity;
    double still;        /* 1/s */
    ptrdiff_t beside[2]; /* strides to the other cells around an edge; 0 for cells */
    int n[2];            /* samples along x, and rows along y */
} yield_job;

/* At a shear rate of 1/s; on edges the harmonic mean of the cells around, as for other liquids. */
static double yield_consistency(const yield_job *job, const float *at)
{
    double sum = 0;
    for (int corner = 0; corner < 4; corner++)
        sum += 1 / fmax((double)at[-(corner & 1) * job->beside[0] - (corner >> 1) * job->beside[1]], 1e-30);
    return 4 / sum;
}

static void yield_rows(void *context, int begin, int end)
{
    const yield_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->n[1], k = r / job->n[1];
        const float *square = field_row(job->square, j, k), *nu = field_row(job->consistency, j, k);
        float *to = field_row(job->viscosity, j, k);
        for (int i = 0; i < job->n[0]; i++) {
            const double here = yield_consistency(job, nu + i);
            to[i] = (float)rheology_viscosity(job->flow, here, sqrt((double)square[i]), job->still);
        }
    }
}

/* On the edges along c, or for −1 in cells. */
static void yield_find(const liquid_run *run, int c, const field *square, field *viscosity)
{
    const field *nu = &run->liquid.consistency;
    const int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
    yield_job job = {.flow = &run->model.flow,
                     .square = square,
                     .consistency = nu,
                     .viscosity = viscosity,
                     .still = RHEOLOGY_STILL * run->flow.model->fps,
                     .beside = {c < 0 ? 0 : nu->stride[a], c < 0 ? 0 : nu->stride[b]},
                     .n = {nu->size[0] + (c > 0), nu->size[1] + (c >= 0 && c != 1)}};
    threads_for_cost(job.n[1] * (nu->size[2] + (c >= 0 && c < 2)), job.n[0], yield_rows, &job);
}

/* γ² of the component a on the edges of a side that sticks. Ghosts there serve the transport and may fall short of the
   wall's velocity (`thin` in grid/halo.h); the viscosity takes the straight line from the wall to the first sample. */
static void yield_stick(liquid_run *run, int side, int a)
{
    const domain *d = &run->flow.model->domain;
    const state *s = run->flow.state;
    const int b = side / 2, lower = b == 0 ? 1 : 0, upper = b == 2 ? 1 : 2;
    const field *u = &s->velocity[a];
    field *edges = &run->liquid.shear[3 - a - b];
    const float *wall = s->sides[side].velocity[a];
    const float *first = u->data + (side % 2 ? (d->n[b] - 1) * u->stride[b] : 0);
    float *to = edges->data + (side % 2 ? d->n[b] * edges->stride[b] : 0);
    for (int k = 0; k < u->size[upper]; k++)
        for (int j = 0; j < u->size[lower]; j++) {
            const float slip =
                first[j * u->stride[lower] + k * u->stride[upper]] - wall[j + (ptrdiff_t)k * u->size[lower]];
            const float shear = 2 * slip / (float)d->h[b];
            to[j * edges->stride[lower] + k * edges->stride[upper]] = shear * shear;
        }
}

static void yield_stick_all(liquid_run *run)
{
    const model *m = run->flow.model;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        for (int a = 0; a < m->domain.dims; a++)
            if (m->walls[side].kind == FR_WALL_NO_SLIP && a != side / 2)
                yield_stick(run, side, a);
}

void liquid_yield(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    liquid_state *l = &run->liquid;
    const int first = m->domain.dims == 2 ? 2 : 0;
    field cells = state_scratch(m, s, 0, FR_AT_CELL), rest = state_scratch(m, s, 1, FR_AT_CELL);
    for (int c = first; c < 3; c++)
        shear_on_edges(&m->domain, s->velocity, c, &l->shear[c]);
    yield_stick_all(run);
    shear_in_cells(&m->domain, s->velocity, l->shear, &cells);
    yield_find(run, -1, &cells, &l->viscosity);
    halo_fill_even(&l->viscosity, &m->domain);
    for (int c = first; c < 3; c++) {
        shear_around_edges(&m->domain, &cells, c, &rest, &l->shear[c]);
        yield_find(run, c, &l->shear[c], &l->edges[c]);
    }
}
