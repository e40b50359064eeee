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
    bool near_sides;                 /* some are in border cells */
} trace;

/* The compiler must see whether it is 2D or 3D. */
#define TRACE_INLINE static inline __attribute__((always_inline))

/* Where they are on their way out of the border cells along an axis. */
TRACE_INLINE wide_mask trace_outward(const trace *t, const domain *d, int axis)
{
    wide cell = t->home[axis] + t->moved_by[axis];
    return ((t->rate[axis] > 0) & (cell >= (float)d->n[axis])) | ((t->rate[axis] < 0) & (cell < 0));
}

/* Takes those in the mask over a border of their cells. */
TRACE_INLINE void trace_cross(trace *t, int axis, wide_mask those, wide now)
{
    wide_mask high = t->rate[axis] > 0, from = (2 * axis + 1) + high;   /* the side of the new cell that they come in by */
    t->moved_by[axis] += wide_keep(those, wide_choose(high, wide_all(1), wide_all(-1)));
    t->last = (wide_mask)wide_choose(those, (wide)from, (wide)t->last);
    t->entered = wide_choose(those, now, t->entered);
}

/* Of those that would cross a border, the ones that do not. They stop at the centres of border cells. A cell that sends them back at once where they came
   from holds them at the border: between two cells that lean towards each other they slide. */
TRACE_INLINE wide_mask trace_hold(trace *t, int axis, wide_mask those, wide_mask outward, wide now)
{
    wide_mask side = 2 * axis - (t->rate[axis] > 0), hold = those & (outward | ((side == t->last) & (now <= t->entered)));
    t->held[axis] |= hold;
    return hold;
}

/* Numbers of the cells of the block whose Jacobians hold: those of their neighbours for border cells. */
TRACE_INLINE wide_mask trace_cells(trace *t, const domain *d, int dims)
{
    wide_mask at = {0}, beyond = {0};
    for (int a = dims - 1; a >= 0; a--) {
        wide cell = t->home[a] + t->moved_by[a], n = wide_all((float)d->n[a]);
        if (d->periodic[a])
            cell -= n * wide_floor(cell / n);
        wide inside = wide_max(wide_min(cell, n - 1), wide_all(0));
        beyond |= inside != cell;
        at = at * d->n[a] + __builtin_convertvector(inside, wide_mask);
    }
    t->near_sides = wide_any(beyond);
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

/* The border that they reach first along an axis, and after which share of the movement; along an axis that they do not move on never, or it is no number. */
TRACE_INLINE wide trace_reach(const trace *t, const wide_mask outward, int axis, wide *bound)
{
    wide half = wide_choose(t->rate[axis] < 0, wide_all(-0.5f), wide_all(0.5f));
    *bound = t->moved_by[axis] + wide_keep(~outward, half);   /* border cells end at their centre */
    return t->since[axis] + (*bound - t->turned[axis]) / t->rate[axis];
}

/* Passes one border each; false: all are where they go. */
TRACE_INLINE bool trace_pass(trace *t, const river_model *m, int dims)
{
    const domain *d = &m->curve.domain;
    wide bound[3], when[3], rate[3], first = wide_all(1);
    wide_mask crossing[3], outward[3] = {{0}};
    for (int a = 0; a < dims; a++) {
        if (t->near_sides && !d->periodic[a])
            outward[a] = trace_outward(t, d, a);
        when[a] = trace_reach(t, outward[a], a, &bound[a]);
        first = wide_min(when[a], first);
    }
    wide_mask going = first < 1, free = going;
    if (!wide_any(going))
        return false;
    const bool may_hold = t->near_sides || wide_any(going & (first <= t->entered));
    for (int a = 0; a < dims; a++) {
        crossing[a] = free & (when[a] <= first);
        free &= ~crossing[a];
        wide_mask hold = may_hold ? trace_hold(t, a, crossing[a], outward[a], first) : (wide_mask){0};
        trace_cross(t, a, crossing[a] & ~hold, first);
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

/* Follows groups of eight, all a border further before the first goes on: each waits for divisions and look-ups that others can use the time of. */
TRACE_INLINE void trace_follow(trace *traces, int count, const river_model *m, int dims)
{
    trace *going[SAMPLE_ROW / WIDE];
    for (int g = 0; g < count; g++)
        going[g] = &traces[g];
    for (int n = 0; n < MOST_CROSSINGS && count > 0; n++) {
        int left = 0;
        for (int g = 0; g < count; g++) {
            going[left] = going[g];
            left += trace_pass(going[g], m, dims);
        }
        count = left;
    }
}

/* Where eight points come to. A number that is none ends inside too, so that nothing is read from beyond the ghosts. */
static void trace_arrive(const trace *t, const domain *d, float *const moves[3], int i)
{
    for (int a = 0; a < d->dims; a++) {
        wide moved = t->turned[a] + (1 - t->since[a]) * t->rate[a], n = wide_all((float)d->n[a]);
        if (d->periodic[a])
            moved -= n * wide_floor((moved + t->home[a] + 0.5f) / n);
        wide_store(moves[a] + i, wide_min(wide_max(moved, -1 - t->home[a]), n - t->home[a]));
    }
}

/* Eight points of a row at home, with their movements in the world and in grid coordinates as their own cells see them; lanes without a point rest. */
TRACE_INLINE void advect_set_out(const advect_job *job, const sample_points *p, int i, trace *t, int dims)
{
    const wide lane = {0, 1, 2, 3, 4, 5, 6, 7};
    ptrdiff_t at = field_offset(job->velocity, p->i + i, p->j, p->k);
    *t = (trace){.home = {(float)(p->i + i) + lane, wide_all((float)p->j), wide_all((float)p->k)}, .last = (wide_mask){0} - 1};
    for (int a = 0; a < dims; a++)
        t->way[a] = wide_keep(lane < (float)(p->n - i), -job->dt * wide_load(job->velocity[a].data + at));
    trace_aim(t, job->m, trace_cells(t, &job->m->curve.domain, dims), dims, t->rate);
}

/* Those whose value comes from nearer than the border of their own cell need no tracing. */
TRACE_INLINE bool advect_stays(const trace *t, int dims)
{
    wide_mask near = (wide_mask){0} - 1;
    for (int a = 0; a < dims; a++)
        near &= (t->rate[a] >= -0.5f) & (t->rate[a] <= 0.5f);
    return wide_every(near);
}

TRACE_INLINE void advect_find(const advect_job *job, sample_points *p, int dims)
{
    float *const moves[3] = {p->dx, p->dy, p->dz};
    trace traces[SAMPLE_ROW / WIDE];
    int at[SAMPLE_ROW / WIDE], count = 0;
    for (int i = 0; i < p->n; i += WIDE) {
        trace *t = &traces[count];
        advect_set_out(job, p, i, t, dims);
        for (int a = 0; a < dims; a++)
            wide_store(moves[a] + i, t->rate[a]);
        at[count] = i;
        count += !advect_stays(t, dims);
    }
    trace_follow(traces, count, job->m, dims);
    for (int g = 0; g < count; g++)
        trace_arrive(&traces[g], &job->m->curve.domain, moves, at[g]);
}

static void advect_find_flat(const advect_job *job, sample_points *p) { advect_find(job, p, 2); }
static void advect_find_deep(const advect_job *job, sample_points *p) { advect_find(job, p, 3); }

static void advect_rows(void *context, int begin, int end)
{
    const advect_job *job = context;
    const domain *d = &job->m->curve.domain;
    sample_points p;
    p.at = FR_AT_CELL;
    for (int row = begin; row < end; row++)
        for (p.i = 0; p.i < d->n[0]; p.i += SAMPLE_ROW) {
            p.j = row % d->n[1];
            p.k = row / d->n[1];
            p.n = d->n[0] - p.i < SAMPLE_ROW ? d->n[0] - p.i : SAMPLE_ROW;
            if (d->dims == 3)
                advect_find_deep(job, &p);
            else
                advect_find_flat(job, &p);
            for (int n = 0; n < job->count; n++)
                sample_values(job->loads[n].from, d, &p, field_row(job->loads[n].to, p.j, p.k) + p.i);
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
