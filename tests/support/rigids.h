/* Rigid bodies that are laid on a grid, without a flow. */
#ifndef TESTS_SUPPORT_RIGIDS_H
#define TESTS_SUPPORT_RIGIDS_H

#include <string.h>

#include "mac/solids/solids_parts.h"
#include "support/check.h"

enum { RIGIDS_MOST = 8 };

/* The first `still` obstacles do not move; the others are rigid. Lengths are cells: h = 1. */
typedef struct rigids {
    fr_shape_def shapes[RIGIDS_MOST];
    fr_obstacle_def obstacles[RIGIDS_MOST];
    int count, still;
    domain d;
    bodies bodies;
    solids solid;
} rigids;

static inline void rigids_begin(rigids *r, int dims, int cells)
{
    memset(r, 0, sizeof *r);
    r->d = (domain){.dims = dims, .n = {cells, cells, dims == 3 ? cells : 1}, .h = {1, 1, 1}};
}

static inline fr_shape_def *rigids_add(rigids *r, fr_shape_def shape, const double at[3])
{
    fr_shape_def *own = &r->shapes[r->count];
    *own = shape;
    r->obstacles[r->count] = (fr_obstacle_def){.shape = {.shape = own}};
    memcpy(r->obstacles[r->count++].shape.at, at, 3 * sizeof *at);
    return own;
}

static inline fr_shape_def rigids_ball(double radius)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_SPHERE);
    shape.radius = radius;
    return shape;
}

static inline fr_shape_def rigids_box(double x, double y, double z)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_BOX);
    const double half[3] = {x, y, z};
    for (int a = 0; a < 3; a++) {
        shape.max[a] = half[a];
        shape.min[a] = -half[a];
    }
    return shape;
}

/* Lays what was added. */
static inline void rigids_lay(rigids *r)
{
    assert_ok(bodies_create(r->obstacles, r->count, &r->bodies));
    for (int b = r->still; b < r->count; b++) {
        r->bodies.of[b].rigid = true;
        memcpy(r->bodies.of[b].centre, r->obstacles[b].shape.at, sizeof r->bodies.of[b].centre);
    }
    assert_ok(solids_create(&r->bodies, &r->d, &r->solid));
}

/* Puts a body elsewhere, its shape turned about its origin. */
static inline void rigids_put(rigids *r, int b, const double at[3], const double axis[3], double degrees)
{
    r->bodies.of[b].motion.pose = pose_of(axis, degrees, at);
    memcpy(r->bodies.of[b].centre, at, sizeof r->bodies.of[b].centre);
}

static inline bool rigids_move(rigids *r)
{
    bool changed;
    assert_ok(solids_move(&r->solid, &r->bodies, &changed));
    return changed;
}

static inline void rigids_end(rigids *r)
{
    solids_destroy(&r->solid);
    bodies_destroy(&r->bodies);
}

/* What a body covers of a face. */
static inline double rigids_share(const rigids *r, int b, int axis, const int face[3])
{
    const solids_shares *own = r->solid.bodies[b].shares;
    for (int a = 0; a < 3; a++)
        if (face[a] < own->box.low[a] || face[a] >= own->box.low[a] + own->size[a])
            return 0;
    return (double)own->face[axis][shares_place_of(own, face)];
}

static inline double rigids_open(const rigids *r, int axis, const int face[3])
{
    return (double)field_row(&r->solid.open[axis], face[1], face[2])[face[0]];
}

#endif
