/* Densities where a step is going to lead: PCISPH's prediction (Solenthaler & Pajarola 2009). */
#ifndef FR_SPH_PRESSURE_EXPECT_H
#define FR_SPH_PRESSURE_EXPECT_H

#include "sph/state.h"

/* How much of a density that is too high or too low a step takes back, as shares. */
typedef struct sph_recovery {
    float excess, gap;
    int inside; /* neighbours that a particle inside the liquid has at least; with fewer a gap may close at once */
} sph_recovery;

typedef struct sph_expect {
    const sph_model *m;
    const sph_recovery *recovery;
    float dt;                /* s */
    float diagonal; /* 1/Σ|g|² of a particle amid a filled lattice: how a pressure acts on its own density; less where
                       particles are crowded */
} sph_expect;

sph_expect sph_expect_of(const sph_model *m, double dt, const sph_recovery *recovery);

/* Places that next.velocity and the shifts lead a block of particles to, into next.position; not wrapped round. */
void sph_expect_place(const sph_expect *e, sph_state *s, int block);

/* The summed densities there, less the present ones, of a block. Its neighbours are those of the present; their places
 * must be known. */
void sph_expect_change(const sph_expect *e, const sph_state *s, int block, float change[SPH_BLOCK]);

/* The same of the liquid at a wall particle, which goes on with the speed that it has in this step. */
float sph_expect_wall(const sph_expect *e, const sph_state *s, int64_t wall);

#endif
