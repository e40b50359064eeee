/* Inside a world. */
#ifndef FR_WORLD_WORLD_H
#define FR_WORLD_WORLD_H

#include "base/arena.h"
#include "world/methods.h"

/* What a frame's ledger row gathers from its steps. Saved with the state: a checkpoint may fall inside a frame. */
typedef struct world_tally {
    int64_t steps;
    double dt_min, dt_max;           /* s */
    double wall;                     /* s */
    double max_divergence;           /* 1/s, worst step */
    double residual;                 /* worst step */
    double courant;                  /* greatest of a step */
    int64_t iterations;              /* most in a step */
    int64_t clamps, retries;
} world_tally;

/* What every snapshot begins with. Plain numbers: written as it stands in memory. */
typedef struct world_head {
    int32_t version, method;
    int32_t frame, unused;
    int64_t steps;
    double before, time;
    world_tally tally, last;
} world_head;

struct fr_world {
    fr_scene_def def;                /* its own: what it points to lies in `arena` */
    arena arena;
    const method *method;
    method_run *run;                 /* the method's own */
    progress *now;                   /* run->now */
    world_tally tally;               /* of the frame under way */
    world_tally last;                /* of the frame that ended last */
    fr_block *blocks, *wanted;       /* of the last snapshot handed out; of the one being taken up */
    world_head head;
};

/* m/s; NaN where the method has none. */
double world_max_speed(const fr_world *world);

/* Whether a probe can ask for a field; the failure says which there are. */
fr_result world_check_field(const fr_scene_def *def, const char *key, const char *name);
/* Whether a place, which messages call `what`, lies in the domain; for methods that know it before their model is made.
 */
fr_result world_check_place(const fr_scene_def *def, const char *key, const char *what, const double at[3]);

/* Resident memory of this process, MB. */
double world_resident_mb(void);

#endif
