/* Contacts of two solids. Points on the surface of each are held against the signed distance of the other; where the
   surface is round or an edge, the point first moves on to where the distance is least. The slope of the distance is
   the contact's normal; it must fit the point's own normals, else it is the side of something that the point only
   passes. Balls have one more contact that is exact. A few contacts that lie far apart are kept for each direction. */
#include <stdlib.h>

#include "rigid/parts.h"

enum { MOVES = 5, GROUPS = 6 };

/* Parts of the spacing: the step of differences, how far a point may move on, what it may win by that at most on smooth
   surfaces and on edges, and how far below its surface a normal is taken, where edges are no longer edges. */
static const double DIFFERENCE = 1e-4, MOVE = 0.75, WIN_SMOOTH = 0.25, WIN_EDGE = 0.5, INSET = 0.05;

/* Contacts nearer to each other than this part of the spacing are one. */
static const double APART = 0.5;

/* Of the length unit: what differs less in depth is as deep. */
static const double LEVEL = 1e-6;

/* Metres that a contact must lie farther from the others for each that it lies higher. */
static const double ABOVE = 8;

/* Cosine between the normals of one group of contacts. */
static const double TOGETHER = 0.9;

/* Cosine of a surface point below which it is an edge or a corner. */
static const double EDGE = 0.8;

/* A point at work. */
typedef struct touch {
    const solid *own, *other;
    int dims;
    vec3 at, normal;         /* in the world */
    double gap;
} touch;

fr_result solid_distance(const solid *s, vec3 at, double *distance)
{
    const double p[3] = {at.x, at.y, at.z};
    if (s->shape)
        return shape_distance(s->shape, p, distance);
    *distance = s->side % 2 == 0 ? p[s->side / 2] - s->place : s->place - p[s->side / 2];
    return FR_OK;
}

fr_result solid_slope(const solid *s, int dims, vec3 at, double by, vec3 *slope)
{
    if (s->shape)
        return surface_slope(s->shape, dims, at, by, slope);
    double n[3] = {0};
    n[s->side / 2] = s->side % 2 == 0 ? 1 : -1;
    *slope = vec3_of(n);
    return FR_OK;
}

static vec3 turned(const pose *p, vec3 v)
{
    const double (*t)[3] = p->turn;
    return (vec3){t[0][0] * v.x + t[0][1] * v.y + t[0][2] * v.z, t[1][0] * v.x + t[1][1] * v.y + t[1][2] * v.z,
                  t[2][0] * v.x + t[2][1] * v.y + t[2][2] * v.z};
}

static vec3 placed(const pose *p, vec3 v) { return vec3_add(turned(p, v), vec3_of(p->at)); }

static fr_result touch_push(rigid *r, vec3 at, vec3 normal, double gap)
{
    if (r->candidate_count == r->candidate_room) {
        const int room = r->candidate_room ? 2 * r->candidate_room : 256;
        candidate *more = realloc(r->candidates, sizeof *more * (size_t)room);
        if (!more)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for the contacts of bodies");
        r->candidates = more;
        r->candidate_room = room;
    }
    r->candidates[r->candidate_count++] = (candidate){at, normal, gap, -1};
    return FR_OK;
}

/* The step along the surface to where its normal would be opposite to the other's slope. */
static fr_result touch_step(const touch *w, const surface_point *s, vec3 slope, vec3 *step)
{
    vec3 against = vec3_scale(slope, -1);
    if (s->cosine > EDGE) {
        vec3 own;
        FR_TRY(solid_slope(w->own, w->dims, w->at, DIFFERENCE * w->own->surface.spacing, &own));
        against = vec3_sub(against, own);
    }
    *step = (vec3){0, 0, 0};
    for (int k = 0; k < 2; k++) {
        const vec3 along = turned(&w->own->pose, s->along[k]);
        *step = vec3_add(*step, vec3_scale(along, s->reach[k] * vec3_dot(against, along)));
    }
    const double length = vec3_length(*step), most = MOVE * w->own->surface.spacing;
    if (length > most)
        *step = vec3_scale(*step, most / length);
    return FR_OK;
}

/* Moves the point to where the distance is least near by. */
static fr_result touch_move(touch *w, const surface_point *s)
{
    const double spacing = w->own->surface.spacing;
    double part = 1, left, gap;
    for (int n = 0; n < MOVES; n++) {
        vec3 slope, step;
        FR_TRY(solid_slope(w->other, w->dims, w->at, DIFFERENCE * spacing, &slope));
        FR_TRY(touch_step(w, s, slope, &step));
        if (vec3_length(step) < 1e-9 * spacing)
            return FR_OK;
        vec3 next = vec3_add(w->at, vec3_scale(step, part));
        FR_TRY(surface_drop(w->own->shape, w->dims, spacing, &next, &left));
        FR_TRY(solid_distance(w->other, next, &gap));
        if (gap < w->gap) {
            w->at = next;
            w->gap = gap;
        } else {
            part *= 0.5;
        }
    }
    return FR_OK;
}

/* The contact's normal, out of the other solid; false: the point only passes it. At edges and corners it is taken a
   little below their surface, where edges of the other that lie on them are none. */
static fr_result touch_normal(touch *w, const surface_point *s, bool *fits)
{
    const double spacing = w->own->surface.spacing, by = DIFFERENCE * spacing;
    const bool smooth = s->cosine > EDGE;
    const vec3 own = turned(&w->own->pose, s->normal);
    vec3 here = own;
    if (smooth && (s->reach[0] > 0 || s->reach[1] > 0)) {
        FR_TRY(solid_slope(w->own, w->dims, w->at, by, &here));
        here = vec3_unit(here);
    }
    const vec3 in = smooth ? w->at : vec3_sub(w->at, vec3_scale(own, INSET * spacing));
    FR_TRY(solid_slope(w->other, w->dims, in, by, &w->normal));
    w->normal = vec3_length(w->normal) > 0.5 ? vec3_unit(w->normal) : vec3_scale(own, -1);
    *fits = -vec3_dot(w->normal, own) >= s->cosine || -vec3_dot(w->normal, here) >= s->cosine;
    return FR_OK;
}

/* Whether a point is farther than a distance from a solid, as its bounds say. */
static bool touch_passes(const solid *s, vec3 at, double distance)
{
    const double p[3] = {at.x, at.y, at.z};
    bool passes = false;
    for (int a = 0; a < 3 && s->shape; a++)
        passes = passes || p[a] < s->bounds.min[a] - distance || p[a] > s->bounds.max[a] + distance;
    return passes;
}

/* One point of the surface. `into_own`: 1, or −1 when the pair's first is the other. */
static fr_result touch_point(rigid *r, touch *w, const surface_point *s, double margin, double into_own)
{
    const bool round = s->reach[0] > 0 || s->reach[1] > 0;
    const double win = (round ? s->cosine > EDGE ? WIN_SMOOTH : WIN_EDGE : 0) * w->own->surface.spacing;
    bool fits;
    w->at = placed(&w->own->pose, s->at);
    if (touch_passes(w->other, w->at, margin + win))
        return FR_OK;
    FR_TRY(solid_distance(w->other, w->at, &w->gap));
    if (w->gap > margin + win)
        return FR_OK;
    if (round)
        FR_TRY(touch_move(w, s));
    if (w->gap > margin)
        return FR_OK;
    FR_TRY(touch_normal(w, s, &fits));
    if (!fits)
        return FR_OK;
    const vec3 middle = vec3_sub(w->at, vec3_scale(w->normal, 0.5 * w->gap));
    return touch_push(r, middle, vec3_scale(w->normal, into_own), w->gap);
}

/* All points of one solid against the other. */
static fr_result touch_points(rigid *r, const solid *own, const solid *other, double margin, double into_own)
{
    touch w = {.own = own, .other = other, .dims = r->setup.dims};
    const double most = margin + WIN_EDGE * own->surface.spacing;
    for (int b = 0; b < own->surface.block_count; b++) {
        const surface_block *block = &own->surface.blocks[b];
        const vec3 centre = placed(&own->pose, block->centre);
        double distance;
        if (touch_passes(other, centre, block->radius + most))
            continue;
        FR_TRY(solid_distance(other, centre, &distance));
        if (distance > block->radius + most)
            continue;
        for (int i = block->begin; i < block->end; i++)
            FR_TRY(touch_point(r, &w, &own->surface.points[i], margin, into_own));
    }
    return FR_OK;
}

/* The one contact of a ball: along the line from its centre to the nearest point of the other. */
static fr_result touch_ball(rigid *r, const solid *ball, const solid *other, double margin, double into_ball)
{
    const vec3 centre = vec3_of(ball->pose.at);
    const int dims = r->setup.dims;
    const double spacing = ball->surface.spacing;
    double distance, left;
    vec3 normal, on = centre;
    FR_TRY(solid_distance(other, centre, &distance));
    if (distance > ball->ball + margin)
        return FR_OK;
    FR_TRY(solid_slope(other, dims, centre, DIFFERENCE * spacing, &normal));
    if (other->ball > 0)
        normal = vec3_sub(centre, vec3_of(other->pose.at));
    else if (other->shape && distance > spacing) {
        FR_TRY(surface_drop(other->shape, dims, spacing, &on, &left));
        if (fabs(left) < 1e-6 * spacing) {
            normal = vec3_sub(centre, on);
            distance = vec3_length(normal);
        }
    }
    if (!(vec3_length(normal) > 0) || distance > ball->ball + margin)
        return FR_OK;
    normal = vec3_unit(normal);
    const double gap = distance - ball->ball;
    const vec3 middle = vec3_sub(centre, vec3_scale(normal, ball->ball + 0.5 * gap));
    return touch_push(r, middle, vec3_scale(normal, into_ball), gap);
}

/* The deepest candidate without a group, or −1. */
static int touch_deepest(const rigid *r)
{
    int best = -1;
    for (int i = 0; i < r->candidate_count; i++)
        if (r->candidates[i].group < 0 && (best < 0 || r->candidates[i].gap < r->candidates[best].gap))
            best = i;
    return best;
}

static fr_result touch_keep(rigid *r, const contact *like, const candidate *c)
{
    contacts *list = &r->contacts;
    if (list->count == list->room) {
        const int room = list->room ? 2 * list->room : 256;
        contact *more = realloc(list->of, sizeof *more * (size_t)room);
        if (!more)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for the contacts of bodies");
        list->of = more;
        list->room = room;
    }
    list->of[list->count] = *like;
    list->of[list->count].at = c->at;
    list->of[list->count].normal = c->normal;
    list->of[list->count++].gap = c->gap;
    return FR_OK;
}

/* How good a candidate is as the next one: its distance from those already kept, less what it lies above the deepest.
   For the first one: its distance from the middle, among those that lie as deep as the deepest. */
static double touch_merit(const rigid *r, const candidate *c, const vec3 *kept, int count, const candidate *deepest)
{
    const double above = c->gap - deepest->gap;
    double far = INFINITY;
    for (int k = 0; k < count; k++)
        far = fmin(far, vec3_length(vec3_sub(c->at, kept[k])));
    if (count == 0)
        return above > LEVEL * r->setup.length ? -INFINITY : vec3_length(vec3_sub(c->at, deepest->at));
    return far - ABOVE * above;
}

/* Keeps a few of a group, far apart from each other. */
static fr_result touch_thin(rigid *r, const contact *like, int group, const candidate *deepest, double apart)
{
    const int most = r->setup.dims == 2 ? 2 : 4;
    vec3 kept[4];
    for (int count = 0; count < most; count++) {
        const candidate *best = NULL;
        double merit = count == 0 ? -INFINITY : apart;
        for (int i = 0; i < r->candidate_count; i++) {
            const candidate *c = &r->candidates[i];
            const double own = c->group == group ? touch_merit(r, c, kept, count, deepest) : -INFINITY;
            if (own > merit) {
                best = c;
                merit = own;
            }
        }
        if (!best)
            return FR_OK;
        kept[count] = best->at;
        FR_TRY(touch_keep(r, like, best));
    }
    return FR_OK;
}

/* Sorts the candidates into groups of like normals and thins each. */
static fr_result touch_reduce(rigid *r, const contact *like, double apart)
{
    for (int group = 0; group < GROUPS; group++) {
        const int leader = touch_deepest(r);
        if (leader < 0)
            return FR_OK;
        const candidate deepest = r->candidates[leader];
        for (int i = 0; i < r->candidate_count; i++)
            if (r->candidates[i].group < 0 && vec3_dot(r->candidates[i].normal, deepest.normal) > TOGETHER)
                r->candidates[i].group = group;
        r->candidates[leader].group = group;
        FR_TRY(touch_thin(r, like, group, &deepest, apart));
    }
    return FR_OK;
}

/* What the pair's contacts have in common. */
static contact touch_like(const rigid *r, int body, int other)
{
    const solid *a = &r->solids[body], *b = &r->solids[other];
    contact c = {.body = {body, -1}, .friction = a->friction, .bounce = a->bounce};
    if (other < r->setup.body_count) {
        c.friction = sqrt(a->friction * b->friction);
        c.bounce = fmax(a->bounce, b->bounce);
        c.body[1] = rigid_moves(r, other) ? other : -1;
    } else {
        c.moving = vec3_length(b->velocity) > 0 || vec3_length(b->spin) > 0;
    }
    return c;
}

fr_result touch_find(rigid *r, int body, int other, double margin)
{
    const solid *a = &r->solids[body], *b = &r->solids[other];
    const contact like = touch_like(r, body, other);
    const int first = r->contacts.count;
    double apart = a->surface.spacing;
    r->candidate_count = 0;
    if (a->ball > 0)
        FR_TRY(touch_ball(r, a, b, margin, 1));
    else if (b->ball > 0)
        FR_TRY(touch_ball(r, b, a, margin, -1));
    if (!(a->ball > 0 && (b->flat || b->ball > 0))) {
        FR_TRY(touch_points(r, a, b, margin, 1));
        if (!b->flat) {
            FR_TRY(touch_points(r, b, a, margin, -1));
            apart = fmin(apart, b->surface.spacing);
        }
    }
    FR_TRY(touch_reduce(r, &like, APART * apart));
    for (int i = first; i < r->contacts.count && like.moving; i++) {
        contact *c = &r->contacts.of[i];
        c->surface = vec3_add(b->velocity, vec3_cross(b->spin, vec3_sub(c->at, vec3_of(b->pose.at))));
    }
    return FR_OK;
}
