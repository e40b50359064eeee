/* How deep solids are in each other and in walls, by points on their surfaces and signed distances. The world of bodies
   is not asked. */
#ifndef TESTS_SUPPORT_OVERLAPS_H
#define TESTS_SUPPORT_OVERLAPS_H

#include <stdlib.h>

#include "geom/shape.h"
#include "method/motion.h"
#include "rigid/quaternion.h"
#include "rigid/surface.h"
#include "support/worlds.h"

typedef struct overlaps_solid {
    shape *shape;   /* in its own coordinates */
    surface points; /* none: it has no bounds */
    pose pose;
    double radius; /* m, about the origin of its own coordinates */
    bool present, moves;
} overlaps_solid;

typedef struct overlaps {
    const fr_scene_def *def;
    int dims, count;
    double low[3], high[3];
    overlaps_solid *of; /* the bodies, then the obstacles */
} overlaps;

static inline void overlaps_add(overlaps *o, int index, const fr_shape_def *def, double cell)
{
    overlaps_solid *s = &o->of[index];
    box in;
    bool bounded = true;
    assert_ok(shape_create(&(fr_placed_shape){.shape = def}, o->dims, "shape", &s->shape));
    shape_bounds(s->shape, in.min, in.max);
    for (int a = 0; a < o->dims; a++)
        bounded = bounded && isfinite(in.min[a]) && isfinite(in.max[a]);
    if (bounded)
        assert_ok(surface_sample(s->shape, o->dims, &in, cell, &s->points));
    s->radius = shape_radius(s->shape);
}

/* Puts them where the scene does at the start. */
static inline void overlaps_make(overlaps *o, const fr_scene_def *def)
{
    *o = (overlaps){.def = def, .dims = def->domain.dims, .count = def->body_count + def->obstacle_count};
    o->of = calloc((size_t)o->count + 1, sizeof *o->of);
    assert_non_null(o->of);
    const double *size = def->domain.size,
                 cell = fmax(size[0], fmax(size[1], o->dims == 3 ? size[2] : 0)) / def->domain.cells[0];
    for (int a = 0; a < o->dims; a++) {
        o->low[a] = def->domain.origin[a];
        o->high[a] = def->domain.origin[a] + def->domain.size[a];
    }
    for (int i = 0; i < o->count; i++) {
        const bool body = i < def->body_count;
        const fr_placed_shape *p = body ? &def->bodies[i].shape : &def->obstacles[i - def->body_count].shape;
        overlaps_add(o, i, p->shape, cell);
        o->of[i].pose = pose_of(p->axis, p->degrees, p->at);
        o->of[i].present = !body || def->bodies[i].from <= 0;
        o->of[i].moves = body && !def->bodies[i].fixed;
    }
}

static inline void overlaps_free(overlaps *o)
{
    for (int i = 0; i < o->count; i++) {
        shape_destroy(o->of[i].shape);
        surface_free(&o->of[i].points);
    }
    free(o->of);
}

/* Puts them where they are in the present frame. */
static inline void overlaps_place(overlaps *o, fr_world *world)
{
    const fr_frame *frame = fr_world_frame(world);
    for (int b = 0; b < o->def->body_count; b++) {
        const fr_body_state *state = &frame->bodies[b];
        pose *p = &o->of[b].pose;
        o->of[b].present = state->present;
        quaternion_matrix(state->rotation, p->turn);
        for (int a = 0; a < 3; a++) {
            p->at[a] = state->position[a];
            for (int k = 0; k < 3; k++)
                p->at[a] -= p->turn[a][k] * state->centre[k];
        }
    }
    for (int i = 0; i < o->def->obstacle_count; i++) {
        motion now;
        assert_ok(motion_over(&o->def->obstacles[i], frame->time, frame->time, &now));
        o->of[o->def->body_count + i].pose = now.pose;
    }
    for (int a = 0; a < o->dims; a++)
        o->high[a] = o->low[a] + frame->cells[a] * frame->spacing[a];
}

static inline void overlaps_point(const overlaps_solid *s, int point, double at[3])
{
    const vec3 p = s->points.points[point].at;
    for (int a = 0; a < 3; a++)
        at[a] = s->pose.at[a] + s->pose.turn[a][0] * p.x + s->pose.turn[a][1] * p.y + s->pose.turn[a][2] * p.z;
}

/* m, by which points of one are in the other; negative: they are so far apart, or further. */
static inline double overlaps_into(const overlaps_solid *one, const overlaps_solid *other)
{
    double deepest = -INFINITY, at[3], distance;
    shape_place(other->shape, &other->pose);
    for (int n = 0; n < one->points.count; n++) {
        overlaps_point(one, n, at);
        assert_ok(shape_distance(other->shape, at, &distance));
        deepest = fmax(deepest, -distance);
    }
    return deepest;
}

static inline double overlaps_pair(const overlaps *o, int i, int k)
{
    const overlaps_solid *one = &o->of[i], *other = &o->of[k];
    const double apart = vec3_length(vec3_sub(vec3_of(one->pose.at), vec3_of(other->pose.at)));
    if (apart > one->radius + other->radius)
        return one->radius + other->radius - apart;
    return fmax(overlaps_into(one, other), overlaps_into(other, one));
}

/* m, by which a body is in a wall of the box; of some that is not there nothing counts. */
static inline double overlaps_walls(const overlaps *o, int i)
{
    double deepest = -INFINITY, at[3];
    for (int n = 0; n < o->of[i].points.count; n++) {
        overlaps_point(&o->of[i], n, at);
        for (int side = 0; side < 2 * o->dims; side++) {
            const fr_wall_kind kind = o->def->walls[side].kind;
            const int a = side / 2;
            if (kind == FR_WALL_FREE_SLIP || kind == FR_WALL_NO_SLIP)
                deepest = fmax(deepest, side % 2 ? at[a] - o->high[a] : o->low[a] - at[a]);
        }
    }
    return deepest;
}

static inline bool overlaps_joined(const fr_scene_def *def, int i, int k)
{
    for (int j = 0; j < def->joint_count; j++) {
        const int *of = def->joints[j].bodies;
        if ((of[0] == i && of[1] == k) || (of[0] == k && of[1] == i))
            return true;
    }
    return false;
}

/* m, by which a body that moves is in anything; those that a joint holds together do not count. */
static inline double overlaps_of(const overlaps *o, int i)
{
    double deepest = o->of[i].moves ? overlaps_walls(o, i) : -INFINITY;
    for (int k = 0; k < o->count && o->of[i].present; k++)
        if (k != i && o->of[k].present && (o->of[i].moves || o->of[k].moves) && !overlaps_joined(o->def, i, k))
            deepest = fmax(deepest, overlaps_pair(o, i, k));
    return deepest;
}

/* m, by which the deepest of all is. */
static inline double overlaps_deepest(overlaps *o, fr_world *world)
{
    double deepest = -INFINITY;
    overlaps_place(o, world);
    for (int b = 0; b < o->def->body_count; b++)
        if (o->of[b].present)
            deepest = fmax(deepest, overlaps_of(o, b));
    return deepest;
}

#endif
