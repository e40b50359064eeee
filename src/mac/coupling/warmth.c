#include "mac/coupling/warmth.h"

#include <math.h>

#include "grid/diffusion.h"
#include "mac/coupling/parts.h"

typedef struct warmth_job {
    const model *m;
    const state *s;
    const warmth_task *task;
    warmth_sum *sums;        /* per body */
} warmth_job;

static bool warmth_is_fluid(uint8_t mark) { return mark == DIFFUSION_FREE || mark == DIFFUSION_WHOLE; }

static double warmth_conductance(const warmth_job *job, int axis, const int face[3])
{
    return job->task->conductance ? (double)field_row(job->task->conductance[axis], face[1], face[2])[face[0]] : 1;
}

/* The link from a cell in a body to its neighbour: as grid/diffusion.h has it. */
static void warmth_add_link(const warmth_job *job, const int cell[3], int axis, int high, warmth_sum *sum)
{
    const domain *d = &job->m->domain;
    const field *t = job->task->temperature;
    int next[3] = {cell[0], cell[1], cell[2]}, face[3] = {cell[0], cell[1], cell[2]};
    next[axis] += high ? 1 : -1;
    face[axis] += high;
    if (d->periodic[axis])
        next[axis] = (next[axis] + d->n[axis]) % d->n[axis];
    if (next[axis] < 0 || next[axis] >= d->n[axis])
        return;
    const float *there = field_row(t, next[1], next[2]) + next[0];
    if (!warmth_is_fluid(job->task->marks[there - t->block]))
        return;
    const double own = (double)field_row(t, cell[1], cell[2])[cell[0]];
    const double reach = (double)diffusion_reach(&job->s->solids.distance, -1, next, cell);
    const double through = job->task->number * domain_cell_volume(d) / (d->h[axis] * d->h[axis] * reach);
    sum->heat += through * warmth_conductance(job, axis, face) * ((double)*there - own);
    sum->least = fmin(sum->least, (double)*there);
    sum->most = fmax(sum->most, (double)*there);
}

/* Few cells belong to bodies; sums are taken in one order. */
static void warmth_add_row(const warmth_job *job, int j, int k)
{
    const field *t = job->task->temperature;
    const ptrdiff_t row = field_row(t, j, k) - t->block;
    for (int i = 0; i < t->size[0]; i++) {
        const int owner = job->s->solids.owner[row + i] - job->m->obstacle_count;
        if (job->task->marks[row + i] != DIFFUSION_FIXED || owner < 0)
            continue;
        for (int link = 0; link < 2 * job->m->domain.dims; link++)
            warmth_add_link(job, (int[3]){i, j, k}, link / 2, link % 2, &job->sums[owner]);
    }
}

/* Takes what has come and is due, as far as the body does not pass all that is around it. */
static void warmth_take(const coupling *c, int b, const warmth_sum *sum, double capacity, fleet_body *body)
{
    const double own = rigid_body_mass(c->fleet.world, b)->mass * c->m->bodies.of[b].heat_capacity;
    body->due += c->m->fluid.density * capacity * sum->heat;
    const double wanted = body->temperature + body->due / own;
    const double next = clampd(wanted, fmin(sum->least, body->temperature), fmax(sum->most, body->temperature));
    body->due -= own * (next - body->temperature);
    body->temperature = next;
}

void coupling_warm(const model *m, state *s, const warmth_task *task)
{
    coupling *c = s->coupling;
    warmth_job job = {m, s, task, c->warmth};
    for (int b = 0; b < c->fleet.count; b++)
        c->warmth[b] = (warmth_sum){.least = INFINITY, .most = -INFINITY};
    for (int k = 0; k < task->temperature->size[2]; k++)
        for (int j = 0; j < task->temperature->size[1]; j++)
            warmth_add_row(&job, j, k);
    for (int b = 0; b < c->fleet.count; b++)
        if (m->bodies.of[b].heat_capacity > 0 && c->warmth[b].least <= c->warmth[b].most)
            warmth_take(c, b, &c->warmth[b], task->capacity, &c->fleet.next[b]);
}
