/* The account of the liquid's heat. Carrying on a grid blurs what it carries, and the liquid's share of the cells at
   its surface changes while it does: a hot drop in a cold pool would lose a fifth of its heat within seconds. What came
   in is known: from sources, and through walls, obstacles and the surface by conduction. So at the end of a step the
   heat must be what it was and that; what is missing is given to the cells that lie below the hottest one beside them,
   in shares of how far they do, and what is too much is taken from those above the coldest. There the blur is, and no
   temperature comes about that is not beside. (Bermejo & Conde 2002 correct masses of tracers in this spirit.)

   Liquid that is poured or leaves takes its heat along (ports.c). What else the volume has changed by, of all that was
   there, is its drift, with the heat that this part of the liquid had.

   Two bodies whose volumes drift apart may leave no such room: later steps make up for the rest. */
#include <math.h>

#include "base/threads.h"
#include "liquid/liquid.h"
#include "mac/stage/walls.h"

typedef struct balance_job {
    const liquid_model *m;
    const domain *d;
    const field *share;
    const field *temperature, *fraction; /* fraction: NULL without latent heat */
    field *room;                         /* by how much each enthalpy may change, K */
    float sign;                          /* of the change */
    double part;                         /* how much of its room each cell takes */
    double *partial[2];
} balance_job;

static double balance_enthalpy(const balance_job *job, ptrdiff_t at)
{
    return (double)job->temperature->data[at] +
           (job->fraction ? job->m->melt.latent * (double)job->fraction->data[at] : 0);
}

static void balance_sum_rows(void *context, int begin, int end)
{
    const balance_job *job = context;
    for (int r = begin; r < end; r++) {
        const float *share = field_row(job->share, r % job->share->size[1], r / job->share->size[1]);
        double heat = 0, volume = 0;
        for (int i = 0; i < job->share->size[0]; i++) {
            volume += (double)share[i];
            if (share[i] > 0)
                heat += (double)share[i] * (balance_enthalpy(job, share + i - job->share->data) - job->m->heat.ambient);
        }
        job->partial[0][r] = heat;
        job->partial[1][r] = volume;
    }
}

static balance_job balance_of(liquid_run *run, const field *scalars, const field *share)
{
    state *s = run->flow.state;
    return (balance_job){.m = &run->model,
                         .d = &run->flow.model->domain,
                         .share = share,
                         .temperature = &scalars[run->flow.model->temperature],
                         .fraction = run->model.fraction >= 0 ? &scalars[run->model.fraction] : NULL,
                         .partial = {s->partial, s->partial + field_rows(share)}};
}

liquid_heat liquid_heat_of(liquid_run *run, const field *scalars, const field *share)
{
    balance_job job = balance_of(run, scalars, share);
    const double cell = domain_cell_volume(job.d);
    field_for_rows(share, balance_sum_rows, &job);
    return (liquid_heat){cell * threads_sum(job.partial[0], field_rows(share)),
                         cell * threads_sum(job.partial[1], field_rows(share))};
}

/* The highest enthalpy beside a cell, or the lowest, less its own; of cells that hold liquid. */
static double balance_room(const balance_job *job, const int cell[3], ptrdiff_t at)
{
    const double own = job->sign * balance_enthalpy(job, at);
    double most = own;
    for (int a = 0; a < job->d->dims; a++)
        for (int end = -1; end <= 1; end += 2) {
            const int there = cell[a] + end;
            const ptrdiff_t next = at + end * job->share->stride[a];
            if (there >= 0 && there < job->d->n[a] && job->share->data[next] > 0)
                most = fmax(most, job->sign * balance_enthalpy(job, next));
        }
    return most - own;
}

static void balance_room_rows(void *context, int begin, int end)
{
    const balance_job *job = context;
    for (int r = begin; r < end; r++) {
        int cell[3] = {0, r % job->share->size[1], r / job->share->size[1]};
        const float *share = field_row(job->share, cell[1], cell[2]);
        float *room = field_row(job->room, cell[1], cell[2]);
        double sum = 0;
        for (; cell[0] < job->share->size[0]; cell[0]++) {
            const ptrdiff_t at = share + cell[0] - job->share->data;
            room[cell[0]] = share[cell[0]] > 0 ? (float)balance_room(job, cell, at) : 0;
            sum += (double)share[cell[0]] * (double)room[cell[0]];
        }
        job->partial[0][r] = sum;
    }
}

/* Energy goes to the temperature alone; liquid_heat_settle finds what it melts. */
static void balance_change_rows(void *context, int begin, int end)
{
    const balance_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->share->size[1], k = r / job->share->size[1];
        const float *room = field_row(job->room, j, k);
        float *t = field_row(job->temperature, j, k);
        for (int i = 0; i < job->share->size[0]; i++)
            t[i] += (float)(job->part * (double)job->sign * (double)room[i]);
    }
}

/* Adds `missing` m³ K to the scalars at the step's end. */
static void balance_correct(liquid_run *run, const field *share, double missing)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    balance_job job = balance_of(run, s->next_scalars, share);
    job.room = &run->liquid.capacity;
    job.sign = missing > 0 ? 1 : -1;
    field_for_rows(share, balance_room_rows, &job);
    const double most = domain_cell_volume(job.d) * threads_sum(job.partial[0], field_rows(share));
    if (!(most > 0))
        return;
    job.part = fmin(fabs(missing) / most, 1);
    field_for_rows(share, balance_change_rows, &job);
    liquid_heat_settle(run);
    stage_walls_scalar(m, s, m->temperature, s->velocity, &s->next_scalars[m->temperature]);
    if (job.fraction)
        stage_walls_scalar(m, s, run->model.fraction, s->velocity, &s->next_scalars[run->model.fraction]);
}

/* By φ at present. */
static liquid_heat balance_present(liquid_run *run, const field *scalars)
{
    field share = state_scratch(run->flow.model, run->flow.state, 0, FR_AT_CELL);
    liquid_shares(run, &run->liquid.surface, &share);
    return liquid_heat_of(run, scalars, &share);
}

void liquid_heat_open(liquid_run *run)
{
    if (run->model.heat.set)
        run->liquid.next_heat_due = balance_present(run, run->flow.state->next_scalars).heat;
}

void liquid_heat_begin(liquid_run *run)
{
    if (run->model.heat.set)
        run->liquid.heat_before = balance_present(run, run->flow.state->scalars);
    run->liquid.heat_given = 0;
    run->liquid.heat_conducted = (liquid_heat){0, 0};
}

void liquid_heat_accept(liquid_run *run)
{
    liquid_state *l = &run->liquid;
    l->heat_due = l->next_heat_due;
    l->heat_in = l->next_heat_in;
    l->heat_out = l->next_heat_out;
    l->heat_drift = l->next_heat_drift;
}

void liquid_heat_balance(const liquid_step *step)
{
    liquid_run *run = step->run;
    liquid_state *l = &run->liquid;
    state *s = step->flow.s;
    if (!run->model.heat.set)
        return;
    field share = state_scratch(step->flow.m, s, 0, FR_AT_CELL);
    liquid_shares(run, &l->next, &share);
    const liquid_heat now = liquid_heat_of(run, s->next_scalars, &share), *before = &l->heat_before;
    const double grown = now.volume - before->volume - (l->next_volume - l->volume);
    const liquid_heat *mean = before->volume > 0 ? before : &now;
    const double drift = mean->volume > 0 ? grown * mean->heat / mean->volume : 0;
    /* in thin and ragged liquid conduct.c makes somewhat less or more of the volume than there is */
    const double whole = l->heat_conducted.volume > 0 ? now.volume / l->heat_conducted.volume : 0;
    const double given = l->heat_given + l->heat_came + l->heat_conducted.heat * whole;
    l->next_heat_in = l->heat_in + given;
    l->next_heat_out = l->heat_out + l->heat_left;
    l->next_heat_drift = l->heat_drift + drift;
    l->next_heat_due = l->heat_due + given - l->heat_left + drift;
    balance_correct(run, &share, l->next_heat_due - now.heat);
}
