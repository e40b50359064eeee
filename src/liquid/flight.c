/* Momentum of liquid in flight among bodies, kept.

   Liquid that touches nothing but rigid bodies changes its momentum by its weight and by what it gives to them, which
   the pressure knows to rounding. What else changes it is an error: velocities carried on a grid are no fluxes of
   momentum, and beside a body some are continued. Some thousandths are lost in a step where much is cut, and a body
   that flies through a drop would come out with too little. What is missing is given back to all of the liquid alike.
 */
#include "base/threads.h"
#include "grid/refine.h"
#include "liquid/swarm/swarm.h"
#include "mac/coupling/coupling.h"
#include "mac/stage/ledger.h"
#include "mac/stage/walls.h"

static bool flight_may_be(const liquid_run *run)
{
    const model *m = run->flow.model;
    bool alone = m->force_count == 0 && m->source_count == 0 && run->model.sink_count == 0 && !m->prescribed;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        alone = alone && m->walls[side].kind != FR_WALL_INFLOW;
    return alone && run->flow.state->coupling && m->bodies.coupling == FR_COUPLING_MONOLITHIC;
}

typedef struct flight_job {
    const model *m;
    const solids *solids;
    const field *phi;
    double *touches; /* per row */
} flight_job;

/* Whether liquid gives momentum to an obstacle that nobody measures: to what is no rigid body, and by its viscosity to
   bodies that are fixed, which are no unknowns of that system. */
static bool flight_takes(const model *m, int obstacle)
{
    if (obstacle < m->obstacle_count)
        return true;
    const fr_body_def *body = &m->bodies.of[obstacle - m->obstacle_count];
    return m->viscous && body->fixed && !body->free_slip;
}

/* A cell of liquid that lies at a side, or beside an obstacle that takes momentum. */
static bool flight_touches(const flight_job *job, const float *phi, const int at[3])
{
    const domain *d = &job->m->domain;
    const ptrdiff_t cell = phi + at[0] - job->phi->block;
    if (phi[at[0]] >= 0)
        return false;
    for (int a = 0; a < d->dims; a++)
        if (!d->periodic[a] && (at[a] == 0 || at[a] == d->n[a] - 1))
            return true;
    return job->solids->distance.block[cell] < (float)domain_min_h(d) && flight_takes(job->m, job->solids->owner[cell]);
}

static void flight_rows(void *context, int begin, int end)
{
    const flight_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->phi->size[1], k = r / job->phi->size[1];
        const float *phi = field_row(job->phi, j, k);
        job->touches[r] = 0;
        for (int i = 0; i < job->phi->size[0]; i++)
            job->touches[r] += flight_touches(job, phi, (int[3]){i, j, k});
    }
}

/* Whether the present liquid touches nothing else. */
static bool flight_is(liquid_run *run)
{
    state *s = run->flow.state;
    const field *phi = liquid_seen(run, &run->liquid.surface);
    flight_job job = {run->flow.model, &s->solids, phi, s->partial};
    field_for_rows(phi, flight_rows, &job);
    return threads_sum(s->partial, field_rows(phi)) == 0;
}

/* Momentum of the present liquid as the ledger has it, kg m/s; returns its mass, kg. */
static double flight_measure(liquid_run *run, double momentum[3])
{
    const model *m = run->flow.model;
    const field *phi = &run->liquid.surface;
    const double mass = m->fluid.density * liquid_volume(run, phi);
    field fine = liquid_scratch(run, 1), share = state_scratch(m, run->flow.state, 0, FR_AT_CELL);
    if (swarm_flies(run)) {
        swarm_momentum(run, mass, momentum);
        return mass;
    }
    liquid_shares(run, phi, &fine);
    refine_mean(&fine, run->model.settings.refine, &share);
    const ledger_flow flow = stage_ledger_flow(m, run->flow.state, &share);
    for (int a = 0; a < 3; a++)
        momentum[a] = flow.momentum[a];
    return mass;
}

void liquid_flight_begin(liquid_run *run)
{
    liquid_state *l = &run->liquid;
    l->flies = flight_may_be(run) && flight_is(run);
    if (l->flies)
        l->mass = flight_measure(run, l->momentum);
}

static void flight_push(liquid_run *run, int axis, float change)
{
    field *u = &run->flow.state->velocity[axis];
    for (size_t i = 0; i < u->count; i++)
        u->block[i] += change;
    const parcels *p = &run->liquid.parcels;
    for (int64_t n = 0; n < p->count && p->v[axis]; n++)
        p->v[axis][n] += change;
}

void liquid_flight_accept(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    liquid_state *l = &run->liquid;
    double given[3], now[3];
    if (!l->flies || !flight_is(run))
        return;
    const double mass = flight_measure(run, now), dt = s->now.end - s->now.time;
    coupling_impulse(s->coupling, given);
    for (int a = 0; a < m->domain.dims && mass > 0; a++) {
        const double wanted = l->momentum[a] + l->mass * run->model.gravity[a] * dt - given[a];
        flight_push(run, a, (float)((wanted - now[a]) / mass));
    }
    stage_walls_velocity(m, s, s->velocity);
    s->rate = 0;
}
