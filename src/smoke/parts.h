/* What the schemes of smoke share: the step under way, and the stages that several of them have. */
#ifndef FR_SMOKE_PARTS_H
#define FR_SMOKE_PARTS_H

#include "mac/stage/pressure.h"
#include "method/stages.h"

/* A part of the step over which forces act. */
typedef struct smoke_span {
    double dt;               /* s, how long it is */
    double middle;           /* s, when forces and fans are evaluated */
    double end;              /* s, when the values on the sides are evaluated */
} smoke_span;

/* A step from now.time to now.end: it reads the present fields and leaves those at the step's end in the next ones. */
typedef struct smoke_step {
    const model *m;
    const fr_smoke_def *settings;
    state *s;
    double dt;               /* s */
    smoke_span span;         /* at first the whole step */
    const field *carrier;    /* the flow that carries, three fields; at first the present one */
    const field *scalars;    /* the latest: the present ones, then by smoke_scalars those at the step's end */
} smoke_step;

/* The schemes, each a whole step. */
extern const stage smoke_prescribed[], smoke_single[], smoke_second[], smoke_reflection[], smoke_central[];

/* All scalars from the present to the end of the step, along step->carrier. Once they have been carried the obstacles
   go to where they stand at the end: whatever is extended or projected after this sees them there. */
extern const stage smoke_scalars[];

/* What acts on next_velocity over step->span besides buoyancy and fans; then the flow held by sources and sides. */
extern const stage smoke_forces[];

/* Stages of a smoke_step: the fans over step->span; the check that ends every scheme which solves for the flow. */
fr_result smoke_fans(void *step);
fr_result smoke_check_flow(void *step);

/* The step's first and second half. */
smoke_span smoke_first_half(const smoke_step *step);
smoke_span smoke_second_half(const smoke_step *step);

/* The viscosity of a viscous flow over `dt` on next_velocity, which first feels the last step's pressure over `push`:
   see stage_pressure_push. The projection then seeks only the change of it. */
fr_result smoke_viscosity(const smoke_step *step, double push, double dt);

/* What a projection seeks after that: the change of the pressure, or without viscosity the whole of it. */
pressure_kind smoke_sought(const model *m);

/* Sides, obstacles and ghosts of a flow. */
void smoke_finish_velocity(const model *m, const state *s, field velocity[3]);

/* Obstacles and ghosts of the scalars, for the flow that will carry them. */
void smoke_finish_scalars(const model *m, state *s, field *scalars, const field velocity[3]);

#endif
