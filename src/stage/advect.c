/* Semi-Lagrangian advection with a second-order (midpoint) trace. Where a point comes from, the value is linear, or cubic and kept
   between the samples around it (quasi-monotone: Bermejo & Staniforth 1992); or MacCormack's correction is laid on the linear one:

     φ̂ = A(φⁿ),   φ̄ = A⁻¹(φ̂),   φⁿ⁺¹ = φ̂ + ½ (φⁿ − φ̄)

   kept between the least and the greatest of the samples that φ̂ came from, so that no new extrema appear
   (Selle, Fedkiw, Kim, Liu & Rossignac 2008). Stable at any Courant number. */
#include "stage/advect.h"

#include "base/threads.h"
#include "base/wide.h"
#include "grid/refine.h"
#include "grid/sample.h"
#include "stage/walls.h"

/* A field on its way. MacCormack keeps φ̂ and its bounds between the two passes: the lower bound in `to`. */
typedef struct advect_load {
    const field *from;
    field *to;
    field forward, high;
} advect_load;

/* Fields of one location that share their traces: most of the work is finding where values come from. */
enum { MOST_LOADS = 2 };

typedef struct advect_job {
    const domain *d;         /* of the fields carried */
    int refine;              /* its cells per cell of the flow */
    const field *velocity;   /* three; the flow that carries */
    const field *layout;     /* one of the fields carried */
    advect_load loads[MOST_LOADS];
    int load_count;
    float scale[3];          /* Δt/h: metres per second to cells */
    int64_t *clamps;         /* per row */
    void (*sample)(const field *f, const domain *d, const sample_points *points, float *out);   /* linear or cubic */
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

/* The flow at a row's own points, and at the points as they have moved. */
static void advect_flow_at_rest(const advect_job *job, sample_points *p, float flow[3][SAMPLE_ROW])
{
    float *moves[3] = {p->dx, p->dy, p->dz};
    for (int a = 0; a < job->d->dims; a++) {
        if (job->refine == 1)
            advect_flow_at(job, p, a, flow[a]);
        for (int i = 0; i < p->n && job->refine > 1; i++)
            moves[a][i] = 0;
    }
    if (job->refine > 1)
        refine_flow(job->velocity, job->d->dims, job->refine, p, flow);
}

static void advect_flow_moved(const advect_job *job, const sample_points *p, float flow[3][SAMPLE_ROW])
{
    for (int a = 0; a < job->d->dims && job->refine == 1; a++)
        sample_values_rounded(&job->velocity[a], job->d, p, flow[a]);
    if (job->refine > 1)
        refine_flow(job->velocity, job->d->dims, job->refine, p, flow);
}

/* Where the row's points come from (sign −1) or go to (+1): midpoint rule. */
static void advect_trace(const advect_job *job, sample_points *p, float sign)
{
    float flow[3][SAMPLE_ROW];
    advect_flow_at_rest(job, p, flow);
    for (int a = 0; a < job->d->dims; a++)
        sample_move(p, job->d, a, flow[a], 0.5f * sign * job->scale[a]);
    advect_flow_moved(job, p, flow);
    for (int a = 0; a < job->d->dims; a++)
        sample_move(p, job->d, a, flow[a], sign * job->scale[a]);
}

/* Calls `work` on the pieces of rows [begin, end) of the carried field. */
static void advect_pieces(const advect_job *job, int begin, int end, void (*work)(const advect_job *, sample_points *, int row))
{
    sample_points p = {.at = job->layout->at};
    for (int m = begin; m < end; m++) {
        p.j = m % job->layout->size[1];
        p.k = m / job->layout->size[1];
        for (p.i = 0; p.i < job->layout->size[0]; p.i += SAMPLE_ROW) {
            int left = job->layout->size[0] - p.i;
            p.n = left < SAMPLE_ROW ? left : SAMPLE_ROW;
            work(job, &p, m);
        }
    }
}

static void advect_copy_row(const float *from, const field *to, const sample_points *p)
{
    float *row = field_row(to, p->j, p->k) + p->i;
    for (int i = 0; i < p->n; i++)
        row[i] = from[i];
}

static void advect_plain_piece(const advect_job *job, sample_points *p, int row)
{
    (void)row;
    float value[SAMPLE_ROW];
    advect_trace(job, p, -1);
    for (int l = 0; l < job->load_count; l++) {
        job->sample(job->loads[l].from, job->d, p, value);
        advect_copy_row(value, job->loads[l].to, p);
    }
}

static void advect_forward_piece(const advect_job *job, sample_points *p, int row)
{
    (void)row;
    float value[SAMPLE_ROW], low[SAMPLE_ROW], high[SAMPLE_ROW];
    advect_trace(job, p, -1);
    for (int l = 0; l < job->load_count; l++) {
        const advect_load *load = &job->loads[l];
        sample_values_bounds(load->from, job->d, p, value, low, high);
        advect_copy_row(value, &load->forward, p);
        advect_copy_row(low, load->to, p);
        advect_copy_row(high, &load->high, p);
    }
}

/* Returns how many values the bounds held back. */
static int advect_correct_load(const advect_load *load, const sample_points *p, const float *restrict back)
{
    ptrdiff_t start = field_offset(load->from, p->i, p->j, p->k);
    const float *restrict old = load->from->data + start, *restrict forward = load->forward.data + start;
    const float *restrict high = load->high.data + start;
    float *restrict to = load->to->data + start;
    int clamps = 0;
    for (int i = 0; i < p->n; i++) {
        float corrected = forward[i] + 0.5f * (old[i] - back[i]);
        float value = corrected < to[i] ? to[i] : corrected;
        value = value > high[i] ? high[i] : value;
        clamps += value != corrected;
        to[i] = value;
    }
    return clamps;
}

static void advect_correct_piece(const advect_job *job, sample_points *p, int row)
{
    float back[SAMPLE_ROW];
    advect_trace(job, p, 1);
    for (int l = 0; l < job->load_count; l++) {
        sample_values(&job->loads[l].forward, job->d, p, back);
        job->clamps[row] += advect_correct_load(&job->loads[l], p, back);
    }
}

static void advect_plain_rows(void *context, int begin, int end)
{
    advect_pieces(context, begin, end, advect_plain_piece);
}

static void advect_forward_rows(void *context, int begin, int end)
{
    advect_pieces(context, begin, end, advect_forward_piece);
}

static void advect_correct_rows(void *context, int begin, int end)
{
    advect_pieces(context, begin, end, advect_correct_piece);
}

/* Fills the ghosts of φ̂ the way those of φ are filled. */
typedef void (*advect_ghosts)(const model *m, const state *s, int index, const field flow[3], field *f);

static void advect_component_ghosts(const model *m, const state *s, int axis, const field flow[3], field *f)
{
    (void)flow;
    halo_side sides[6];
    stage_walls_velocity_rules(m, s, axis, sides);
    halo_fill(f, &m->domain, sides);
}

static void advect_scalar_ghosts(const model *m, const state *s, int index, const field flow[3], field *f)
{
    stage_walls_scalar(m, s, index, flow, f);
}

/* Fields read or written: the flow; per load the old and the new one, and for MacCormack, whose two passes read the flow each,
   φ̂ and the bounds in between. */
static double advect_traffic(const advect_job *job, bool twice)
{
    double flow = 0, carried = (twice ? 9.0 : 2.0) * job->load_count * (double)domain_cells(job->d);
    for (int a = 0; a < job->d->dims; a++)
        flow += (twice ? 2.0 : 1.0) * (double)job->velocity[a].count;
    return sizeof(float) * (flow + carried);
}

/* Carries the loads over a grid; `index` numbers them for their ghosts. */
static void advect_run(const model *m, state *s, double dt, const model_grid *grid, advect_job *job, const int index[], advect_ghosts ghosts)
{
    job->d = &grid->domain;
    job->refine = grid->refine;
    job->layout = job->loads[0].from;
    job->clamps = (int64_t *)s->partial;
    for (int a = 0; a < m->domain.dims; a++)
        job->scale[a] = (float)(dt / job->d->h[a]);
    job->sample = m->def->smoke.advection == FR_ADVECTION_CUBIC ? sample_values_cubic : sample_values;
    if (m->def->smoke.advection == FR_ADVECTION_LINEAR || m->def->smoke.advection == FR_ADVECTION_CUBIC) {
        field_for_rows(job->layout, advect_plain_rows, job);
        s->now.traffic += advect_traffic(job, false);
        return;
    }
    for (int r = 0; r < field_rows(job->layout); r++)
        job->clamps[r] = 0;
    field_for_rows(job->layout, advect_forward_rows, job);
    for (int l = 0; l < job->load_count; l++)
        ghosts(m, s, index[l], job->velocity, &job->loads[l].forward);
    field_for_rows(job->layout, advect_correct_rows, job);
    for (int r = 0; r < field_rows(job->layout); r++)
        s->now.report.clamps += job->clamps[r];
    s->now.traffic += advect_traffic(job, true);
}

void stage_advect_velocity(const model *m, state *s, const field from[3], const field flow[3], field to[3], double dt)
{
    for (int a = 0; a < m->domain.dims; a++) {
        fr_location at = field_face(a);
        advect_job job = {.velocity = flow,
                          .load_count = 1,
                          .loads = {{&from[a], &to[a], state_scratch(m, s, 0, at), state_scratch(m, s, 1, at)}}};
        advect_run(m, s, dt, &m->grids[0], &job, &a, advect_component_ghosts);
    }
}

/* Two at a time on the flow's own grid, where the second takes the memory of an idle velocity; one on finer grids, for which
   that is too small. */
static void advect_scalars_on(const model *m, state *s, const field flow[3], double dt, int grid)
{
    const domain *d = &m->grids[grid].domain;
    const int most = grid == 0 ? MOST_LOADS : 1;
    const field *idle = state_idle_velocity(s);
    advect_job job = {.velocity = flow};
    int index[MOST_LOADS];
    for (int i = 0; i < m->scalar_count; i++) {
        if (m->scalars[i].varies && !m->scalars[i].conserved && m->scalars[i].grid == grid) {
            advect_load *load = &job.loads[job.load_count];
            *load = (advect_load){.from = &s->scalars[i], .to = &s->next_scalars[i]};
            field_over(job.load_count ? idle[0].block : s->scratch[0], d, FR_AT_CELL, &load->forward);
            field_over(job.load_count ? idle[1].block : s->scratch[1], d, FR_AT_CELL, &load->high);
            index[job.load_count++] = i;
        }
        if (job.load_count == most || (job.load_count && i == m->scalar_count - 1)) {
            advect_run(m, s, dt, &m->grids[grid], &job, index, advect_scalar_ghosts);
            job.load_count = 0;
        }
    }
}

void stage_advect_scalars(const model *m, state *s, const field flow[3], double dt)
{
    for (int g = 0; g < m->grid_count; g++)
        advect_scalars_on(m, s, flow, dt, g);
}
