/* Freshet: shapes as plain data. A shape is a signed distance function, negative inside, built from primitives,
   combinations and transformations, nested as you like. A 2D scene uses the slice at z = 0, and there the z-extent of
   boxes, polygons and extrusions is infinite. */
#ifndef FRESHET_SHAPE_H
#define FRESHET_SHAPE_H

#include <freshet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A callback of the user. `args` are x, y, z, t (m, s; z = 0 in 2D) unless stated otherwise where it is used; it writes
   its results to `out`. A failure (report it by fr_fail) ends the run with its message. It is never called from two
   threads at once. */
typedef fr_result (*fr_function)(void *context, const double *args, double *out);

typedef enum fr_shape_kind {
    FR_SHAPE_SPHERE,       /* radius */
    FR_SHAPE_ELLIPSOID,    /* radii in size */
    FR_SHAPE_TORUS,        /* radius, tube; around `axis` */
    FR_SHAPE_BOX,          /* from min to max; round */
    FR_SHAPE_CYLINDER,     /* radius, height; along `axis`, centred */
    FR_SHAPE_CAPSULE,      /* radius, height (of the straight part); along `axis`, centred */
    FR_SHAPE_CONE,         /* radius of the base, height; along `axis`, centred */
    FR_SHAPE_PLANE,        /* normal, offset: inside where normal·x < offset */
    FR_SHAPE_GEAR,         /* radius, teeth, depth, thickness, hole; around `axis` */
    FR_SHAPE_POLYGON,      /* points (x, y), closed; infinite in z */
    FR_SHAPE_EXTRUDE,      /* points, height; along z, centred */
    FR_SHAPE_REVOLVE,      /* points (r, y) revolved around the y axis */
    FR_SHAPE_MESH,         /* file; size[0]: longest side after scaling (0: not scaled) */
    FR_SHAPE_UNION,        /* children */
    FR_SHAPE_INTERSECTION, /* children */
    FR_SHAPE_DIFFERENCE,   /* the first child minus the others */
    FR_SHAPE_SMOOTH_UNION, /* children, blended over the length `amount` */
    FR_SHAPE_TRANSLATE,    /* one child; by `min` */
    FR_SHAPE_ROTATE,       /* one child; about `normal` by `amount` degrees */
    FR_SHAPE_SCALE,        /* one child; by the factor `amount` */
    FR_SHAPE_OFFSET,       /* one child, grown by `amount` metres */
    FR_SHAPE_SHELL,        /* one child's surface, `amount` metres thick */
    FR_SHAPE_SDF           /* function(x, y, z) → distance */
} fr_shape_kind;

/* Lengths in metres. Only the members that fr_shape_kind names for the kind are read. The struct owns nothing that it
   points to. */
typedef struct fr_shape_def {
    fr_shape_kind kind;
    double radius, tube, height, round;
    double depth, thickness, hole;   /* gear: tooth height, thickness along the axis, bore radius */
    int teeth;
    int axis;                        /* 0, 1, 2 for x, y, z */
    double min[3], max[3];           /* box corners; translate uses min */
    double size[3];                  /* ellipsoid: radii; mesh: size[0] is its longest side after scaling */
    double normal[3];                /* plane; rotation axis */
    double offset;                   /* plane */
    double amount;                   /* smooth_union, rotate, scale, offset, shell */
    const double (*points)[2];
    int point_count;
    const char *file;                /* mesh: a path, absolute or relative to the working directory */
    const struct fr_shape_def *const *children;
    int child_count;
    fr_function function;            /* sdf */
    void *context;
} fr_shape_def;

/* A shape of that kind whose axis is y and whose other members are zero. */
FR_API fr_shape_def fr_default_shape(fr_shape_kind kind);

/* Whether a mesh file is sound. A closed mesh has no open and no odd edges. */
typedef struct fr_mesh_report {
    int64_t vertices, triangles;
    int64_t open_edges;      /* edges with one triangle: the mesh has holes */
    int64_t odd_edges;       /* edges with more than two triangles */
    double min[3], max[3];   /* bounding box, in the units of the file */
} fr_mesh_report;
FR_API fr_result fr_mesh_inspect(const char *file, fr_mesh_report *report);

/* The mesh cache. A mesh file is read when a shape first needs it, and all users share it. Between fr_meshes_keep and
   fr_meshes_release unused meshes stay cached until the next fr_world_create has finished. So a program that checks a
   definition, estimates it and creates a world reads each file once. The calls nest; each fr_meshes_keep needs its
   fr_meshes_release. fr_scene_load and fr_scene_destroy make them for a scene. */
FR_API void fr_meshes_keep(void);
FR_API void fr_meshes_release(void);

#ifdef __cplusplus
}
#endif
#endif
