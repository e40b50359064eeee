/* A frame's smoke, inks and obstacles as a dense block of voxels for the ray marcher. Voxels are up to twice as fine as
   the grid, by cubic interpolation: trilinear interpolation of coarse cells shows as diamonds. */
#ifndef FR_RENDER_SPACE_BRICK_H
#define FR_RENDER_SPACE_BRICK_H

#include "render/draw/colour.h"
#include "base/vec.h"

#include <freshet/defs.h>
#include <freshet/frame.h>

typedef float brick_voxel __attribute__((vector_size(16)));

enum { BRICK_BLOCK = 8 };     /* side of the blocks that are skipped when empty */

typedef struct brick {
    double factor;            /* voxels per cell along each axis: 2, 1, ½ …; more for refined scalars */
    bool between;             /* the voxels are finer than every field in them */
    int n[3];
    double low[3], high[3];   /* m, corners */
    double spacing[3];        /* m */
    brick_voxel *voxels;      /* red, green, blue: colour times extinction; after lighting, the light emitted
                                 towards the eye per metre. Fourth: extinction, 1/m */
    float *light, *sky;       /* optical depth towards the light and the sky; computed by light_sweep */
    float *solid;             /* m, signed distance; NULL without obstacles */
    float *dark;              /* the same of all that casts shadows in smoke; NULL: `solid` */
    double solid_low[3], solid_high[3];   /* m, bounding box of the obstacles; low > high without any */
    uint8_t *full;            /* per block: not empty, counting a margin of one voxel */
    int blocks[3];
} brick;

fr_result brick_create(const fr_frame *frame, const fr_scene_def *def, brick *brick);

/* Takes these obstacles instead of what the frame has as solid, which casts its shadow still. NULL: none. */
fr_result brick_set_obstacles(brick *brick, const fr_field *obstacles);

void brick_destroy(brick *brick);

/* Marks the blocks with smoke or glow. Call after lighting. */
void brick_find_blocks(brick *brick);

static inline size_t brick_count(const brick *brick)
{
    return (size_t)brick->n[0] * (size_t)brick->n[1] * (size_t)brick->n[2];
}

/* Position of a point in voxels: 0 is the centre of the first voxel. */
static inline vec3 brick_place(const brick *brick, vec3 p)
{
    return (vec3){(p.x - brick->low[0]) / brick->spacing[0] - 0.5, (p.y - brick->low[1]) / brick->spacing[1] - 0.5,
                  (p.z - brick->low[2]) / brick->spacing[2] - 0.5};
}

/* The eight voxels around a position and its fractions for trilinear interpolation; clamped at the sides. */
typedef struct brick_corner {
    size_t base, step[3];
    float f[3];
} brick_corner;

static inline void brick_corner_axis(brick_corner *corner, int axis, float place, const int n[3])
{
    float most = (float)(n[axis] - 1);
    float p = place > 0 ? place < most ? place : most : 0;
    int i = (int)p;
    size_t stride = axis == 0 ? 1 : axis == 1 ? (size_t)n[0] : (size_t)n[0] * (size_t)n[1];
    corner->base += (size_t)i * stride;
    corner->step[axis] = i + 1 < n[axis] ? stride : 0;
    corner->f[axis] = p - (float)i;
}

static inline brick_corner brick_find(const brick *brick, float x, float y, float z)
{
    brick_corner corner = {0};
    brick_corner_axis(&corner, 0, x, brick->n);
    brick_corner_axis(&corner, 1, y, brick->n);
    brick_corner_axis(&corner, 2, z, brick->n);
    return corner;
}

static inline brick_voxel brick_sample(const brick *brick, float x, float y, float z)
{
    brick_corner c = brick_find(brick, x, y, z);
    const brick_voxel *v = brick->voxels + c.base;
    brick_voxel a = v[0] + (v[c.step[0]] - v[0]) * c.f[0];
    brick_voxel b = v[c.step[1]] + (v[c.step[1] + c.step[0]] - v[c.step[1]]) * c.f[0];
    v += c.step[2];
    brick_voxel d = v[0] + (v[c.step[0]] - v[0]) * c.f[0];
    brick_voxel e = v[c.step[1]] + (v[c.step[1] + c.step[0]] - v[c.step[1]]) * c.f[0];
    a += (b - a) * c.f[1];
    d += (e - d) * c.f[1];
    return a + (d - a) * c.f[2];
}

/* The same for one number per voxel. */
static inline float brick_corner_scalar(const brick_corner *c, const float *values)
{
    const float *v = values + c->base;
    float a = v[0] + (v[c->step[0]] - v[0]) * c->f[0];
    float b = v[c->step[1]] + (v[c->step[1] + c->step[0]] - v[c->step[1]]) * c->f[0];
    v += c->step[2];
    float d = v[0] + (v[c->step[0]] - v[0]) * c->f[0];
    float e = v[c->step[1]] + (v[c->step[1] + c->step[0]] - v[c->step[1]]) * c->f[0];
    a += (b - a) * c->f[1];
    d += (e - d) * c->f[1];
    return a + (d - a) * c->f[2];
}

static inline float brick_sample_scalar(const brick *brick, const float *values, vec3 place)
{
    brick_corner corner = brick_find(brick, (float)place.x, (float)place.y, (float)place.z);
    return brick_corner_scalar(&corner, values);
}

#endif
