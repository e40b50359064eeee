/* Obstacles that press fluid together which has nowhere to go. */
#ifndef FR_MAC_STAGE_SQUEEZE_H
#define FR_MAC_STAGE_SQUEEZE_H

#include "mac/state.h"

/* Looks at the part of the fluid around the cell with the greatest divergence left by the pressure. It fails with the
   obstacle that moves there when the part is closed and its walls sweep in or out more than a tenth of all that they
   move: less is what two obstacles that touch make of their common edge, and is left spread over the part. Spoils
   `divergence`, which lies in the first scratch field, and the second one. */
fr_result stage_squeeze_check(const model *m, state *s, field *divergence);

#endif
