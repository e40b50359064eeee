#include "sph/stage/force.h"

#include <math.h>

#include "base/threads.h"
#include "sph/stage/repel.h"
#include "method/evaluate.h"

typedef struct force_job {
    sph_state *s;
    float change[3];   /* m/s */
} force_job;

static void force_gravity(void *context, int begin, int end)
{
    const force_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        for (int a = 0; a < 3; a++)
            job->s->next.velocity[n][a] += job->change[a];
}

/* All the scene's forces on a particle, m/s². */
static fr_result force_at(const sph_model *m, const float position[3], double t, double pull[3])
{
    const double at[3] = {position[0], position[1], position[2]};
    pull[0] = pull[1] = pull[2] = 0;
    for (int i = 0; i < m->force_count; i++) {
        double distance = -1, own[3];
        if (m->force_shapes[i])
            FR_TRY(shape_distance(m->force_shapes[i], at, &distance));
        if (distance >= 0)
            continue;
        FR_TRY(evaluate_vector(&m->forces[i].value, at, t, own));
        for (int a = 0; a < m->dims; a++)
            pull[a] += own[a];
    }
    return FR_OK;
}

typedef struct given_job {
    const sph_model *m;
    sph_state *s;
    double dt, t;                /* s */
    particle_vector *velocity;   /* NULL: only the greatest force is wanted */
    fr_result result;            /* of functions of the scene, which are called on one thread only */
} given_job;

static fr_result force_block(const given_job *job, int block)
{
    double most = 0, pull[3];
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, block + 1); n++) {
        FR_TRY(force_at(job->m, job->s->fluid.position[n], job->t, pull));
        for (int a = 0; a < job->m->dims && job->velocity; a++)
            job->velocity[n][a] += (float)(job->dt * pull[a]);
        most = fmax(most, pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    }
    job->s->partial[block] = most;
    return FR_OK;
}

static void force_blocks(void *context, int begin, int end)
{
    given_job *job = context;
    for (int b = begin; b < end && job->result == FR_OK; b++) {
        fr_result result = force_block(job, b);
        if (result != FR_OK)
            job->result = result;
    }
}

/* Whether forces may be evaluated on several threads: neither they nor their shapes are functions of the scene. */
static bool force_is_parallel(const sph_model *m)
{
    for (int i = 0; i < m->force_count; i++)
        if (m->forces[i].value.function || (m->force_shapes[i] && !shape_is_parallel(m->force_shapes[i])))
            return false;
    return true;
}

/* Adds dt times the forces to the velocities, if there are any, and finds the greatest. */
static fr_result force_given(const sph_model *m, sph_state *s, double dt, double t, particle_vector *velocity,
                             double *greatest)
{
    given_job job = {.m = m, .s = s, .dt = dt, .t = t, .velocity = velocity};
    int blocks = m->force_count > 0 ? sph_blocks(s->fluid.count) : 0;
    if (force_is_parallel(m))
        threads_for(blocks, force_blocks, &job);
    else
        force_blocks(&job, 0, blocks);
    *greatest = sqrt(threads_max(s->partial, blocks));
    return job.result;
}

fr_result stage_sph_force_start(const sph_model *m, sph_state *s)
{
    return force_given(m, s, 0, s->now.time, NULL, &s->pull);
}

fr_result stage_sph_force(const sph_model *m, sph_state *s, double dt, double t)
{
    force_job job = {.s = s};
    for (int a = 0; a < m->dims; a++)
        job.change[a] = (float)(dt * m->gravity[a]);
    threads_for(sph_blocks(s->fluid.count), force_gravity, &job);
    if (m->sph.boundary == FR_SPH_LENNARD_JONES)
        stage_sph_repel(m, s, dt);
    return force_given(m, s, dt, t, s->next.velocity, &s->next_pull);
}
