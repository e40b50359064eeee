/* Points of a layer push each other apart: each moves by a sum of forces that fall off with the square of the distance
   left, then back to its depth. A few turns close the widest gaps and open the narrowest; more would not show in the
   volumes. */
#include <stdlib.h>

#include "base/threads.h"
#include "particles/shell_parts.h"

enum { TURNS = 6 };

/* In spacings: where the force ends, and the steps taken. */
static const double reach = 1.3, longest = 0.15, shortest = 0.02;

/* How far a point moves per force, in spacings; less on surfaces, where it has more neighbours. Of reaches from 1.2
   to 1.5 and mobilities from 0.2 to 0.5 on a ball, these kept the nearest points farthest apart for as narrow gaps. */
static const double mobility[] = {[2] = 0.5, [3] = 0.4};

typedef struct relaxation {
    const shape *shape;
    const shell_plan *plan;
    point_hash *points, wishes; /* where points are, and where they want to go */
    shell_spot *spots, *next;   /* the same in full */
    fr_result result;           /* only a user's function fails, and that is never called from two threads */
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

/* Steps are bounded in length; very short ones are not taken. */
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

/* Whether a point would be too near to where another is or wants to go. Moves that pass can be made all at once: of any
   two points both, one or none may move. */
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
