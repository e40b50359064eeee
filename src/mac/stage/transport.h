/* Transport in flux form, for scalars whose total is to be kept: ∂q/∂t + ∇·(u q) = 0. */
#ifndef FR_MAC_STAGE_TRANSPORT_H
#define FR_MAC_STAGE_TRANSPORT_H

#include "mac/state.h"

/* Before obstacles move: records the totals that the step must keep, and extrapolates the scalars into moving
   obstacles, for the cells that these will uncover. */
void stage_transport_begin(const model *m, state *s);

/* next_scalars of all conserved scalars from the present ones, by `carrier` (three fields, its sides set), which
   should have no divergence, moving walls counted. Where obstacles have moved since stage_transport_begin, cells that
   they cover now are emptied, cells that they uncovered are filled from around, and the totals do not change. */
fr_result stage_transport_scalars(const model *m, state *s, const field carrier[3], double dt);

/* The accounts of an accepted step. */
void stage_transport_accept(const model *m, state *s);

#endif
