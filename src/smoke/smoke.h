/* Smoke: one run of the method, and the functions of its table (smoke.c). */
#ifndef FR_SMOKE_SMOKE_H
#define FR_SMOKE_SMOKE_H

#include "mac/state.h"
#include "method/method.h"

/* The method's own part of a snapshot. Plain numbers: written as it stands in memory. */
typedef struct smoke_head {
    int32_t cells[3], scalar_count;
    double past_reach, past_step;    /* mac/state.h */
    int64_t kinds, particles, left, lost;
} smoke_head;

typedef struct smoke_run {
    method_run base;                 /* first: the world knows a run by it */
    model *model;
    state *state;
    smoke_head head;
    fr_attribute particle_age;
} smoke_run;

extern const method method_smoke;

extern const char *const smoke_own_scalars[];   /* that every smoke scene has; ends with NULL */

/* What the method decides about its flow. */
model_choice smoke_choice(const fr_scene_def *def);

fr_result smoke_views_create(smoke_run *run);

/* See method.h; `self` is a smoke_run. */
void smoke_set_defaults(fr_scene_def *def);
fr_result smoke_check_parts(const fr_scene_def *def);
fr_result smoke_estimate(void *self, fr_estimate *estimate);
void smoke_describe(const remarks *to);
fr_result smoke_view(void *self);
fr_result smoke_probe(void *self, const char *field, const double at[3], double *value);
void smoke_fill_head(void *self);
fr_result smoke_read_head(void *self, const fr_block *from, int count);
void smoke_list_blocks(void *self);
fr_result smoke_restored(void *self);

#endif
