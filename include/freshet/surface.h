/* Freshet: the surface of a liquid as a mesh. */
#ifndef FRESHET_SURFACE_H
#define FRESHET_SURFACE_H

#include <freshet/frame.h>
#include <freshet/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A closed triangle mesh with shared vertices. fr_surface_mesh allocates the arrays; fr_mesh_destroy frees
   them, not the struct. */
typedef struct fr_mesh {
    int64_t vertex_count, triangle_count;
    float (*vertices)[3];      /* m */
    float (*normals)[3];       /* unit vectors out of the liquid */
    float (*velocity)[3];      /* m/s, of the liquid at the vertices, for motion blur */
    int32_t (*triangles)[3];   /* anticlockwise seen from outside */
    uint8_t (*colours)[3];     /* sRGB, at the vertices; NULL: the liquid carries no colour */
    float (*texture)[3];       /* m, texture coordinates at the vertices; NULL: the liquid carries none */
} fr_mesh;
FR_API void fr_mesh_destroy(fr_mesh *mesh);

typedef struct fr_surface_options {
    int tetrahedra;            /* 6, 24, 48 or 192 in a cell of the level set, or in a cube of one particle spacing
                                  (0: 24 of a level set, 48 of particles) */
    int smoothing;             /* steps that smooth and keep the volume (−1: none of a level set, 6 of particles) */
    double overlap;            /* how far the surface goes on into obstacles where liquid touches them, in cells or
                                  particle spacings, 0 … 1 (0.25). Without it both surfaces would be in one place */
    bool particles;            /* around the liquid's particles alone, where the frame has a level set as well (false):
                                  as bare markers were made visible (Carlson 2004, 6.1) */
} fr_surface_options;
FR_API fr_surface_options fr_default_surface(void);

/* The surface of a 3D liquid: where the frame's level set is zero (FR_FRAME_SURFACE), or around its liquid particles
   (particle_spacing > 0). Particles of a particle level set (FR_FRAME_LEVEL_PARTICLES) correct the vertices between
   the cells' centres (Carlson 2004, 6.4). An empty mesh when there is no liquid. With `options` NULL the defaults hold.
   The surface is closed at the sides of the domain and lies exactly on them. Bits are the same on any threads. */
FR_API fr_result fr_surface_mesh(const fr_frame *frame, const fr_surface_options *options, fr_mesh *mesh);

/* The values of a field of the frame's cells at the vertices of its surface. Cells of liquid alone count: what the
   field has in the air, such as the ambient temperature, is not seen. Needs a level set. */
FR_API fr_result fr_surface_values(const fr_frame *frame, const fr_mesh *mesh, const char *field, float *values);

/* A planar lattice of points: point (i, j) is origin + i·step[0] + j·step[1]. */
typedef struct fr_lattice {
    double origin[3], step[2][3];   /* m */
    int n[2];
} fr_lattice;

/* Samples the level-set function of that surface before smoothing: approximately the signed distance in metres,
   negative inside the liquid, accurate near the surface only; obstacles are ignored. `speed` gets the liquid's speed
   (m/s) and may be NULL. Both arrays have n[0]·n[1] values, i fastest. 2D and 3D. */
FR_API fr_result fr_surface_sample(const fr_frame *frame, const fr_lattice *lattice, float *distance, float *speed);

/* A shape as pictures show it, in its own coordinates: its surface, and its signed distance on a lattice around it.
   Node (i, j, k) of the lattice lies at low + (i, j, k)·step; its value is distance[i + n[0]·(j + n[1]·k)]. */
typedef struct fr_model {
    int dims;
    int n[3];                  /* nodes along each axis; in 2D n[2] is 1 */
    double low[3], step;       /* m */
    float *distance;           /* m, negative inside */
    double size[3];            /* m, of the box around it */
    double volume;             /* m³, within about a hundredth; in 2D m² */
    fr_mesh mesh;              /* its surface in 3D, closed, with normals by the exact distance; it has no velocity */
} fr_model;

/* `cell`: m, about the edge of the mesh's cells, of which there are 16 to 160 along the shape's longest side. The shape
   must have an end along every axis. A user's function is called on this thread alone. fr_model_destroy frees what the
   struct holds. */
FR_API fr_result fr_model_create(const fr_shape_def *shape, int dims, double cell, fr_model *out);
FR_API void fr_model_destroy(fr_model *model);

/* The distance at a point, by linear interpolation; beyond the lattice about that of the nearest node, and the way to
   it. */
FR_API float fr_model_distance(const fr_model *model, const double at[3]);

#ifdef __cplusplus
}
#endif
#endif
