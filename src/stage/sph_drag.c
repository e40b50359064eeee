#include "stage/sph_drag.h"

#include "base/threads.h"

float sph_drag_contact(const sph_drag *drag, int64_t k, sph_contact *contact)
{
    const sph_model *m = drag->m;
    if (!sph_contact_of(m, drag->s, k, contact) || drag->s->walls.grip[contact->wall] == 0)
        return 0;
    float r = contact->distance, soft = (float)sph_model_soft(m), steep = sqrtf(sums_product(contact->g, contact->g));
    return drag->hold * contact->stretch * r / ((r * r + soft) * steep);
}

four sph_drag_walls(const sph_drag *drag, int64_t n, four own, bool homogeneous)
{
    const sph_state *s = drag->s;
    four sum = {0};
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        sph_contact contact;
        float weight = sph_drag_contact(drag, k, &contact);
        if (weight > 0)
            sum += weight * sums_product(contact.g, homogeneous ? own : own - sums_load(&s->walls.velocity[contact.wall])) * contact.g;
    }
    return sum;
}

typedef struct drag_loads {
    const sph_drag *drag;
    const particle_vector *v;
    double newton;       /* for 1 m/s */
} drag_loads;

static void drag_loads_parts(void *context, int begin, int end)
{
    const drag_loads *job = context;
    sph_state *s = job->drag->s;
    for (int number = begin; number < end; number++) {
        sph_part part = sph_part_of(s, number);
        for (int64_t n = part.begin; n < part.end; n++)
            for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
                sph_contact contact;
                float weight = sph_drag_contact(job->drag, k, &contact);
                if (weight == 0)
                    continue;
                four v = sums_load(&job->v[n]) - sums_load(&s->walls.velocity[contact.wall]);
                sph_contact_push(job->drag->m, s, number, contact.wall, job->newton * weight * sums_product(contact.g, v), contact.g);
            }
    }
}

/* As much as wall particles slow the liquid. */
void stage_sph_drag_loads(const sph_drag *drag, const particle_vector *v, double dt, double share)
{
    drag_loads job = {drag, v, share * drag->m->mass * drag->rate / dt};
    if (!drag->sticks)
        return;
    threads_for(SPH_PARTS, drag_loads_parts, &job);
    stage_sph_loads_gather(drag->m, drag->s);
}
