/* Inside a world. */
#ifndef FR_WORLD_WORLD_H
#define FR_WORLD_WORLD_H

#include "method/timing.h"
#include "model/river_state.h"
#include "model/sph_state.h"
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

/* What every snapshot begins with. Plain numbers: written as it stands in memory. */
typedef struct world_head {
    int32_t version, method;
    int32_t frame, unused;
    int64_t steps;
    double before, time;
    world_tally tally, last;
} world_head;

enum { WORLD_LEDGER_FIXED = 27 };    /* columns that every method has, filled or not */

/* What a method does for a world. Whatever can fail leaves the world as it was. */
typedef struct world_method {
    /* Model, state and views of world->def, and the state at t = 0. Sets world->now. What is half made when it fails is
       freed by destroy. */
    fr_result (*create)(fr_world *world);
    void (*destroy)(fr_world *world);

    /* The greatest step that is right for the present state, at most `most`. */
    fr_result (*limit_step)(fr_world *world, double most, double *dt);

    /* One step, dt long, from now->time to now->end. What it needs beyond the present goes to memory that no one reads
       before `accept` makes it the present; `undo` forgets it. */
    fr_result (*step)(fr_world *world, double dt);
    fr_result (*undo)(fr_world *world);
    void (*accept)(fr_world *world);
    double (*max_speed)(const fr_world *world);      /* m/s */

    /* Fills world->frame but for time and ledger, and the ledger's columns that the world does not know. When it fails parts
       are left out, and the rest is good to use. */
    fr_result (*view)(fr_world *world);

    /* A field that the scene has, at a place in its domain; a river's may also lie outside, where it fails. *value is
       NaN at first, and stays so where the field has no value. */
    fr_result (*probe)(fr_world *world, const char *field, const double at[3], double *value);

    /* A snapshot: the method's own head, from the state or out of another snapshot (which fails when it is none of this
       scene, and makes room for what it holds); then the state's blocks, as large as that head says, by world_add_block. Once
       they have been filled from a snapshot, `restored` sees to what follows from them. */
    void (*fill_head)(fr_world *world);
    fr_result (*read_head)(fr_world *world, const fr_block *from, int count);
    void (*list_blocks)(fr_world *world);
    fr_result (*restored)(fr_world *world);

    /* What a world that has nothing but its definition will need. `create` comes after it, and may use what it left. */
    fr_result (*estimate)(fr_world *world, fr_estimate *estimate);
} world_method;

extern const world_method world_smoke, world_sph, world_river;

/* The smoke method's own part of a snapshot's head. */
typedef struct smoke_head {
    int32_t cells[3], scalar_count;
    double past_reach, past_step;    /* state.h */
    int64_t kinds, particles, left, lost;
} smoke_head;

/* The same of SPH. */
typedef struct sph_head {
    int64_t particles, born, left, lost;
    double pull;                     /* sph_state.h */
} sph_head;

/* The same of rivers. */
typedef struct river_head {
    int32_t cells[3], scalar_count;
    int64_t particles, left;
    double past_reach, past_step, past_inflow, push;   /* river_state.h */
} river_head;

struct fr_world {
    const fr_scene_def *def;
    const world_method *method;
    progress *now;                   /* in the method's state */
    model *model;                    /* of smoke, with its state */
    state *state;
    sph_filling filling;             /* of SPH, from its estimate to its start */
    sph_model *sph_model;            /* of SPH, with its state */
    sph_state *sph_state;
    river_model *river_model;        /* of a river, with its state */
    river_state *river_state;
    timing timing;
    world_tally tally;               /* of the frame under way */
    world_tally last;                /* of the frame that ended last */

    /* Views handed out; see frame_view.c and snapshot.c. */
    fr_frame frame;
    fr_field *fields;
    fr_attribute particle_age;       /* of those that are carried */
    const char **ledger_names;
    char *ledger_text;               /* names made up here: total_<scalar>, entered_<scalar> */
    double *ledger_values;
    int ledger_count;
    fr_obstacle_load *loads;         /* one per obstacle */
    fr_block *blocks, *wanted;       /* of the last snapshot handed out; of the one being taken up */
    fr_block *listed;                /* the one of them under way */
    int block_room;                  /* in each */
    int block_count;
    world_head head;
    smoke_head smoke_head;
    sph_head sph_head;
    river_head river_head;
    fr_attribute attributes[2];      /* of SPH, made when a frame is looked at */
    bool attributes_known;           /* and true until the next step */
    float *solid;                    /* of SPH and rivers: distances to obstacles */
    float *nodes, *bed;              /* of rivers */
    float *places;                   /* of rivers: world position and velocity of each particle */
    int64_t place_room;
};

/* Room for the views: so many fields, columns of the method's own in the ledger (behind the fixed ones, to be named by
   world_name_column) and blocks of a snapshot besides the head. */
fr_result world_views_create(fr_world *world, int fields, int own_columns, int blocks);
void world_views_destroy(fr_world *world);
void world_name_column(fr_world *world, int column, const char *what, const char *of);

/* A column of the ledger under way, which must be there; NaN at first. */
double *world_column(fr_world *world, const char *name);

void world_add_block(fr_world *world, const char *name, void *data, size_t bytes);
const fr_block *world_find_block(const fr_block *blocks, int count, const char *name);

/* Resident memory of this process, MB. */
double world_resident_mb(void);

#endif
