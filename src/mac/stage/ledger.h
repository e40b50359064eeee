/* Energy, momentum and totals of scalars: what ought to be conserved. */
#ifndef FR_MAC_STAGE_LEDGER_H
#define FR_MAC_STAGE_LEDGER_H

#include "mac/state.h"

typedef struct ledger_flow {
    double kinetic_energy;   /* J (2D: per metre of depth) */
    double momentum[3];      /* kg m/s */
} ledger_flow;

/* `share`: cells, the share of each that counts; NULL: what obstacles leave open. */
ledger_flow stage_ledger_flow(const model *m, state *s, const field *share);

/* Integral of scalar `index` less its clean value over the volume outside the obstacles, or of `share` as above,
   unit·m³. */
double stage_ledger_total(const model *m, state *s, int index, const field *share);

#endif
