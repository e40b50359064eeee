/* Dφ/Dt = 0 in a flow that stays as it is during the step: ∂φ/∂t + u·∇φ = 0 (Carlson eq. 91).

   Semi-Lagrangian: φ at the departure point, by cubic interpolation. The others: upwind derivatives, and TVD
   Runge–Kutta steps (Shu & Osher 1988), each of which is a blend of the value before the step and an Euler step. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "surface/levelset/band.h"
#include "surface/levelset/trace.h"
#include "surface/levelset/upwind.h"

/* Most Σ |u| dt/h of a sub-step. ENO of second order grows ripples beyond a half. */
static double carry_courant(levelset_scheme scheme)
{
    return scheme == LEVELSET_ENO2 ? 0.5 : 0.9;
}

typedef struct carry_job {
    const levelset *ls;
    const levelset_flow *flow;
    double dt;
    float courant[3]; /* |dt|/h of the whole step, s/m */
    levelset_motion motion;
    float kept; /* share of the value before the step in this stage */
    field *phi;
} carry_job;

/* Largest Courant numbers, lane by lane: along each axis, and their largest sum. */
typedef struct carry_speed {
    wide courant[BAND_PARTIALS];
    bool traced; /* whether any cell's value was found anew */
} carry_speed;

/* What a look has found of a block, in `colour`: nothing yet; that its values stay; new ones. */
enum { CARRY_UNSEEN, CARRY_SAME, CARRY_TRACED };

/* What a row is carried with: `at` is its place in the compact arrays, `most` the speeds noted so far. */
typedef struct carry_with {
    const float *patch;
    carry_speed *most;
    size_t at;
} carry_with;

/* Calls `work` for each row of a block. */
typedef void (*carry_row)(const carry_job *job, sample_points *p, const carry_with *with);

static void carry_block_rows(const carry_job *job, int m, const float *patch, carry_speed *most, carry_row work)
{
    const levelset *ls = job->ls;
    const band_block b = band_block_of(ls, ls->list[m]);
    sample_points p;
    p.at = FR_AT_CELL;
    p.i = b.first[0];
    p.n = b.inside[0];
    for (int k = 0; k < b.inside[2]; k++)
        for (int j = 0; j < b.inside[1]; j++) {
            p.j = b.first[1] + j;
            p.k = b.first[2] + k;
            const float *centre = patch ? patch + band_patch_row(ls, j, k) : NULL;
            work(job, &p, &(carry_with){centre, most, (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k)});
        }
}

/* Speeds of the cells that a row of eight has beyond the box. */
static void carry_still_beyond(const sample_points *p, int dims, int to, flow_rows flow)
{
    for (int a = 0; a < dims; a++)
        for (int l = p->n; l < to; l++)
            flow[a][l] = 0;
}

/* The flow along an axis at eight cells of a row, from number i on. */
static inline wide carry_flow(const carry_job *job, const sample_points *p, int axis, int i)
{
    const field *f = &job->flow->velocity[axis];
    const float *at = field_row(f, p->j, p->k) + p->i + i;
    return 0.5f * (wide_load(at) + wide_load(at + f->stride[axis]));
}

static carry_speed carry_speed_of(const carry_job *job, sample_points *p)
{
    const domain *d = &job->ls->d;
    const bool plain = job->flow->refine == 1 && p->n == job->ls->side[0];
    flow_rows flow;
    carry_speed speed = {{{0}}, false};
    if (!plain) {
        flow_at_centres(job->flow, d, p, flow);
        carry_still_beyond(p, d->dims, job->ls->side[0], flow);
    }
    for (int i = 0; i < job->ls->side[0]; i += WIDE) {
        wide sum = {0};
        for (int a = 0; a < d->dims; a++) {
            const wide u = plain ? carry_flow(job, p, a, i) : wide_load(flow[a] + i);
            const wide courant = upwind_abs(u) * job->courant[a];
            speed.courant[a] = wide_max(speed.courant[a], courant);
            sum += courant;
        }
        speed.courant[3] = wide_max(speed.courant[3], sum);
    }
    return speed;
}

static void carry_note(const carry_speed *speed, carry_speed *most)
{
    for (int a = 0; a < BAND_PARTIALS; a++)
        most->courant[a] = wide_max(speed->courant[a], most->courant[a]);
}

static void carry_speed_row(const carry_job *job, sample_points *p, const carry_with *with)
{
    const carry_speed speed = carry_speed_of(job, p);
    carry_note(&speed, with->most);
}

/* Whether the surface can come within three cells of a row's cells in the step, which come from where the flow leads
   back to: nothing that redistancing reads lies farther from it. */
static bool carry_may_matter(const carry_job *job, const sample_points *p, const carry_speed *speed)
{
    const float *row = field_row(job->phi, p->j, p->k) + p->i, width = job->ls->width;
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    wide_mask near = speed->courant[3] > 1;
    for (int i = 0; i < p->n; i += WIDE) {
        const wide value = wide_load(row + i);
        near |= (value < width) & (value > -width) & (lane < p->n - i);
    }
    return wide_any(near);
}

/* Farther from the surface than this share of the width nothing is read by redistancing; and where a way back that does
   not bend leads so far. */
static const float CARRY_FAR = 0.7f, CARRY_STRAIGHT = 0.85f;

/* As trace_cells, wherever the points are. */
static void carry_trace_any(const carry_job *job, const trace_job *trace, sample_points *p, float *value)
{
    const domain *d = &job->ls->d;
    float straight[SAMPLE_ROW], linear[SAMPLE_ROW];
    flow_trace(job->flow, d, trace->dt, flow_rule_of(1), p);
    sample_values_rounded(job->phi, d, p, straight);
    flow_trace(job->flow, d, trace->dt, trace->rule, p);
    sample_values_rounded(job->phi, d, p, linear);
    sample_values_cubic_free(job->phi, d, p, value);
    for (int i = 0; i < p->n; i++) {
        value[i] = fabsf(linear[i]) > trace->far ? linear[i] : value[i];
        value[i] = fabsf(straight[i]) > trace->straight ? straight[i] : value[i];
    }
}

static void carry_trace_row(const carry_job *job, sample_points *p, const carry_with *with)
{
    const levelset *ls = job->ls;
    const carry_speed speed = carry_speed_of(job, p);
    float value[SAMPLE_ROW];
    if (!carry_may_matter(job, p, &speed)) {
        memcpy(ls->next + with->at, field_row(job->phi, p->j, p->k) + p->i, (size_t)p->n * sizeof(float));
        return;
    }
    carry_note(&speed, with->most);
    with->most->traced = true;
    const trace_job trace = {.d = &ls->d,
                             .velocity = job->flow->velocity,
                             .phi = job->phi,
                             .rule = flow_rule_of(job->motion.order),
                             .dt = -job->dt,
                             .far = CARRY_FAR * ls->width,
                             .straight = CARRY_STRAIGHT * ls->width};
    if (job->flow->refine > 1 || !trace_cells(&trace, p, value))
        carry_trace_any(job, &trace, p, value);
    for (int i = 0; i < p->n; i++) {
        const float low = value[i] > -ls->width ? value[i] : -ls->width;
        ls->next[with->at + (size_t)i] = low < ls->width ? low : ls->width;
    }
}

/* Asks for what a block's cells read of a field, as far as a step of one cell goes, while another block is worked on:
   its rows lie far apart in memory. */
static void carry_fetch(const levelset *ls, const field *f, int number)
{
    enum { AROUND = 2 };
    const band_block b = band_block_of(ls, number);
    const int deep = ls->d.dims == 3 ? AROUND : 0;
    for (int k = -deep; k < b.inside[2] + deep; k++)
        for (int j = -AROUND; j < b.inside[1] + AROUND; j++) {
            const float *row = field_row(f, b.first[1] + j, b.first[2] + k) + b.first[0];
            __builtin_prefetch(row - AROUND, 0, 2);
            __builtin_prefetch(row + b.inside[0] + AROUND, 0, 2);
        }
}

/* Finds how fast the flow is, and where it comes from if that is all that a step needs. */
static void carry_look_part(void *context, int begin, int end)
{
    const carry_job *job = context;
    const bool traces = job->motion.scheme == LEVELSET_SEMI_LAGRANGIAN;
    for (int m = begin; m < end; m++) {
        carry_speed most = {{{0}}, !traces};
        if (job->ls->colour[m] != CARRY_UNSEEN)
            continue;
        if (job->flow->refine == 1 && m + 1 < end) {
            carry_fetch(job->ls, job->phi, job->ls->list[m + 1]);
            for (int a = 0; a < job->ls->d.dims; a++)
                carry_fetch(job->ls, &job->flow->velocity[a], job->ls->list[m + 1]);
        }
        carry_block_rows(job, m, NULL, &most, traces ? carry_trace_row : carry_speed_row);
        job->ls->colour[m] = most.traced ? CARRY_TRACED : CARRY_SAME;
        for (int a = 0; a < BAND_PARTIALS; a++)
            job->ls->partial[(size_t)m * BAND_PARTIALS + (size_t)a] = wide_greatest(most.courant[a]);
    }
}

/* Looks at the blocks that are new in the list. */
static void carry_look(const carry_job *job, double courant[BAND_PARTIALS])
{
    const levelset *ls = job->ls;
    memset(ls->partial, 0, (size_t)ls->count * BAND_PARTIALS * sizeof *ls->partial);
    band_for_blocks(ls, carry_look_part, (void *)job);
    for (int m = 0; m < ls->count; m++)
        for (int a = 0; a < BAND_PARTIALS; a++)
            courant[a] = fmax(courant[a], ls->partial[m * BAND_PARTIALS + a]);
}

/* How many cells from the surface the band can be after a step at these Courant numbers. */
static int carry_needed(const levelset *ls, int axis, double courant)
{
    return (int)fmin(ceil(courant) + ls->reach[axis], ls->d.n[axis]);
}

/* Lists all blocks so far ahead; what has been found of the others moves on with them. */
static fr_result carry_widen(levelset *ls)
{
    const int before = ls->count, capacity = ls->capacity;
    memcpy(ls->turn, ls->list, (size_t)before * sizeof *ls->list);
    for (int m = 0; m < before; m++)
        band_mark(ls, ls->list[m], &ls->crossing[m], ls->ahead);
    FR_TRY(band_add_marked(ls));
    const bool kept = ls->capacity == capacity; /* else there was no room for all, and other memory was taken */
    for (int m = ls->count - 1, old = before - 1; m >= 0; m--) {
        const bool known = old >= 0 && ls->turn[old] == ls->list[m];
        if (known && kept)
            memmove(ls->next + (size_t)m * BLOCK_CELLS, ls->next + (size_t)old * BLOCK_CELLS,
                    BLOCK_CELLS * sizeof *ls->next);
        ls->colour[m] = known && kept ? ls->colour[old] : CARRY_UNSEEN;
        old -= known;
    }
    return FR_OK;
}

/* Lists all blocks that the band can reach in the step: so far that no flow among them carries the surface beyond. One
   look is enough where the flow is hardly faster than in the last call; blocks listed in vain change nothing. */
static fr_result carry_list(levelset *ls, carry_job *job, double courant[BAND_PARTIALS])
{
    const double FASTER = 1.1; /* what it may gain until the next call */
    bool again = true;
    for (int a = 0; a < 3; a++)
        ls->ahead[a] = ls->ahead[a] > ls->reach[a] + 1 ? ls->ahead[a] : ls->reach[a] + (a < ls->d.dims);
    FR_TRY(band_update(ls, job->phi, ls->ahead));
    memset(ls->colour, CARRY_UNSEEN, (size_t)ls->count);
    levelset_fill_ghosts(ls, job->phi);
    while (again) {
        carry_look(job, courant);
        again = false;
        for (int a = 0; a < ls->d.dims; a++)
            again = again || carry_needed(ls, a, courant[a]) > ls->ahead[a];
        for (int a = 0; a < ls->d.dims; a++) {
            const int needed = carry_needed(ls, a, FASTER * courant[a]);
            ls->ahead[a] = again && needed < ls->ahead[a] ? ls->ahead[a] : needed;
        }
        if (again)
            FR_TRY(carry_widen(ls));
    }
    return FR_OK;
}

static inline wide carry_capped(wide v, float width)
{
    return wide_min(wide_max(v, wide_all(-width)), wide_all(width));
}

/* The derivative along an axis from the side that the flow comes from. */
static inline wide carry_slope(const float *at, ptrdiff_t stride, wide flow, float per_h, const levelset_scheme scheme)
{
    const wide_mask forward = flow > 0;
    wide q[5], low[6];
    const int first = scheme == LEVELSET_UPWIND ? 2 : scheme == LEVELSET_ENO2 ? 1 : 0;
    for (int s = first; s < 6 - first; s++)
        low[s] = (wide_load(at + (s - 2) * stride) - wide_load(at + (s - 3) * stride)) * per_h;
    for (int s = first; s < 5 - first; s++)
        q[s] = wide_choose(forward, low[s], low[5 - s]);
    return scheme == LEVELSET_UPWIND ? q[2]
           : scheme == LEVELSET_ENO2 ? upwind_eno2(q)
           : scheme == LEVELSET_ENO3 ? upwind_eno3(q)
                                     : upwind_weno5(q);
}

/* One Euler step, blended with the value before. */
static inline __attribute__((always_inline)) void
carry_stage_row(const carry_job *job, sample_points *p, const carry_with *with, const levelset_scheme scheme)
{
    const levelset *ls = job->ls;
    const float *patch = with->patch;
    const size_t at = with->at;
    flow_rows flow;
    flow_at_centres(job->flow, &ls->d, p, flow);
    carry_still_beyond(p, ls->d.dims, ls->side[0], flow);
    for (int i = 0; i < ls->side[0]; i += WIDE) {
        wide value = wide_load(patch + i), change = {0};
        for (int a = 0; a < ls->d.dims; a++) {
            wide u = wide_load(flow[a] + i);
            change += u * carry_slope(patch + i, ls->stride[a], u, (float)(1 / ls->d.h[a]), scheme);
        }
        value = carry_capped(value - (float)job->dt * change, ls->width);
        if (job->kept > 0)
            value = job->kept * wide_load(ls->old + at + i) + (1 - job->kept) * value;
        wide_store(ls->next + at + i, value);
    }
}

static void carry_upwind_row(const carry_job *job, sample_points *p, const carry_with *with)
{
    carry_stage_row(job, p, with, LEVELSET_UPWIND);
}

static void carry_eno2_row(const carry_job *job, sample_points *p, const carry_with *with)
{
    carry_stage_row(job, p, with, LEVELSET_ENO2);
}

static void carry_eno3_row(const carry_job *job, sample_points *p, const carry_with *with)
{
    carry_stage_row(job, p, with, LEVELSET_ENO3);
}

static void carry_weno5_row(const carry_job *job, sample_points *p, const carry_with *with)
{
    carry_stage_row(job, p, with, LEVELSET_WENO5);
}

static void carry_stage_part(void *context, int begin, int end)
{
    static const carry_row rows[] = {NULL, carry_upwind_row, carry_eno2_row, carry_eno3_row, carry_weno5_row};
    const carry_job *job = context;
    float patch[PATCH_MOST];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(job->ls, job->ls->list[m]);
        band_gather(job->ls, job->phi, &b, false, patch);
        carry_block_rows(job, m, patch, NULL, rows[job->motion.scheme]);
    }
}

/* Keeps the values before the step. */
static void carry_keep_row(const carry_job *job, sample_points *p, const carry_with *with)
{
    memcpy(job->ls->old + with->at, field_row(job->phi, p->j, p->k) + p->i, (size_t)p->n * sizeof(float));
}

static void carry_keep_part(void *context, int begin, int end)
{
    for (int m = begin; m < end; m++)
        carry_block_rows(context, m, NULL, NULL, carry_keep_row);
}

/* One TVD Runge–Kutta step. */
static void carry_step(carry_job *job)
{
    static const float kept[3][3] = {{0}, {0, 1.0f / 2}, {0, 3.0f / 4, 1.0f / 3}};
    if (job->motion.order > 1)
        band_for_blocks(job->ls, carry_keep_part, job);
    for (int s = 0; s < job->motion.order; s++) {
        job->kept = kept[job->motion.order - 1][s];
        band_for_blocks(job->ls, carry_stage_part, job);
        band_scatter_marked(job->ls, job->ls->next, job->phi);
    }
}

fr_result levelset_carry(levelset *ls, const levelset_flow *flow, double dt, levelset_motion *motion, field *phi)
{
    double courant[BAND_PARTIALS] = {0};
    carry_job job = {.ls = ls, .flow = flow, .dt = dt, .motion = *motion, .phi = phi};
    for (int a = 0; a < ls->d.dims; a++)
        job.courant[a] = (float)(fabs(dt) / ls->d.h[a]);
    FR_TRY(carry_list(ls, &job, courant));
    motion->steps = 1;
    if (motion->scheme == LEVELSET_SEMI_LAGRANGIAN) {
        for (int m = 0; m < ls->count; m++)
            ls->mark[ls->list[m]] = ls->colour[m] == CARRY_TRACED ? BAND_TAKEN : BAND_LEFT;
        band_scatter_marked(ls, ls->next, phi);
    } else {
        motion->steps = (int)fmax(ceil(courant[3] / carry_courant(motion->scheme)), 1);
        job.dt = dt / motion->steps;
        for (int s = 0; s < motion->steps; s++)
            carry_step(&job);
    }
    levelset_fill_ghosts(ls, phi);
    return FR_OK;
}
