#include "sph/pressure/predict.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/bodies.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/sums.h"

typedef struct predict_job {
    sph_state *s;
    const particle_vector *velocity;
    float unit;                 /* of the velocity, in spacings for the step */
    const sph_recovery *recovery;
    const sph_expect *expect;
} predict_job;

static void predict_block(const predict_job *job, int block)
{
    sph_state *s = job->s;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        four velocity = sums_load(&job->velocity[n]);
        float rate = sums_product(velocity, sums_load(&s->gradient[n])) - sums_dot(&s->pairs, n, job->velocity);
        if (s->walls.moving && !s->hemmed[n])
            rate -= sums_dot(&s->wall_pairs, n, s->walls.velocity);
        s->numbers[SPH_SOURCE][n] = job->unit * rate + (job->recovery ? sph_predict_owed(job->recovery, s, n) : 0);
    }
}

static void predict_blocks(void *context, int begin, int end)
{
    for (int b = begin; b < end; b++)
        predict_block(context, b);
}

void sph_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                 const sph_recovery *recovery)
{
    predict_job job = {.s = s,
                       .velocity = velocity,
                       .unit = (float)(dt / m->spacing),
                       .recovery = recovery};
    threads_for(sph_blocks(s->fluid.count), predict_blocks, &job);
    if (recovery)
        sph_brace_predict(m, s, dt, recovery);
}

static void predict_squares(void *context, int begin, int end)
{
    const predict_job *job = context;
    sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        double squares = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            four velocity = sums_load(&s->next.velocity[n]);
            squares += (double)sums_product(velocity, velocity);
        }
        s->partial[b] = squares;
    }
}

double sph_predict_ways(const sph_model *m, sph_state *s, double dt)
{
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, predict_squares, &(predict_job){.s = s});
    return threads_sum(s->partial, blocks) * pow(dt / m->spacing, 2);
}

static void predict_places(void *context, int begin, int end)
{
    const predict_job *job = context;
    for (int b = begin; b < end; b++)
        sph_expect_place(job->expect, job->s, b);
}

enum { EXCESS, LEFT }; /* partial sums of a block */

static void predict_there(void *context, int begin, int end)
{
    const predict_job *job = context;
    sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        int64_t first = (int64_t)b * SPH_BLOCK;
        float change[SPH_BLOCK];
        double excess = 0, left = 0;
        sph_expect_change(job->expect, s, b, change);
        for (int64_t n = first; n < sph_block_end(s->fluid.count, b + 1); n++) {
            float density = s->density[n] + change[n - first],
                  residual = change[n - first] + sph_predict_owed(job->expect->recovery, s, n);
            s->numbers[SPH_RESIDUAL][n] = residual;
            excess += density > 1 ? (double)density - 1 : 0;
            left += residual > 0 ? (double)residual : 0;
        }
        s->partial[SPH_PARTIALS * b + EXCESS] = excess;
        s->partial[SPH_PARTIALS * b + LEFT] = left;
    }
}

sph_expected sph_predict_there(sph_state *s, const sph_expect *expect)
{
    predict_job job = {.s = s, .expect = expect};
    const double count = fmax(1, (double)s->fluid.count);
    sph_expected all = {0};
    int blocks = sph_blocks(s->fluid.count);
    sph_bodies_lead(expect->m, s, (double)expect->dt);
    threads_for(blocks, predict_places, &job);
    threads_for(blocks, predict_there, &job);
    sph_brace_expect(s, expect);
    for (int b = 0; b < blocks; b++) {
        all.excess += s->partial[SPH_PARTIALS * b + EXCESS] / count;
        all.left += s->partial[SPH_PARTIALS * b + LEFT] / count;
    }
    return all;
}
