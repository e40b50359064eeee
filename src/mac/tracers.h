/* Carried particles, made ready: where they start and how many there can be. */
#ifndef FR_MAC_TRACERS_H
#define FR_MAC_TRACERS_H

#include "mac/model.h"

fr_result tracers_create(const fr_scene_def *def, const domain *d, int index, model_tracers *out);
void tracers_destroy(model_tracers *tracers);

/* How many particles the rate has emitted before time t. */
int64_t tracers_born(const fr_tracers_def *def, double t);
/* When number `index` of these is emitted, s. */
double tracers_birth_time(const fr_tracers_def *def, int64_t index);

/* Most particles that the scene can have at once until its end: from its numbers and the boxes around the shapes. */
fr_result tracers_most(const fr_scene_def *def, const domain *d, double *most);

#endif
