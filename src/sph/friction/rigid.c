#include "sph/friction/rigid.h"

#include "base/threads.h"
#include "linalg/six.h"

typedef struct rigid_job {
    sph_state *s;
    const particle_vector *velocity;
    friction_motion motion;
    double sum[SPH_PARTIALS];
} rigid_job;

/* Σ v, Σ x. */
static void rigid_sum_blocks(void *context, int begin, int end)
{
    const rigid_job *job = context;
    const sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        double *sum = s->partial + SPH_PARTIALS * b;
        for (int a = 0; a < SPH_PARTIALS; a++)
            sum[a] = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++)
            for (int a = 0; a < 3; a++) {
                sum[a] += job->velocity[n][a];
                sum[3 + a] += s->fluid.position[n][a];
            }
    }
}

/* Of places y from the centre: Σ y_a², Σ y_a y_b. */
static void rigid_inertia_blocks(void *context, int begin, int end)
{
    const rigid_job *job = context;
    const sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        double *sum = s->partial + SPH_PARTIALS * b;
        for (int a = 0; a < SPH_PARTIALS; a++)
            sum[a] = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            four y = sums_load(&s->fluid.position[n]) - job->motion.centre;
            for (int a = 0; a < 3; a++) {
                sum[a] += (double)y[a] * y[a];
                sum[3 + a] += (double)y[a] * y[(a + 1) % 3];
            }
        }
    }
}

/* Σ y × v. */
static void rigid_turn_blocks(void *context, int begin, int end)
{
    const rigid_job *job = context;
    const sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        double *sum = s->partial + SPH_PARTIALS * b;
        for (int a = 0; a < SPH_PARTIALS; a++)
            sum[a] = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            four y = sums_load(&s->fluid.position[n]) - job->motion.centre, v = sums_load(&job->velocity[n]);
            for (int a = 0; a < 3; a++) {
                int p = (a + 1) % 3, q = (a + 2) % 3;
                sum[a] += (double)y[p] * v[q] - (double)y[q] * v[p];
            }
        }
    }
}

static void rigid_sum(rigid_job *job, threads_work work)
{
    const int blocks = sph_blocks(job->s->fluid.count);
    threads_for(blocks, work, job);
    for (int a = 0; a < SPH_PARTIALS; a++) {
        job->sum[a] = 0;
        for (int b = 0; b < blocks; b++)
            job->sum[a] += job->s->partial[SPH_PARTIALS * b + a];
    }
}

friction_motion friction_rigid(sph_state *s, const particle_vector *velocity, bool turns)
{
    rigid_job job = {.s = s, .velocity = velocity};
    const double per = 1 / (double)s->fluid.count;
    rigid_sum(&job, rigid_sum_blocks);
    for (int a = 0; a < 3; a++) {
        job.motion.velocity[a] = (float)(per * job.sum[a]);
        job.motion.centre[a] = (float)(per * job.sum[3 + a]);
    }
    if (!turns)
        return job.motion;
    double inertia[6][6] = {{0}}, turn[6] = {0};
    rigid_sum(&job, rigid_inertia_blocks);
    for (int a = 0; a < 3; a++) {
        int next = (a + 1) % 3;
        inertia[a][a] = job.sum[next] + job.sum[(a + 2) % 3];
        inertia[a][next] = inertia[next][a] = -job.sum[3 + a];
    }
    rigid_sum(&job, rigid_turn_blocks);
    for (int a = 0; a < 3; a++)
        turn[a] = job.sum[a];
    six_factor(inertia);
    six_solve(inertia, turn);
    for (int a = 0; a < 3; a++)
        job.motion.spin[a] = (float)turn[a];
    return job.motion;
}
