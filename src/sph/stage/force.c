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

/* All the scene's forces on a particle, m/s². Not for several threads: forces and shapes may be functions of the scene. */
static fr_result force_at(const sph_model *m, const float position[3], double t, double pull[3])
{
    const double at[3] = {position[0], position[1], position[2]};
    pull[0] = pull[1] = pull[2] = 0;
    for (int i = 0; i < m->def->force_count; i++) {
        double distance = -1, own[3];
        if (m->force_shapes[i])
            FR_TRY(shape_distance(m->force_shapes[i], at, &distance));
        if (distance >= 0)
            continue;
        FR_TRY(evaluate_vector(&m->def->forces[i].value, at, t, own));
        for (int a = 0; a < m->dims; a++)
            pull[a] += own[a];
    }
    return FR_OK;
}

/* Adds dt times the forces to the velocities, if there are any, and finds the greatest. */
static fr_result force_given(const sph_model *m, const sph_state *s, double dt, double t, particle_vector *velocity, double *greatest)
{
    double most = 0, pull[3];
    for (int64_t n = 0; n < s->fluid.count && m->def->force_count > 0; n++) {
        FR_TRY(force_at(m, s->fluid.position[n], t, pull));
        for (int a = 0; a < m->dims && velocity; a++)
            velocity[n][a] += (float)(dt * pull[a]);
        most = fmax(most, pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
    }
    *greatest = sqrt(most);
    return FR_OK;
}

fr_result stage_sph_force_start(const sph_model *m, sph_state *s)
{
    return force_given(m, s, 0, s->now.time, NULL, &s->pull);
}

fr_result stage_sph_force(const sph_model *m, sph_state *s, double dt, double t)
{
    force_job job = {.s = s};
    for (int a = 0; a < m->dims; a++)
        job.change[a] = (float)(dt * m->def->gravity[a]);
    threads_for(sph_blocks(s->fluid.count), force_gravity, &job);
    if (m->def->sph.boundary == FR_SPH_LENNARD_JONES)
        stage_sph_repel(m, s, dt);
    return force_given(m, s, dt, t, s->next.velocity, &s->next_pull);
}
