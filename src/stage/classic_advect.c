/* Where a value comes from, found in grid space: the movement −u Δt of a cell in the world becomes, by the Jacobian of each cell on the way, a
   movement in grid coordinates; at each border of a cell what is left of it is turned anew (Barroso & Celes 4.2, figure 3). */
#include <math.h>

#include "base/threads.h"
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

/* A point on its way. Places are in cells from the centre of its home. They are kept, per axis, as where the line last turned and how far along it the
   point is: where cells are alike the line never turns, and the way is exactly the whole movement, as on a plain grid. */
typedef struct trace {
    const river_model *m;
    int home[3], cell[3];
    float way[3];              /* the whole movement in the world, m */
    float turned[3], since[3]; /* place and share of the movement where the line last turned */
    float rate[3];             /* the whole movement in grid coordinates, as the cell sees it */
    bool held[3];              /* axes along which it goes no further */
    int last;                  /* side of the cell that it came in by, */
    float entered;             /* and after which share */
} trace;

static bool trace_in_border(const trace *t, int axis)
{
    const domain *d = &t->m->curve.domain;
    return !d->periodic[axis] && (t->cell[axis] < 0 || t->cell[axis] >= d->n[axis]);
}

/* The cell of the block whose Jacobian holds: that of their neighbour for border cells. */
static void trace_inside(const trace *t, int at[3])
{
    const domain *d = &t->m->curve.domain;
    for (int a = 0; a < 3; a++) {
        int n = d->n[a], c = t->cell[a];
        at[a] = d->periodic[a] ? (c % n + n) % n : c < 0 ? 0 : c >= n ? n - 1 : c;
    }
}

static bool trace_in_solid(const trace *t)
{
    int at[3];
    trace_inside(t, at);
    return river_solid(t->m, at[0], at[1], at[2]);
}

/* Where, along an axis, the point leaves its cell; border cells end at their centre. */
static float trace_bound(const trace *t, int axis, bool high)
{
    float centre = (float)(t->cell[axis] - t->home[axis]);
    bool outward = trace_in_border(t, axis) && high == (t->cell[axis] > 0);
    return outward ? centre : centre + (high ? 0.5f : -0.5f);
}

/* The share of the movement after which the point comes to a border of its cell, and across which axis; 1 and above: it does not. */
static float trace_next(const trace *t, int *axis)
{
    float first = 1;
    for (int a = 0; a < t->m->curve.domain.dims; a++) {
        float when = t->rate[a] == 0 ? 1 : t->since[a] + (trace_bound(t, a, t->rate[a] > 0) - t->turned[a]) / t->rate[a];
        if (when < first) {
            first = when;
            *axis = a;
        }
    }
    return first;
}

/* Lets the line turn along an axis at the share `now` if the rate is another one; the place there may be known better than by the way. */
static void trace_turn(trace *t, int axis, float rate, float now, const float *place)
{
    if (rate == t->rate[axis])
        return;
    t->turned[axis] = place ? *place : t->turned[axis] + (now - t->since[axis]) * t->rate[axis];
    t->since[axis] = now;
    t->rate[axis] = rate;
}

/* Turns what is left of the movement into the coordinates of the cell, entered at `border` across `axis`. */
static void trace_aim(trace *t, int axis, float border, float now)
{
    int cell[3], dims = t->m->curve.domain.dims;
    trace_inside(t, cell);
    ptrdiff_t at = field_offset(&t->m->metric.centre, cell[0], cell[1], cell[2]);
    for (int k = 0; k < dims; k++) {
        float rate = 0;
        for (int a = 0; a < dims && !t->held[k]; a++)
            rate += t->m->metric.inverse[k][a].data[at] * t->way[a];
        trace_turn(t, k, rate, now, k == axis ? &border : NULL);
    }
}

/* Takes the point over a border of its cell. It stops at solid cells, and at the centres of border cells. A cell that sends it back at once where it
   came from holds it at their border: between two cells that lean towards each other it slides. */
static void trace_cross(trace *t, int axis, float now)
{
    bool high = t->rate[axis] > 0;
    int side = 2 * axis + high;
    float border = trace_bound(t, axis, high);
    if ((trace_in_border(t, axis) && high == (t->cell[axis] > 0)) || (side == t->last && now <= t->entered)) {
        t->held[axis] = true;
    } else {
        t->cell[axis] += high ? 1 : -1;
        t->last = side ^ 1;
        t->entered = now;
        if (trace_in_solid(t))
            t->held[0] = t->held[1] = t->held[2] = true;
    }
    trace_aim(t, axis, border, now);
}

/* Also a number that is none ends inside, so that nothing is read from beyond the ghosts. */
static float advect_confine(float v, float low, float high)
{
    v = v > low ? v : low;
    return v < high ? v : high;
}

static void advect_trace(const advect_job *job, const int home[3], const float way[3], const float rate[3], float moved[3])
{
    trace t = {.m = job->m, .last = -1};
    for (int a = 0; a < 3; a++) {
        t.home[a] = t.cell[a] = home[a];
        t.way[a] = way[a];
        t.rate[a] = rate[a];
    }
    for (int n = 0, axis = 0; n < MOST_CROSSINGS; n++) {
        float when = trace_next(&t, &axis);
        if (when >= 1)
            break;
        trace_cross(&t, axis, when);
    }
    const domain *d = &job->m->curve.domain;
    for (int a = 0; a < d->dims; a++) {
        moved[a] = t.turned[a] + (1 - t.since[a]) * t.rate[a];
        if (d->periodic[a])
            moved[a] -= (float)d->n[a] * floorf((moved[a] + (float)home[a] + 0.5f) / (float)d->n[a]);
        moved[a] = advect_confine(moved[a], (float)(-1 - home[a]), (float)(d->n[a] - home[a]));
    }
}

/* Movements of a row of cells, in grid coordinates as each cell itself sees them. */
static void advect_rates(const advect_job *job, const sample_points *p, float way[3][SAMPLE_ROW], float rate[3][SAMPLE_ROW])
{
    const classic_metric *metric = &job->m->metric;
    int dims = metric->domain.dims;
    ptrdiff_t at = field_offset(&metric->centre, p->i, p->j, p->k);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < p->n; i++) {
            way[a][i] = a < dims ? -job->dt * job->velocity[a].data[at + i] : 0;
            rate[a][i] = 0;
        }
    for (int k = 0; k < dims; k++)
        for (int a = 0; a < dims; a++)
            for (int i = 0; i < p->n; i++)
                rate[k][i] += metric->inverse[k][a].data[at + i] * way[a][i];
}

/* Cells whose value comes from nearer than their own border need no tracing. */
static void advect_find(const advect_job *job, sample_points *p)
{
    float way[3][SAMPLE_ROW], rate[3][SAMPLE_ROW];
    float *const moves[3] = {p->dx, p->dy, p->dz};
    advect_rates(job, p, way, rate);
    for (int i = 0; i < p->n; i++) {
        float moved[3] = {rate[0][i], rate[1][i], rate[2][i]};
        bool near = fabsf(moved[0]) <= 0.5f && fabsf(moved[1]) <= 0.5f && fabsf(moved[2]) <= 0.5f;
        if (!near)
            advect_trace(job, (int[3]){p->i + i, p->j, p->k}, (float[3]){way[0][i], way[1][i], way[2][i]},
                         (float[3]){rate[0][i], rate[1][i], rate[2][i]}, moved);
        for (int a = 0; a < 3; a++)
            moves[a][i] = moved[a];
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
