/* Parcels in a narrow band along the surface alone (Ferstl, Ando, Wojtan, Westermann & Thuerey 2016).

   With n = liquid.narrow_band, in cells below the surface:

     … n − 2   parcels say what u* is, and correct φ: those within two cells of a place tell how far the surface is
     … n − 1   from there on the grid does, more and more
     … n       they are born anew in each step, with the grid's velocity (hybrid/store.h); below there are none

   Deeper down u is carried on the grid, as with "level_set". There are as many parcels as stand for the volume that
   should be there, less that below the band by φ: were the band filled up to what φ says, whatever volume φ gains would
   be confirmed. φ is right for a few cells alone; below those depths are sums of steps from cell to cell, to
   all 26 neighbours. */
#include <math.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "grid/refine.h"
#include "liquid/swarm/swarm.h"

bool swarm_has_band(const liquid_run *run)
{
    return run->model.settings.narrow_band > 0;
}

double swarm_deepest(const liquid_run *run)
{
    return run->model.settings.narrow_band * domain_min_h(&run->flow.model->domain);
}

typedef struct band_job {
    const field *from;
    field *to;
    const domain *d;
    float known;     /* m: depths beyond are not */
    float deepest;   /* m: what they become */
    float steps[27]; /* m: to the neighbours of a cell, x fastest */
} band_job;

static void band_measure_steps(band_job *job)
{
    const double *h = job->d->h;
    for (int n = 0; n < 27; n++) {
        const int i = n % 3 - 1, j = n / 3 % 3 - 1, k = n / 9 - 1;
        job->steps[n] = (float)sqrt(i * i * h[0] * h[0] + j * j * h[1] * h[1] + k * k * h[2] * h[2]);
    }
}

/* Forgets the depths that φ does not tell. */
static void band_forget_rows(void *context, int begin, int end)
{
    const band_job *job = context;
    for (int r = begin; r < end; r++) {
        float *phi = field_row(job->to, r % job->to->size[1], r / job->to->size[1]);
        for (int i = 0; i < job->to->size[0]; i++)
            phi[i] = phi[i] <= -job->known ? -job->deepest : phi[i];
    }
}

/* The least deep that a cell can be by its neighbours. */
static float band_by_neighbours(const band_job *job, const float *phi)
{
    const int deep = job->d->dims == 3;
    float least = *phi;
    for (int k = -deep; k <= deep; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                float depth = phi[i + j * job->from->stride[1] + k * job->from->stride[2]];
                least = fmaxf(least, depth - job->steps[13 + i + 3 * j + 9 * k]);
            }
    return least;
}

static void band_deepen_rows(void *context, int begin, int end)
{
    const band_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *from = field_row(job->from, j, k);
        float *to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++)
            to[i] = from[i] <= -job->known ? band_by_neighbours(job, from + i) : from[i];
    }
}

void swarm_find_band(liquid_run *run, const field *phi)
{
    liquid_state *l = &run->liquid;
    const domain *d = &run->flow.model->domain;
    const double h = domain_min_h(d), width = (double)levelset_width(l->levelset), deepest = swarm_deepest(run) + 3 * h;
    field before = state_scratch(run->flow.model, run->flow.state, 0, FR_AT_CELL);
    band_job job = {&before, &l->deep, d, (float)(width - 0.5 * h), (float)deepest, {0}};
    band_measure_steps(&job);
    if (phi->size[0] == l->deep.size[0])
        field_copy(&l->deep, phi);
    else
        refine_mean(phi, run->model.settings.refine, &l->deep);
    field_for_rows(&l->deep, band_forget_rows, &job);
    halo_fill_even(&l->deep, d);
    for (double reach = width - 0.5 * h; reach < swarm_deepest(run); reach += h) {
        field_copy(&before, &l->deep);
        field_for_rows(&l->deep, band_deepen_rows, &job);
        halo_fill_even(&l->deep, d);
    }
}

/* Parcels that a row of cells has above the band's store and would have from there on; and those of its store. */
static void band_count_rows(void *context, int begin, int end)
{
    const liquid_run *run = context;
    const parcels *p = &run->liquid.parcels;
    const float to = (float)swarm_deepest(run), from = to - (float)domain_min_h(&p->d);
    const field share = state_scratch(run->flow.model, run->flow.state, 1, FR_AT_CELL);
    const int rows = field_rows(&share);
    for (int r = begin; r < end; r++) {
        int cell[3] = {0, r % p->d.n[1], r / p->d.n[1]};
        double sum = 0, stored = 0;
        for (; cell[0] < p->d.n[0]; cell[0]++) {
            const int64_t at = parcels_cell(p, cell);
            const float depth = -field_row(&run->liquid.deep, cell[1], cell[2])[cell[0]];
            const double full = (double)field_row(&share, cell[1], cell[2])[cell[0]] * run->model.per_cell;
            sum += depth > from ? full : p->start[at + 1] - p->start[at];
            stored += depth > from && depth <= to ? full : 0;
        }
        run->flow.state->partial[r] = sum;
        run->flow.state->partial[rows + r] = stored;
    }
}

swarm_count swarm_count_band(liquid_run *run)
{
    field fine = liquid_scratch(run, 0), share = state_scratch(run->flow.model, run->flow.state, 1, FR_AT_CELL);
    const double *partial = run->flow.state->partial;
    const int rows = field_rows(&share);
    liquid_shares(run, &run->liquid.surface, &fine);
    refine_mean(&fine, run->model.settings.refine, &share);
    field_for_rows(&share, band_count_rows, run);
    return (swarm_count){threads_sum(partial, rows), threads_sum(partial + rows, rows)};
}

typedef struct band_taken {
    const liquid_run *run;
    field *taken;
} band_taken;

static void band_taken_rows(void *context, int begin, int end)
{
    const band_taken *job = context;
    const int fine = job->run->model.settings.refine;
    const float deepest = (float)swarm_deepest(job->run);
    for (int r = begin; r < end; r++) {
        int j = r % job->taken->size[1], k = r / job->taken->size[1];
        const float *deep = field_row(&job->run->liquid.deep, j / fine, k / fine);
        float *taken = field_row(job->taken, j, k);
        for (int i = 0; i < job->taken->size[0]; i++)
            taken[i] = deep[i / fine] + deepest;
    }
}

field swarm_below_band(liquid_run *run)
{
    field taken = liquid_scratch(run, 1);
    swarm_find_band(run, &run->liquid.surface);
    field_for_rows(&taken, band_taken_rows, &(band_taken){run, &taken});
    halo_fill_even(&taken, liquid_domain(run));
    return taken;
}

/* u* of the grid, carried; before liquid comes in, which brings its own. */
fr_result swarm_band_advect(void *self)
{
    const liquid_step *step = self;
    return swarm_has_band(step->run) ? liquid_advect(self) : FR_OK;
}

typedef struct band_merge {
    const field *deep, *parcels; /* their u* */
    field *grid;                 /* that of the grid */
    uint8_t *map;                /* faces that parcels know of */
    int axis;
    float from, over; /* m: the depth down to which parcels say, and how far the change goes */
} band_merge;

static void band_merge_rows(void *context, int begin, int end)
{
    const band_merge *job = context;
    const ptrdiff_t below = job->deep->stride[job->axis];
    for (int r = begin; r < end; r++) {
        int j = r % job->grid->size[1], k = r / job->grid->size[1];
        float *u = field_row(job->grid, j, k);
        const float *parcels = field_row(job->parcels, j, k), *deep = field_row(job->deep, j, k);
        uint8_t *map = job->map + (u - job->grid->block);
        for (int i = 0; i < job->grid->size[0]; i++) {
            float depth = -0.5f * (deep[i] + deep[i - below]);
            float share = fminf(fmaxf((depth - job->from) / job->over, 0), 1);
            bool known = map[i] == EXTEND_KNOWN;
            u[i] = known ? parcels[i] + share * (u[i] - parcels[i]) : share > 0 ? u[i] : 0;
            map[i] = known || share > 0 ? EXTEND_KNOWN : map[i];
        }
    }
}

void swarm_merge_band(const liquid_step *step)
{
    const domain *d = &step->flow.m->domain;
    state *s = step->flow.s;
    const double h = domain_min_h(d);
    for (int a = 0; a < d->dims; a++) {
        band_merge job = {.deep = &step->run->liquid.deep,
                          .parcels = &s->scratch_velocity[a],
                          .grid = &s->next_velocity[a],
                          .map = s->wet[a],
                          .axis = a,
                          .from = (float)(swarm_deepest(step->run) - 2 * h),
                          .over = (float)h};
        field_for_rows(job.grid, band_merge_rows, &job);
    }
}

static void band_close_rows(void *context, int begin, int end)
{
    const band_merge *job = context;
    const ptrdiff_t below = job->deep->stride[job->axis];
    for (int r = begin; r < end; r++) {
        int j = r % job->grid->size[1], k = r / job->grid->size[1];
        float *shift = field_row(job->grid, j, k);
        const float *deep = field_row(job->deep, j, k);
        for (int i = 0; i < job->grid->size[0]; i++)
            shift[i] = -fminf(deep[i], deep[i - below]) > job->from ? 0 : shift[i];
    }
}

void swarm_close_band(const liquid_step *step, field shift[3])
{
    const domain *d = &step->flow.m->domain;
    for (int a = 0; a < d->dims; a++) {
        band_merge job = {.deep = &step->run->liquid.deep, .grid = &shift[a], .axis = a};
        job.from = (float)(swarm_deepest(step->run) - domain_min_h(d));
        field_for_rows(job.grid, band_close_rows, &job);
        halo_fill_even(&shift[a], d);
    }
}
