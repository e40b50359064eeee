/* Parcels where the liquid is short of them, fewer where they crowd. Stretching draws them apart, and what passes
   between them leaves cells empty; where flows meet they clump. Each stands for a share of the volume, so that no more
   are added than are taken and than the volume lacks. */
#include <math.h>

#include "hybrid/store.h"
#include "liquid/swarm/swarm.h"

/* A cell is short of parcels with less than this share of them, and crowded with more than this many times. */
static const double SHORT = 0.25;
static const int CROWDED = 2;
/* New ones come no nearer to the surface, in cells: parcels there are the surface. */
static const double DEEP = 0.5;
/* How many more there may be than the volume asks for: so many differ at random. */
static const double SLACK = 0.005;

/* The store gives more or fewer as the whole lacks some or has too many, by half at most. */
static fr_result swarm_mend_band(liquid_run *run, reseed *job, double wanted, reseed_report *report)
{
    liquid_state *l = &run->liquid;
    store below = {.to = swarm_deepest(run), .share = 1};
    swarm_find_band(run, &l->surface);
    const swarm_count count = swarm_count_band(run);
    job->seed.surface = &l->deep;
    job->seed.fine = 1;
    job->deepest = below.from = below.to - domain_min_h(&run->flow.model->domain);
    job->lacking = (int64_t)((1 + SLACK) * wanted - count.all);
    below.seed = job->seed;
    if (count.stored > 0)
        below.share += fmin(fmax((wanted - count.all) / count.stored, -0.5), 0.5);
    FR_TRY(reseed_run(job, &l->parcels, report));
    return store_renew(&below, &l->parcels, report);
}

fr_result swarm_mend(void *self)
{
    const liquid_step *step = self;
    const state *s = step->flow.s;
    const domain *d = &step->flow.m->domain;
    liquid_state *l = &step->run->liquid;
    if (l->parcels.age > 0) /* what each cell holds is known right after a sort alone */
        return FR_OK;
    double per_cell = step->run->model.per_cell;
    double wanted = l->volume / domain_cell_volume(d) * per_cell;
    reseed job = {.seed = {.surface = l->leaps ? &l->middle : &l->surface,
                           .fine = step->run->model.settings.refine,
                           .solid = swarm_solid(s),
                           .sealed = swarm_sealed(s),
                           .along = step->run->model.along,
                           .flow = s->velocity,
                           .seed = (uint64_t)s->now.steps},
                  .from = DEEP * domain_min_h(d),
                  .least = (int)ceil(SHORT * per_cell),
                  .most = CROWDED * (int)per_cell,
                  .lacking = (int64_t)((1 + SLACK) * wanted) - parcels_alive(&l->parcels)};
    reseed_report report;
    if (swarm_has_band(step->run))
        FR_TRY(swarm_mend_band(step->run, &job, wanted, &report));
    else
        FR_TRY(reseed_run(&job, &l->parcels, &report));
    l->next_made += report.added - report.removed;
    return FR_OK;
}
