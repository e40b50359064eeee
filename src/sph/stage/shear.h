/* Liquids that yield and thin (mac/rheology.h): each particle has the viscosity that acts at its shear rate at the
   step's begin, which friction then takes as it takes that of liquids that melt (sph/stage/drag.h).

   That is Kačanov's iteration, one turn a step, as on grids (liquid/heat/yield.c). The shear rate is that of

       ∇v_i = (Σ_j V (v_j − v_i) ⊗ ∇W_ij) M⁻¹,   M = Σ_j V (x_j − x_i) ⊗ ∇W_ij,

   exact for any linear velocity, however the particles lie and whatever is missing: what turns as one has none, at
   surfaces too. Walls that the liquid sticks to are among the j. */
#ifndef FR_SPH_STAGE_SHEAR_H
#define FR_SPH_STAGE_SHEAR_H

#include "sph/state.h"

/* Of liquid whose viscosity hangs on the shear rate. */
typedef struct sph_paste {
    double thickest;         /* m²/s, the greatest viscosity */
    float *viscosity;        /* m²/s, of each particle of `fluid` */
    float *share, *bare;     /* of the greatest: see sph/stage/drag.h */
} sph_paste;

/* NULL for other liquids. */
fr_result sph_paste_create(const sph_model *m, sph_paste **out);
void sph_paste_destroy(sph_paste *p);
fr_result sph_paste_reserve(sph_paste *p, int64_t room);
void sph_paste_release(sph_paste *p);
double sph_paste_bytes(const sph_model *m, double particles);

/* Viscosities from the velocities of `fluid`, whose neighbours are known. */
void stage_sph_shear(const sph_model *m, sph_state *s);

#endif
