/* Looks for values that are not finite. */
#ifndef FR_MAC_STAGE_CHECK_H
#define FR_MAC_STAGE_CHECK_H

#include "mac/state.h"

/* Fail when a next field is not finite, and name the stage and the first such cell. */
fr_result stage_check_velocity(const model *m, state *s, const char *stage);
fr_result stage_check_scalars(const model *m, state *s, const char *stage);

/* The same for one field of any method; `partial` has room for one number per row. */
fr_result stage_check_field(const field *f, const char *name, const char *stage, double t, double *partial);

#endif
