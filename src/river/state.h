/* The state of a river: what changes from step to step. A step reads the present and writes `next`; only when it has
   held are they exchanged. */
#ifndef FR_RIVER_STATE_H
#define FR_RIVER_STATE_H

#include "method/progress.h"
#include "river/model.h"

/* Particles that the flow carries, in grid coordinates: the way back from the world would be a search. */
typedef struct river_particles {
    int64_t count, room;
    double (*place)[3];                  /* 0 … n along each axis */
    float *age;                          /* s */
    int64_t *id;
} river_particles;

enum { RIVER_SCRATCH = 15, CLASSIC_SCRATCH = 12, RIVER_PARTIALS = 4 };   /* the classic scheme works with fewer */

typedef struct river_state {
    progress now;
    field flux[3], next_flux[3];         /* flux scheme: U on the faces, m³/s (2D: m²/s) */
    field past_flux[3];                  /* the same one step before */
    field carrying_flux[3];              /* the flow that carries, and the flow that it carries; set by river/flux, */
    field pushed_flux[3];                /* free between steps */
    double past_step;                    /* s, how long the last step was; 0: there was none */
    double past_inflow, begun_inflow; /* m³/s: `inflow` at the beginning of the last step, and of the one under way */
    field velocity[3], next_velocity[3]; /* classic scheme: world components at the centres, m/s */
    field forced_velocity[3];            /* the same with what forces added; free between steps */
    field pressure, next_pressure;       /* cells, Pa */
    field *scalars, *next_scalars;       /* cells */
    river_particles particles, next_particles;
    int64_t particles_left, next_left;   /* that went out, since the start */
    double side_speed[FR_SIDES];         /* m/s of banks and inflows, as they are now; set by river/stage/sides */
    double inflow;                       /* m³/s that come in through all inflows */
    double rate, next_rate;              /* 1/s: greatest Courant number per second of the flow; set by the world */
    double push; /* 1/s²: how fast forces make Courant numbers grow, as they last did; set by river/stage/emit */
    float *
        *side_scalars[FR_SIDES]; /* per scalar: values that come in, one per cell of the side. NULL but for inflows */

    /* Working memory of the stages, free between them. */
    float *scratch[RIVER_SCRATCH];       /* each as large as the largest field: use river_scratch */
    double *partial;                     /* RIVER_PARTIALS per row */
    int64_t *clamps;                     /* one per row */
    double *sections;                    /* two per cross-section of faces along s */
    tensor_solver *pressure_solver, *viscous_solver, *scalar_solver;   /* NULL where nothing needs them */
} river_state;

fr_result river_state_create(const river_model *m, river_state **out);
void river_state_destroy(const river_model *m, river_state *s);
/* What the model and the state of a scene will take but for particles, bytes. */
double river_state_bytes(const fr_scene_def *def);

/* Room for so many; those that are there stay. */
fr_result river_particles_reserve(river_particles *p, int64_t room);

/* A working field of the given location over scratch memory. */
field river_scratch(const river_model *m, river_state *s, int which, fr_location at);

#endif
