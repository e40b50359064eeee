/* Densities at the positions that a step leads to: PCISPH's prediction (Solenthaler & Pajarola 2009). */
#ifndef FR_SPH_PRESSURE_EXPECT_H
#define FR_SPH_PRESSURE_EXPECT_H

#include "sph/state.h"

/* Which share of a density error a step corrects, of densities too high and too low. */
typedef struct sph_recovery {
    float excess, gap;
    float spray; /* density below which particles are by themselves: they may come closer at once */
} sph_recovery;

typedef struct sph_expect {
    const sph_model *m;
    const sph_recovery *recovery;
    float dt; /* s */
} sph_expect;

sph_expect sph_expect_of(const sph_model *m, double dt, const sph_recovery *recovery);

/* Predicted positions of a block of particles, from next.velocity and the shifts, into next.position; not wrapped round
   at periodic sides. */
void sph_expect_place(const sph_expect *e, sph_state *s, int block);

/* Summed densities at the predicted positions less the present ones, of a block. Neighbours are the present ones; their
   predicted positions must be known. */
void sph_expect_change(const sph_expect *e, const sph_state *s, int block, float change[SPH_BLOCK]);

/* The same for the density of the liquid at a wall particle, which moves on with its velocity. */
float sph_expect_wall(const sph_expect *e, const sph_state *s, int64_t wall);

#endif
