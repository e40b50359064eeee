/* The state of a river: what changes from step to step. A step reads the present fields and writes the `next` ones;
   they are swapped when the step is accepted. */
#ifndef FR_RIVER_STATE_H
#define FR_RIVER_STATE_H

#include "method/progress.h"
#include "river/model.h"

/* Particles that move with the flow, in grid coordinates: converting back from the world would need a search. */
typedef struct river_particles {
    int64_t count, room;
    double (*place)[3];                  /* 0 … n along each axis */
    float *age;                          /* s */
    int64_t *id;
} river_particles;

enum { RIVER_SCRATCH = 15, CLASSIC_SCRATCH = 12, RIVER_PARTIALS = 4 };   /* the classic scheme needs fewer */

typedef struct river_state {
    progress now;
    field flux[3], next_flux[3];         /* flux scheme: U on the faces, m³/s (2D: m²/s) */
    field past_flux[3];                  /* one step before */
    field carrying_flux[3];              /* the advecting flow; set by river/flux, free between steps */
    field pushed_flux[3];                /* the advected flow; likewise */
    double past_step;                    /* s: length of the last step; 0: there was none */
    double past_inflow, begun_inflow; /* m³/s: `inflow` at the beginning of the last step, and of the current one */
    field velocity[3], next_velocity[3]; /* classic scheme: world components at the centres, m/s */
    field forced_velocity[3];            /* the same after adding forces; free between steps */
    field pressure, next_pressure;       /* cells, Pa */
    field *scalars, *next_scalars;       /* cells */
    river_particles particles, next_particles;
    int64_t particles_left, next_left;   /* number that left the river since the start */
    /* Of the sides at present, one per cell of a side; set by river/stage/sides. */
    double *side_speed[FR_SIDES];        /* m/s: of banks along +s, of inflows into the river */
    double *side_enters[FR_SIDES];       /* m/s into the river through a bank; NULL: it is closed */
    bool *side_open[FR_SIDES];           /* where that is not 0 */
    double *side_passing[FR_SIDES];      /* m³/s that enter through the cells up to each; NULL: at the same speed */
    double *side_later;                  /* as side_enters, of any side, at another time; free between stages */
    double inflow;                       /* discharge through the inflows that are even along their sides, m³/s */
    double rate, next_rate;              /* 1/s: largest Courant number of the flow per second; set by the world */
    double push; /* 1/s²: how fast forces make Courant numbers grow, at the last step; set by river/stage/emit */
    float **side_scalars[FR_SIDES];      /* per scalar: inflow values, one per cell of the side; else NULL */

    /* Scratch memory of the stages, free between them. */
    float *scratch[RIVER_SCRATCH];       /* each as large as the largest field: use river_scratch */
    double *partial;                     /* RIVER_PARTIALS per row */
    int64_t *clamps;                     /* one per row */
    double *sections;                    /* three per cross-section of faces along s */
    tensor_solver *pressure_solver, *viscous_solver, *scalar_solver;   /* NULL where nothing needs them */
} river_state;

fr_result river_state_create(const river_model *m, river_state **out);
void river_state_destroy(const river_model *m, river_state *s);
/* Bytes of the model and the state of a scene, without particles. */
double river_state_bytes(const fr_scene_def *def);

/* Makes room for so many particles; the present ones are kept. */
fr_result river_particles_reserve(river_particles *p, int64_t room);

/* A scratch field at the given location. */
field river_scratch(const river_model *m, river_state *s, int which, fr_location at);

#endif
