#include "method/motion.h"

/* An interval is sampled in this many pieces, so that neither a rotation of more than 180° nor a back-and-forth motion
   is missed. */
enum { PIECES = 8 };

/* s: a time short enough to estimate a velocity. */
static const double MOMENT = 1e-4;

bool motion_moves(const fr_obstacle_def *obstacle)
{
    return obstacle->path || obstacle->spin != 0;
}

/* The pose at time t: the shape's rotation, then the spin, then the path's rotation, then the translation. */
static fr_result motion_place(const fr_obstacle_def *obstacle, double t, pose *out)
{
    static const double nowhere[3] = {0, 0, 0};
    const fr_placed_shape *shape = &obstacle->shape;
    double way[7] = {0, 0, 0, 0, 0, 0, 1};
    if (obstacle->path)
        FR_TRY(obstacle->path(obstacle->path_context, &t, way));
    pose own = pose_of(shape->axis, shape->degrees, nowhere);
    pose spun = pose_of(obstacle->spin_axis, fmod(obstacle->spin * t, 360), nowhere);
    pose carried = pose_of(way + 4, way[3], obstacle->path ? way : shape->at);
    spun = pose_join(&spun, &own);
    *out = pose_join(&carried, &spun);
    return FR_OK;
}

typedef struct motion_way {
    pose begin, end;
    vec3 moved, turned;      /* m, rad: total translation and rotation vector */
    double path, arc;        /* m, rad: path length of the origin, and total angle */
} motion_way;

static fr_result motion_follow(const fr_obstacle_def *obstacle, double from, double to, motion_way *way)
{
    pose last;
    *way = (motion_way){0};
    FR_TRY(motion_place(obstacle, from, &way->begin));
    last = way->begin;
    for (int p = 1; p <= PIECES; p++) {
        FR_TRY(motion_place(obstacle, p == PIECES ? to : from + (to - from) * p / PIECES, &way->end));
        vec3 step = vec3_sub(vec3_of(way->end.at), vec3_of(last.at)), turn = pose_turn_between(&last, &way->end);
        way->moved = vec3_add(way->moved, step);
        way->turned = vec3_add(way->turned, turn);
        way->path += vec3_length(step);
        way->arc += vec3_length(turn);
        last = way->end;
    }
    return FR_OK;
}

fr_result motion_over(const fr_obstacle_def *obstacle, double from, double to, motion *out)
{
    double end = to > from ? to : from + MOMENT, rate = 1 / (end - from);
    motion_way way;
    FR_TRY(motion_follow(obstacle, from, end, &way));
    *out = (motion){way.begin, way.end, vec3_scale(way.moved, rate), vec3_scale(way.turned, rate)};
    if (!(to > from))
        out->pose = way.begin;
    return FR_OK;
}

/* The pieces miss full turns of a fast spin, so its angle is taken from the definition. */
fr_result motion_travel(const fr_obstacle_def *obstacle, double radius, double from, double to, double *metres)
{
    motion_way way;
    FR_TRY(motion_follow(obstacle, from, to, &way));
    double spun = fabs(obstacle->spin) * FR_PI / 180 * (to - from);
    *metres = way.path + radius * fmax(way.arc, spun);
    return FR_OK;
}
