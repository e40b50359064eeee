/* The inside of a world. */
#ifndef FR_WORLD_WORLD_H
#define FR_WORLD_WORLD_H

#include "base/arena.h"
#include "world/methods.h"

/* Statistics over the steps of a frame, for its ledger row. Saved with the state, because a checkpoint may lie between
   two frames. */
typedef struct world_tally {
    int64_t steps;
    double dt_min, dt_max;           /* s */
    double wall;                     /* s of real time */
    double max_divergence;           /* 1/s, worst step */
    double residual;                 /* worst step */
    double courant;                  /* maximum over the steps */
    int64_t iterations;              /* maximum over the steps */
    int64_t clamps, retries;
    int64_t viscosity_iterations, viscosity_smeared; /* maxima over the steps */
    double viscosity_residual;
} world_tally;

/* The header of every snapshot: plain numbers, stored as they are in memory. */
typedef struct world_head {
    int32_t version, method;
    int32_t frame, unused;
    int64_t steps;
    double before, time;
    world_tally tally, last;
} world_head;

struct fr_world {
    fr_scene_def def;                /* a copy; what it points to is in `arena` */
    arena arena;
    const method *method;
    method_run *run;                 /* the method's own */
    progress *now;                   /* run->now */
    world_tally tally;               /* of the current frame */
    world_tally last;                /* of the last finished frame */
    fr_block *blocks, *wanted;       /* of the last snapshot; of the one being restored */
    world_head head;
};

/* m/s; NaN if the method does not compute it. */
double world_max_speed(const fr_world *world);

/* Fails if there is no such field for probes; the message lists the fields. */
fr_result world_check_field(const fr_scene_def *def, const char *key, const char *name);
/* Fails if a point, which messages call `what`, is outside the domain. Does nothing for methods without `bounds`. */
fr_result world_check_place(const fr_scene_def *def, const char *key, const char *what, const double at[3]);

/* Resident memory of this process, MB. */
double world_resident_mb(void);

#endif
