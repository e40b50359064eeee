/* SPH: one run of the method, and the functions of its table (sph.c). */
#ifndef FR_SPH_SPH_H
#define FR_SPH_SPH_H

#include "sph/state.h"
#include "method/method.h"

/* The method's own part of a snapshot. Plain numbers: written as it stands in memory. */
typedef struct sph_head {
    int64_t particles, born, left, lost;
    double pull;                     /* sph/state.h */
} sph_head;

typedef struct sph_run {
    method_run base;                 /* first: the world knows a run by it */
    sph_filling filling;             /* from the estimate to the start */
    sph_model *model;
    sph_state *state;
    sph_head head;
    fr_attribute attributes[5];      /* of the particles, made when a frame is looked at */
    bool attributes_known;           /* and true until the next step */
    float *solid;                    /* m, distances to obstacles at the frame's cells */
} sph_run;

extern const method method_sph;

fr_result sph_views_create(sph_run *run);
void sph_views_destroy(sph_run *run);

/* See method.h; `self` is a sph_run. */
void sph_set_defaults(fr_scene_def *def);
void sph_complete(fr_scene_def *def);
fr_result sph_check_resolution(const fr_scene_def *def);
fr_result sph_check_parts(const fr_scene_def *def);
fr_result sph_estimate(void *self, fr_estimate *estimate);
void sph_describe(const remarks *to);
fr_result sph_view(void *self);
fr_result sph_probe(void *self, const char *field, const double at[3], double *value);
void sph_fill_head(void *self);
fr_result sph_read_head(void *self, const fr_block *from, int count);
void sph_list_blocks(void *self);
fr_result sph_restored(void *self);

#endif
