/* Inside a world. */
#ifndef FR_WORLD_WORLD_H
#define FR_WORLD_WORLD_H

#include "method/timing.h"
#include "model/state.h"

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

/* What a snapshot holds besides the fields. Plain numbers: written as it stands in memory. */
typedef struct world_head {
    int32_t version, scalar_count;
    int32_t cells[3], frame;
    int64_t steps;
    double before, time;
    double past_reach, past_step;    /* state.h */
    world_tally tally, last;
} world_head;

/* The particles' part of it. */
typedef struct world_particles {
    int64_t kinds, count, left, lost;
} world_particles;

enum { WORLD_BLOCKS_FIXED = 2 + 3 + 3 + 1 + 5 };   /* of a snapshot: head and accounts, flow, past flow, pressure, particles */

enum { WORLD_LEDGER_FIXED = 28 };    /* columns without the scalars' totals */

struct fr_world {
    const fr_scene_def *def;
    model *model;
    state *state;
    timing timing;
    world_tally tally;               /* of the frame under way */
    world_tally last;                /* of the frame that ended last */

    /* Views handed out; see frame_view.c and snapshot.c. */
    fr_frame frame;
    fr_field *fields;
    const char **ledger_names;
    char *ledger_text;               /* names made up here: total_<scalar>, entered_<scalar> */
    double *ledger_values;
    fr_obstacle_load *loads;         /* one per obstacle */
    fr_block *blocks;
    world_head head;
    world_particles particles;
};

fr_result world_views_create(fr_world *world);
void world_views_destroy(fr_world *world);

/* Resident memory of this process, MB. */
double world_resident_mb(void);

#endif
