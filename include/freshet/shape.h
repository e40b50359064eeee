/* Freshet: shapes as plain data. A shape is a signed distance, negative inside, built from primitives,
   combinations and transformations; any nesting. In a 2D scene a shape is its slice at z = 0, and the
   z-extent of boxes, polygons and extrusions is endless. */
#ifndef FRESHET_SHAPE_H
#define FRESHET_SHAPE_H

#include <freshet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function given by the user. `args` are x, y, z, t (metres, seconds; z = 0 in 2D), or as said where it
   is used; `out` takes the results. A failure ends the run with its message. Never called from two threads
   at once. */
typedef fr_result (*fr_function)(void *context, const double *args, double *out);

typedef enum fr_shape_kind {
    FR_SHAPE_SPHERE,       /* radius */
    FR_SHAPE_ELLIPSOID,    /* radii in size */
    FR_SHAPE_TORUS,        /* radius, tube; around `axis` */
    FR_SHAPE_BOX,          /* from min to max; round */
    FR_SHAPE_CYLINDER,     /* radius, height; along `axis`, centred */
    FR_SHAPE_CAPSULE,      /* radius, height (of the straight part); along `axis`, centred */
    FR_SHAPE_CONE,         /* radius at the foot, height; along `axis`, centred */
    FR_SHAPE_PLANE,        /* normal, offset: inside where normal·x < offset */
    FR_SHAPE_GEAR,         /* radius, teeth, depth, thickness, hole; around `axis` */
    FR_SHAPE_POLYGON,      /* points (x, y), closed; endless in z */
    FR_SHAPE_EXTRUDE,      /* points, height; along z, centred */
    FR_SHAPE_REVOLVE,      /* points (r, y) turned around the y axis */
    FR_SHAPE_MESH,         /* file, size to fit (0: as it is) */
    FR_SHAPE_UNION,        /* children */
    FR_SHAPE_INTERSECTION, /* children */
    FR_SHAPE_DIFFERENCE,   /* the first child less the others */
    FR_SHAPE_SMOOTH_UNION, /* children, blended over the length `amount` */
    FR_SHAPE_TRANSLATE,    /* one child; by `min` */
    FR_SHAPE_ROTATE,       /* one child; about `normal` by `amount` degrees */
    FR_SHAPE_SCALE,        /* one child; by the factor `amount` */
    FR_SHAPE_OFFSET,       /* one child, grown by `amount` metres */
    FR_SHAPE_SHELL,        /* one child's surface, `amount` metres thick */
    FR_SHAPE_SDF           /* function(x, y, z) → distance */
} fr_shape_kind;

/* Lengths in metres. Only the fields named beside the kind above are read. */
typedef struct fr_shape_def {
    fr_shape_kind kind;
    double radius, tube, height, round;
    double depth, thickness, hole;   /* gear: height of a tooth, thickness along the axis, radius of the bore */
    int teeth;
    int axis;                        /* 0, 1, 2 for x, y, z */
    double min[3], max[3];           /* box corners; translate uses min */
    double size[3];                  /* ellipsoid radii; mesh: size[0] is the longest side to fit */
    double normal[3];                /* plane; rotation axis */
    double offset;                   /* plane */
    double amount;                   /* smooth_union, rotate, scale, offset, shell */
    const double (*points)[2];
    int point_count;
    const char *file;                /* mesh; a path that can be opened from here */
    const struct fr_shape_def *const *children;
    int child_count;
    fr_function function;            /* sdf */
    void *context;
} fr_shape_def;

/* A primitive with everything zero but the axis, which is y. */
FR_API fr_shape_def fr_default_shape(fr_shape_kind kind);

/* What the scene doctor wants to know of a shape's meshes. */
typedef struct fr_mesh_report {
    int64_t vertices, triangles;
    int64_t open_edges;      /* edges with one triangle: the mesh has holes */
    int64_t odd_edges;       /* edges with more than two triangles */
    double min[3], max[3];
} fr_mesh_report;
FR_API fr_result fr_mesh_inspect(const char *file, fr_mesh_report *report);

/* Meshes are read when a shape is first looked at, and shared by all that look at them. Between these two calls they
   stay in memory although nobody does, at most until the next world has been made: who checks a scene, asks what it
   needs and makes a world of it reads them once. Every fr_meshes_keep needs its fr_meshes_release. Scenes that
   fr_scene_load gives keep theirs. */
FR_API void fr_meshes_keep(void);
FR_API void fr_meshes_release(void);

#ifdef __cplusplus
}
#endif
#endif
