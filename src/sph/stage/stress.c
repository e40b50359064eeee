/* a_i = 1/ρ Σ_j V (T_i + T_j) ∇W_ij,   T = λ tr(D) I + 2 μ D   (Macêdo 4.2.3),

   D the symmetric part of ∇v_i = Σ_j V (v_j − v_i) ⊗ ∇W_ij. V is that of the lattice throughout: at a surface, where
   few neighbours are found, the liquid is no thinner. Momentum is conserved, pair by pair.

   A wall particle has the stress of the fluid particle of the pair; where the liquid slips, only the part normal to the
   wall acts. Velocity gradients are extrapolated behind the surface, see sph/stage/contact.h. */
#include "sph/stage/stress.h"

#include "base/threads.h"
#include "sph/stage/contact.h"

typedef struct stress_job {
    const sph_model *m;
    sph_state *s;
    float mu, lambda;            /* over ρ d, m/s */
    float gain;                  /* Δt/d */
    particle_vector *normal;     /* T over ρ: xx, yy, zz, m²/s² */
    particle_vector *shear;      /* xy, xz, yz */
} stress_job;

/* Σ (v_j − v_i) ⊗ g, symmetrized: the diagonal, and the off-diagonal parts. */
typedef struct stress_rate {
    wide normal, shear;
} stress_rate;

static inline void stress_add_rate(stress_rate *rate, wide v, wide g)
{
    rate->normal += v * g;
    rate->shear +=
        0.5f *
        (__builtin_shufflevector(v, v, 0, 0, 1, 3, 4, 4, 5, 7) * __builtin_shufflevector(g, g, 1, 2, 2, 3, 5, 6, 6, 7) +
         __builtin_shufflevector(v, v, 1, 2, 2, 3, 5, 6, 6, 7) * __builtin_shufflevector(g, g, 0, 0, 1, 3, 4, 4, 5, 7));
}

/* T g for two pairs. */
static inline wide stress_times(wide normal, wide shear, wide g)
{
    return normal * g +
           __builtin_shufflevector(shear, shear, 0, 0, 1, 3, 4, 4, 5, 7) *
               __builtin_shufflevector(g, g, 1, 0, 0, 3, 5, 4, 4, 7) +
           __builtin_shufflevector(shear, shear, 1, 2, 2, 3, 5, 6, 6, 7) *
               __builtin_shufflevector(g, g, 2, 2, 1, 3, 6, 6, 5, 7);
}

/* The part of a vector that a wall acts on: all of it where the liquid sticks, else the part along the normal. */
static four stress_held(const sph_state *s, int32_t wall, four v)
{
    four normal = sums_load(&s->walls.normal[wall]);
    normal[3] = 0;
    return s->walls.grip[wall] > 0 ? v : sums_product(v, normal) * normal;
}

static void stress_add_walls(const stress_job *job, int64_t n, stress_rate *rate)
{
    const sph_state *s = job->s;
    const wide first = {1, 1, 1, 1};
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        sph_contact contact;
        if (!sph_contact_of(job->m, s, k, &contact))
            continue;
        four v = sums_load(&s->walls.velocity[contact.wall]) - sums_load(&s->next.velocity[n]);
        stress_add_rate(rate, first * sums_twice(contact.stretch * stress_held(s, contact.wall, v)),
                        sums_twice(contact.g));
    }
}

static void stress_set(void *context, int begin, int end)
{
    const stress_job *job = context;
    const sph_state *s = job->s;
    const pairs *p = &s->pairs;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        wide own = sums_twice(sums_load(&s->next.velocity[n]));
        stress_rate rate = {0};
        for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2)
            stress_add_rate(&rate, sums_two_vectors(s->next.velocity, p->other + k) - own,
                            sums_gradient(pairs_load(p->record + k)));
        stress_add_walls(job, n, &rate);
        four diagonal = sums_both(rate.normal);
        sums_store(&job->normal[n], 2 * job->mu * diagonal + job->lambda * (diagonal[0] + diagonal[1] + diagonal[2]));
        sums_store(&job->shear[n], 2 * job->mu * sums_both(rate.shear));
    }
}

/* (T_i + T_wall) g of a wall particle, T_wall = T_i: one in each half of the lanes. */
static four stress_from_wall(const stress_job *job, int64_t n, const sph_contact *contact)
{
    wide whole = stress_times(sums_twice(sums_load(&job->normal[n])), sums_twice(sums_load(&job->shear[n])),
                              sums_twice(contact->g));
    return stress_held(job->s, contact->wall, sums_both(whole));
}

static void stress_push(void *context, int begin, int end)
{
    const stress_job *job = context;
    sph_state *s = job->s;
    const pairs *p = &s->pairs;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        wide normal = sums_twice(sums_load(&job->normal[n])), shear = sums_twice(sums_load(&job->shear[n])), sum = {0};
        for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2) {
            const int32_t *other = p->other + k;
            wide both = normal + sums_two_vectors(job->normal, other),
                 both_shear = shear + sums_two_vectors(job->shear, other);
            sum += stress_times(both, both_shear, sums_gradient(pairs_load(p->record + k)));
        }
        four push = sums_both(sum);
        for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
            sph_contact contact;
            if (sph_contact_of(job->m, s, k, &contact))
                push += stress_from_wall(job, n, &contact);
        }
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] += job->gain * push[a];
    }
}

static bool stress_load(const void *context, int64_t n, int64_t k, sph_contact *contact, four *force)
{
    const stress_job *job = context;
    if (!sph_contact_of(job->m, job->s, k, contact))
        return false;
    *force = (float)(-job->m->mass / job->m->spacing) * stress_from_wall(job, n, contact);
    return true;
}

void stage_sph_stress(const sph_model *m, sph_state *s, double dt)
{
    const fr_sph_def *sph = &m->sph;
    double per = 1 / (m->fluid.density * m->spacing);
    if (sph->mu == 0 && sph->lambda == 0)
        return;
    stress_job job = {.m = m,
                      .s = s,
                      .mu = (float)(sph->mu * per),
                      .lambda = (float)(sph->lambda * per),
                      .gain = (float)(dt / m->spacing),
                      .normal = s->vectors[0],
                      .shear = s->vectors[1]};
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, stress_set, &job);
    threads_for(blocks, stress_push, &job);
    stage_sph_contact_loads(m, s, stress_load, &job);
}

/* The shortest waves decay within a step when (2μ + |λ|)/ρ Δt/d² is about 1. */
static const double FRICTION = 0.25;

double stage_sph_stress_limit(const sph_model *m)
{
    double friction = 2 * m->sph.mu + fabs(m->sph.lambda);
    return friction > 0 ? FRICTION * m->fluid.density * m->spacing * m->spacing / friction : INFINITY;
}
