#include "sph/pressure/predict.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/bodies.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/sums.h"

typedef struct predict_job {
    sph_state *s;
    const particle_vector *velocity;
    float dt_per_spacing;
    const sph_recovery *recovery;
    const sph_expect *expect;
} predict_job;

static void predict_block(const predict_job *job, int block)
{
    sph_state *s = job->s;
    double squares = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        four velocity = sums_load(&job->velocity[n]);
        float rate = sums_product(velocity, sums_load(&s->gradient[n])) - sums_dot(&s->pairs, n, job->velocity);
        if (s->walls.moving && !s->hemmed[n])
            rate -= sums_dot(&s->wall_pairs, n, s->walls.velocity);
        s->numbers[SPH_SOURCE][n] =
            job->dt_per_spacing * rate + (job->recovery ? sph_predict_owed(job->recovery, s, n) : 0);
        squares += (double)sums_product(velocity, velocity);
    }
    s->partial[block] = squares;
}

static void predict_blocks(void *context, int begin, int end)
{
    for (int b = begin; b < end; b++)
        predict_block(context, b);
}

double sph_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                   const sph_recovery *recovery)
{
    predict_job job = {.s = s, .velocity = velocity, .dt_per_spacing = (float)(dt / m->spacing), .recovery = recovery};
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, predict_blocks, &job);
    double squares = threads_sum(s->partial, blocks);
    sph_brace_predict(m, s, velocity, dt, recovery);
    return squares * pow(dt / m->spacing, 2);
}

static void predict_places(void *context, int begin, int end)
{
    const predict_job *job = context;
    for (int b = begin; b < end; b++)
        sph_expect_place(job->expect, job->s, b);
}

static void predict_there(void *context, int begin, int end)
{
    const predict_job *job = context;
    sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        int64_t first = (int64_t)b * SPH_BLOCK;
        float change[SPH_BLOCK];
        double excess = 0;
        sph_expect_change(job->expect, s, b, change);
        for (int64_t n = first; n < sph_block_end(s->fluid.count, b + 1); n++) {
            float density = s->density[n] + change[n - first];
            s->numbers[SPH_RESIDUAL][n] = change[n - first] + sph_predict_owed(job->expect->recovery, s, n);
            excess += density > 1 ? (double)density - 1 : 0;
        }
        s->partial[b] = excess;
    }
}

double sph_predict_there(sph_state *s, const sph_expect *expect)
{
    predict_job job = {.s = s, .expect = expect};
    int blocks = sph_blocks(s->fluid.count);
    sph_bodies_lead(expect->m, s, (double)expect->dt);
    threads_for(blocks, predict_places, &job);
    threads_for(blocks, predict_there, &job);
    sph_brace_expect(s, expect);
    return threads_sum(s->partial, blocks) / fmax(1, (double)s->fluid.count);
}
