/* Shared by the two schemes of rivers: the current step, and a stage that both have. */
#ifndef FR_RIVER_PARTS_H
#define FR_RIVER_PARTS_H

#include "method/stages.h"
#include "river/state.h"

/* A step from now.time to now.end. It reads the present fields and writes the next ones. */
typedef struct river_step {
    const river_model *m;
    river_state *s;
    double dt;                   /* s */
} river_step;

/* The stages of each scheme (flux.c, classic/scheme.c), and the functions that set its initial flow, in the next
   fields. */
extern const stage river_flux[], river_classic[];
fr_result river_flux_start(const river_model *m, river_state *s);
fr_result river_classic_start(const river_model *m, river_state *s);

/* The first stage of every step: moves particles with the present flow (scheme.c). */
fr_result river_move_particles(void *step);

#endif
