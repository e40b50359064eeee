/* One run of a method on the staggered grid: what smoke and liquids have in common as methods. Functions with `self`
   are entries of a method's table (method.h); `self` is a mac_run or a struct that begins with one. */
#ifndef FR_MAC_RUN_H
#define FR_MAC_RUN_H

#include "mac/state.h"
#include "method/method.h"

/* The flow's own part of a snapshot. Plain numbers: written as it stands in memory. */
typedef struct mac_head {
    int32_t cells[3], scalar_count;
    double past_reach, past_step; /* mac/state.h */
    int64_t kinds, particles, left, lost;
} mac_head;

typedef struct mac_run {
    method_run base; /* first: the world knows a run by it */
    model *model;
    state *state;
    mac_head head;
    fr_attribute particle_age;
} mac_run;

/* What a scene is held to (check.c). `own` are the names of the method's own scalars; it ends with NULL. */
fr_result mac_check_prescribed(const fr_scene_def *def);
fr_result mac_check_scalars(const fr_scene_def *def, const char *const *own);
fr_result mac_check_tracers(const fr_scene_def *def);
/* Whether a grid so much finer than the flow's has cells that can be counted. */
fr_result mac_check_refine(const fr_scene_def *def, int refine, const char *key);

/* What a flow will need, without making it (estimate.c). */
fr_result mac_estimate(const fr_scene_def *def, model_choice choice, fr_estimate *estimate);

/* What `check` says about pressure, cells and melting (words.c). */
void mac_describe_pressure(const remarks *to);
void mac_describe_melt(const remarks *to);
void mac_describe_cells(const remarks *to);

void mac_destroy(void *self);

/* The longest step for the Courant number when forces accelerate by `most` m/s² besides those that the scene gives; and
   whether a step that was made kept to it: forces given by functions may speed up the flow far beyond what the length
   of the step was chosen for. */
double mac_allowed_step(const mac_run *run, double most);
fr_result mac_check_courant(const mac_run *run, double dt);

/* Puts obstacles and the values on the sides back to the present: the step had them at its end. */
fr_result mac_undo(void *self);
double mac_max_speed(void *self);

/* Makes room for the flow's fields, ledger columns and blocks, and for fields and blocks that the method has besides.
   The ledger's columns: total_<scalar> for each scalar, then entered_<scalar> for each conserved one; then the
   method's own, from mac_own_column on. */
int mac_own_column(const mac_run *run);
fr_result mac_views_create(mac_run *run, int fields, int columns, int blocks);

/* The flow as a frame, with the columns of the ledger that it fills; frame.can must be set. `share`: cells, the share
   of each that is fluid, for energy and momentum; NULL: all that is open. Spoils the scratch memory that `share` may
   lie in. */
void mac_view(mac_run *run, const field *share);
fr_result mac_probe(void *self, const char *field, const double at[3], double *value);

void mac_fill_head(void *self);
fr_result mac_read_head(void *self, const fr_block *from, int count);
void mac_list_blocks(void *self);
fr_result mac_restored(void *self);

#endif
