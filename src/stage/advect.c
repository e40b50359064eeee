/* Semi-Lagrangian advection with a second-order (midpoint) trace, and MacCormack's correction on top of it:

     φ̂ = A(φⁿ),   φ̄ = A⁻¹(φ̂),   φⁿ⁺¹ = φ̂ + ½ (φⁿ − φ̄)

   kept between the least and the greatest of the samples that φ̂ came from, so that no new extrema appear
   (Selle, Fedkiw, Kim, Liu & Rossignac 2008). Stable at any Courant number. */
#include "stage/advect.h"

#include "base/threads.h"
#include "base/wide.h"
#include "grid/sample.h"
#include "stage/walls.h"

typedef struct advect_job {
    const domain *d;
    const field *velocity;   /* three; the flow that carries */
    const field *from;       /* carried */
    field *to;
    field *forward, *high;   /* φ̂ and the upper bound; `to` holds the lower bound in between. MacCormack only */
    float scale[3];          /* Δt/h: metres per second to cells */
    int64_t *clamps;         /* per row */
} advect_job;

/* The flow at a row's own points: the component itself, or the mean of its neighbours around the point. */
static void advect_flow_at(const advect_job *job, const sample_points *p, int component, float *restrict out)
{
    const field *f = &job->velocity[component];
    const float *restrict at = field_row(f, p->j, p->k) + p->i;
    int own = p->at == FR_AT_CELL ? -1 : (int)p->at - FR_AT_FACE_X;
    ptrdiff_t next = f->stride[component];
    if (own == component) {
        for (int i = 0; i < p->n; i++)
            out[i] = at[i];
    } else if (own < 0) {
        for (int i = 0; i < p->n; i++)
            out[i] = 0.5f * (at[i] + at[i + next]);
    } else {
        ptrdiff_t back = f->stride[own];
        for (int i = 0; i < p->n; i++)
            out[i] = 0.25f * ((at[i] + at[i - back]) + (at[i + next] + at[i + next - back]));
    }
}

/* Where the row's points come from (sign −1) or go to (+1): midpoint rule. */
static void advect_trace(const advect_job *job, sample_points *p, float sign)
{
    float *moves[3] = {p->dx, p->dy, p->dz};
    float flow[3][SAMPLE_ROW];
    for (int a = 0; a < job->d->dims; a++) {
        advect_flow_at(job, p, a, flow[a]);
        float half = 0.5f * sign * job->scale[a];
        for (int i = 0; i < p->n; i++)
            moves[a][i] = half * flow[a][i];
    }
    sample_confine(p, job->d);
    for (int a = 0; a < job->d->dims; a++)
        sample_values(&job->velocity[a], job->d, p, flow[a]);
    for (int a = 0; a < job->d->dims; a++)
        for (int i = 0; i < p->n; i++)
            moves[a][i] = sign * job->scale[a] * flow[a][i];
    sample_confine(p, job->d);
}

/* Calls `work` on the pieces of rows [begin, end) of the carried field. */
static void advect_pieces(const advect_job *job, int begin, int end, void (*work)(const advect_job *, sample_points *, int row))
{
    sample_points p = {.at = job->from->at};
    for (int m = begin; m < end; m++) {
        p.j = m % job->from->size[1];
        p.k = m / job->from->size[1];
        for (p.i = 0; p.i < job->from->size[0]; p.i += SAMPLE_ROW) {
            int left = job->from->size[0] - p.i;
            p.n = left < SAMPLE_ROW ? left : SAMPLE_ROW;
            work(job, &p, m);
        }
    }
}

static void advect_copy_row(const float *from, field *to, const sample_points *p)
{
    float *row = field_row(to, p->j, p->k) + p->i;
    for (int i = 0; i < p->n; i++)
        row[i] = from[i];
}

static void advect_linear_piece(const advect_job *job, sample_points *p, int row)
{
    (void)row;
    float value[SAMPLE_ROW];
    advect_trace(job, p, -1);
    sample_values(job->from, job->d, p, value);
    advect_copy_row(value, job->to, p);
}

static void advect_forward_piece(const advect_job *job, sample_points *p, int row)
{
    (void)row;
    float value[SAMPLE_ROW], low[SAMPLE_ROW], high[SAMPLE_ROW];
    advect_trace(job, p, -1);
    sample_values_bounds(job->from, job->d, p, value, low, high);
    advect_copy_row(value, job->forward, p);
    advect_copy_row(low, job->to, p);
    advect_copy_row(high, job->high, p);
}

static void advect_correct_piece(const advect_job *job, sample_points *p, int row)
{
    float back[SAMPLE_ROW];
    advect_trace(job, p, 1);
    sample_values(job->forward, job->d, p, back);
    ptrdiff_t start = field_offset(job->from, p->i, p->j, p->k);
    const float *restrict old = job->from->data + start, *restrict forward = job->forward->data + start;
    const float *restrict high = job->high->data + start;
    float *restrict to = job->to->data + start;
    int clamps = 0;
    for (int i = 0; i < p->n; i++) {
        float corrected = forward[i] + 0.5f * (old[i] - back[i]);
        float value = corrected < to[i] ? to[i] : corrected;
        value = value > high[i] ? high[i] : value;
        clamps += value != corrected;
        to[i] = value;
    }
    job->clamps[row] += clamps;
}

static void advect_linear_rows(void *context, int begin, int end)
{
    advect_pieces(context, begin, end, advect_linear_piece);
}

static void advect_forward_rows(void *context, int begin, int end)
{
    advect_pieces(context, begin, end, advect_forward_piece);
}

static void advect_correct_rows(void *context, int begin, int end)
{
    advect_pieces(context, begin, end, advect_correct_piece);
}

/* How a field's ghosts are filled: those of φ̂ like those of φ. */
typedef struct advect_ghosts {
    int scalar;      /* its index; −1 − axis for a component of the velocity */
} advect_ghosts;

static void advect_fill_ghosts(const model *m, const state *s, advect_ghosts which, field *f)
{
    if (which.scalar >= 0) {
        stage_walls_scalar(m, s, which.scalar, s->velocity, f);
    } else {
        halo_side sides[6];
        stage_walls_velocity_rules(m, s, -1 - which.scalar, sides);
        halo_fill(f, &m->domain, sides);
    }
}

static void advect_field(const model *m, state *s, double dt, const field *from, field *to, advect_ghosts which)
{
    field forward = state_scratch(m, s, 0, from->at), high = state_scratch(m, s, 1, from->at);
    advect_job job = {.d = &m->domain, .velocity = s->velocity, .from = from, .to = to, .forward = &forward, .high = &high, .clamps = (int64_t *)s->partial};
    for (int a = 0; a < m->domain.dims; a++)
        job.scale[a] = (float)(dt / m->domain.h[a]);
    if (m->def->smoke.advection == FR_ADVECTION_LINEAR) {
        field_for_rows(from, advect_linear_rows, &job);
        return;
    }
    for (int r = 0; r < field_rows(from); r++)
        job.clamps[r] = 0;
    field_for_rows(from, advect_forward_rows, &job);
    advect_fill_ghosts(m, s, which, &forward);
    field_for_rows(from, advect_correct_rows, &job);
    for (int r = 0; r < field_rows(from); r++)
        s->report.clamps += job.clamps[r];
}

void stage_advect_velocity(const model *m, state *s, double dt)
{
    for (int a = 0; a < m->domain.dims; a++)
        advect_field(m, s, dt, &s->velocity[a], &s->next_velocity[a], (advect_ghosts){-1 - a});
}

void stage_advect_scalars(const model *m, state *s, double dt)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            advect_field(m, s, dt, &s->scalars[i], &s->next_scalars[i], (advect_ghosts){i});
}
