/* Where a value comes from, found in grid space: the movement −u Δt of a cell in the world becomes, by the Jacobian of each cell on the way, a
   movement in grid coordinates; at each border of a cell what is left of it is turned anew (Barroso & Celes 4.2, figure 3). */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"
#include "grid/sample.h"
#include "stage/classic.h"

/* Borders passed at the most: far more than a step is long. */
enum { MOST_CROSSINGS = 1024 };

typedef struct advect_job {
    const river_model *m;
    const field *velocity;
    float dt;
    const classic_load *loads;
    int count;
} advect_job;

/* Eight points on their way. Places are in cells from the centres of their homes. They are kept, per axis, as where the line last turned and how far
   along it the point is: where cells are alike the line never turns, and the way is exactly the whole movement, as on a plain grid. */
typedef struct trace {
    wide home[3], moved_by[3];       /* the cell they started in, and from there the one they are in */
    wide way[3];                     /* the whole movement in the world, m */
    wide turned[3], since[3];        /* place and share of the movement where the line last turned */
    wide rate[3];                    /* the whole movement in grid coordinates, as the cell sees it */
    wide_mask held[3];               /* axes along which they go no further */
    wide_mask last;                  /* side of the cell that they came in by, */
    wide entered;                    /* and after which share */
} trace;

/* The compiler must see whether it is 2D or 3D. */
#define TRACE_INLINE static inline __attribute__((always_inline))

/* Where they are on their way out of the border cells along an axis. */
TRACE_INLINE wide_mask trace_outward(const trace *t, const domain *d, int axis)
{
    if (d->periodic[axis])
        return (wide_mask){0};
    wide cell = t->home[axis] + t->moved_by[axis];
    return ((t->rate[axis] > 0) & (cell >= (float)d->n[axis])) | ((t->rate[axis] < 0) & (cell < 0));
}

/* Where, along an axis, they leave their cells; border cells end at their centre. */
TRACE_INLINE wide trace_bound(const trace *t, const domain *d, int axis)
{
    wide half = wide_choose(t->rate[axis] > 0, wide_all(0.5f), wide_all(-0.5f));
    return t->moved_by[axis] + wide_keep(~trace_outward(t, d, axis), half);
}

/* Takes those in the mask over a border of their cells. They stop at the centres of border cells. A cell that sends them back at once where they came
   from holds them at the border: between two cells that lean towards each other they slide. */
TRACE_INLINE void trace_cross(trace *t, const domain *d, int axis, wide_mask those, wide now)
{
    wide_mask high = t->rate[axis] > 0, side = 2 * axis - high;
    wide_mask hold = those & (trace_outward(t, d, axis) | ((side == t->last) & (now <= t->entered)));
    wide_mask move = those & ~hold;
    t->held[axis] |= hold;
    t->moved_by[axis] += wide_keep(move, wide_choose(high, wide_all(1), wide_all(-1)));
    t->last = (move & (side ^ 1)) | (~move & t->last);
    t->entered = wide_choose(move, now, t->entered);
}

/* Numbers of the cells of the block whose Jacobians hold: those of their neighbours for border cells. */
TRACE_INLINE wide_mask trace_cells(const trace *t, const domain *d, int dims)
{
    wide_mask at = {0};
    for (int a = dims - 1; a >= 0; a--) {
        wide cell = t->home[a] + t->moved_by[a], n = wide_all((float)d->n[a]);
        if (d->periodic[a])
            cell -= n * wide_floor(cell / n);
        cell = wide_max(wide_min(cell, n - 1), wide_all(0));
        at = at * d->n[a] + __builtin_convertvector(cell, wide_mask);
    }
    return at;
}

/* At solid cells they stop. */
static void trace_stop_at_solids(trace *t, const uint8_t *solid, wide_mask at)
{
    wide_mask stop = {0};
    for (int l = 0; l < WIDE; l++)
        stop[l] = solid[at[l]] ? -1 : 0;
    for (int a = 0; a < 3; a++)
        t->held[a] |= stop;
}

/* What is left of the movements in the coordinates of the cells. */
TRACE_INLINE void trace_aim(const trace *t, const river_model *m, wide_mask at, int dims, wide rate[3])
{
    int32_t frame[WIDE];
    at *= dims == 3 ? 12 : 4;
    memcpy(frame, &at, sizeof frame);
    wide_group rows = wide_pick_fours(m->metric.frames, frame);
    for (int k = 0; k < dims; k++) {
        if (dims == 3 && k > 0)
            rows = wide_pick_fours(m->metric.frames + 4 * k, frame);
        const wide *row = dims == 3 ? rows.v : rows.v + 2 * k;
        rate[k] = (wide){0};
        for (int a = 0; a < dims; a++)
            rate[k] += row[a] * t->way[a];
        rate[k] = wide_keep(~t->held[k], rate[k]);
    }
}

/* Passes one border each; false: all are where they go. */
TRACE_INLINE bool trace_pass(trace *t, const river_model *m, int dims)
{
    const domain *d = &m->curve.domain;
    wide bound[3], when[3], rate[3], first = wide_all(1);
    wide_mask crossing[3], free;
    for (int a = 0; a < dims; a++) {
        bound[a] = trace_bound(t, d, a);
        when[a] = wide_choose(t->rate[a] == 0, wide_all(1), t->since[a] + (bound[a] - t->turned[a]) / t->rate[a]);
        first = wide_choose(when[a] < first, when[a], first);
    }
    wide_mask going = first < 1;
    if (!wide_any(going))
        return false;
    free = going;
    for (int a = 0; a < dims; a++) {
        crossing[a] = free & (when[a] <= first);
        free &= ~crossing[a];
        trace_cross(t, d, a, crossing[a], first);
    }
    wide_mask at = trace_cells(t, d, dims);
    if (m->solid)
        trace_stop_at_solids(t, m->solid, at);
    trace_aim(t, m, at, dims, rate);
    for (int a = 0; a < dims; a++) {
        wide_mask turns = going & (rate[a] != t->rate[a]);
        wide there = wide_choose(crossing[a], bound[a], t->turned[a] + (first - t->since[a]) * t->rate[a]);
        t->turned[a] = wide_choose(turns, there, t->turned[a]);
        t->since[a] = wide_choose(turns, first, t->since[a]);
        t->rate[a] = wide_choose(turns, rate[a], t->rate[a]);
    }
    return true;
}

TRACE_INLINE void trace_follow(trace *t, const river_model *m, int dims)
{
    for (int n = 0; n < MOST_CROSSINGS && trace_pass(t, m, dims); n++)
        continue;
}

/* Where eight points that do not all stay in their cells come to. A number that is none ends inside too, so that nothing is read from beyond the ghosts. */
static void advect_trace(const river_model *m, trace *t, float *const moves[3], int i)
{
    const domain *d = &m->curve.domain;
    if (d->dims == 3)
        trace_follow(t, m, 3);
    else
        trace_follow(t, m, 2);
    for (int a = 0; a < d->dims; a++) {
        wide moved = t->turned[a] + (1 - t->since[a]) * t->rate[a], n = wide_all((float)d->n[a]);
        if (d->periodic[a])
            moved -= n * wide_floor((moved + t->home[a] + 0.5f) / n);
        wide_store(moves[a] + i, wide_min(wide_max(moved, -1 - t->home[a]), n - t->home[a]));
    }
}

/* Movements of a row of cells, in the world and in grid coordinates as each cell itself sees them; whole groups of eight, filled up with 0. */
static void advect_rates(const advect_job *job, const sample_points *p, float way[3][SAMPLE_ROW], float *const rate[3])
{
    const classic_metric *metric = &job->m->metric;
    int dims = metric->domain.dims;
    ptrdiff_t at = field_offset(&metric->centre, p->i, p->j, p->k);
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < wide_round(p->n); i++)
            way[a][i] = rate[a][i] = 0;
        for (int i = 0; i < p->n && a < dims; i++)
            way[a][i] = -job->dt * job->velocity[a].data[at + i];
    }
    for (int k = 0; k < dims; k++)
        for (int a = 0; a < dims; a++)
            for (int i = 0; i < p->n; i++)
                rate[k][i] += metric->inverse[k][a].data[at + i] * way[a][i];
}

/* Cells whose value comes from nearer than their own border need no tracing. */
static void advect_find(const advect_job *job, sample_points *p)
{
    const wide lane = {0, 1, 2, 3, 4, 5, 6, 7};
    float way[3][SAMPLE_ROW], *const moves[3] = {p->dx, p->dy, p->dz};
    advect_rates(job, p, way, moves);
    for (int i = 0; i < p->n; i += WIDE) {
        trace t = {.home = {(float)(p->i + i) + lane, wide_all((float)p->j), wide_all((float)p->k)}, .last = (wide_mask){0} - 1};
        wide_mask near = (wide_mask){0} - 1;
        for (int a = 0; a < 3; a++) {
            t.way[a] = wide_load(way[a] + i);
            t.rate[a] = wide_load(moves[a] + i);
            near &= (t.rate[a] >= -0.5f) & (t.rate[a] <= 0.5f);
        }
        if (!wide_every(near))
            advect_trace(job->m, &t, moves, i);
    }
}

static void advect_rows(void *context, int begin, int end)
{
    const advect_job *job = context;
    const domain *d = &job->m->curve.domain;
    for (int row = begin; row < end; row++)
        for (int i = 0; i < d->n[0]; i += SAMPLE_ROW) {
            sample_points p = {.at = FR_AT_CELL, .i = i, .j = row % d->n[1], .k = row / d->n[1]};
            p.n = d->n[0] - i < SAMPLE_ROW ? d->n[0] - i : SAMPLE_ROW;
            advect_find(job, &p);
            for (int n = 0; n < job->count; n++)
                sample_values(job->loads[n].from, d, &p, field_row(job->loads[n].to, p.j, p.k) + i);
        }
}

void stage_classic_advect(const river_model *m, const field velocity[3], double dt, const classic_load *loads, int count)
{
    advect_job job = {m, velocity, (float)dt, loads, count};
    field_for_rows(&m->metric.centre, advect_rows, &job);
}

typedef struct advect_speed {
    const river_model *m;
    const field *velocity;
    double *partial;
} advect_speed;

static void advect_speed_rows(void *context, int begin, int end)
{
    const advect_speed *job = context;
    const domain *d = &job->m->curve.domain;
    for (int row = begin; row < end; row++) {
        ptrdiff_t at = field_offset(&job->m->metric.centre, 0, row % d->n[1], row / d->n[1]);
        float most = 0;
        for (int k = 0; k < d->dims; k++)
            for (int i = 0; i < d->n[0]; i++) {
                float rate = 0;
                for (int a = 0; a < d->dims; a++)
                    rate += job->m->metric.inverse[k][a].data[at + i] * job->velocity[a].data[at + i];
                most = fabsf(rate) > most ? fabsf(rate) : most;
            }
        job->partial[row] = (double)most;
    }
}

double stage_classic_rate(const river_model *m, const river_state *s, const field velocity[3])
{
    field_for_rows(&m->metric.centre, advect_speed_rows, &(advect_speed){m, velocity, s->partial});
    return threads_max(s->partial, field_rows(&m->metric.centre));
}
