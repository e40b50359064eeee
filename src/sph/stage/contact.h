/* A fluid particle and a wall particle near it, as forces between them see it. */
#ifndef FR_SPH_STAGE_CONTACT_H
#define FR_SPH_STAGE_CONTACT_H

#include <math.h>

#include "sph/state.h"
#include "sph/stage/loads.h"
#include "sph/pressure/sums.h"

typedef struct sph_contact {
    int32_t wall;
    four g;              /* of the pair; the fourth number 0 */
    float distance;      /* spacings */
    float height;        /* spacings, of the particle over the surface: a half at least */
    float stretch; /* velocity difference to the wall particle over that to the surface: 1 + depth/height */
} sph_contact;

/* The pairs of particle n with walls; none where the scene has no walls. */
static inline int64_t sph_contact_begin(const sph_state *s, int64_t n)
{
    return s->walls.count ? s->wall_pairs.begin[n] : 0;
}
static inline int64_t sph_contact_end(const sph_state *s, int64_t n)
{
    return s->walls.count ? pairs_end(&s->wall_pairs, n) : 0;
}

/* Pair k of a particle with walls; false for the record that only fills up a list.

   No slip holds at the surface, not at the wall particle, which lies deeper. So the velocity difference of fluid and
   wall is extrapolated linearly through zero at the surface (Morris, Fox & Zhu 1997, section 4.3). A particle nearer
   than half a spacing counts as that far away, or the line would be too steep. */
static inline bool sph_contact_of(const sph_model *m, const sph_state *s, int64_t k, sph_contact *contact)
{
    const pairs *p = &s->wall_pairs;
    half_eight halves = {p->record[k][0], p->record[k][1], p->record[k][2], p->record[k][3]};
    wide record = wide_of_half(halves);
    contact->wall = p->other[k];
    contact->g = (four){record[0], record[1], record[2], 0} / SPH_WALL_PART;
    contact->distance = record[3] * (float)(m->kernel.support / m->spacing);
    float steep = sqrtf(sums_product(contact->g, contact->g));
    if (steep == 0)
        return false;
    four normal = sums_load(&s->walls.normal[contact->wall]);
    float depth = normal[3] / (float)m->spacing,
          height = -contact->distance / steep * sums_product(contact->g, normal) - depth;
    contact->height = fmaxf(height, 0.5f);
    contact->stretch = 1 + depth / contact->height;
    return true;
}

/* The force of pair k of particle n on its wall particle, in N; false where there is none. */
typedef bool (*sph_contact_force)(const void *context, int64_t n, int64_t k, sph_contact *contact, four *force);

/* Adds the forces of all contacts to the loads of the bodies. */
void stage_sph_contact_loads(const sph_model *m, sph_state *s, sph_contact_force force, const void *context);

#endif
