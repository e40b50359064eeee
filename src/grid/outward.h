/* Extends values outward along the normal of a level set, n·∇u = 0 (Carlson eq. 92), layer by layer. */
#ifndef FR_GRID_OUTWARD_H
#define FR_GRID_OUTWARD_H

#include "grid/extend.h"

typedef struct outward_job {
    const domain *d;
    const field *phi;      /* cells: the level set; ghosts filled */
    const uint8_t *map;    /* of the field that is extended, numbered by extend_number */
    int depth;             /* layers */
    const uint8_t *solids; /* layers of obstacles in the same order: only samples known there change. NULL: all */
} outward_job;

/* Each sample of a layer takes the values of its neighbours against the normal, in layers below, weighted by |n_a|/h_a;
   one that has none keeps its value. */
void outward_extend(const outward_job *job, field *f);

#endif
