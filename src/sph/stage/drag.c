#include "sph/stage/drag.h"

#include "base/threads.h"
#include "sph/stage/layer.h"

float sph_drag_contact(const sph_drag *drag, int64_t n, int64_t k, sph_contact *contact)
{
    const sph_model *m = drag->m;
    if (!sph_contact_of(m, drag->s, k, contact) || drag->s->walls.grip[contact->wall] == 0)
        return 0;
    float r = contact->distance, soft = (float)sph_model_soft(m), steep = sqrtf(sums_product(contact->g, contact->g));
    float bare = 1, layer = drag->s->walls.layer[contact->wall];
    if (drag->bare) {
        bare = drag->bare[n];
        layer *= sqrtf(bare);
    }
    float steepness = layer_steepness(contact->height, layer);
    return bare * drag->hold * steepness * contact->stretch * r / ((r * r + soft) * steep);
}

/* The velocity of a wall particle. */
static inline four drag_wall(const sph_walls *w, int32_t wall, bool homogeneous)
{
    if (!homogeneous)
        return sums_load(&w->velocity[wall]);
    return w->answer ? sums_load(&w->answer[wall]) : (four){0};
}

four sph_drag_walls(const sph_drag *drag, int64_t n, four own, bool homogeneous)
{
    const sph_state *s = drag->s;
    four sum = {0};
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        sph_contact contact;
        float weight = sph_drag_contact(drag, n, k, &contact);
        if (weight > 0)
            sum += weight * sums_product(contact.g, own - drag_wall(&s->walls, contact.wall, homogeneous)) * contact.g;
    }
    return sum;
}

typedef struct drag_loads {
    const sph_drag *drag;
    const particle_vector *v;
    double newton;       /* for 1 m/s */
} drag_loads;

static bool drag_load(const void *context, int64_t n, int64_t k, sph_contact *contact, four *force)
{
    const drag_loads *job = context;
    float weight = sph_drag_contact(job->drag, n, k, contact);
    if (weight == 0)
        return false;
    four v = sums_load(&job->v[n]) - sums_load(&job->drag->s->walls.velocity[contact->wall]);
    *force = (float)(job->newton * weight * sums_product(contact->g, v)) * contact->g;
    return true;
}

/* The reaction to the friction of walls on the liquid. */
void stage_sph_drag_loads(const sph_drag *drag, const particle_vector *v, double dt, double share)
{
    drag_loads job = {drag, v, share * drag->m->mass * drag->rate / dt};
    if (!drag->sticks)
        return;
    stage_sph_contact_loads(drag->m, drag->s, drag_load, &job);
}
