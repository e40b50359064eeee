/* Rivers: one run of the method, and the functions of its method table (river.c). */
#ifndef FR_RIVER_RIVER_H
#define FR_RIVER_RIVER_H

#include "river/state.h"
#include "method/method.h"

/* The method's own part of a snapshot. Plain numbers: written as a memory image. */
typedef struct river_head {
    int32_t cells[3], scalar_count;
    int64_t particles, left;
    double past_step, past_inflow, push;   /* river/state.h */
} river_head;

typedef struct river_run {
    method_run base;                 /* must be first: the world refers to a run by it */
    river_model *model;
    river_state *state;
    river_head head;
    fr_attribute particle_age;
    float *nodes, *bed, *solid;      /* as frames show them */
    float *places;                   /* world position and velocity of each particle */
    int64_t place_room;
} river_run;

extern const method method_river;

fr_result river_views_create(river_run *run);
void river_views_destroy(river_run *run);
void river_rate_now(river_run *run);    /* sets state->rate of a flow that did not result from a step */

/* See method.h; `self` is a river_run. */
void river_set_defaults(fr_scene_def *def);
fr_result river_check_resolution(const fr_scene_def *def);
fr_result river_check_parts(const fr_scene_def *def);
fr_result river_estimate(void *self, fr_estimate *estimate);
void river_describe(const remarks *to);
fr_result river_call_functions(const fr_preview *preview);
fr_result river_view(void *self);
fr_result river_probe(void *self, const char *field, const double at[3], double *value);
void river_fill_head(void *self);
fr_result river_read_head(void *self, const fr_block *from, int count);
void river_list_blocks(void *self);
fr_result river_restored(void *self);

#endif
