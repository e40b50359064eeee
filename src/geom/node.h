/* A compiled shape: a tree of nodes, each evaluated for a short line of equidistant points at a time. All transforms
   map straight lines to straight lines, so a node needs no list of points and its inner loop runs over plain arrays. */
#ifndef FR_GEOM_NODE_H
#define FR_GEOM_NODE_H

#include "base/arena.h"
#include "base/vec.h"
#include "geom/box.h"
#include "geom/pose.h"
#include "geom/shape.h"

enum { LINE_MAX_POINTS = 64 };

/* Points at + i·step for first ≤ i < first + n, n ≤ LINE_MAX_POINTS. */
typedef struct line {
    double at[3], step[3];
    int first, n;
} line;

static inline double line_coordinate(const line *l, int axis, int i)
{
    return l->at[axis] + (double)(l->first + i) * l->step[axis];
}

static inline vec3 line_point(const line *l, int i)
{
    return (vec3){line_coordinate(l, 0, i), line_coordinate(l, 1, i), line_coordinate(l, 2, i)};
}

static inline double max2(double a, double b) { return a > b ? a : b; }
static inline double min2(double a, double b) { return a < b ? a : b; }

typedef struct node node;
typedef struct polygon polygon;
typedef struct gear_profile gear_profile;
typedef struct bvh bvh;
typedef struct mesh_grid mesh_grid;

/* Writes l->n distances. Fails only through a user's function. */
typedef fr_result (*node_distance)(const node *self, const line *l, double *distance);

struct node {
    node_distance distance;
    fr_shape_def def;
    int dims;
    const char *key;      /* for error messages */
    box bounds;           /* contains every point with a negative distance */
    box reach;            /* distance(p) ≥ the distance from p to this box, everywhere outside it */
    double turn[3][3];    /* placed nodes: the inverse rotation, by rows */
    bool upright;         /* that turns nothing */
    double move[3];       /* placed nodes: the translation, m */
    polygon *outline;     /* polygon, extrude, revolve */
    gear_profile *gear;
    const bvh *triangles; /* mesh */
    const mesh_grid *grid; /* mesh or blend (blend_grid.h), once it is baked */
    node **children;
};

/* The state of a compilation, passed to every set-up. Everything in the arena lives as long as the shape. */
typedef struct shape_compiler {
    arena *arena;
    const char *key, *kind;  /* the scene key and the kind's name, for error messages */
    int dims;
    int nodes, depth;
    double scale;            /* product of the enclosing scales */
    bool has_function;
    const bvh **meshes;      /* taken from the store; given back when the shape is destroyed */
    int mesh_count, mesh_space;
} shape_compiler;

/* A set-up checks the definition of its kind; its children are already compiled. It sets `distance`, `bounds` and what
   the evaluation needs, and for kinds with children also `reach`; for others `reach` is `bounds`. */
typedef fr_result (*node_setup)(shape_compiler *c, node *n);

fr_result sphere_setup(shape_compiler *c, node *n);
fr_result ellipsoid_setup(shape_compiler *c, node *n);
fr_result torus_setup(shape_compiler *c, node *n);
fr_result block_setup(shape_compiler *c, node *n);
fr_result cylinder_setup(shape_compiler *c, node *n);
fr_result capsule_setup(shape_compiler *c, node *n);
fr_result cone_setup(shape_compiler *c, node *n);
fr_result plane_setup(shape_compiler *c, node *n);
fr_result gear_setup(shape_compiler *c, node *n);
fr_result polygon_setup(shape_compiler *c, node *n);
fr_result extrude_setup(shape_compiler *c, node *n);
fr_result revolve_setup(shape_compiler *c, node *n);
fr_result mesh_setup(shape_compiler *c, node *n);
fr_result union_setup(shape_compiler *c, node *n);
fr_result intersection_setup(shape_compiler *c, node *n);
fr_result difference_setup(shape_compiler *c, node *n);
fr_result smooth_union_setup(shape_compiler *c, node *n);
fr_result translate_setup(shape_compiler *c, node *n);
fr_result rotate_setup(shape_compiler *c, node *n);
fr_result scale_setup(shape_compiler *c, node *n);
fr_result offset_setup(shape_compiler *c, node *n);
fr_result shell_setup(shape_compiler *c, node *n);
fr_result function_setup(shape_compiler *c, node *n);

/* Compiles a definition and all below it. */
fr_result node_compile(shape_compiler *c, const fr_shape_def *def, node **out);

/* A node that rotates `child` about `axis` by `degrees`, then translates it. */
fr_result node_place(shape_compiler *c, node *child, const double axis[3], double degrees, const double move[3],
                     node **out);

/* Changes the pose of such a node. */
void node_set_pose(node *n, const pose *p);

/* Fits the boxes of a node that places or scales its child to those of the child, which have become narrower. */
void node_renew_bounds(node *n);

/* Equal nodes without functions have the same (digest.c). */
uint64_t node_digest(const node *n);

/* Checks of a definition's values. */
fr_result node_require_positive(const shape_compiler *c, const char *name, double value);
fr_result node_require_finite(const shape_compiler *c, const char *name, const double *values, int count);

/* Distance to the extrusion of a plane shape: `across` is the signed distance in the plane, `along` the signed distance
   beyond the end caps. */
static inline double node_extrude(double across, double along)
{
    double outside_across = max2(across, 0), outside_along = max2(along, 0);
    return min2(max2(across, along), 0) + sqrt(outside_across * outside_across + outside_along * outside_along);
}

#endif
