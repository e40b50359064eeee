/* Random scenes with rigid bodies, by a seed: any shape, size, density, gravity and viscosity, in liquids with any
   tracker and in smoke, coupled in any way, with joints, obstacles and walls of all kinds. */
#ifndef TESTS_SUPPORT_RANDOM_BODIES_H
#define TESTS_SUPPORT_RANDOM_BODIES_H

#include "base/random.h"
#include "support/overlaps.h"
#include "support/pools.h"

enum { RANDOM_BODIES = 4, RANDOM_FRAMES = 12 };

typedef struct random_bodies {
    uint64_t seed, drawn;
    const pools_tracker *tracker; /* NULL: smoke */
    double size;                  /* m: the longest side */
    double time;                  /* s: of a fall over it */
    double cell;                  /* m */
    bool moves, open;             /* an obstacle does; fluid comes and goes */
    double path_from[3], path_way[3], path_rate;
    fr_shape_def shapes[RANDOM_BODIES], parts[RANDOM_BODIES][2], solid, liquid[2];
    const fr_shape_def *children[RANDOM_BODIES][2];
    fr_body_def bodies[RANDOM_BODIES];
    fr_joint_def joints[2];
    fr_fill_def fills[2];
    fr_obstacle_def obstacle;
    fr_scene_def def;
} random_bodies;

static inline double draw(random_bodies *r, double low, double high)
{
    return low + (high - low) * random_unit(r->seed, r->drawn++);
}
static inline bool draw_chance(random_bodies *r, double share)
{
    return draw(r, 0, 1) < share;
}
static inline int draw_whole(random_bodies *r, int low, int high)
{
    return low + (int)draw(r, 0, high - low + 1);
}

static inline fr_result draw_path(void *context, const double *args, double *out)
{
    const random_bodies *r = context;
    for (int a = 0; a < 3; a++)
        out[a] = r->path_from[a] + r->path_way[a] * sin(r->path_rate * args[0]);
    return FR_OK;
}

static inline void draw_domain(random_bodies *r)
{
    const int dims = draw_chance(r, 0.4) ? 3 : 2;
    fr_domain_def *d = &r->def.domain;
    *d = (fr_domain_def){.dims = dims, .cells = {dims == 3 ? draw_whole(r, 10, 14) : draw_whole(r, 16, 36)}};
    r->size = pow(10, draw(r, -2, 2));
    r->cell = r->size / d->cells[0];
    for (int a = 0; a < dims; a++) {
        d->size[a] = r->cell * round(d->cells[0] * (a ? draw(r, 0.6, 1) : 1));
        d->origin[a] = r->size * draw(r, -1, 1);
    }
    const double gravity = draw_chance(r, 0.1) ? 0 : pow(10, draw(r, -1, 1.5));
    r->def.gravity[1] = -gravity;
    r->time = sqrt(r->size / fmax(gravity, 0.1));
    for (int side = 0; side < 2 * dims; side++)
        r->def.walls[side].kind = draw_chance(r, 0.3) ? FR_WALL_NO_SLIP : FR_WALL_FREE_SLIP;
    if (draw_chance(r, 0.15))
        r->def.walls[FR_LEFT].kind = r->def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    r->open = draw_chance(r, 0.15);
    if (r->open)
        r->def.walls[FR_TOP].kind = FR_WALL_OPEN;
}

/* A place in the box, of which the shares are between `low` and `high`. */
static inline void draw_place(random_bodies *r, double low, double high, double at[3])
{
    const fr_domain_def *d = &r->def.domain;
    for (int a = 0; a < 3; a++)
        at[a] = a < d->dims ? d->origin[a] + draw(r, low, high) * d->size[a] : 0;
}

/* A pool, and perhaps a dam in a corner. */
static inline void draw_liquid(random_bodies *r)
{
    const fr_domain_def *d = &r->def.domain;
    r->def.fill = r->fills;
    r->def.fill_count = draw_whole(r, 1, 2);
    for (int i = 0; i < r->def.fill_count; i++) {
        r->liquid[i] = fr_default_shape(FR_SHAPE_BOX);
        r->fills[i].shape.shape = &r->liquid[i];
        for (int a = 0; a < 3; a++) {
            const bool across = a == 1 || (i == 1 && a == 0);
            r->liquid[i].min[a] = a < d->dims ? d->origin[a] - r->size : -1;
            r->liquid[i].max[a] = a < d->dims ? d->origin[a] + (across ? draw(r, 0.15, 0.7) : 2) * d->size[a] : 1;
        }
    }
}

static inline void draw_box(random_bodies *r, double x, double y, double z, fr_shape_def *s)
{
    *s = fr_default_shape(FR_SHAPE_BOX);
    const double half[3] = {x, y, z};
    for (int a = 0; a < 3; a++) {
        s->max[a] = half[a];
        s->min[a] = -half[a];
    }
    if (draw_chance(r, 0.2))
        s->round = 0.3 * fmin(x, fmin(y, z));
}

/* A ball with a box taken away, or two shapes in one. */
static inline void draw_combined(random_bodies *r, int i, double radius)
{
    fr_shape_def *parts = r->parts[i];
    parts[0] = fr_default_shape(FR_SHAPE_SPHERE);
    parts[0].radius = radius;
    draw_box(r, 0.4 * radius, draw(r, 0.3, 1.2) * radius, 0.5 * radius, &parts[1]);
    for (int k = 0; k < 2; k++)
        r->children[i][k] = &parts[k];
    r->shapes[i] = fr_default_shape(draw_chance(r, 0.5) ? FR_SHAPE_DIFFERENCE : FR_SHAPE_UNION);
    r->shapes[i].children = r->children[i];
    r->shapes[i].child_count = 2;
}

static inline void draw_gear(random_bodies *r, double radius, fr_shape_def *s)
{
    *s = fr_default_shape(FR_SHAPE_GEAR);
    s->axis = 2;
    s->radius = radius;
    s->teeth = draw_whole(r, 5, 9);
    s->depth = 0.25 * radius;
    s->thickness = radius;
    s->hole = 0.2 * radius;
}

static inline void draw_shape(random_bodies *r, int i)
{
    static const fr_shape_kind kinds[] = {FR_SHAPE_SPHERE,   FR_SHAPE_BOX,   FR_SHAPE_CAPSULE,
                                          FR_SHAPE_CYLINDER, FR_SHAPE_TORUS, FR_SHAPE_GEAR};
    const int kind = draw_whole(r, 0, 8);
    const double radius = r->size * draw(r, 0.06, 0.18);
    fr_shape_def *s = &r->shapes[i];
    if (kind >= 7) {
        draw_combined(r, i, radius);
    } else if (kind == 6) {
        draw_box(r, radius, r->cell * draw(r, 0.1, 0.45), radius, s); /* a plate */
    } else if (kinds[kind] == FR_SHAPE_BOX) {
        draw_box(r, radius, radius * draw(r, 0.3, 1), radius * draw(r, 0.3, 1), s);
    } else if (kinds[kind] == FR_SHAPE_GEAR) {
        draw_gear(r, radius, s);
    } else {
        *s = fr_default_shape(kinds[kind]);
        s->axis = r->def.domain.dims == 2 ? 2 : draw_whole(r, 0, 2);
        s->radius = radius * (kinds[kind] == FR_SHAPE_CAPSULE ? 0.6 : 1);
        s->height = radius;
        s->tube = 0.35 * radius;
    }
}

/* Where it is in nothing that is there already, if there is such a place. */
static inline bool draw_body_place(random_bodies *r, int i)
{
    fr_body_def *b = &r->bodies[i];
    for (int turn = 0; turn < 40; turn++) {
        overlaps o;
        draw_place(r, 0.05, 0.95, b->shape.at);
        r->def.body_count = i + 1;
        overlaps_make(&o, &r->def);
        for (int k = 0; k <= i; k++)
            o.of[k].moves = o.of[k].present = true;
        const double deepest = overlaps_of(&o, i);
        overlaps_free(&o);
        if (deepest < 0)
            return true;
    }
    r->def.body_count = i;
    return false;
}

static inline void draw_motion(random_bodies *r, fr_body_def *b)
{
    const int dims = r->def.domain.dims;
    const bool flies = draw_chance(r, 0.4), turns = draw_chance(r, 0.4);
    for (int a = 0; a < dims && flies; a++)
        b->velocity[a] = draw(r, -0.7, 0.7) * r->size / r->time;
    for (int a = dims == 2 ? 2 : 0; a < 3 && turns; a++)
        b->spin[a] = draw(r, -4, 4) / r->time;
}

static inline void draw_body(random_bodies *r)
{
    const int i = r->def.body_count;
    fr_body_def *b = &r->bodies[i];
    draw_shape(r, i);
    *b = fr_default_body();
    b->shape = (fr_placed_shape){.shape = &r->shapes[i], .axis = {0, 0, 1}};
    b->shape.degrees = draw_chance(r, 0.5) ? draw(r, 0, 360) : 0;
    for (int a = 0; a < 2 && r->def.domain.dims == 3; a++)
        b->shape.axis[a] = draw(r, -1, 1);
    b->density.value = pow(10, draw(r, 1, 4.3));
    b->bounce = draw_chance(r, 0.5) ? 0 : draw(r, 0, 1);
    b->friction = draw(r, 0, 1);
    b->free_slip = draw_chance(r, 0.5);
    b->fixed = draw_chance(r, 0.1);
    b->from = draw_chance(r, 0.15) ? draw(r, 0.1, 1) * r->time : 0;
    draw_motion(r, b);
    draw_body_place(r, i);
}

/* At a place on the first of its bodies. A motor is as strong as the weight, or some times as strong. */
static inline void draw_joint(random_bodies *r, int first, int second)
{
    fr_joint_def *j = &r->joints[r->def.joint_count++];
    const bool flat = r->def.domain.dims == 2;
    *j = fr_default_joint((fr_joint_kind)draw_whole(r, 0, 2));
    j->bodies[0] = first;
    j->bodies[1] = second;
    for (int a = 0; a < r->def.domain.dims; a++)
        j->at[a] = r->bodies[first].shape.at[a] + draw(r, -0.1, 0.1) * r->size;
    for (int a = 0; a < 3; a++)
        j->axis[a] = flat && (j->kind == FR_JOINT_SLIDER) == (a == 2) ? 0 : draw(r, 0.1, 1);
    if (j->kind == FR_JOINT_BALL)
        return;
    const double most = j->kind == FR_JOINT_HINGE ? 1 : 0.1 * r->size;
    j->has_limits = draw_chance(r, 0.4);
    if (j->has_limits)
        memcpy(j->limits, (double[2]){-most * draw(r, 0, 1), most * draw(r, 0.1, 1)}, sizeof j->limits);
    j->has_motor = draw_chance(r, 0.4);
    if (!j->has_motor)
        return;
    const double area = pow(0.2 * r->size, 2),
                 weight = 1000 * fmax(-r->def.gravity[1], 0.1) * area * (flat ? 1 : 0.2 * r->size);
    j->motor.value = draw(r, -2, 2) * most / r->time;
    j->torque = weight * draw(r, 0.5, 5) * (j->kind == FR_JOINT_HINGE ? 0.2 * r->size : 1);
}

static inline void draw_obstacle(random_bodies *r)
{
    if (!draw_chance(r, 0.4))
        return;
    r->solid = fr_default_shape(draw_chance(r, 0.5) ? FR_SHAPE_SPHERE : FR_SHAPE_BOX);
    r->solid.radius = r->size * draw(r, 0.08, 0.18);
    for (int a = 0; a < 3; a++) {
        r->solid.max[a] = r->size * draw(r, 0.06, 0.2);
        r->solid.min[a] = -r->solid.max[a];
    }
    r->obstacle = (fr_obstacle_def){.shape = {.shape = &r->solid, .axis = {0, 0, 1}}, .no_slip = draw_chance(r, 0.5)};
    draw_place(r, 0, 1, r->obstacle.shape.at);
    r->obstacle.shape.degrees = draw_chance(r, 0.5) ? draw(r, 0, 90) : 0;
    r->moves = draw_chance(r, 0.4);
    if (r->moves) {
        memcpy(r->path_from, r->obstacle.shape.at, sizeof r->path_from);
        for (int a = 0; a < r->def.domain.dims; a++)
            r->path_way[a] = r->size * draw(r, -0.15, 0.15);
        r->path_rate = draw(r, 1, 6) / r->time;
        r->obstacle.path = draw_path;
        r->obstacle.path_context = r;
    }
    r->def.obstacles = &r->obstacle;
    r->def.obstacle_count = 1;
}

static inline void draw_fluid(random_bodies *r)
{
    const int which = draw_whole(r, -1, POOLS_TRACKERS - 1);
    r->tracker = which < 0 ? NULL : &pools_trackers[which];
    r->def = fr_default_scene(r->tracker ? FR_METHOD_LIQUID : FR_METHOD_SMOKE);
    r->def.fluid.viscosity = draw_chance(r, 0.5) ? 0 : pow(10, draw(r, -6, 1));
    if (!r->tracker) {
        r->def.fluid.density = pow(10, draw(r, 0, 3));
        return;
    }
    r->def.liquid.surface = r->tracker->surface;
    r->def.liquid.volume = draw_chance(r, 0.7) ? FR_LIQUID_VOLUME_KEPT : FR_LIQUID_VOLUME_FREE;
}

/* In place: the definition points into it. `longer`: how many falls long. */
static inline void random_bodies_draw(random_bodies *r, uint64_t seed, double longer)
{
    memset(r, 0, sizeof *r);
    r->seed = seed;
    draw_fluid(r);
    draw_domain(r);
    if (r->tracker)
        draw_liquid(r);
    draw_obstacle(r);
    r->def.time = (fr_time_def){.duration = longer * r->time, .fps = RANDOM_FRAMES / (longer * r->time)};
    const double way = draw(r, 0, 1);
    r->def.coupling = way < 0.77   ? FR_COUPLING_MONOLITHIC
                      : way < 0.85 ? FR_COUPLING_RIGID_FLUID
                      : way < 0.93 ? FR_COUPLING_ONE_WAY
                                   : FR_COUPLING_CARRIED;
    r->def.bodies = r->bodies;
    r->def.joints = r->joints;
    for (int n = draw_whole(r, 1, RANDOM_BODIES); n > 0; n--)
        draw_body(r);
    if (r->def.body_count > 0 && draw_chance(r, 0.3))
        draw_joint(r, 0, -1);
    if (r->def.body_count > 2 && draw_chance(r, 0.3))
        draw_joint(r, 1, 2);
}

#endif
