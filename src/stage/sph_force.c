#include "stage/sph_force.h"

#include "base/threads.h"
#include "stage/sph_repel.h"

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

fr_result stage_sph_force(const sph_model *m, sph_state *s, double dt, double t)
{
    (void)t;
    force_job job = {.s = s};
    for (int a = 0; a < m->dims; a++)
        job.change[a] = (float)(dt * m->def->gravity[a]);
    threads_for(sph_blocks(s->fluid.count), force_gravity, &job);
    if (m->def->sph.boundary == FR_SPH_LENNARD_JONES)
        stage_sph_repel(m, s, dt);
    return FR_OK;
}
