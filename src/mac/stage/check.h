/* Looks for numbers that are none. */
#ifndef FR_MAC_STAGE_CHECK_H
#define FR_MAC_STAGE_CHECK_H

#include "mac/state.h"

/* Fail with the stage and the first cell where a next field is not finite. */
fr_result stage_check_velocity(const model *m, state *s, const char *stage);
fr_result stage_check_scalars(const model *m, state *s, const char *stage);

/* The same for one field of any method; `partial` has room for a number per row. */
fr_result stage_check_field(const field *f, const char *name, const char *stage, double t, double *partial);

#endif
