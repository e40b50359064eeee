/* Ready-made courses of rivers: where the nodes of their grids lie. A river is seen from above: x and y are the map, z
 * is up. */
#ifndef FR_SCENE_DECODE_RIVER_MAPS_H
#define FR_SCENE_DECODE_RIVER_MAPS_H

#include <freshet/defs.h>

#include "base/arena.h"

/* A smooth line through points of the map, measured by its length: the natural cubic spline over the chords between
 * them. */
typedef struct river_course {
    int count;                     /* of points, two or more */
    double (*point)[2];            /* m */
    double (*bend)[2];             /* second derivatives there */
    double *knot;                  /* m along the chords */
    double *length; /* m along the line, COURSE_PIECES + 1 … to every part of a span; the last is that of the whole */
} river_course;

/* Where the line is, a share 0 … 1 of its length from the start. */
typedef struct river_station {
    double at[2], along[2];        /* m; a unit vector */
    double curvature;              /* 1/m, positive to the left */
} river_station;

/* No two points that follow each other may be in one place. */
fr_result river_course_create(arena *memory, const double (*points)[2], int count, river_course *out);
river_station river_course_at(const river_course *course, double share);

/* A grid: a channel along a course, or a ring. */
typedef struct river_map {
    bool ring;
    river_course course;
    fr_number width;               /* m, of s */
    double centre[2], radii[2], angles[2];   /* ring: m, m at t = 0 and 1, radians at s = 0 and 1 */
    bool deep;
    fr_number depth;               /* m, of s and t: the surface lies at z = 0 */
} river_map;

/* An fr_function of s, t, r with a river_map for its context. Of a channel t = 0 is the right bank, looking along s. */
fr_result river_map_at(void *context, const double *args, double *out);

/* Whether the banks stay apart: a channel must be narrower than twice the radius of every bend. Looked at in `samples`
 * places along s. */
fr_result river_map_check(const river_map *map, int samples);

/* A straight reach that narrows smoothly to a neck in its middle. An fr_function of s with this for its context. */
typedef struct river_venturi {
    double length, width, throat, neck;      /* m; throat: share of the width */
} river_venturi;
fr_result river_venturi_width(void *context, const double *args, double *out);

#endif
