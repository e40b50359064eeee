/* What both ways of redistancing share: the cells beside the surface. */
#ifndef FR_SURFACE_LEVELSET_REDISTANCE_H
#define FR_SURFACE_LEVELSET_REDISTANCE_H

#include "surface/levelset/band.h"

typedef struct redistance_job {
    levelset *ls;
    field *phi;
    float per_h[3]; /* 1/h; 0 for an axis that the scene lacks */
    float settled;  /* m: changes by less end the passes, */
    float stays;    /* and those of cells beside the surface are not made */
} redistance_job;

/* Lists the band, sets the cells beside the surface to their distance and notes them in `beside`: they are then held.
 */
fr_result redistance_begin(levelset *ls, field *phi, redistance_job *job);

/* Which of eight cells are held; `cell` is the place of the first in the compact arrays. */
static inline wide_mask redistance_held(const levelset *ls, size_t cell)
{
    const wide_mask lane = {1, 2, 4, 8, 16, 32, 64, 128};
    return (((int32_t)ls->beside[cell / WIDE] + (wide_mask){0}) & lane) != 0;
}

#endif
