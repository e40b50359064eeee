/* From the velocities of solids to the faces that they hold, and from those back: P and Pᵀ. */
#include <math.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

typedef struct ties_job {
    const stress *s;
    const stress_motion *motion;
    const stress_vector *of;
    double *const *exact;
    bool weigh; /* times W */
} ties_job;

static double ties_weight(const ties_job *job, const stress_faces *row)
{
    const double mass = job->s->problem.solids->ties->of[row->solid].cell_mass;
    return job->weigh ? mass / pow(stress_scale(&job->s->block, row->axis), 2) : 1;
}

/* P V on a row of faces: `first`, and `slope` more from each to the next. */
typedef struct ties_line {
    double first, slope;
} ties_line;

static ties_line ties_along(const ties_job *job, const stress_faces *row)
{
    const int a = row->axis, b = (a + 1) % 3, c = (a + 2) % 3;
    const domain *d = &job->s->block;
    const double *v = job->motion[row->solid].of, step[3] = {d->h[0], 0, 0};
    const double scale = stress_scale(d, a) * ties_weight(job, row);
    return (ties_line){scale * (v[a] + v[3 + b] * row->arm[c] - v[3 + c] * row->arm[b]),
                       scale * (v[3 + b] * step[c] - v[3 + c] * step[b])};
}

static void ties_spread_rows(void *context, int begin, int end)
{
    const ties_job *job = context;
    const stress_solids *solids = job->s->problem.solids;
    for (int r = begin; r < end; r++) {
        const stress_faces *row = &solids->faces[r];
        const ties_line line = ties_along(job, row);
        const int count = solids->ties->of[row->solid].wet ? row->count : 0;
        for (int i = 0; i < count && job->of; i++)
            job->of->of[row->axis][row->at + i] = (float)(line.first + line.slope * i);
        for (int i = 0; i < count && job->exact; i++)
            job->exact[row->axis][row->at + i] = line.first + line.slope * i;
    }
}

static void ties_for_rows(threads_work work, const ties_job *job)
{
    threads_for_cost(job->s->problem.solids->row_count, 16, work, (void *)job);
}

void stress_spread(const stress *s, const stress_motion *motion, bool weigh, const stress_vector *to)
{
    ties_for_rows(ties_spread_rows, &(ties_job){.s = s, .motion = motion, .of = to, .weigh = weigh});
}

void stress_spread_exact(const stress *s, const stress_motion *motion, double *const to[3])
{
    ties_for_rows(ties_spread_rows, &(ties_job){.s = s, .motion = motion, .exact = to});
}

/* Pᵀ of a row from Σ f and Σ f i. */
static void ties_add(const stress *s, const stress_faces *row, double sum, double moment, double out[6])
{
    const int a = row->axis, b = (a + 1) % 3, c = (a + 2) % 3;
    const double scale = stress_scale(&s->block, a), step[3] = {s->block.h[0], 0, 0};
    out[a] += scale * sum;
    out[3 + b] += scale * (row->arm[c] * sum + step[c] * moment);
    out[3 + c] -= scale * (row->arm[b] * sum + step[b] * moment);
}

/* Pᵀ of numbers on the faces of a row, which is left in its sum. */
static void ties_gather_row(const stress *s, stress_faces *row, const double *numbers)
{
    double sum = 0, moment = 0;
    for (int i = 0; i < row->count; i++) {
        sum += numbers[i];
        moment += numbers[i] * i;
    }
    for (int d = 0; d < 6; d++)
        row->sum[d] = 0;
    ties_add(s, row, sum, moment, row->sum);
}

static void ties_weigh_rows(void *context, int begin, int end)
{
    const ties_job *job = context;
    double numbers[STRESS_RUN];
    for (int r = begin; r < end; r++) {
        stress_faces *row = &job->s->problem.solids->faces[r];
        const float *from = job->s->level[0].x.of[row->axis] + row->at;
        const double weight = ties_weight(job, row);
        for (int i = 0; i < row->count; i++)
            numbers[i] = weight * (double)from[i];
        ties_gather_row(job->s, row, numbers);
    }
}

static void ties_pull_rows(void *context, int begin, int end)
{
    const ties_job *job = context;
    const stress *s = job->s;
    float force[STRESS_RUN];
    double exact[STRESS_RUN];
    for (int r = begin; r < end; r++) {
        stress_faces *row = &s->problem.solids->faces[r];
        const stress_run run = {.n = row->count, .at = row->at};
        if (job->of)
            stress_force(&s->level[0], job->of, row->axis, &run, force);
        else
            stress_force_exact(s, row->axis, &run, exact);
        for (int i = 0; i < row->count && job->of; i++)
            exact[i] = (double)force[i];
        ties_gather_row(s, row, exact);
    }
}

static void ties_gather(const ties_job *job, threads_work work, stress_motion *sums)
{
    const stress_solids *solids = job->s->problem.solids;
    ties_for_rows(work, job);
    for (int b = 0; b < solids->count; b++)
        sums[b] = (stress_motion){{0}};
    for (int r = 0; r < solids->row_count; r++)
        for (int d = 0; d < 6 && solids->ties->of[solids->faces[r].solid].wet; d++)
            sums[solids->faces[r].solid].of[d] += solids->faces[r].sum[d];
}

void stress_weigh(const stress *s, stress_motion *sums)
{
    ties_gather(&(ties_job){.s = s, .weigh = true}, ties_weigh_rows, sums);
}

void stress_pull(const stress *s, const stress_vector *u, stress_motion *sums)
{
    ties_gather(&(ties_job){.s = s, .of = u}, ties_pull_rows, sums);
}

void stress_line_of(const stress *s, const stress_faces *row, double first[6], double slope[6])
{
    for (int d = 0; d < 6; d++)
        first[d] = slope[d] = 0;
    ties_add(s, row, 1, 0, first);
    ties_add(s, row, 0, 1, slope);
}
