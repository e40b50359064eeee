/* Warnings about bodies that overlap each other, obstacles or sides where they appear. Two solids overlap where both
   signed distances are negative; that is looked for on points of the box that they have in common. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geom/box.h"
#include "geom/shape.h"
#include "method/check.h"
#include "method/motion.h"
#include "method/preview/preview.h"
#include "method/sizes.h"

/* Points along each axis; how many overlaps are told of. */
enum { POINTS_2D = 64, POINTS_3D = 24, TOLD = 8 };

/* Cells: two solids that only touch overlap by rounding. */
static const double TOUCH = 0.01;

/* A body, an obstacle, or a side of the domain: all that is beyond it. */
typedef struct thing {
    shape *shape;
    box bounds;
    int body;         /* in the scene's list; −1: none */
    bool held, moves; /* nothing pushes it; it has a motion of its own */
    double from;      /* s */
    char name[32];
} thing;

typedef struct things {
    const fr_scene_def *def;
    thing *of;
    int count;
} things;

static fr_result things_add(things *list, const fr_placed_shape *placed, thing like)
{
    thing *added = &list->of[list->count];
    *added = like;
    FR_TRY(shape_create(placed, list->def->domain.dims, like.name, &added->shape));
    list->count++;
    shape_bounds(added->shape, added->bounds.min, added->bounds.max);
    return FR_OK;
}

static fr_result things_add_obstacle(things *list, int index)
{
    const fr_obstacle_def *obstacle = &list->def->obstacles[index];
    thing like = {.body = -1, .held = true, .moves = motion_moves(obstacle)};
    motion now;
    snprintf(like.name, sizeof like.name, "obstacles[%d]", index + 1);
    FR_TRY(things_add(list, &obstacle->shape, like));
    if (!like.moves)
        return FR_OK;
    thing *added = &list->of[list->count - 1];
    FR_TRY(motion_over(obstacle, 0, 0, &now));
    shape_place(added->shape, &now.pose);
    shape_bounds(added->shape, added->bounds.min, added->bounds.max);
    return FR_OK;
}

static fr_result things_add_sides(things *list)
{
    double bounds[2][3];
    sizes_bounds(list->def, bounds[0], bounds[1]);
    for (int side = 0; side < 2 * list->def->domain.dims; side++) {
        const fr_wall_kind kind = list->def->walls[side].kind;
        const double outward = side % 2 ? 1 : -1;
        fr_shape_def plane = fr_default_shape(FR_SHAPE_PLANE);
        thing like = {.body = -1, .held = true};
        if (kind != FR_WALL_FREE_SLIP && kind != FR_WALL_NO_SLIP)
            continue;
        plane.normal[side / 2] = -outward;
        plane.offset = -outward * bounds[side % 2][side / 2];
        snprintf(like.name, sizeof like.name, "walls.%s", check_walls_sides[side]);
        FR_TRY(things_add(list, &(fr_placed_shape){.shape = &plane}, like));
    }
    return FR_OK;
}

static fr_result things_collect(things *list)
{
    const fr_scene_def *def = list->def;
    list->of = MEMORY_NEW(thing, def->body_count + def->obstacle_count + FR_SIDES);
    if (!list->of)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->body_count; i++) {
        thing like = {.body = i, .held = def->bodies[i].fixed, .from = def->bodies[i].from};
        snprintf(like.name, sizeof like.name, "bodies[%d]", i + 1);
        FR_TRY(things_add(list, &def->bodies[i].shape, like));
    }
    for (int i = 0; i < def->obstacle_count; i++)
        FR_TRY(things_add_obstacle(list, i));
    return things_add_sides(list);
}

static void things_free(things *list)
{
    for (int i = 0; i < list->count; i++)
        shape_destroy(list->of[i].shape);
    memory_free(list->of);
}

static bool overlaps_are_jointed(const fr_scene_def *def, int a, int b)
{
    for (int i = 0; i < def->joint_count; i++) {
        const int *ends = def->joints[i].bodies;
        if ((ends[0] == a && ends[1] == b) || (ends[0] == b && ends[1] == a))
            return true;
    }
    return false;
}

/* Whether both are there at one known moment, and an overlap would push one of them. What is jointed may overlap. */
static bool overlaps_matter(const fr_scene_def *def, const thing *a, const thing *b)
{
    if (a->held && b->held)
        return false;
    if (a->body >= 0 && b->body >= 0)
        return a->from == b->from && !overlaps_are_jointed(def, a->body, b->body);
    return !(a->moves || b->moves) || fmax(a->from, b->from) == 0;
}

/* m, at the thickest place of what both cover; 0: they do not overlap. */
static fr_result overlaps_depth(const thing *a, const thing *b, int dims, double *depth)
{
    const box common = box_common(a->bounds, b->bounds);
    const int points = dims == 2 ? POINTS_2D : POINTS_3D;
    float inside[2][POINTS_2D];
    double step[3] = {0}, start[3] = {0};
    *depth = 0;
    for (int axis = 0; axis < dims; axis++) {
        step[axis] = (common.max[axis] - common.min[axis]) / points;
        if (!(step[axis] > 0) || !isfinite(step[axis]))
            return FR_OK;
        start[axis] = common.min[axis] + 0.5 * step[axis];
    }
    for (int row = 0; row < (dims == 3 ? points * points : points); row++) {
        const double at[3] = {start[0], start[1] + row % points * step[1], start[2] + row / points * step[2]};
        FR_TRY(shape_distance_row(a->shape, at, step[0], points, inside[0]));
        FR_TRY(shape_distance_row(b->shape, at, step[0], points, inside[1]));
        for (int i = 0; i < points; i++)
            *depth = fmax(*depth, -2 * (double)fmaxf(inside[0][i], inside[1][i]));
    }
    return FR_OK;
}

static int overlaps_compare(const void *a, const void *b)
{
    const double x = ((const thing *)a)->bounds.min[0], y = ((const thing *)b)->bounds.min[0];
    return (x > y) - (x < y);
}

static void overlaps_tell(const remarks *to, const thing *a, const thing *b, double depth)
{
    const thing *first = a->body >= 0 && (b->body < 0 || a->body < b->body) ? a : b, *second = first == a ? b : a;
    remark_warn(to, "%s and %s overlap by about %.2g m where %s: they will be pushed apart; move one of them",
                first->name, second->name, depth, first->from > 0 ? "they appear" : "they start");
}

/* Looks at pairs whose boxes meet along x, which are neighbours when all are sorted. */
static void overlaps_look(const remarks *to, things *list)
{
    const double least = TOUCH * preview_least_spacing(to->about->estimate);
    int found = 0;
    qsort(list->of, (size_t)list->count, sizeof *list->of, overlaps_compare);
    for (int i = 0; i < list->count; i++)
        for (int k = i + 1; k < list->count && list->of[k].bounds.min[0] < list->of[i].bounds.max[0]; k++) {
            const thing *a = &list->of[i], *b = &list->of[k];
            double depth = 0;
            if (!overlaps_matter(list->def, a, b) || overlaps_depth(a, b, list->def->domain.dims, &depth) != FR_OK ||
                depth <= least)
                continue;
            if (found++ < TOLD)
                overlaps_tell(to, a, b, depth);
        }
    if (found > TOLD)
        remark_warn(to, "%d more pairs of bodies, obstacles and sides overlap", found - TOLD);
}

void remark_overlaps(const remarks *to)
{
    things list = {.def = to->about->def};
    if (list.def->body_count > 0 && things_collect(&list) == FR_OK)
        overlaps_look(to, &list);
    things_free(&list);
}
