/* Freshet: what one moment of a run looks like to files and pictures. Views only: nothing here is owned. */
#ifndef FRESHET_FRAME_H
#define FRESHET_FRAME_H

#include <freshet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fr_location { FR_AT_CELL, FR_AT_FACE_X, FR_AT_FACE_Y, FR_AT_FACE_Z } fr_location;

/* A float32 field. The value at (i, j, k) is data[i·stride[0] + j·stride[1] + k·stride[2]]. In 2D size[2] is 1. */
typedef struct fr_field {
    const char *name;      /* as fr_field_on_grid (freshet/fields.h) knows it */
    const char *unit;
    fr_location location;
    int64_t size[3];
    ptrdiff_t stride[3];
    const float *data;
} fr_field;

/* Vectors one after the other: number n has its x, y, z at data[n·stride] and behind it. */
typedef struct fr_vectors {
    const float *data;
    ptrdiff_t stride;
} fr_vectors;

/* The id of a particle that is carried tells its kind, the scene's `particles` counted from 0, above this bit. */
enum { FR_PARTICLE_KIND_SHIFT = 48 };

/* One number per particle. */
typedef struct fr_attribute {
    const char *name;      /* as fr_field_describe knows it */
    const char *unit;
    const float *data;     /* one after the other */
} fr_attribute;

/* One row of the ledger; NaN where a column does not apply. The first columns are those of SCENE.md, in order. */
typedef struct fr_ledger {
    int count;
    const char *const *names;
    const double *values;
} fr_ledger;

/* What the flow does to an obstacle: pressure and friction on its surface. In 2D per metre of depth. In smoke the
   pressure is relative to the hydrostatic one, so buoyancy is left out, and NaN before the first step, when no pressure
   is known. In a liquid of particles it is the whole pressure, buoyancy included; loads are those of the last step, 0
   before the first. */
typedef struct fr_obstacle_load {
    double position[3];    /* m, its place */
    double force[3];       /* N */
    double torque[3];      /* N m, about its place; in 2D only about z */
} fr_obstacle_load;

/* What whoever reads a frame must know of it. */
enum {
    FR_FRAME_BENT = 1,                 /* `nodes` say where the cells lie; velocities are at their centres */
    FR_FRAME_LIQUID = 2,               /* the particles are a liquid; particle_spacing tells how large each is */
    FR_FRAME_CARRIED_PARTICLES = 4,    /* the particles are only carried; their ids tell kinds */
    FR_FRAME_SMOKE = 8,                /* the field "density" is smoke: what there is to see */
    FR_FRAME_RELATIVE_PRESSURE = 16    /* only differences of the pressure count, not where its zero lies */
};

typedef struct fr_frame {
    uint32_t can;          /* FR_FRAME_BENT … */
    int index;
    double time;           /* s */
    int dims;
    int cells[3];
    double origin[3], spacing[3];   /* m; of a bent grid: the box around it, divided into as many cells */
    fr_vectors nodes; /* m: where the corners of the cells lie, one more than cells along every axis of the scene, the
                         first axis fastest; of bent grids only */
    bool periodic[3];
    bool has_obstacles;    /* a "solid" field is there */
    const fr_field *fields;
    int field_count;
    bool has_particles;    /* the scene has some, though there may be none now */
    int64_t particle_count;
    fr_vectors particles, particle_velocity;   /* m, m/s; z is 0 in 2D */
    const int64_t *particle_ids;         /* who each is, for life; NULL when unknown */
    const fr_attribute *attributes;      /* of the particles */
    int attribute_count;
    double particle_spacing;             /* m: each particle of a liquid stands for a cube of this side; else 0 */
    fr_ledger ledger;      /* count 0 when unknown */
    const fr_obstacle_load *obstacles;   /* in the order of the scene */
    int obstacle_count;    /* 0 when their loads are unknown: flows that are given, frames from a cache */
} fr_frame;

/* The field of that name, or NULL. */
FR_API const fr_field *fr_frame_field(const fr_frame *frame, const char *name);

/* Samples of a field per cell of the frame along every axis: 1; more for scalars that live on a finer grid, whose
   spacing is the frame's divided by it; 0 when the field's size does not fit the frame. */
FR_API int fr_field_refine(const fr_frame *frame, const fr_field *field);

/* Copies a field to dense C order [z][y][x]. */
FR_API void fr_field_copy(const fr_field *field, float *dense);

#ifdef __cplusplus
}
#endif
#endif
