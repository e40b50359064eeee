/* Shared by the files that implement shell.h. */
#ifndef FR_PARTICLES_SHELL_PARTS_H
#define FR_PARTICLES_SHELL_PARTS_H

#include "particles/point_hash.h"
#include "particles/shell.h"

shell shell_empty(const shell_plan *plan);
fr_result shell_reserve(shell *s, int64_t room);

/* Appends a point. There must be room for it. */
void shell_add(shell *s, const double position[3], vec3 normal, int layer);

/* A lattice of cells of about d from the corner of a shape's bounding box, stretched so that a whole number fits. */
typedef struct shell_lattice {
    double start[3], step[3];   /* m */
    int n[3];                   /* cells; 1 along z in 2D */
} shell_lattice;

typedef struct shell_cell {
    int32_t at[3];
    float value;                /* signed distance at the centre, m */
} shell_cell;

/* The cells of a lattice that may hold a point of a shell. */
typedef struct shell_cells {
    shell_lattice lattice;
    shell_cell *cells;
    int64_t count, room;
} shell_cells;

fr_result shell_cells_find(const shape *s, const shell_plan *plan, shell_cells *out);
void shell_cells_free(shell_cells *c);

/* A point and the shape's signed distance there. */
typedef struct shell_place {
    double at[3], value;        /* m */
} shell_place;

/* A point projected to a given depth inside the shape. */
typedef struct shell_spot {
    double at[3], value;        /* m */
    vec3 normal;
    double slope;               /* of the signed distance along the normal: 1, except for a user's function */
    bool found;                 /* false: the shape does not reach this depth here */
    bool narrow;                /* the opposite side is so near that both sides share their points */
    bool fits;                  /* it is a lattice point that was not moved */
} shell_spot;

/* The faces of a plate are separate surfaces, unless they are so close that they share their points. */
static inline bool shell_faces_differ(const shell_spot *a, const shell_spot *b)
{
    return vec3_dot(a->normal, b->normal) < -0.5 && !a->narrow && !b->narrow;
}

/* The minimum distance between points, m. Chosen so that a surface that does not fit the lattice gets about as many
   points as one that does. In 3D it must exceed d/√2, or points would be added in the centres of the lattice's squares;
   in 2D it must exceed d/2. */
static inline double shell_apart(const shell_plan *plan)
{
    return (plan->dims == 3 ? 0.8 : 0.7) * plan->spacing;
}

/* Whether two points of a layer, closer than shell_apart, are too close. */
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

/* The largest slope of the signed distance that the search allows. A user's function may not be a true distance, like
   x² + y² − 1; with this factor the search finds the surface of most of them. */
static inline double shell_slope(const shape *s)
{
    return shape_is_parallel(s) ? 1 : 4;
}

/* Projects a point to the depth of the layer, if the shape has that depth nearby. Thin parts belong to layer 0. */
fr_result shell_project(const shape *s, const shell_plan *plan, int layer, const shell_place *from, shell_spot *spot);

/* Moves a point a little along its surface, but not across edges and not out of the plan's box. */
fr_result shell_slide(const shape *s, const shell_plan *plan, vec3 by, shell_spot *spot, bool *done);

/* Updates the normal of a point; on an edge it lies between those of the faces. */
fr_result shell_face(const shape *s, const shell_plan *plan, shell_spot *spot);

/* Evens out the distances between the points of a layer; lattice points are not moved. Updates `spots`. `points` holds
   their positions and is overwritten. */
fr_result shell_relax(const shape *s, const shell_plan *plan, point_hash *points, shell_spot *spots);

#endif
