/* Predefined river grids. A river is seen from above: x and y are horizontal, z is up. */
#ifndef FR_SCENE_DECODE_RIVER_MAPS_H
#define FR_SCENE_DECODE_RIVER_MAPS_H

#include <freshet/defs.h>

#include "base/arena.h"

/* A smooth curve through points, parametrized by arc length: the natural cubic spline over the chord lengths. */
typedef struct river_course {
    int count;                     /* number of points, at least two */
    double (*point)[2];            /* m */
    double (*bend)[2];             /* second derivatives at the points */
    double *knot;                  /* m: parameter, the chord length up to each point */
    double *length; /* m: arc length up to each piece (COURSE_PIECES per span); the last is the total */
} river_course;

/* Consecutive points must differ. */
fr_result river_course_create(arena *memory, const double (*points)[2], int count, river_course *out);

/* A grid: a channel along a course, or a ring. */
typedef struct river_map {
    bool ring;
    river_course course;
    fr_number width;               /* m, of s */
    double centre[2], radii[2], angles[2];   /* ring: m; m at t = 0 and 1; radians at s = 0 and 1 */
    bool deep;
    fr_number depth;               /* m, of s and t: the surface lies at z = 0 */
} river_map;

/* An fr_function of s, t, r whose context is a river_map. In a channel t = 0 is the right bank, looking along s. */
fr_result river_map_at(void *context, const double *args, double *out);

/* Fails if a channel is wider than twice the radius of a bend, so that its bank would cross itself. Checks `samples`
   points along s. */
fr_result river_map_check(const river_map *map, int samples);

/* A straight channel that narrows smoothly to a neck in its middle. The context of river_venturi_width, an fr_function
   of s. */
typedef struct river_venturi {
    double length, width, throat, neck;      /* m; throat: relative to the width */
} river_venturi;
fr_result river_venturi_width(void *context, const double *args, double *out);

#endif
