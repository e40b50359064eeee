/* A surface on a finer grid than the flow's (Carlson 6.4). The flow carries it by its values between its own samples,
   and sees it in the centres of its own cells: the pressure is zero where the line between two centres meets the plane
   that their distances give. A sheet that lies between the centres would not be seen at all, and hang in the air. So a
   cell that holds liquid, with no neighbour whose centre does, is called liquid with its surface at the centre: its
   pressure is then next to nothing, and the sheet flies. */
#include <math.h>

#include "grid/halo.h"
#include "liquid/liquid.h"

int liquid_grid(const liquid_run *run)
{
    const model *m = run->flow.model;
    int grid = 0;
    while (m->grids[grid].refine != run->model.settings.refine)
        grid++;
    return grid;
}

const domain *liquid_domain(const liquid_run *run)
{
    return &run->flow.model->grids[liquid_grid(run)].domain;
}

const solids *liquid_solids(const liquid_run *run)
{
    return state_solids(run->flow.state, liquid_grid(run));
}

field liquid_scratch(const liquid_run *run, int which)
{
    return state_scratch_cells(run->flow.model, run->flow.state, which, liquid_grid(run));
}

typedef struct fine_job {
    const field *fine;
    field *seen;
    const field *centres; /* of all cells: what `seen` becomes a copy of, but for sheets */
    int refine, layers;   /* fine cells in a cell along x and y; along z */
    int dims;
    float sheet; /* m, negative: φ of a cell that holds a sheet */
    float width; /* m: no φ is further from 0 */
} fine_job;

/* The first of the fine cells of a cell. */
static const float *fine_first(const fine_job *job, int i, int j, int k)
{
    return field_row(job->fine, j * job->refine, k * job->layers) + i * job->refine;
}

/* The mean of the fine cells around the centre: one of them, or two along each axis. */
static float fine_centre(const fine_job *job, const float *first)
{
    int pair = job->refine % 2 ? 1 : 2, start = (job->refine - pair) / 2, flat = job->dims == 2;
    float sum = 0;
    for (int k = 0; k < (flat ? 1 : pair); k++)
        for (int j = 0; j < pair; j++)
            for (int i = 0; i < pair; i++)
                sum += first[start + i + (start + j) * job->fine->stride[1] +
                             (flat ? 0 : start + k) * job->fine->stride[2]];
    return sum / (float)(pair * pair * (flat ? 1 : pair));
}

static void fine_centre_rows(void *context, int begin, int end)
{
    const fine_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->seen->size[1], k = r / job->seen->size[1];
        float *to = field_row(job->seen, j, k);
        for (int i = 0; i < job->seen->size[0]; i++)
            to[i] = fine_centre(job, fine_first(job, i, j, k));
    }
}

static bool fine_holds_liquid(const fine_job *job, const float *first)
{
    bool wet = false;
    for (int k = 0; k < job->layers; k++)
        for (int j = 0; j < job->refine; j++)
            for (int i = 0; i < job->refine; i++)
                wet = wet || first[i + j * job->fine->stride[1] + k * job->fine->stride[2]] < 0;
    return wet;
}

static bool fine_is_alone(const fine_job *job, const float *centre)
{
    bool alone = *centre >= 0;
    for (int a = 0; a < job->dims; a++)
        alone = alone && centre[job->centres->stride[a]] >= 0 && centre[-job->centres->stride[a]] >= 0;
    return alone;
}

static void fine_sheet_rows(void *context, int begin, int end)
{
    const fine_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->seen->size[1], k = r / job->seen->size[1];
        const float *centre = field_row(job->centres, j, k);
        float *to = field_row(job->seen, j, k);
        for (int i = 0; i < job->seen->size[0]; i++)
            if (fine_is_alone(job, centre + i) && fine_holds_liquid(job, fine_first(job, i, j, k)))
                to[i] = job->sheet;
    }
}

static fine_job fine_of(const liquid_run *run, const field *phi, field *centres)
{
    const domain *d = &run->flow.model->domain;
    const int refine = run->model.settings.refine;
    return (fine_job){.fine = phi,
                      .seen = centres,
                      .centres = centres,
                      .refine = refine,
                      .layers = d->dims == 3 ? refine : 1,
                      .dims = d->dims,
                      .sheet = -1e-3f * (float)domain_min_h(d),
                      .width = levelset_width(run->liquid.levelset)};
}

static void fine_differ_rows(void *context, int begin, int end)
{
    const fine_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->seen->size[1], k = r / job->seen->size[1];
        float *at = field_row(job->seen, j, k);
        for (int i = 0; i < job->seen->size[0]; i++)
            at[i] = fminf(fmaxf(at[i], -job->width), job->width) - fine_centre(job, fine_first(job, i, j, k));
    }
}

void liquid_differ(const liquid_run *run, const field *phi, field *other)
{
    fine_job job = fine_of(run, phi, other);
    field_for_rows(other, fine_differ_rows, &job);
    halo_fill_even(other, &run->flow.model->domain);
}

const field *liquid_seen(liquid_run *run, const field *phi)
{
    const domain *d = &run->flow.model->domain;
    liquid_state *l = &run->liquid;
    if (run->model.settings.refine == 1)
        return phi;
    field centres = state_scratch(run->flow.model, run->flow.state, 0, FR_AT_CELL);
    fine_job job = fine_of(run, phi, &centres);
    field_for_rows(&centres, fine_centre_rows, &job);
    halo_fill_even(&centres, d);
    field_copy(&l->seen, &centres);
    job.seen = &l->seen;
    field_for_rows(&l->seen, fine_sheet_rows, &job);
    halo_fill_even(&l->seen, d);
    return &l->seen;
}
