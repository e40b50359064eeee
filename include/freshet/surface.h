/* Freshet: the surface of a liquid that is made of particles. */
#ifndef FRESHET_SURFACE_H
#define FRESHET_SURFACE_H

#include <freshet/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A closed surface of triangles. Every vertex is shared by all triangles around it. */
typedef struct fr_mesh {
    int64_t vertex_count, triangle_count;
    float (*vertices)[3];      /* m */
    float (*normals)[3];       /* unit, out of the liquid */
    float (*velocity)[3];      /* m/s, of the liquid there: for motion blur */
    int32_t (*triangles)[3];   /* anticlockwise seen from outside */
} fr_mesh;
FR_API void fr_mesh_destroy(fr_mesh *mesh);

typedef struct fr_surface_options {
    double cell;               /* edge of the cells in which the surface is found, in particle spacings (0.5) */
    int smoothing;             /* steps of smoothing; the volume stays (6) */
} fr_surface_options;
FR_API fr_surface_options fr_default_surface(void);

/* The surface around the particles of a 3D frame whose particle_spacing is not 0; empty when there are none. `options`
   NULL: the default ones. Nothing of it lies outside the frame's domain. The same bits for any number of threads. */
FR_API fr_result fr_surface_of_particles(const fr_frame *frame, const fr_surface_options *options, fr_mesh *mesh);

/* Points in rows: number (i, j) is origin + i·step[0] + j·step[1]. */
typedef struct fr_lattice {
    double origin[3], step[2][3];   /* m */
    int n[2];
} fr_lattice;

/* The function whose zero is that surface, before smoothing: about the distance in metres, negative within the liquid,
   right near the surface only; and the liquid's speed (m/s; NULL: not wanted). 2D and 3D. */
FR_API fr_result fr_surface_sample(const fr_frame *frame, const fr_lattice *lattice, float *distance, float *speed);

#ifdef __cplusplus
}
#endif
#endif
