/* Ray marching: integrates L = ∫ S exp(−∫σ) along a ray, exactly within each step for constant S and σ. */
#include "render/space/volume.h"

#include <math.h>

static const float faintest = 0.003f;   /* transmittance below which the march stops */

bool sight_cross(const sight *sight, const double low[3], const double high[3], double range[2])
{
    double from[3] = {sight->from.x, sight->from.y, sight->from.z},
           along[3] = {sight->along.x, sight->along.y, sight->along.z};
    range[0] = 0;
    range[1] = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        if (fabs(along[axis]) < 1e-12) {
            if (from[axis] < low[axis] || from[axis] > high[axis])
                return false;
            continue;
        }
        double a = (low[axis] - from[axis]) / along[axis], b = (high[axis] - from[axis]) / along[axis];
        range[0] = fmax(range[0], fmin(a, b));
        range[1] = fmin(range[1], fmax(a, b));
    }
    return range[0] < range[1];
}

double sight_voxel(const brick *brick, const sight *sight)
{
    return 1 / vec3_length((vec3){sight->along.x / brick->spacing[0], sight->along.y / brick->spacing[1],
                                  sight->along.z / brick->spacing[2]});
}

/* A ray in voxel coordinates. */
typedef struct march_line {
    float from[3], along[3];    /* along: per metre */
    float inverse[3];
} march_line;

static march_line march_line_of(const brick *brick, const sight *sight)
{
    vec3 place = brick_place(brick, sight->from);
    march_line line = {{(float)place.x, (float)place.y, (float)place.z},
                       {(float)(sight->along.x / brick->spacing[0]), (float)(sight->along.y / brick->spacing[1]),
                        (float)(sight->along.z / brick->spacing[2])},
                       {0}};
    for (int axis = 0; axis < 3; axis++)
        line.inverse[axis] = fabsf(line.along[axis]) > 1e-9f ? 1 / line.along[axis] : 0;
    return line;
}

/* The distance at which the ray leaves the block around `at` if that block is empty; else 0. */
static float march_skip(const brick *brick, const march_line *line, const float at[3], float here)
{
    int block[3];
    for (int axis = 0; axis < 3; axis++) {
        int i = (int)(at[axis] > 0 ? at[axis] : 0) / BRICK_BLOCK;
        block[axis] = i < brick->blocks[axis] ? i : brick->blocks[axis] - 1;
    }
    if (brick->full[((size_t)block[2] * (size_t)brick->blocks[1] + (size_t)block[1]) * (size_t)brick->blocks[0] +
                    (size_t)block[0]])
        return 0;
    float nearest = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        if (line->inverse[axis] == 0)
            continue;
        float side = (float)(block[axis] * BRICK_BLOCK + (line->along[axis] > 0 ? BRICK_BLOCK : 0));
        float away = (side - at[axis]) * line->inverse[axis];
        nearest = away < nearest ? away : nearest;
    }
    return here + (nearest > 0 ? nearest : 0);
}

marched march_smoke(const brick *brick, const sight *sight, const double range[2])
{
    march_line line = march_line_of(brick, sight);
    float step = (float)(sight_voxel(brick, sight) * (brick->between ? 1.2 : 0.75));
    /* Sample positions are counted from the brick's near side, so that skipping does not shift them. The last step is
       shorter. */
    float begin = (float)range[0], end = (float)range[1];
    int most = (int)((end - begin) / step) + 1;
    brick_voxel light = {0, 0, 0, 0};
    float through = 1;
    for (int i = 0; i < most; i++) {
        float from = begin + (float)i * step, length = end - from < step ? end - from : step;
        float t = from + length * sight->jitter;
        if (!(length > 0))
            break;
        float at[3] = {line.from[0] + line.along[0] * t, line.from[1] + line.along[1] * t,
                       line.from[2] + line.along[2] * t};
        float skip = march_skip(brick, &line, at, t);
        if (skip > 0) {
            int next = (int)((skip - begin) / step) - 1;
            i = next > i ? next : i;
            continue;
        }
        brick_voxel v = brick_sample(brick, at[0], at[1], at[2]);
        float depth = v[3] * length, left = depth > 1e-5f ? expf(-depth) : 1 - depth;
        light += v * (through * (depth > 1e-3f ? (1 - left) / v[3] : length));
        through *= left;
        if (through < faintest)
            break;
    }
    return (marched){{light[0], light[1], light[2]}, through < faintest ? 0 : through};
}
