/* Smoke: the functions of its table (smoke.c). Its run is a mac_run. */
#ifndef FR_SMOKE_SMOKE_H
#define FR_SMOKE_SMOKE_H

#include "mac/run.h"

extern const method method_smoke;

/* The scalars that every smoke scene has: their names, which end with NULL, and their places in the model. */
extern const char *const smoke_own_scalars[];
enum { SMOKE_DENSITY, SMOKE_TEMPERATURE, SMOKE_FIRST_INK };

/* What the method decides about its flow. */
model_choice smoke_choice(const fr_scene_def *def);

/* See method.h; `self` is a mac_run. */
void smoke_set_defaults(fr_scene_def *def);
fr_result smoke_check_parts(const fr_scene_def *def);
void smoke_describe(const remarks *to);
fr_result smoke_view(void *self);

#endif
