/* Transport in flux form, for scalars whose total is to be kept: ∂q/∂t + ∇·(u q) = 0. */
#ifndef FR_STAGE_TRANSPORT_H
#define FR_STAGE_TRANSPORT_H

#include "model/state.h"

/* next_scalars of all conserved scalars from the present ones, in the present geometry, through `carrier` (three; its sides
   set), which should let as much into every cell as out of it. */
fr_result stage_transport_scalars(const model *m, state *s, const field carrier[3], double dt);

/* To be called when the obstacles have moved after that, before anything else changes the scalars: what they now cover is
   emptied, what they have left is filled from around it, and the totals are what they were. Does nothing where none moves. */
void stage_transport_settle(const model *m, state *s);

#endif
