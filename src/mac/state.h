/* The state: what changes from step to step. A step reads the present fields and writes the `next` ones; they are
   exchanged only when it is accepted, so that a failed step leaves the present untouched. */
#ifndef FR_MAC_STATE_H
#define FR_MAC_STATE_H

#include "grid/diffusion.h"
#include "grid/extend.h"
#include "grid/projection.h"
#include "grid/stress/stress.h"
#include "mac/model.h"
#include "method/progress.h"
#include "mac/solids/solids.h"

/* Values on one side of the domain, one per sample there; NULL where nothing is given. */
typedef struct state_side {
    float *velocity[3];      /* m/s, per component's samples; computed by mac/stage/walls */
    float **scalars;         /* per scalar, cells of its grid; computed by mac/stage/walls */
    float *entering;         /* open sides, inflows: a scalar's value on the side, cells of its grid; working memory of
                                mac/stage/walls */
} state_side;

/* Accounts of a scalar whose total is kept. */
typedef struct state_account {
    double entered, next_entered;   /* unit·m³ that came in through the sides less what left, since t = 0 */
    double owed, next_owed;         /* unit·cells: lost to rounding, and not put back into the field yet */
    double total;                   /* unit·m³, at the beginning of the step */
} state_account;

/* What belongs to a grid finer than the flow's. */
typedef struct state_fine {
    solids solids;           /* cells only, see solids_create_as */
    diffusion *diffusion;    /* NULL when nothing diffuses there */
} state_fine;

typedef struct state {
    progress now;
    field velocity[3];           /* faces, m/s; computed by mac/stage/pressure */
    field next_velocity[3];
    double rate, next_rate;      /* their largest |u_a|/h_a, 1/s; 0: not known yet; found by mac/stage/cfl */
    field mid_velocity[3];       /* for schemes that look at the middle of the step */
    field past_velocity[3];      /* uⁿ + past_reach (uⁿ − uⁿ⁻¹), for schemes that remember: uⁿ⁻¹ between steps */
    double past_reach;           /* −1 between steps */
    double past_step;            /* s, how long the last step was; 0: there was none */
    field *scalars; /* cells of each one's grid; computed by mac/stage/advect, mac/stage/emit, mac/stage/diffuse */
    field *next_scalars;         /* only for those that vary */
    state_account *accounts;     /* per scalar; of the conserved ones computed by mac/stage/transport */
    field pressure;              /* cells, Pa, relative to the hydrostatic; computed by mac/stage/pressure */
    field next_pressure;
    particles particles;         /* carried along; computed by mac/stage/tracers */
    int64_t particles_left;      /* through open sides and inflows, since t = 0 */
    int64_t particles_lost;      /* removed because they were not finite or stuck in an obstacle, since t = 0 */
    state_side sides[FR_SIDES];
    bodies bodies;               /* obstacles over the step; filled by mac/stage/move */
    struct coupling *coupling;   /* the rigid bodies of the scene; NULL: it has none */
    solids solids;               /* the same on the grid; made by state_create, moved by mac/stage/move */

    /* Working memory of the stages, free between them. It has no type of its own: use state_scratch,
       state_scratch_cells, state_scratch_offsets. */
    void *scratch[2];            /* each as large as the largest field */
    double *partial;             /* STATE_PARTIALS per row of the field that has the most */
    int64_t *clamps;             /* one per such row */

    /* Working memory of the scheme: the flow that it makes ready to be carried. Free once that has been carried;
       a prescribed flow has it for the scalars alone. Empty for schemes that carry the present flow. */
    field scratch_velocity[3];

    const field *surface;        /* cells: signed distance to a free surface, negative in the liquid, ghosts filled; set
                                    by liquids. NULL: there is fluid everywhere */
    const field *ease; /* one per axis: the open share of each face times how easily pressure moves it (over 0, to 1);
                          set by liquids for a while. NULL: the open share */
    const field *pressure_surface; /* cells, ghosts filled: p = 0 there instead of on the free surface, and is sought
                                      where it is negative; set by liquids. NULL: `surface` */
    uint8_t *wet[3];             /* faces of the liquid and layers around them (grid/extend.h), by block offset; set by
                                    liquids. NULL: layers are those of the obstacles */
    extend_span *wet_spans[3];   /* those of each row, for the rows of the faces */
    uint8_t *dry_marks;          /* diffusion_mark of cells: outside where there is no liquid; set by liquids that
                                    carry scalars. NULL: marks are those of the obstacles */
    int wet_depth;               /* how many layers */
    bool wet_linear;             /* the first layer continues the slope of the velocity, for those who need gradients */
    float *carry_work[2];        /* each as large as a component; set by liquids that carry scratch_velocity without a
                                    gain of energy (stage/advect.h). NULL: it is carried as smoke's is */
    projection *projection;      /* pressure; NULL when the flow is prescribed */
    diffusion *diffusion;        /* implicit solves; NULL when nothing diffuses */
    stress *stress;              /* viscosity of a gas with rigid bodies that stick; NULL: `diffusion` does it */
    state_fine fine[MODEL_MOST_GRIDS - 1];   /* of the model's grids but the first; use state_solids, state_diffusion */
} state;

enum { STATE_PARTIALS = 8 };

fr_result state_create(const model *m, state **out);
void state_destroy(const model *m, state *s);

/* What state_create and the solvers will take, bytes. */
double state_bytes(const model *m);

/* Whether the scheme looks back at the flow of the last step. */
bool state_remembers(const model *m);

/* A working field of the flow's grid, at the given location, over one of the two pieces of scratch memory. */
field state_scratch(const model *m, state *s, int which, fr_location at);

/* A working field of cells of any grid. Numbers 0 and 1 lie in the same memory as those above, 2 and 3 in that of
   scratch_velocity, which is large enough for the flow's own grid alone. */
field state_scratch_cells(const model *m, state *s, int which, int grid);
/* A list instead, with room for the offset of every cell of the flow's grid. */
static inline int32_t *state_scratch_offsets(state *s, int which)
{
    return s->scratch[which];
}

static inline const solids *state_solids(const state *s, int grid)
{
    return grid ? &s->fine[grid - 1].solids : &s->solids;
}
static inline diffusion *state_diffusion(state *s, int grid)
{
    return grid ? s->fine[grid - 1].diffusion : s->diffusion;
}

#endif
