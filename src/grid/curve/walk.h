/* The way of a point through the cells of a curvilinear grid, in grid coordinates: the way back from the world would be
   a search (Barroso & Celes 4.5). Inside a cell the point goes by the midpoint rule; at every border of a cell the
   velocity is asked anew, because the map may bend there (their figure 3). Nothing passes closed sides or into solid
   cells: a point slides along them. */
#ifndef FR_GRID_CURVE_WALK_H
#define FR_GRID_CURVE_WALK_H

#include "grid/domain.h"

/* Velocity at a place inside a cell or on its border, in cells per second; 2D: the third is not read. */
typedef void (*curve_walk_velocity)(const void *context, const int cell[3], const double place[3], double velocity[3]);

typedef struct curve_walk {
    const domain *d;             /* in grid space */
    const uint8_t *solid;        /* per cell, the first axis fastest; NULL: none */
    bool open[6];                /* sides through which points leave; in the order low s, high s, low t … */
    curve_walk_velocity velocity;
    const void *context;
} curve_walk;

/* Moves `place` (0 … n along each axis; not inside a solid cell) for so long. Gives the time that was left when it
   passed an open side, 0 when it stayed; on periodic axes it comes back from the other end. */
double curve_walk_move(const curve_walk *w, double place[3], double seconds);

/* Whether a cell is solid. */
static inline bool curve_walk_solid(const uint8_t *solid, const domain *d, const int cell[3])
{
    return solid && solid[cell[0] + (int64_t)d->n[0] * (cell[1] + (int64_t)d->n[1] * cell[2])];
}

#endif
