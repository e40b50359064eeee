/* Fluxes through the faces (grid/flux.h) in forward steps so short that no new extrema appear, packed into methods of
   second order in time with s stages (Spiteri & Ruuth 2002, SSPRK(s,2)):

     q₀ = q,   q_k = q_{k−1} + τ L(q_{k−1}),   q' = q/s + (1 − 1/s)(q_{s−1} + τ L(q_{s−1})),      over (s − 1) τ in all.

   Every stage is a forward step and the end is a mean, so bounds hold, and only s steps are made where Heun's method
   makes 2 (s − 1). */
#include "mac/stage/transport.h"

#include <float.h>
#include <math.h>

#include "base/threads.h"
#include "grid/flux.h"
#include "mac/stage/extend.h"
#include "mac/stage/ledger.h"
#include "mac/stage/walls.h"

/* Methods with more stages need fewer of them per second, but are less accurate: with four the error in time is still
   less than that in space. */
enum { MOST_STAGES = 4 };

/* A flow that needs more steps than this has gone wrong itself. */
static const double MOST_STEPS = 10000;

typedef struct transport_plan {
    int packs, stages;
} transport_plan;

/* `steps`: how many forward steps the time takes at least. */
static transport_plan transport_make_plan(double steps)
{
    int packs = (int)fmax(1, ceil(steps / (MOST_STAGES - 1)));
    int each = (int)fmax(1, ceil(steps / packs));
    return (transport_plan){packs, each + 1};
}

/* One pack on `q`, whose ghosts need not be filled; returns what entered through the sides, in unit·cells. */
static double transport_pack(const model *m, state *s, int index, const flux_flow *flow, int stages, double dt,
                             field *q)
{
    field work[2] = {state_scratch(m, s, 0, FR_AT_CELL), state_scratch(m, s, 1, FR_AT_CELL)};
    field *from = q;
    double entered = 0;
    for (int stage = 1; stage <= stages; stage++) {
        bool last = stage == stages;
        flux_step step = {.dt = dt / (stages - 1),
                          .origin = (float)m->scalars[index].clean,
                          .from = from,
                          .start = last ? q : from,
                          .mix = last ? (float)(stages - 1) / (float)stages : 1,
                          .to = last ? q : &work[stage % 2]};
        stage_walls_upwind(m, s, index, flow->velocity, from);
        flux_advance(flow, &step);
        entered += flux_entered(flow, &step);
        from = step.to;
    }
    return entered * (stages - 1) / stages;
}

/* How a total is corrected: a = q − clean becomes a + all |a|, and beside obstacles `beside` |a| + `even` is added. */
typedef struct transport_correction {
    double all, beside, even;
} transport_correction;

typedef struct transport_balance {
    const model *m;
    const state *s;
    field *q;
    float clean;
    double *partial;
    transport_correction correction;
} transport_balance;

/* Whether an obstacle covers part of a cell or of one of its faces; never where no obstacle moves. */
static bool transport_is_beside(const transport_balance *job, int i, int j, int k)
{
    const solids *solids = &job->s->solids;
    bool beside = solids->moving && field_row(&solids->volume, j, k)[i] < 1;
    for (int a = 0; a < job->m->domain.dims && solids->moving; a++) {
        const float *open = field_row(&solids->open[a], j, k) + i;
        beside = beside || open[0] < 1 || open[solids->open[a].stride[a]] < 1;
    }
    return beside;
}

static double transport_volume(const transport_balance *job, int i, int j, int k)
{
    return job->s->solids.any ? field_row(&job->s->solids.volume, j, k)[i] : 1;
}

enum { BALANCE_TOTAL, BALANCE_SIZE, BALANCE_BESIDE, BALANCE_VOLUME, BALANCE_SUMS };

/* Per row: Σ V a, Σ V |a|, and beside obstacles Σ V |a|, Σ V. */
static void transport_measure_rows(void *context, int begin, int end)
{
    const transport_balance *job = context;
    int rows = field_rows(job->q);
    for (int r = begin; r < end; r++) {
        int j = r % job->q->size[1], k = r / job->q->size[1];
        const float *q = field_row(job->q, j, k);
        double sums[BALANCE_SUMS] = {0};
        for (int i = 0; i < job->q->size[0]; i++) {
            double volume = transport_volume(job, i, j, k), amount = volume * (q[i] - job->clean);
            bool beside = transport_is_beside(job, i, j, k);
            sums[BALANCE_TOTAL] += amount;
            sums[BALANCE_SIZE] += fabs(amount);
            sums[BALANCE_BESIDE] += beside ? fabs(amount) : 0;
            sums[BALANCE_VOLUME] += beside ? volume : 0;
        }
        for (int n = 0; n < BALANCE_SUMS; n++)
            job->partial[n * rows + r] = sums[n];
    }
}

static void transport_measure(transport_balance *job, double sums[BALANCE_SUMS])
{
    int rows = field_rows(job->q);
    field_for_rows(job->q, transport_measure_rows, job);
    for (int n = 0; n < BALANCE_SUMS; n++)
        sums[n] = threads_sum(job->partial + n * rows, rows);
}

static void transport_correct_rows(void *context, int begin, int end)
{
    const transport_balance *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->q->size[1], k = r / job->q->size[1];
        float *q = field_row(job->q, j, k);
        for (int i = 0; i < job->q->size[0]; i++) {
            double size = fabs((double)q[i] - job->clean), change = job->correction.all * size;
            if (transport_is_beside(job, i, j, k))
                change += job->correction.beside * size + job->correction.even;
            q[i] = transport_volume(job, i, j, k) > 0 ? (float)(q[i] + change) : q[i];
        }
    }
}

/* Supplies as much of `missing` as a relative change of at most ½ can; returns that change. */
static double transport_supply(double *missing, double size)
{
    double part = size > 0 ? fmax(-0.5, fmin(0.5, *missing / size)) : 0;
    *missing -= part * size;
    return part;
}

/* First from the cells beside obstacles, where the error is made. Then from all cells. What is left when obstacles have
   covered nearly all of the scalar in one step is spread evenly around them. */
static transport_correction transport_make_correction(const double sums[BALANCE_SUMS], double missing)
{
    transport_correction correction = {0};
    correction.beside = transport_supply(&missing, sums[BALANCE_BESIDE]);
    correction.all = transport_supply(&missing, sums[BALANCE_SIZE]);
    correction.even = sums[BALANCE_VOLUME] > 0 ? missing / sums[BALANCE_VOLUME] : 0;
    return correction;
}

/* Makes the total what it must be (unit·cells). Rounding loses a little in every step, too little to be added to
   float32 values: it is owed until it is as large as their rounding. Obstacles that moved leave larger errors. */
static void transport_keep_total(const model *m, state *s, int index, double total)
{
    double sums[BALANCE_SUMS];
    transport_balance job = {
        .m = m, .s = s, .q = &s->next_scalars[index], .clean = (float)m->scalars[index].clean, .partial = s->partial};
    transport_measure(&job, sums);
    if (fabs(total - sums[BALANCE_TOTAL]) > FLT_EPSILON * sums[BALANCE_SIZE]) {
        job.correction = transport_make_correction(sums, total - sums[BALANCE_TOTAL]);
        field_for_rows(job.q, transport_correct_rows, &job);
        transport_measure(&job, sums);
    }
    s->accounts[index].next_owed = total - sums[BALANCE_TOTAL];
}

static void transport_scalar(const model *m, state *s, int index, const flux_flow *flow, transport_plan plan, double dt)
{
    field *q = &s->next_scalars[index];
    double entered = 0;
    if (!flow->sweeps)
        field_copy(q, &s->scalars[index]);
    for (int pack = 0; pack < plan.packs; pack++)
        entered += transport_pack(m, s, index, flow, plan.stages, dt / plan.packs, q);
    state_account *account = &s->accounts[index];
    account->next_entered = account->entered + entered * domain_cell_volume(&m->domain);
    transport_keep_total(m, s, index, account->total / domain_cell_volume(&m->domain) + entered + account->owed);
}

static flux_flow transport_flow(const model *m, const state *s, const field carrier[3])
{
    bool any = s->solids.any;
    flux_flow flow = {.d = &m->domain,
                      .velocity = carrier,
                      .open = any ? s->solids.open : NULL,
                      .volume = any ? &s->solids.volume : NULL,
                      .sweeps = s->solids.moving};
    for (int side = 0; side < 2 * m->domain.dims; side++)
        flow.closed[side] =
            m->walls[side].kind == FR_WALL_FREE_SLIP || m->walls[side].kind == FR_WALL_NO_SLIP;
    return flow;
}

static bool transport_applies(const model *m, int index)
{
    return m->scalars[index].varies && m->scalars[index].conserved;
}

fr_result stage_transport_scalars(const model *m, state *s, const field carrier[3], double dt)
{
    bool any = false;
    for (int i = 0; i < m->scalar_count; i++)
        any = any || transport_applies(m, i);
    if (!any)
        return FR_OK;
    flux_flow flow = transport_flow(m, s, carrier);
    double steps = flux_rate(&flow, s->partial) * dt;
    if (!(steps <= MOST_STEPS))
        return fr_fail(
            FR_ERROR_NUMERIC,
            "the flow is so fast that conservative transport would need %.3g steps of its own in one of %.3g s", steps,
            dt);
    transport_plan plan = transport_make_plan(steps);
    s->now.report.transport_steps = plan.packs * (plan.stages - 1);
    for (int i = 0; i < m->scalar_count; i++)
        if (transport_applies(m, i))
            transport_scalar(m, s, i, &flow, plan, dt);
    return FR_OK;
}

void stage_transport_begin(const model *m, state *s)
{
    for (int i = 0; i < m->scalar_count; i++) {
        if (!transport_applies(m, i))
            continue;
        s->accounts[i].total = stage_ledger_total(m, s, i, NULL);
        if (s->solids.moving) {
            field_copy(&s->next_scalars[i], &s->scalars[i]);
            stage_extend_scalar(m, s, i, &s->next_scalars[i]);
        }
    }
}

void stage_transport_accept(const model *m, state *s)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (transport_applies(m, i)) {
            s->accounts[i].entered = s->accounts[i].next_entered;
            s->accounts[i].owed = s->accounts[i].next_owed;
        }
}
