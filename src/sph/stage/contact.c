#include "sph/stage/contact.h"

#include "base/threads.h"

typedef struct contact_job {
    const sph_model *m;
    sph_state *s;
    sph_contact_force force;
    const void *context;
} contact_job;

static void contact_parts(void *context, int begin, int end)
{
    const contact_job *job = context;
    const sph_walls *w = &job->s->walls;
    for (int number = begin; number < end; number++) {
        sph_part part = sph_part_of(job->s, number);
        for (int64_t n = part.begin; n < part.end; n++)
            for (int64_t k = sph_contact_begin(job->s, n); k < sph_contact_end(job->s, n); k++) {
                sph_contact contact;
                four force;
                if (!job->force(job->context, n, k, &contact, &force))
                    continue;
                int32_t wall = contact.wall;
                stage_sph_loads_push(job->m, job->s, number, w->body[wall], (vec3){force[0], force[1], force[2]},
                                     (vec3){w->x[wall], w->y[wall], w->z[wall]});
            }
    }
}

void stage_sph_contact_loads(const sph_model *m, sph_state *s, sph_contact_force force, const void *context)
{
    contact_job job = {m, s, force, context};
    threads_for(SPH_PARTS, contact_parts, &job);
    stage_sph_loads_gather(m, s);
}
