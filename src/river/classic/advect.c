/* Back-tracing in grid space. The displacement −u Δt in the world becomes a displacement in grid coordinates by the
   cell's Jacobian; at each cell border the rest of it is converted again by the next cell's Jacobian (Barroso & Celes
   4.2, figure 3). */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"
#include "grid/sample.h"
#include "river/classic/classic.h"

/* Most borders that a trace may cross; a step crosses far fewer. */
enum { MOST_CROSSINGS = 1024 };

typedef struct advect_job {
    const river_model *m;
    const field *velocity;
    float dt;
    const classic_load *loads;
    int count;
} advect_job;

/* Eight traces whose start cells are consecutive. Positions are in cells, relative to the centre of the start cell. Per
   axis a trace stores where its line last turned (changed direction in grid coordinates) and computes its position from
   there. Between equal cells the line never turns, and it ends exactly at start plus displacement, as on a plain
   grid. */
typedef struct trace {
    int home[3];                     /* start cell of the first trace */
    int inside;                      /* number of borders that all can cross and still be in the block */
    wide moved_by[3];                /* current cell relative to the start cell */
    wide way[3];                     /* whole displacement in the world, m */
    wide turned[3], since[3];        /* position and fraction of the displacement at the last turn */
    wide rate[3];                    /* whole displacement in grid coordinates, by the current cell's Jacobian */
    wide_mask held[3];               /* axes along which the trace is stopped */
    wide came[3], entered;           /* step by which it entered the cell (±1 along an axis), and at which fraction */
    bool near_sides;                 /* some are in border cells */
} trace;

/* Inlined so that the compiler specialises for 2D and 3D. */
#define TRACE_INLINE static inline __attribute__((always_inline))

TRACE_INLINE wide trace_home(const trace *t, int axis)
{
    const wide lane = {0, 1, 2, 3, 4, 5, 6, 7};
    return axis == 0 ? (float)t->home[0] + lane : wide_all((float)t->home[axis]);
}

/* The traces that are in a border cell along an axis and move outward. */
TRACE_INLINE wide_mask trace_outward(const trace *t, const domain *d, int axis)
{
    wide cell = trace_home(t, axis) + t->moved_by[axis];
    return ((t->rate[axis] > 0) & (cell >= (float)d->n[axis])) | ((t->rate[axis] < 0) & (cell < 0));
}

/* Which of the traces about to cross a border along an axis are stopped there. Traces end at the centres of border
   cells. A trace that the next cell would send straight back is stopped at the border and slides along it: two cells
   whose flows point at each other would otherwise send it back and forth. */
TRACE_INLINE wide_mask trace_hold(trace *t, int axis, wide_mask those, wide step, wide_mask outward, wide now)
{
    wide_mask hold = those & (outward | ((step == -t->came[axis]) & (now <= t->entered)));
    t->held[axis] |= hold;
    return hold;
}

/* Indices of the cells whose Jacobians apply; for border cells those of the nearest cell inside. */
TRACE_INLINE wide_mask trace_cells(trace *t, const domain *d, int dims)
{
    wide_mask at = {0}, beyond = {0};
    for (int a = dims - 1; a >= 0; a--) {
        wide cell = trace_home(t, a) + t->moved_by[a], n = wide_all((float)d->n[a]);
        if (d->periodic[a])
            cell -= n * wide_floor(cell / n);
        wide inside = wide_max(wide_min(cell, n - 1), wide_all(0));
        beyond |= inside != cell;
        at = at * d->n[a] + __builtin_convertvector(inside, wide_mask);
    }
    t->near_sides = wide_any(beyond);
    return at;
}

/* The same if all traces are known to be in the block. */
TRACE_INLINE wide_mask trace_cells_inside(const trace *t, const domain *d, int dims)
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    wide_mask moved = {0};
    int first = 0;
    for (int a = dims - 1; a >= 0; a--) {
        first = first * d->n[a] + t->home[a];
        moved = moved * d->n[a] + __builtin_convertvector(t->moved_by[a], wide_mask);
    }
    return moved + (first + lane);
}

/* Traces stop at solid cells. */
static void trace_stop_at_solids(trace *t, const uint8_t *solid, wide_mask at)
{
    wide_mask stop = {0};
    for (int l = 0; l < WIDE; l++)
        stop[l] = solid[at[l]] ? -1 : 0;
    for (int a = 0; a < 3; a++)
        t->held[a] |= stop;
}

/* The displacements in the coordinates of eight consecutive cells, the first at offset `at` of the fields. */
TRACE_INLINE void trace_convert_row(const wide way[3], const classic_metric *metric, ptrdiff_t at, int dims,
                                    wide rate[3])
{
    for (int k = 0; k < dims; k++) {
        rate[k] = (wide){0};
        for (int a = 0; a < dims; a++)
            rate[k] += wide_load(metric->inverse[k][a].data + at) * way[a];
    }
}

/* The same for scattered cells, by their indices. */
TRACE_INLINE void trace_convert(const wide way[3], const classic_metric *metric, wide_mask at, int dims, wide rate[3])
{
    int32_t frame[WIDE];
    at *= dims == 3 ? 12 : 4;
    memcpy(frame, &at, sizeof frame);
    wide_group rows = wide_pick_fours(metric->frames, frame);
    for (int k = 0; k < dims; k++) {
        if (dims == 3 && k > 0)
            rows = wide_pick_fours(metric->frames + 4 * k, frame);
        const wide *row = dims == 3 ? rows.v : rows.v + 2 * k;
        rate[k] = (wide){0};
        for (int a = 0; a < dims; a++)
            rate[k] += row[a] * way[a];
    }
}

/* The offset at which the first trace would be if it had moved like trace `other`. */
TRACE_INLINE ptrdiff_t trace_offset(const trace *t, const field *f, int other, int dims)
{
    ptrdiff_t at = 0;
    for (int a = 0; a < dims; a++)
        at += (t->home[a] + (int)t->moved_by[a][other]) * f->stride[a];
    return at;
}

/* The displacements in cell coordinates if the traces in `like_first` moved by the same cells as the first trace, and
   all others as the last: two vector loads instead of a gather. */
TRACE_INLINE void trace_convert_two(const trace *t, const classic_metric *metric, wide_mask like_first, int dims,
                                    wide rate[3])
{
    ptrdiff_t first = trace_offset(t, &metric->centre, 0, dims),
              last = trace_offset(t, &metric->centre, WIDE - 1, dims);
    for (int k = 0; k < dims; k++) {
        rate[k] = (wide){0};
        for (int a = 0; a < dims; a++) {
            const float *inverse = metric->inverse[k][a].data;
            rate[k] += wide_choose(like_first, wide_load(inverse + first), wide_load(inverse + last)) * t->way[a];
        }
    }
}

/* The displacements by the Jacobians of the current cells. Mostly the eight traces moved in only one or two ways. */
TRACE_INLINE void trace_turn(trace *t, const river_model *m, bool inside, int dims, wide rate[3])
{
    const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    wide_mask at = inside ? trace_cells_inside(t, &m->curve.domain, dims) : trace_cells(t, &m->curve.domain, dims);
    if (m->solid)
        trace_stop_at_solids(t, m->solid, at);
    wide_mask like_first = at == at[0] + lane, like_last = at == at[WIDE - 1] + (lane - (WIDE - 1));
    if (inside && wide_every(like_first | like_last))
        trace_convert_two(t, &m->metric, like_first, dims, rate);
    else
        trace_convert(t->way, &m->metric, at, dims, rate);
    for (int a = 0; a < dims; a++)
        rate[a] = wide_keep(~t->held[a], rate[a]);
}

/* Half a cell in the direction of a displacement. */
TRACE_INLINE wide trace_half(wide rate)
{
    const wide_mask sign = (wide_mask){0} + INT32_MIN;
    return (wide)((wide_mask)wide_all(0.5f) | ((wide_mask)rate & sign));
}

/* Moves the traces that cross a border into the next cell, unless they are stopped there. */
TRACE_INLINE void trace_cross(trace *t, const wide_mask crossing[3], const wide_mask outward[3], wide now,
                              bool may_hold, int dims)
{
    wide step[3];
    wide_mask kept = {0};
    for (int a = 0; a < dims; a++) {
        step[a] = 2 * trace_half(t->rate[a]);
        wide_mask hold = may_hold ? trace_hold(t, a, crossing[a], step[a], outward[a], now) : (wide_mask){0};
        step[a] = wide_keep(crossing[a] & ~hold, step[a]);
        t->moved_by[a] += step[a];
        kept |= hold;
    }
    for (int a = 0; a < dims; a++)
        t->came[a] = wide_choose(kept, t->came[a], step[a]);
    t->entered = wide_choose(kept, t->entered, now);
}

/* Advances each trace across its next border; `passed` counts those already crossed. Finished traces stay as they are.
   Returns false if all are finished. */
TRACE_INLINE bool trace_pass(trace *t, const river_model *m, int passed, int dims)
{
    const domain *d = &m->curve.domain;
    wide bound[3], when[3], rate[3], first = wide_all(1);
    wide_mask crossing[3], outward[3] = {{0}};
    for (int a = 0; a < dims; a++) {
        if (t->near_sides && !d->periodic[a])
            outward[a] = trace_outward(t, d, a);
        /* in border cells the bound is their centre; `when` is infinite or NaN where the rate is 0: never */
        bound[a] = t->moved_by[a] + wide_keep(~outward[a], trace_half(t->rate[a]));
        when[a] = t->since[a] + (bound[a] - t->turned[a]) / t->rate[a];
        first = wide_min(when[a], first);
    }
    wide_mask going = first < 1, free = going;
    if (!wide_any(going))
        return false;
    for (int a = 0; a < dims; a++) {
        crossing[a] = free & (when[a] <= first);
        free &= ~crossing[a];
    }
    trace_cross(t, crossing, outward, first, t->near_sides || wide_any(going & (first <= t->entered)), dims);
    trace_turn(t, m, passed < t->inside, dims, rate);
    for (int a = 0; a < dims; a++) {
        wide_mask turns = going & (rate[a] != t->rate[a]);
        wide there = wide_choose(crossing[a], bound[a], t->turned[a] + (first - t->since[a]) * t->rate[a]);
        t->turned[a] = wide_choose(turns, there, t->turned[a]);
        t->since[a] = wide_choose(turns, first, t->since[a]);
        t->rate[a] = wide_choose(turns, rate[a], t->rate[a]);
    }
    return true;
}

/* Follows groups of eight traces, one border per group in turn: interleaving the groups hides the latency of divisions
   and look-ups. */
TRACE_INLINE void trace_follow(trace *traces, int count, const river_model *m, int dims)
{
    trace *going[SAMPLE_ROW / WIDE];
    for (int g = 0; g < count; g++)
        going[g] = &traces[g];
    for (int n = 0; n < MOST_CROSSINGS && count > 0; n++) {
        int left = 0;
        for (int g = 0; g < count; g++) {
            going[left] = going[g];
            left += trace_pass(going[g], m, n, dims);
        }
        count = left;
    }
}

/* Where eight traces end. NaN is clamped too, so that nothing beyond the ghosts is read. */
TRACE_INLINE void trace_arrive(const trace *t, const domain *d, float *const moves[3], int i, int dims)
{
    for (int a = 0; a < dims; a++) {
        wide moved = t->turned[a] + (1 - t->since[a]) * t->rate[a], home = trace_home(t, a),
             n = wide_all((float)d->n[a]);
        if (d->periodic[a])
            moved -= n * wide_floor((moved + home + 0.5f) / n);
        wide_store(moves[a] + i, wide_min(wide_max(moved, -1 - home), n - home));
    }
}

/* Displacements of eight points in the world, and in grid coordinates by the Jacobians of their own cells; 0 in lanes
   without a point. */
TRACE_INLINE void advect_displace(const advect_job *job, const sample_points *p, int i, wide way[3], wide rate[3],
                                  int dims)
{
    const wide lane = {0, 1, 2, 3, 4, 5, 6, 7};
    ptrdiff_t at = field_offset(job->velocity, p->i + i, p->j, p->k);
    for (int a = 0; a < dims; a++)
        way[a] = wide_keep(lane < (float)(p->n - i), -job->dt * wide_load(job->velocity[a].data + at));
    trace_convert_row(way, &job->m->metric, at, dims, rate);
}

/* Whether all eight traces end inside their own cell: then no tracing is needed. */
TRACE_INLINE bool advect_stays(const wide rate[3], int dims)
{
    wide_mask near = (wide_mask){0} - 1;
    for (int a = 0; a < dims; a++)
        near &= (rate[a] >= -0.5f) & (rate[a] <= 0.5f);
    return wide_every(near);
}

/* Eight traces at their start. */
TRACE_INLINE void advect_begin(const domain *d, const sample_points *p, int i, const wide way[3], const wide rate[3],
                               trace *t, int dims)
{
    const int home[3] = {p->i + i, p->j, p->k};
    t->inside = INT_MAX;
    for (int a = 0; a < dims; a++) {
        int above = d->n[a] - home[a] - (a == 0 ? WIDE : 1), nearest = home[a] < above ? home[a] : above;
        t->inside = nearest < t->inside ? nearest : t->inside;
        t->home[a] = home[a];
        t->way[a] = way[a];
        t->rate[a] = rate[a];
        t->moved_by[a] = t->turned[a] = t->since[a] = t->came[a] = (wide){0};
    }
    for (int a = 0; a < 3; a++)
        t->held[a] = (wide_mask){0};
    t->entered = (wide){0};
    t->near_sides = false;
}

TRACE_INLINE void advect_find(const advect_job *job, sample_points *p, int dims)
{
    const domain *d = &job->m->curve.domain;
    float *const moves[3] = {p->dx, p->dy, p->dz};
    trace traces[SAMPLE_ROW / WIDE];
    int at[SAMPLE_ROW / WIDE], count = 0;
    for (int i = 0; i < p->n; i += WIDE) {
        wide way[3], rate[3];
        advect_displace(job, p, i, way, rate, dims);
        for (int a = 0; a < dims; a++)
            wide_store(moves[a] + i, rate[a]);
        if (advect_stays(rate, dims))
            continue;
        advect_begin(d, p, i, way, rate, &traces[count], dims);
        at[count++] = i;
    }
    trace_follow(traces, count, job->m, dims);
    for (int g = 0; g < count; g++)
        trace_arrive(&traces[g], d, moves, at[g], dims);
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

void stage_classic_advect(const river_model *m, const field velocity[3], double dt, const classic_load *loads,
                          int count)
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

double stage_classic_rate(const river_model *m, river_state *s, const field velocity[3])
{
    field_for_rows(&m->metric.centre, advect_speed_rows, &(advect_speed){m, velocity, s->partial});
    return threads_max(s->partial, field_rows(&m->metric.centre));
}
