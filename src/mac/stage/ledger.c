#include "mac/stage/ledger.h"

#include "base/threads.h"
#include "grid/extend.h"

typedef struct ledger_job {
    const domain *d;
    const field *share;          /* of each cell that counts; NULL: all of it */
    const state *s;
    bool known;                  /* the flow is, everywhere: it is given */
    const field *scalar;
    float clean;
    double *partial;
} ledger_job;

/* What obstacles leave open; NULL: there are none. */
static const field *ledger_open(const solids *solids) { return solids->any ? &solids->volume : NULL; }

static bool ledger_is_wet(uint8_t layer)
{
    return layer == EXTEND_KNOWN || layer == EXTEND_PARTLY;
}

/* A face beyond the surface of a liquid has no flow of its own: it counts as the cell's other one does. */
static void ledger_leave_dry(const uint8_t *wet, ptrdiff_t next, double *low, double *high)
{
    bool below = ledger_is_wet(wet[0]), above = ledger_is_wet(wet[next]);
    if (below && !above)
        *high = *low;
    if (above && !below)
        *low = *high;
}

/* Per row of cells, over the two faces of each cell: the sum of their mean squares and of their means. */
static void ledger_flow_rows(void *context, int begin, int end)
{
    const ledger_job *job = context;
    const domain *d = job->d;
    for (int r = begin; r < end; r++) {
        int j = r % d->n[1], k = r / d->n[1];
        const float *share = job->share ? field_row(job->share, j, k) : NULL;
        double square = 0, sum[3] = {0, 0, 0};
        for (int a = 0; a < d->dims; a++) {
            const float *u = field_row(&job->s->velocity[a], j, k);
            const bool all = job->known || !job->s->wet[a];
            const uint8_t *wet = all ? NULL : job->s->wet[a] + (u - job->s->velocity[a].block);
            ptrdiff_t next = job->s->velocity[a].stride[a];
            for (int i = 0; i < d->n[0]; i++) {
                double low = u[i], high = u[i + next], volume = share ? share[i] : 1;
                if (wet)
                    ledger_leave_dry(wet + i, next, &low, &high);
                square += 0.5 * (low * low + high * high) * volume;
                sum[a] += 0.5 * (low + high) * volume;
            }
        }
        double *out = job->partial + r;
        int rows = d->n[1] * d->n[2];
        out[0] = square;
        for (int a = 0; a < 3; a++)
            out[(a + 1) * rows] = sum[a];
    }
}

ledger_flow stage_ledger_flow(const model *m, state *s, const field *share)
{
    ledger_job job = {.d = &m->domain,
                      .share = share ? share : ledger_open(&s->solids),
                      .s = s,
                      .known = m->prescribed,
                      .partial = s->partial};
    int rows = field_rows(&s->pressure);
    double mass = m->fluid.density * domain_cell_volume(&m->domain);
    field_for_rows(&s->pressure, ledger_flow_rows, &job);
    ledger_flow flow = {.kinetic_energy = 0.5 * mass * threads_sum(s->partial, rows)};
    for (int a = 0; a < 3; a++)
        flow.momentum[a] = mass * threads_sum(s->partial + (a + 1) * rows, rows);
    return flow;
}

static void ledger_total_rows(void *context, int begin, int end)
{
    const ledger_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->scalar->size[1], k = r / job->scalar->size[1];
        const float *row = field_row(job->scalar, j, k), *share = job->share ? field_row(job->share, j, k) : NULL;
        double sum = 0;
        for (int i = 0; i < job->scalar->size[0]; i++)
            sum += (double)(row[i] - job->clean) * (share ? share[i] : 1);
        job->partial[r] = sum;
    }
}

double stage_ledger_total(const model *m, state *s, int index, const field *share)
{
    if (!m->scalars[index].varies)
        return 0;
    ledger_job job = {.d = model_scalar_domain(m, index),
                      .share = share ? share : ledger_open(state_solids(s, m->scalars[index].grid)),
                      .s = s,
                      .scalar = &s->scalars[index],
                      .clean = (float)m->scalars[index].clean,
                      .partial = s->partial};
    field_for_rows(job.scalar, ledger_total_rows, &job);
    return domain_cell_volume(job.d) * threads_sum(s->partial, field_rows(job.scalar));
}
