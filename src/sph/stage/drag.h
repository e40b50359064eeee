/* Friction as a linear map of velocities: Monaghan's viscous sum (Monaghan 1992; Weiler, Koschier, Brand & Bender 2018,
   "A physically consistent implicit viscosity solver for SPH fluids", equation 6),

       (L v)_i = K ν Σ_j V (v_ij·x_ij)/(r² + η²) ∇W_ij,   η² = 0.01 h²,

   which acts along the line between two particles and so conserves momentum and angular momentum. With the records g of
   pairs, which point against x_ij, and lengths in spacings d it is −(K ν/d²) Σ c (v_ij·g) g with c = r/(|g| (r² + η²)),
   a function of the distance alone: m->friction. K is set on the lattice (sph/tuning.c). Where ν differs from particle
   to particle, a pair has the harmonic mean of both, with which the stress is continuous where ν jumps; at a wall, ν is
   the particle's. */
#ifndef FR_SPH_STAGE_DRAG_H
#define FR_SPH_STAGE_DRAG_H

#include "sph/stage/contact.h"

typedef struct sph_drag {
    const sph_model *m;
    sph_state *s;
    bool sticks;         /* some wall does */
    float hold;          /* share of the friction between particles that acts at walls: damping does not */
    float rate;          /* K ν Δt/d² */
    const float *share;  /* ν of each particle over that of `rate`; NULL: it is the same everywhere */
    const float *bare;   /* the same without damping, which walls see */
} sph_drag;

/* c of two pairs. */
static inline wide sph_drag_weights(const sph_model *m, const pair_record *two)
{
    float a = m->friction[two[0][3]], b = m->friction[two[1][3]];
    return (wide){a, a, a, a, b, b, b, b};
}

/* The same, where viscosities differ times the share of the particle's and its two neighbours'. */
static inline __attribute__((always_inline)) wide sph_drag_pair(const sph_drag *drag, const pair_record *two, int64_t n,
                                                                const int32_t *other, bool differs)
{
    if (!differs)
        return sph_drag_weights(drag->m, two);
    const float own = drag->share[n], one = drag->share[other[0]], next = drag->share[other[1]];
    const float a = 2 * own * one / (own + one), b = 2 * own * next / (own + next);
    return (wide){a, a, a, a, b, b, b, b} * sph_drag_weights(drag->m, two);
}

/* c of a pair of particle n with a wall particle that the liquid sticks to, times its stretch and the steepness of the
   boundary layer; 0 for others. */
float sph_drag_contact(const sph_drag *drag, int64_t n, int64_t k, sph_contact *contact);

/* The sum Σ c (v·g) g over walls for a particle with the velocity `own`; `homogeneous`: as if walls stood
   still, but for what friction itself gives to rigid bodies. */
four sph_drag_walls(const sph_drag *drag, int64_t n, four own, bool homogeneous);

static inline __attribute__((always_inline)) four
sph_drag_sum(const sph_drag *drag, int64_t n, const particle_vector *v, const float *q, bool differs)
{
    const pairs *p = &drag->s->pairs;
    const int32_t *other = p->other + p->begin[n];
    const pair_record *record = p->record + p->begin[n];
    four own = sums_load(&v[n]);
    wide twice = sums_twice(own), sum = {0};
    for (int32_t k = 0; k < p->number[n]; k += 2) {
        wide g = pairs_load(record + k),
             along =
                 sums_each(g * (twice - sums_two_vectors(v, other + k))); /* the fourth lane, a distance, meets a 0 */
        wide weight = drag->rate * sph_drag_pair(drag, record + k, n, other + k, differs) * along;
        sum += (q ? weight + sums_two_numbers(q, other + k) : weight) * g;
    }
    return sums_both(sum) * (four){1, 1, 1, 0};
}

/* −Δt L v for one particle; with Σ_j q_j g_ij besides, q in m/s, unless q is NULL. */
static inline __attribute__((always_inline)) four
sph_drag_with(const sph_drag *drag, int64_t n, const particle_vector *v, bool homogeneous, const float *q)
{
    four all = drag->share ? sph_drag_sum(drag, n, v, q, true) : sph_drag_sum(drag, n, v, q, false);
    return drag->sticks ? all + drag->rate * sph_drag_walls(drag, n, sums_load(&v[n]), homogeneous) : all;
}

static inline four sph_drag_of(const sph_drag *drag, int64_t n, const particle_vector *v, bool homogeneous)
{
    return sph_drag_with(drag, n, v, homogeneous, NULL);
}

/* Adds the friction of velocities v on walls over dt, times `share`, to the loads on bodies. */
void stage_sph_drag_loads(const sph_drag *drag, const particle_vector *v, double dt, double share);

/* v = v* + Δt L v for the velocities v* in next.velocity, which it replaces by v, and the loads that go with it. Fails
   when the system cannot be solved. */
fr_result stage_sph_drag_solve(const sph_drag *drag, double dt);

#endif
