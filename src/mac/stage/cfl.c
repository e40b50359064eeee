#include "mac/stage/cfl.h"

#include <math.h>

#include "base/threads.h"
#include "base/wide.h"

typedef struct cfl_job {
    const field *f, *velocity;
    int dims;
    double *partial;
} cfl_job;

typedef struct cfl_faces {
    const field *velocity, *open;
    double *partial;
} cfl_faces;

static void cfl_open_rows(void *context, int begin, int end)
{
    const cfl_faces *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->velocity->size[1], k = r / job->velocity->size[1];
        const float *u = field_row(job->velocity, j, k), *open = field_row(job->open, j, k);
        float most = 0;
        for (int i = 0; i < job->velocity->size[0]; i++) {
            const float speed = solids_half_open(open[i]) ? fabsf(u[i]) : 0;
            most = speed > most ? speed : most;
        }
        job->partial[r] = (double)most;
    }
}

/* m/s: the fastest of faces across an axis. Nothing flows through those that rigid bodies hold, and how far a step
   takes bodies is bounded for itself: a ball that spins in air, or slips, needs no short steps. */
static double cfl_fastest(const state *s, const field *velocity, int axis)
{
    if (s->solids.rigid_count == 0)
        return field_largest(velocity, 0, s->partial);
    cfl_faces job = {velocity, &s->solids.open[axis], s->partial};
    field_for_rows(velocity, cfl_open_rows, &job);
    return threads_max(s->partial, field_rows(velocity));
}

double stage_cfl_rate_of(const model *m, const state *s, const field velocity[3])
{
    double rate = 0;
    for (int a = 0; a < m->domain.dims; a++)
        rate = fmax(rate, cfl_fastest(s, &velocity[a], a) / m->domain.h[a]);
    return rate;
}

double stage_cfl_rate(const model *m, state *s)
{
    if (s->rate == 0)
        s->rate = stage_cfl_rate_of(m, s, s->velocity);
    return s->rate;
}

double stage_cfl_next_rate(const model *m, state *s)
{
    if (s->next_rate == 0)
        s->next_rate = stage_cfl_rate_of(m, s, s->next_velocity);
    return s->next_rate;
}

static void cfl_speed_rows(void *context, int begin, int end)
{
    const cfl_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->f->size[1], k = r / job->f->size[1];
        const int n = job->f->size[0];
        const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
        wide most = {0};
        for (int i = 0; i < n; i += WIDE) {
            wide square = {0};
            for (int a = 0; a < job->dims; a++) {
                const float *u = field_row(&job->velocity[a], j, k) + i;
                wide mean = 0.5f * (wide_load(u) + wide_load(u + job->velocity[a].stride[a]));
                square += mean * mean;
            }
            most = wide_max(wide_keep(lane < n - i, square), most);
        }
        job->partial[r] = wide_greatest(most);
    }
}

double stage_cfl_max_speed(const model *m, state *s)
{
    cfl_job job = {.f = &s->pressure, .velocity = s->velocity, .dims = m->domain.dims, .partial = s->partial};
    field_for_rows(job.f, cfl_speed_rows, &job);
    return sqrt(threads_max(s->partial, field_rows(job.f)));
}

double stage_cfl_acceleration(const model *m, double most)
{
    for (int i = 0; i < m->force_count; i++) {
        const double *v = m->forces[i].def->value.value;
        most += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return most / domain_min_h(&m->domain);
}
