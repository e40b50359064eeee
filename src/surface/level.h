/* The level set of a frame as a source of surfaces.

   Nodes of the lattice are the centres of the level set's cells and points on the domain's sides; with twice as fine a
   lattice also the points between them. On the sides φ goes on linearly, except where a surface runs along a side:
   there it is constant, so that no film of air or liquid appears. Nor does φ change its sign between a cell and a side
   that the surface does not reach. Into obstacles φ goes on as the mean of the cells around, whatever the frame has
   there. */
#ifndef FR_SURFACE_LEVEL_H
#define FR_SURFACE_LEVEL_H

#include "surface/probe.h"
#include "surface/source.h"
#include "surface/spheres.h"

typedef struct level {
    const fr_frame *frame;
    const fr_field *field;
    probe solid, velocity[3];
    int cells[3];                /* of the level set */
    uint8_t *in_solid;           /* per cell: it is in an obstacle; NULL without any */
    double step[3];              /* m, their size; 1 along z in 2D */
    double smallest;             /* m, the shortest edge of a cell */
    int fine;                    /* nodes of the lattice per cell, 1 or 2 */
    float overlap;               /* m: how far liquid goes on into obstacles */
    spheres spheres;             /* of a particle level set */
} level;

fr_result level_open(const fr_frame *frame, level *out);
void level_close(level *l);

/* A source of `fine` nodes per cell; `overlap` in cells of the frame. level_end frees what both have. */
fr_result level_source(level *l, int fine, double overlap, source *out);
void level_end(level *l, source *s);

/* φ at a point, by cubics, as a distance: divided by its slope near the surface. */
float level_distance(const level *l, const double at[3]);

void level_velocity(const level *l, const double at[3], float velocity[3]);

#endif
