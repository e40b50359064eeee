/* Transport in flux form, for scalars whose total is to be kept: ∂q/∂t + ∇·(u q) = 0. */
#ifndef FR_MAC_STAGE_TRANSPORT_H
#define FR_MAC_STAGE_TRANSPORT_H

#include "mac/state.h"

/* At the beginning of a step, before obstacles move: notes the totals that the step must keep, and what stands around
   obstacles that move, for the cells that they leave. */
void stage_transport_begin(const model *m, state *s);

/* next_scalars of all conserved scalars from the present ones, through `carrier` (three; its sides set), which should
   let as much into every cell as out of it and through the walls of obstacles. Where these have moved since the totals
   were noted, what they cover now is emptied, what they have left is filled from around it, and the totals are what
   they were. */
fr_result stage_transport_scalars(const model *m, state *s, const field carrier[3], double dt);

/* When the step has held. */
void stage_transport_accept(const model *m, state *s);

#endif
