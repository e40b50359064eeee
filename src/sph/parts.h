/* What the schemes of SPH share: the step under way, and the stages that several of them have. */
#ifndef FR_SPH_PARTS_H
#define FR_SPH_PARTS_H

#include "method/stages.h"
#include "sph/pressure/solve.h"
#include "sph/state.h"

/* A step from now.time to now.end: it reads `fluid` and leaves the liquid at the step's end in `next`. */
typedef struct sph_step {
    const sph_model *m;
    sph_state *s;
    double dt;                   /* s */
    sph_recovery recovery;       /* dfsph, pcisph: by sph_pressure_predict */
    sph_expect expect;           /* pcisph: where densities are predicted */
    sph_solve solve;             /* dfsph, pcisph: the solve, and what it came to */
} sph_step;

/* The schemes, each a whole step. That of wcsph depends on how strong friction is. */
extern const stage sph_dfsph[], sph_pcisph[];
const stage *sph_wcsph(const sph_step *step);

/* How every step begins: walls where they stand, neighbours and densities. And how it ends: positions from velocities,
   and what comes and goes through sources, sinks and open sides (scheme.c). */
extern const stage sph_begin[], sph_end[];

/* All that acts on the liquid but pressure, from the present velocities to next.velocity; and the same without friction
   (forces.c). */
extern const stage sph_forces[], sph_smooth_forces[];

/* Stages of the schemes that solve for the pressure, each of a sph_step: what the velocities would do to the density;
   then, when it is solved, what pressures do to velocities and bodies; then the report, which fails when the density is
   far from what is asked for. */
fr_result sph_pressure_predict(void *step);
fr_result sph_pressure_push(void *step);
fr_result sph_pressure_report(void *step);

/* The solve itself, from the pressures of the last step on. */
fr_result sph_pressure_solve(void *step);

/* Keeps the pressures of walls for the next step. */
void sph_pressure_keep_walls(const sph_model *m, sph_state *s, double dt);

#endif
