/* Particles attract each other along the line between them, as molecules do (Becker & Teschner 2007; Akinci, Akinci &
   Teschner 2013):

       a_i = A Σ_j f(r/R) (x_j − x_i)/r,   f(q) = q⁵ (1 − q)³,   R the support of the kernel.

   Inside the liquid this is balanced by pressure. Particles at the surface lack neighbours, and the energy of the
   missing pairs is that of the surface. A makes it σ (sph/tuning.c). Momentum, angular momentum and energy are
   conserved. The powers of f are those for which the energy within the liquid depends least on how layers of particles
   lie on each other, which makes it stiff: by 0.8 % of σ d² for 5 and 3, by 5 % for 3 and 2, in 2D with a support of
   two spacings. Because of what remains, a drop comes to rest before it is quite round.

   Walls attract half as much: a surface then meets them at a right angle (Young & Dupré: σ (1 + cos θ) is the energy of
   adhesion, 2 σ that of cohesion). */
#include "sph/stage/tension.h"

#include "base/threads.h"
#include "sph/stage/contact.h"

typedef struct tension_job {
    const sph_model *m;
    sph_state *s;
    float gain;          /* A Δt, m/s */
    double newton;       /* A times the mass of a particle, N */
} tension_job;

static const float ADHESION = 0.5f;

static inline wide tension_strength(wide q)
{
    wide q2 = q * q, rest = 1 - q;
    return q2 * q2 * q * rest * rest * rest;
}

/* The term of a wall particle in Σ f (x_j − x_i)/r. */
static four tension_of_wall(const sph_model *m, const sph_state *s, const sph_contact *contact)
{
    float q = contact->distance * (float)(m->spacing / m->kernel.support),
          steep = sqrtf(sums_product(contact->g, contact->g));
    return ADHESION * s->walls.volume[contact->wall] / (SPH_WALL_PART * (float)m->weight) *
           tension_strength(wide_all(q))[0] / steep * contact->g;
}

static void tension_pull(void *context, int begin, int end)
{
    const tension_job *job = context;
    sph_state *s = job->s;
    const pairs *p = &s->pairs;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        wide sum = {0};
        for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2) {
            wide record = pairs_load(p->record + k), g = sums_gradient(record);
            sum += tension_strength(sums_distance(record)) / (wide_sqrt(sums_each(g * g)) + 1e-12f) * g;
        }
        four pull = sums_both(sum);
        for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
            sph_contact contact;
            if (sph_contact_of(job->m, s, k, &contact))
                pull += tension_of_wall(job->m, s, &contact);
        }
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] += job->gain * pull[a];
    }
}

static bool tension_load(const void *context, int64_t n, int64_t k, sph_contact *contact, four *force)
{
    (void)n;
    const tension_job *job = context;
    if (!sph_contact_of(job->m, job->s, k, contact))
        return false;
    *force = (float)-job->newton * tension_of_wall(job->m, job->s, contact);
    return true;
}

void stage_sph_tension(const sph_model *m, sph_state *s, double dt)
{
    double tension = m->fluid.surface_tension / m->fluid.density;
    if (tension == 0)
        return;
    tension_job job = {.m = m,
                       .s = s,
                       .gain = (float)(m->tuning.tension * tension * dt),
                       .newton = m->mass * m->tuning.tension * tension};
    threads_for(sph_blocks(s->fluid.count), tension_pull, &job);
    stage_sph_contact_loads(m, s, tension_load, &job);
}

/* A period of the shortest capillary waves must take a few steps (Brackbill, Kothe & Zemach 1992, equation 61). */
static const double WAVE = 0.4;

double stage_sph_tension_limit(const sph_model *m)
{
    double tension = m->fluid.surface_tension;
    return tension > 0 ? WAVE * sqrt(m->fluid.density * pow(m->spacing, 3) / tension) : INFINITY;
}
