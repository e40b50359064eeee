/* Friction as a linear map of velocities: Monaghan's viscous sum (Monaghan 1992; Weiler, Koschier, Brand & Bender 2018,
   "A physically consistent implicit viscosity solver for SPH fluids", equation 6),

       (L v)_i = K ν Σ_j V (v_ij·x_ij)/(r² + η²) ∇W_ij,   η² = 0.01 h²,

   which acts along the line between two particles and so conserves momentum and angular momentum. With the records g of
   pairs, which point against x_ij, and lengths in spacings d it is −(K ν/d²) Σ c (v_ij·g) g with c = r/(|g| (r² + η²)),
   a function of the distance alone: m->friction. K is set on the lattice (sph/tuning.c). */
#ifndef FR_SPH_STAGE_DRAG_H
#define FR_SPH_STAGE_DRAG_H

#include "sph/stage/contact.h"

typedef struct sph_drag {
    const sph_model *m;
    sph_state *s;
    bool sticks;         /* some wall does */
    float hold;          /* share of the friction between particles that acts at walls: damping does not */
    float rate;          /* K ν Δt/d² */
} sph_drag;

/* c of two pairs. */
static inline wide sph_drag_weights(const sph_model *m, const pair_record *two)
{
    float a = m->friction[two[0][3]], b = m->friction[two[1][3]];
    return (wide){a, a, a, a, b, b, b, b};
}

/* c of a pair with a wall particle that the liquid sticks to, times its stretch and the steepness of the boundary
   layer; 0 for others. */
float sph_drag_contact(const sph_drag *drag, int64_t k, sph_contact *contact);

/* The sum Σ c (v·g) g over walls for a particle with the velocity `own`; `homogeneous`: as if walls stood still. */
four sph_drag_walls(const sph_drag *drag, int64_t n, four own, bool homogeneous);

/* −Δt L v for one particle; with Σ_j q_j g_ij besides, q in m/s, unless q is NULL. */
static inline __attribute__((always_inline)) four
sph_drag_with(const sph_drag *drag, int64_t n, const particle_vector *v, bool homogeneous, const float *q)
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
        wide weight = drag->rate * sph_drag_weights(drag->m, record + k) * along;
        sum += (q ? weight + sums_two_numbers(q, other + k) : weight) * g;
    }
    four all = sums_both(sum) * (four){1, 1, 1, 0};
    return drag->sticks ? all + drag->rate * sph_drag_walls(drag, n, own, homogeneous) : all;
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
