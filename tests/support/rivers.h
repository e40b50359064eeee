/* Rivers for tests: maps and scenes. */
#ifndef TESTS_SUPPORT_RIVERS_H
#define TESTS_SUPPORT_RIVERS_H

#include <math.h>

#include "support/worlds.h"

static const double RIVERS_PI = 3.14159265358979323846;

/* A ring from radius a to radius b; s goes round, t outwards. */
typedef struct rivers_ring {
    double a, b;
} rivers_ring;

static inline fr_result rivers_ring_map(void *context, const double *args, double *out)
{
    const rivers_ring *ring = context;
    double angle = 2 * RIVERS_PI * args[0], r = ring->a + (ring->b - ring->a) * args[1];
    out[0] = r * cos(angle);
    out[1] = r * sin(angle);
    out[2] = 0;
    return FR_OK;
}

/* A unit square whose lines are bent, and which repeats along both axes. Negative `bend` mirrors it. */
static inline fr_result rivers_bent_map(void *context, const double *args, double *out)
{
    double bend = *(const double *)context, s = args[0], t = args[1];
    out[0] = s + bend * sin(2 * RIVERS_PI * s) * sin(2 * RIVERS_PI * t) + 0.2 * bend * sin(2 * RIVERS_PI * t);
    out[1] = t + 0.8 * bend * sin(2 * RIVERS_PI * (s + t));
    if (bend < 0)
        out[0] = -out[0];
    out[2] = args[2];
    return FR_OK;
}

static inline fr_scene_def rivers_scene(fr_function map, void *context, int ns, int nt)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_RIVER);
    def.river.cells[0] = ns;
    def.river.cells[1] = nt;
    def.river.grid = map;
    def.river.grid_context = context;
    def.time = (fr_time_def){.duration = 1, .fps = 1};
    return def;
}

static inline void rivers_repeat(fr_scene_def *def, int axis)
{
    def->river.sides[2 * axis].kind = def->river.sides[2 * axis + 1].kind = FR_RIVER_PERIODIC;
}

/* Velocity of a cell. */
static inline void rivers_velocity(const fr_frame *frame, int i, int j, double u[2])
{
    u[0] = worlds_value(frame, "u", i, j, 0);
    u[1] = worlds_value(frame, "v", i, j, 0);
}

#endif
