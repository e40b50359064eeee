/* Heat in a liquid of particles. Each has an enthalpy e = T + L f (mac/melt.h), which is what is kept: it goes along
   with the particle, and what conduction takes from one it gives to others,

       de_i/dt = (κ/d²) Σ_j w_ij (T_j − T_i) + sides and obstacles that hold a temperature − loss A_i/V (T_i − ambient).

   Nothing blurs in transport, so there is nothing to put back. */
#ifndef FR_SPH_HEAT_H
#define FR_SPH_HEAT_H

#include "mac/conductivity.h"
#include "sph/stage/shear.h"

/* Of all heat since the start, K m³ (in 2D K m²), against the ambient temperature. */
typedef struct sph_heat_account {
    double in;  /* given by sources, sides, obstacles and the air, and poured */
    double out; /* of liquid that has left */
} sph_heat_account;

/* Working memory of conduction, of each particle; see conduct.c. */
enum {
    SPH_HEAT_START,
    SPH_HEAT_GUESS,
    SPH_HEAT_SINK,
    SPH_HEAT_FEED,
    SPH_HEAT_WEIGHTS,
    SPH_HEAT_RIGHT,
    SPH_HEAT_CHANGE,
    SPH_HEAT_LEFT,
    SPH_HEAT_ALONG,
    SPH_HEAT_IMAGE,
    SPH_HEAT_NUMBERS_OF_ALL,
    SPH_HEAT_KNOWN = SPH_HEAT_NUMBERS_OF_ALL, /* the rest is there where the diffusivity is a function */
    SPH_HEAT_THETA,
    SPH_HEAT_KAPPA,
    SPH_HEAT_NUMBERS
};

struct sph_heat {
    /* Of the particles of `fluid`, in their present order; by sph_heat_know. */
    float *temperature, *fraction;
    float *viscosity;     /* m²/s; NULL unless it melts */
    float *share, *bare;  /* of the greatest viscosity: see sph/stage/drag.h */
    double thickest;  /* m²/s, the greatest viscosity; by sph_heat_measure, before a step */
    double *numbers[SPH_HEAT_NUMBERS];
    float *held;      /* K, of each wall particle; NAN: no heat goes through it; by stage_sph_heat_sides */
    bool holds;       /* some side or obstacle has a temperature */
    conductivity *table; /* of a diffusivity that is a function; else NULL */
    sph_heat_account account, next;   /* as of `fluid` and `next` */
};

fr_result sph_heat_create(const sph_model *m, sph_heat **out);
void sph_heat_destroy(sph_heat *h);
fr_result sph_heat_reserve(const sph_model *m, sph_heat *h, int64_t room);
void sph_heat_release(sph_heat *h);
int sph_heat_attributes(const fr_heat_def *heat);   /* of its particles in a frame */
double sph_heat_bytes(const sph_model *m, double particles, double wall_particles);

/* The enthalpy of liquid that starts at a place, or comes out of a source. */
fr_result sph_heat_filled(const fr_scene_def *def, const sph_model *m, const fr_fill_def *fill, const double at[3],
                          double *enthalpy);
fr_result sph_heat_poured(const sph_model *m, int source, const double at[3], double t, double *enthalpy);

/* Temperatures and what follows from them, from the enthalpies. */
void sph_heat_know(const sph_model *m, sph_state *s);
void sph_heat_measure(const sph_model *m, sph_state *s);

/* The greatest viscosity, m²/s; without melting or yielding it is one number. */
static inline double sph_thickest(const sph_model *m, const sph_state *s)
{
    if (s->paste)
        return s->paste->thickest;
    return m->heat.melt.set ? s->heat->thickest : m->fluid.viscosity;
}

/* The stages: temperatures and what goes with them from `fluid`, then the enthalpies at the end of the step in `next`.
   A failure comes from a function of the scene, or from a system that cannot be solved. */
fr_result stage_sph_heat(const sph_model *m, sph_state *s, double dt);
fr_result stage_sph_heat_sides(const sph_model *m, sph_state *s);
fr_result stage_sph_heat_give(const sph_model *m, sph_state *s);
fr_result stage_sph_heat_conduct(const sph_model *m, sph_state *s, double dt);

/* Boussinesq: warm liquid weighs less by expansion · (T − ambient). */
void stage_sph_heat_lift(const sph_model *m, sph_state *s, double dt);

/* Adds the accelerations by the pressures of the last step over Δt to the next velocities; a negative Δt takes them off
   again (ease.c). */
void stage_sph_heat_ease(const sph_model *m, sph_state *s, double dt);

/* When a step is kept: the heat of the liquid that leaves, and of the particle that came last. */
void sph_heat_leave(const sph_model *m, sph_state *s);
void sph_heat_enter(const sph_model *m, sph_state *s, double enthalpy);

/* Σ (e − ambient) V, K m³. */
double sph_heat_total(const sph_model *m, const sph_state *s);

#endif
