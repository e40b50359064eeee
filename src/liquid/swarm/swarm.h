/* The parcels of a liquid, for trackers that have them: where they start, how they move, the level set that they
   correct, and how they are kept. */
#ifndef FR_LIQUID_SWARM_H
#define FR_LIQUID_SWARM_H

#include "liquid/liquid.h"

fr_result swarm_create(liquid_run *run, parcels_kind kind);

/* How many parcels there are in a cell, into the model. */
void swarm_settle(const fr_scene_def *def, liquid_model *m);

/* The distance to obstacles; NULL: there are none. */
const field *swarm_solid(const state *s);

/* Faces between two sides of a wall, for seals.h; NULL: there are none. */
const uint8_t *swarm_sealed(const state *s);

/* The side of the cube, or square, of liquid that a parcel stands for, m. */
double swarm_spacing(const liquid_run *run);

/* What moves parcels over half the step. */
transfer_flow swarm_flow(const liquid_step *step, const field *velocity);

/* Moves their places alone, as those of markers. Returns how many have left through open sides. */
int64_t swarm_move(const liquid_step *step, const field velocity[3]);

/* A step's first stages: keeps what a failed step puts back; mends what is short of parcels (swarm/reseed.c). */
fr_result swarm_keep(void *step);
fr_result swarm_mend(void *step);

/* Stages: places to the middle of the step; φ there, carried and corrected by the parcels; after the pressure, the flow
   that moves them on and spreads them evenly, into the transfer's faces; φ carried to the end. */
fr_result swarm_to_middle(void *step);
fr_result swarm_middle_surface(void *step);
fr_result swarm_spread(void *step);
fr_result swarm_end_surface(void *step);

/* The end of a step: parcels are sorted now and then. */
void swarm_age(const liquid_step *step);

/* Parcels that take the flow itself fly straight (straight.h), by transfer.before; others move along the flow, and all
   do in a band, below which the grid carries the flow along itself. */
bool swarm_flies(const liquid_run *run);

/* Their momentum, kg m/s, when all of them have that mass together. */
void swarm_momentum(const liquid_run *run, double mass, double momentum[3]);

/* Whether nothing happens at a step's end: parcels and φ then go from middle to middle (swarm/leap.c). */
bool swarm_leaps(const fr_scene_def *def, const model *m);
/* Places at the present time. */
float *const *swarm_shown(const liquid_run *run);
fr_result swarm_show(liquid_run *run);

/* Whether what moves them then, and what they take, will be side by side (transfer_pair). */
bool swarm_pairs(const liquid_step *step);

/* Flow per displacement of spreading, which is made in the second half of a step, 1/s. */
float swarm_shift_scale(const liquid_step *step);

/* Takes back what spreading, which is part of `drift`, has moved out of the liquid. */
void swarm_stay(const liquid_step *step, const field drift[3]);

/* A narrow band of parcels (swarm/band.c): whether there is one, and how deep it goes, m. */
bool swarm_has_band(const liquid_run *run);
double swarm_deepest(const liquid_run *run);
/* Fills `deep` from a φ. Spoils scratch memory 0. */
void swarm_find_band(liquid_run *run, const field *phi);
/* How many parcels are in it above its store, and would be from there on; and in its store. Right after they are
   sorted. Spoils both scratch memories. */
typedef struct swarm_count {
    double all, stored;
} swarm_count;
swarm_count swarm_count_band(liquid_run *run);
/* The distance to where it has none, in scratch memory 1: of cells of the surface, ghosts filled. */
field swarm_below_band(liquid_run *run);
/* A stage: next_velocity from the grid; and joining the parcels' to it, from scratch_velocity. */
fr_result swarm_band_advect(void *step);
void swarm_merge_band(const liquid_step *step);
/* Displacements end where the store begins. */
void swarm_close_band(const liquid_step *step, field shift[3]);

/* Entries of a tracker. */
void swarm_sweep(const liquid_step *step);
fr_result swarm_start(liquid_run *run);
fr_result swarm_reserve(liquid_run *run);
void swarm_undo(liquid_run *run);
fr_result swarm_pour(const liquid_step *step, const liquid_poured *in);
double swarm_drain(const liquid_step *step, const field *out, double taken);
fr_result swarm_restore(liquid_run *run);
void swarm_list_blocks(liquid_run *run);
fr_result swarm_restored(liquid_run *run);

#endif
