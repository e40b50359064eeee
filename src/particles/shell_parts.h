/* What the files of shell.h share. */
#ifndef FR_PARTICLES_SHELL_PARTS_H
#define FR_PARTICLES_SHELL_PARTS_H

#include "particles/point_hash.h"
#include "particles/shell.h"

shell shell_empty(const shell_plan *plan);
fr_result shell_reserve(shell *s, int64_t room);

/* Adds one at the end, where room has been made. */
void shell_add(shell *s, const double position[3], vec3 normal, int layer);

/* Cubes of about d, from the corner of what holds a shape, stretched a little so that a whole number fits. */
typedef struct shell_lattice {
    double start[3], step[3];   /* m */
    int n[3];                   /* cells; 1 along z in 2D */
} shell_lattice;

typedef struct shell_cell {
    int32_t at[3];
    float value;                /* the shape's distance at the centre, m */
} shell_cell;

/* The cells of a lattice that may hold a point of a shell. */
typedef struct shell_cells {
    shell_lattice lattice;
    shell_cell *cells;
    int64_t count, room;
} shell_cells;

fr_result shell_cells_find(const shape *s, const shell_plan *plan, shell_cells *out);
void shell_cells_free(shell_cells *c);

/* Somewhere, and the shape's distance there. */
typedef struct shell_place {
    double at[3], value;        /* m */
} shell_place;

/* A place moved onto the surface of a depth. */
typedef struct shell_spot {
    double at[3], value;        /* m */
    vec3 normal;
    double slope;               /* of the shape's distance along the normal: 1, but for a user's function */
    bool found;                 /* false: no such depth here */
    bool narrow;                /* the shape's other side is so near that both share their points */
    bool fits;                  /* it is the lattice's, unmoved */
} shell_spot;

/* The two faces of a plate are two surfaces; where they nearly meet they share their points. */
static inline bool shell_faces_differ(const shell_spot *a, const shell_spot *b)
{
    return vec3_dot(a->normal, b->normal) < -0.5 && !a->narrow && !b->narrow;
}

/* Least distance between points, m. Chosen so that a surface that does not fit the lattice gets about as many points as
   one that does. On surfaces it must be above d/√2, or points would be added in the middle of the lattice's squares; on
   curves above d/2. */
static inline double shell_apart(const shell_plan *plan)
{
    return (plan->dims == 3 ? 0.8 : 0.7) * plan->spacing;
}

/* Whether two spots of a layer, nearer than shell_apart, are too near. */
static inline bool shell_too_near(const shell_plan *plan, const shell_spot *a, const shell_spot *b, double distance2)
{
    return !shell_faces_differ(a, b) || distance2 < 0.25 * plan->spacing * plan->spacing;
}

static inline bool shell_plan_holds(const shell_plan *plan, const double at[3])
{
    bool inside = true;
    for (int a = 0; a < plan->dims; a++)
        inside &= at[a] >= plan->low[a] && at[a] <= plan->high[a];
    return inside;
}

/* The depth of layer l, m. */
static inline double shell_depth(const shell_plan *plan, int layer)
{
    return (layer + 0.5) * plan->spacing;
}

/* The greatest slope of a shape's distance that the search allows for. A user's function may be no true distance, like
   x² + y² − 1; this factor finds the surface of most of them. */
static inline double shell_slope(const shape *s)
{
    return shape_is_parallel(s) ? 1 : 4;
}

/* Moves a place to the layer's depth, if there is such a depth near it. Thin parts count for layer 0. */
fr_result shell_project(const shape *s, const shell_plan *plan, int layer, const shell_place *from, shell_spot *spot);

/* Moves a spot a little along its surface; not over edges, and not out of the plan. */
fr_result shell_slide(const shape *s, const shell_plan *plan, vec3 by, shell_spot *spot, bool *done);

/* The normal where a spot is now; on an edge, between those of the faces. */
fr_result shell_face(const shape *s, const shell_plan *plan, shell_spot *spot);

/* Evens out the distances between the points of a layer, but leaves those alone that fit the lattice. `points` holds
   their places and is worked with; the spots are moved. */
fr_result shell_relax(const shape *s, const shell_plan *plan, point_hash *points, shell_spot *spots);

#endif
