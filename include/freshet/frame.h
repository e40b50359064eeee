/* Freshet: the state at one moment, as writers and renderers see it. These structs own nothing: their pointers belong
   to the world or the cached frame that they come from. */
#ifndef FRESHET_FRAME_H
#define FRESHET_FRAME_H

#include <freshet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fr_location { FR_AT_CELL, FR_AT_FACE_X, FR_AT_FACE_Y, FR_AT_FACE_Z } fr_location;

/* A float32 field. The value at (i, j, k) is data[i·stride[0] + j·stride[1] + k·stride[2]]. In 2D size[2] is 1. */
typedef struct fr_field {
    const char *name;      /* a name for fr_field_on_grid (freshet/fields.h) */
    const char *unit;
    fr_location location;
    int64_t size[3];
    ptrdiff_t stride[3];
    const float *data;
} fr_field;

/* An array of vectors: x, y, z of vector n are data[n·stride], data[n·stride + 1], data[n·stride + 2]. */
typedef struct fr_vectors {
    const float *data;
    ptrdiff_t stride;
} fr_vectors;

/* The id of a passive particle holds its kind (the index in the scene's list `particles`, from 0) from this bit up. */
enum { FR_PARTICLE_KIND_SHIFT = 48 };

/* One value per particle. */
typedef struct fr_attribute {
    const char *name;      /* a name for fr_field_describe */
    const char *unit;
    const float *data;     /* contiguous */
} fr_attribute;

/* One row of the ledger, the table of diagnostics per frame. NaN: the column does not apply. The first columns are
   those that SCENE.md lists, in its order. */
typedef struct fr_ledger {
    int count;
    const char *const *names;
    const double *values;
} fr_ledger;

/* The load of the flow on an obstacle: pressure and friction on its surface; in 2D per metre of depth. In smoke the
   pressure is relative to the hydrostatic pressure, so buoyancy is not included; loads are NaN before the first step,
   when there is no pressure yet. In a particle liquid the pressure is the full one, buoyancy included; loads are those
   of the last step, and 0 before the first. */
typedef struct fr_obstacle_load {
    double position[3];    /* m, of the obstacle */
    double force[3];       /* N */
    double torque[3];      /* N m, about `position`; in 2D only the z component */
} fr_obstacle_load;

/* Where a rigid body is. Its point c, in the coordinates of its shape, lies at position + R (c − centre), R the turn by
   `rotation`. */
typedef struct fr_body_state {
    double centre[3];      /* m, its centre of mass in the coordinates of its shape */
    double position[3];    /* m, of the centre of mass */
    double rotation[4];    /* unit quaternion w, x, y, z */
    double velocity[3];    /* m/s, of the centre of mass */
    double spin[3];        /* rad/s, along the world's axes */
    double temperature;    /* K; NaN: it has none */
    bool present;          /* false: its time has not come yet, and this is where it will appear */
} fr_body_state;

/* Flags of a frame (fr_frame.can). A bent grid is a curvilinear structured grid. */
enum {
    FR_FRAME_BENT = 1,                 /* the grid is bent: `nodes` are its corners; velocities are cell-centred */
    FR_FRAME_LIQUID = 2,               /* the particles are a liquid; particle_spacing is their size */
    FR_FRAME_CARRIED_PARTICLES = 4,    /* the particles are passive; their ids hold their kinds */
    FR_FRAME_SMOKE = 8,                /* the field "density" is smoke, and volume pictures show it */
    FR_FRAME_RELATIVE_PRESSURE = 16,   /* the pressure is known up to a constant only */
    FR_FRAME_SURFACE = 32,             /* the field "level_set" is a liquid's surface; with FR_FRAME_LIQUID as well the
                                          particles are this liquid's (FLIP) */
    FR_FRAME_LEVEL_PARTICLES = 64      /* the particles are those of a particle level set that are on the wrong side of
                                          its surface: spheres with the attribute "radius", below zero in the liquid */
};

typedef struct fr_frame {
    uint32_t can;          /* FR_FRAME_BENT … */
    int index;
    double time;           /* s */
    int dims;
    int cells[3];
    double origin[3], spacing[3];   /* m; of a bent grid: its bounding box, divided into as many cells */
    fr_vectors nodes; /* m; bent grids only: the corners of the cells, one more than there are cells along every axis of
                         the scene, the first axis fastest */
    bool periodic[3];
    bool has_obstacles;    /* there is a field "solid" */
    const fr_field *fields;
    int field_count;
    bool has_particles;    /* the scene has particles, though their number may be 0 now */
    int64_t particle_count;
    fr_vectors particles, particle_velocity;   /* m, m/s; z is 0 in 2D */
    const int64_t *particle_ids;         /* unique, constant over a particle's life; NULL: unknown */
    const fr_attribute *attributes;      /* of the particles */
    int attribute_count;
    double particle_spacing;             /* m; a liquid's particle has the volume of a cube of this side; else 0 */
    fr_ledger ledger;      /* count 0 when unknown */
    const fr_obstacle_load *obstacles;   /* in the order of the scene */
    const fr_body_state *bodies;         /* in the order of the scene; at the frame's time */
    int body_count;
    int obstacle_count;    /* 0 when loads are unknown: prescribed flows, frames from a cache */
} fr_frame;

/* The field of that name, or NULL. */
FR_API const fr_field *fr_frame_field(const fr_frame *frame, const char *name);

/* The refinement of a field: its samples per cell of the frame along every axis. 1 for most fields, more for scalars on
   a finer grid (their spacing is the frame's divided by it), 0 when the field's size does not fit the frame. */
FR_API int fr_field_refine(const fr_frame *frame, const fr_field *field);

/* The matrix (by rows) and the offset that map points of the body's shape to the world: turn·c + at. */
FR_API void fr_body_place(const fr_body_state *state, double turn[3][3], double at[3]);

/* Copies a field to a dense array in C order [z][y][x] of size[0]·size[1]·size[2] floats. */
FR_API void fr_field_copy(const fr_field *field, float *dense);

#ifdef __cplusplus
}
#endif
#endif
