/* The state: what changes from step to step. A step reads the present fields and writes the `next` ones; only when it
   has held are they exchanged, so that a failed step leaves the present untouched. */
#ifndef FR_MAC_STATE_H
#define FR_MAC_STATE_H

#include "grid/diffusion.h"
#include "grid/projection.h"
#include "mac/model.h"
#include "method/progress.h"
#include "mac/solids/solids.h"

/* Values on one side of the domain, one per sample there; NULL where nothing is given. */
typedef struct state_side {
    float *velocity[3];      /* m/s, per component's samples; computed by mac/stage/walls */
    float **scalars;         /* per scalar, cells of its grid; computed by mac/stage/walls */
    float *entering; /* open sides: what a scalar's ghosts mirror about, on any grid; computed by mac/stage/walls */
} state_side;

/* What is known of a scalar's total besides the field. */
typedef struct state_account {
    double entered, next_entered;   /* unit·m³ that came in through the sides less what left, since the start */
    double owed, next_owed;         /* whole cells: what rounding has taken and the field has not got back yet */
    double total;                   /* unit·m³, at the beginning of the step */
} state_account;

/* What a grid finer than the flow's has of its own. */
typedef struct state_fine {
    solids solids;           /* cells only, see solids_create_fine */
    diffusion *diffusion;    /* NULL when nothing diffuses there */
} state_fine;

typedef struct state {
    progress now;
    field velocity[3];           /* faces, m/s; computed by mac/stage/pressure */
    field next_velocity[3];
    field mid_velocity[3];       /* for schemes that look at the middle of the step */
    field spare_velocity[3];     /* for schemes that carry another flow than the one that carries */
    field past_velocity[3];      /* uⁿ + past_reach (uⁿ − uⁿ⁻¹), for schemes that remember: uⁿ⁻¹ between steps */
    double past_reach;           /* −1 between steps */
    double past_step;            /* s, how long the last step was; 0: there was none */
    field *scalars; /* cells of each one's grid; computed by mac/stage/advect, mac/stage/emit, mac/stage/diffuse */
    field *next_scalars;         /* only for those that vary */
    state_account *accounts;     /* per scalar; of the conserved ones computed by mac/stage/transport */
    field pressure;              /* cells, Pa, relative to the hydrostatic; computed by mac/stage/pressure */
    field next_pressure;
    particles particles;         /* carried along; computed by mac/stage/tracers */
    int64_t particles_left;      /* that went out through open sides, since the start */
    int64_t particles_lost;      /* that were removed because their numbers went wrong, since the start */
    state_side sides[FR_SIDES];
    bodies bodies;               /* obstacles over the step; filled by mac/stage/move */
    solids solids;               /* the same on the grid; made by state_create, moved by mac/stage/move */

    /* Working memory of the stages, free between them. */
    float *scratch[2];           /* each as large as the largest field */
    double *partial;             /* STATE_PARTIALS per row of the field that has the most */

    projection *projection;      /* pressure; NULL when the flow is prescribed */
    diffusion *diffusion;        /* implicit solves; NULL when nothing diffuses */
    state_fine fine[MODEL_MOST_GRIDS - 1];   /* of the model's grids but the first; use state_solids, state_diffusion */

} state;

enum { STATE_PARTIALS = 8 };

fr_result state_create(const model *m, state **out);
void state_destroy(const model *m, state *s);

/* What state_create and the solvers will take, bytes. */
double state_bytes(const model *m);

/* Whether the scheme looks back at the flow of the last step. */
bool state_remembers(const model *m);

/* Velocity fields that hold nothing while the scalars are carried. */
const field *state_idle_velocity(const state *s);

/* A working field of the given location over scratch memory. */
field state_scratch(const model *m, const state *s, int which, fr_location at);

static inline const solids *state_solids(const state *s, int grid)
{
    return grid ? &s->fine[grid - 1].solids : &s->solids;
}
static inline diffusion *state_diffusion(const state *s, int grid)
{
    return grid ? s->fine[grid - 1].diffusion : s->diffusion;
}

#endif
