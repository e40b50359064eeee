/* Relaxation: the points of a layer repel each other. The force is the square of the remaining distance to its reach;
   after each move a point is projected back to its depth. A few iterations even out the gaps; more would not improve
   the volumes. */
#include <stdlib.h>

#include "base/threads.h"
#include "particles/shell_parts.h"

enum { TURNS = 6 };

/* In spacings: the reach of the force, and the longest and shortest steps. */
static const double reach = 1.3, longest = 0.15, shortest = 0.02;

/* Step per force, in spacings; smaller in 3D, where a point has more neighbours. Among reaches of 1.2 to 1.5 and
   mobilities of 0.2 to 0.5 on a ball, these gave the largest minimum distance for equally narrow gaps. */
static const double mobility[] = {[2] = 0.5, [3] = 0.4};

typedef struct relaxation {
    const shape *shape;
    const shell_plan *plan;
    point_hash *points, wishes; /* current positions, and proposed ones */
    shell_spot *spots, *next;   /* the same with normals and depths */
    fr_result result;           /* set without a lock: only user's functions fail, and they run on one thread */
} relaxation;

typedef struct push {
    const relaxation *relaxation;
    int64_t own;
    vec3 force;
} push;

static bool push_add(void *context, int64_t index, double distance2)
{
    push *p = context;
    const relaxation *r = p->relaxation;
    double distance = sqrt(distance2);
    if (index == p->own || distance == 0 || shell_faces_differ(&r->spots[index], &r->spots[p->own]))
        return true;
    vec3 away = vec3_sub(vec3_of(r->points->position[p->own]), vec3_of(r->points->position[index]));
    double strength = 1 - distance / (reach * r->plan->spacing);
    p->force = vec3_add(p->force, vec3_scale(away, strength * strength / distance));
    return true;
}

/* Proposes a step of bounded length; very short ones are skipped. */
static fr_result relax_point(const relaxation *r, int64_t n, shell_spot *next)
{
    push p = {.relaxation = r, .own = n};
    double d = r->plan->spacing;
    bool done;
    *next = r->spots[n];
    if (next->fits)
        return FR_OK;
    point_hash_visit(r->points, next->at, reach * d, push_add, &p);
    double force = vec3_length(p.force), by = fmin(mobility[r->plan->dims] * force, longest);
    if (by < shortest)
        return FR_OK;
    return shell_slide(r->shape, r->plan, vec3_scale(p.force, by * d / force), next, &done);
}

static void relax_points(void *context, int begin, int end)
{
    relaxation *r = context;
    for (int n = begin; n < end; n++) {
        fr_result result = relax_point(r, n, &r->next[n]);
        if (result != FR_OK)
            r->result = result;
    }
}

typedef struct crush {
    const relaxation *relaxation;
    int64_t own;
    bool found;
} crush;

static bool crush_visit(void *context, int64_t index, double distance2)
{
    crush *c = context;
    const relaxation *r = c->relaxation;
    c->found = index != c->own && shell_too_near(r->plan, &r->next[c->own], &r->spots[index], distance2);
    return !c->found;
}

/* Whether the proposed position is too close to the current or proposed position of another point. All moves that pass
   can be made at once: any two points stay apart whether both, one or none of them moves. */
static bool relax_is_tight(const relaxation *r, int64_t n)
{
    crush c = {.relaxation = r, .own = n};
    double apart = 0.97 * shell_apart(r->plan);
    point_hash_visit(r->points, r->next[n].at, apart, crush_visit, &c);
    if (!c.found)
        point_hash_visit(&r->wishes, r->next[n].at, apart, crush_visit, &c);
    return c.found;
}

static fr_result relax_gather(point_hash *points, const shell_spot *spots, int64_t count)
{
    point_hash_clear(points);
    for (int64_t n = 0; n < count; n++)
        FR_TRY(point_hash_add(points, spots[n].at));
    return FR_OK;
}

static fr_result relax_turn(relaxation *r, int64_t count)
{
    if (shape_is_parallel(r->shape))
        threads_for((int)count, relax_points, r);
    else
        relax_points(r, 0, (int)count);
    FR_TRY(r->result);
    FR_TRY(relax_gather(&r->wishes, r->next, count));
    for (int64_t n = 0; n < count; n++)
        if (!relax_is_tight(r, n))
            r->spots[n] = r->next[n];
    return relax_gather(r->points, r->spots, count);
}

static bool relax_all_fit(const shell_spot *spots, int64_t count)
{
    for (int64_t n = 0; n < count; n++)
        if (!spots[n].fits)
            return false;
    return true;
}

static fr_result relax_run(relaxation *r)
{
    int64_t count = r->points->count;
    r->next = malloc(sizeof *r->next * (size_t)count);
    if (!r->next)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for %lld boundary particles", (long long)count);
    FR_TRY(point_hash_create(r->plan->dims, r->plan->spacing, count, &r->wishes));
    for (int turn = 0; turn < TURNS; turn++)
        FR_TRY(relax_turn(r, count));
    return FR_OK;
}

fr_result shell_relax(const shape *s, const shell_plan *plan, point_hash *points, shell_spot *spots)
{
    if (relax_all_fit(spots, points->count))
        return FR_OK;
    relaxation r = {.shape = s, .plan = plan, .points = points, .spots = spots};
    fr_result result = relax_run(&r);
    point_hash_destroy(&r.wishes);
    free(r.next);
    return result;
}
