/* What the liquid holds: the sums that ought to be conserved, and how far it is from its density at rest. */
#ifndef FR_SPH_STAGE_LEDGER_H
#define FR_SPH_STAGE_LEDGER_H

#include "sph/state.h"

typedef struct sph_ledger {
    double kinetic_energy;      /* J (2D: per metre of depth) */
    double potential_energy;    /* J, from the domain's low corner */
    double momentum[3];         /* kg m/s */
    double density_error;       /* mean compression, as a share; particles that are not compressed count as 0 */
    double density_error_max;
} sph_ledger;

/* Of the present, whose densities must be known (stage_sph_near). */
sph_ledger stage_sph_ledger(const sph_model *m, const sph_state *s);

#endif
