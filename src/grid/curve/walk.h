/* The path of a point through the cells of a curvilinear grid, in grid coordinates: converting back from the world
   would need a search (Barroso & Celes 4.5). Inside a cell the point moves by the midpoint rule. At every cell border
   the velocity is evaluated again, because the map may bend there (their figure 3). Nothing passes closed sides or
   enters solid cells: a point slides along them. */
#ifndef FR_GRID_CURVE_WALK_H
#define FR_GRID_CURVE_WALK_H

#include "grid/domain.h"

/* Velocity at a place inside a cell or on its border, in cells per second; in 2D the third component is not read. */
typedef void (*curve_walk_velocity)(const void *context, const int cell[3], const double place[3], double velocity[3]);

typedef struct curve_walk {
    const domain *d;             /* in grid space */
    const uint8_t *solid;        /* per cell, the first axis fastest; NULL: none */
    bool open[6];                /* sides through which points leave; in the order low s, high s, low t … */
    const bool *gate[6];         /* the part of an open side that is, per cell, the lower of the other axes fastest;
                                    NULL: all of it */
    curve_walk_velocity velocity;
    const void *context;
} curve_walk;

/* Moves `place` (0 … n along each axis; not inside a solid cell) for `seconds`; on periodic axes it wraps round.
   Returns the time left when it passed an open side, 0 if it stayed. */
double curve_walk_move(const curve_walk *w, double place[3], double seconds);

static inline bool curve_walk_solid(const uint8_t *solid, const domain *d, const int cell[3])
{
    return solid && solid[cell[0] + (int64_t)d->n[0] * (cell[1] + (int64_t)d->n[1] * cell[2])];
}

#endif
