#include "grid/curve/walk.h"

#include <math.h>

#include "base/vec.h"

/* Most pieces of a path in one move; a step crosses far fewer borders. */
enum { MOST_PIECES = 4096 };

typedef struct walk_point {
    double *place;
    int cell[3];
    int shut;            /* side (2·axis + high) of its cell along which it slides for now, or −1 */
} walk_point;

/* The cell that contains a place. A place on a border belongs to both cells; the one that is not solid is taken. */
static void walk_find_cell(const curve_walk *w, walk_point *p)
{
    const domain *d = w->d;
    for (int a = 0; a < 3; a++)
        p->cell[a] = a < d->dims ? (int)clampd(floor(p->place[a]), 0, d->n[a] - 1) : 0;
    for (int a = 0; a < d->dims && curve_walk_solid(w->solid, d, p->cell); a++)
        if (p->place[a] == p->cell[a] && p->cell[a] > 0)
            p->cell[a]--;
}

/* Whether a point may leave its cell through a side. */
static bool walk_passes(const curve_walk *w, const walk_point *p, int side)
{
    const domain *d = w->d;
    int axis = side / 2, next[3] = {p->cell[0], p->cell[1], p->cell[2]};
    next[axis] += side % 2 ? 1 : -1;
    if (next[axis] < 0 || next[axis] >= d->n[axis]) {
        if (!d->periodic[axis]) {
            int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
            return w->open[side] && (!w->gate[side] || w->gate[side][p->cell[b] + d->n[b] * p->cell[c]]);
        }
        next[axis] = next[axis] < 0 ? d->n[axis] - 1 : 0;
    }
    return !curve_walk_solid(w->solid, d, next);
}

/* Time until a point with that velocity reaches a border of its cell, at most `most`; `side` is which one, or −1. */
static double walk_until_border(const walk_point *p, int dims, const double velocity[3], double most, int *side)
{
    *side = -1;
    for (int a = 0; a < dims; a++) {
        bool high = velocity[a] > 0;
        double way = p->cell[a] + high - p->place[a];
        if (velocity[a] == 0 || way / velocity[a] >= most)
            continue;
        most = fmax(way / velocity[a], 0);
        *side = 2 * a + high;
    }
    return most;
}

/* The velocity without its component through sides that the point touches and cannot pass. */
static void walk_velocity(const curve_walk *w, const walk_point *p, const double place[3], double velocity[3])
{
    w->velocity(w->context, p->cell, place, velocity);
    for (int a = 0; a < w->d->dims; a++) {
        bool high = velocity[a] > 0;
        if (velocity[a] == 0 || p->place[a] != p->cell[a] + high)
            continue;
        if (p->shut == 2 * a + high || !walk_passes(w, p, 2 * a + high))
            velocity[a] = 0;
    }
}

/* Moves the point across a side of its cell; false: it has left the grid. */
static bool walk_cross(const curve_walk *w, walk_point *p, int side)
{
    const domain *d = w->d;
    int axis = side / 2, next = p->cell[axis] + (side % 2 ? 1 : -1);
    p->shut = side ^ 1;
    if (next >= 0 && next < d->n[axis]) {
        p->cell[axis] = next;
        return true;
    }
    if (!d->periodic[axis])
        return false;
    p->cell[axis] = next < 0 ? d->n[axis] - 1 : 0;
    p->place[axis] = next < 0 ? d->n[axis] : 0;
    return true;
}

/* One piece of the path inside a cell; returns the time it took; `side` is where it ended, or −1. */
static double walk_piece(const curve_walk *w, walk_point *p, double most, int *side)
{
    double velocity[3], middle[3] = {0, 0, 0};
    walk_velocity(w, p, p->place, velocity);
    double first = walk_until_border(p, w->d->dims, velocity, most, side);
    if (first == 0)
        return 0;
    for (int a = 0; a < w->d->dims; a++)
        middle[a] = p->place[a] + 0.5 * first * velocity[a];
    walk_velocity(w, p, middle, velocity);
    /* the midpoint was taken for the time `first`: where the flow turns, its velocity is not valid much longer */
    double time = walk_until_border(p, w->d->dims, velocity, fmin(most, 2 * first), side);
    for (int a = 0; a < w->d->dims; a++)
        p->place[a] = clampd(p->place[a] + time * velocity[a], p->cell[a], p->cell[a] + 1);
    if (*side >= 0)
        p->place[*side / 2] = p->cell[*side / 2] + *side % 2;
    return time;
}

double curve_walk_move(const curve_walk *w, double place[3], double seconds)
{
    walk_point p = {.place = place, .shut = -1};
    walk_find_cell(w, &p);
    for (int piece = 0; piece < MOST_PIECES && seconds > 0; piece++) {
        int side;
        double time = walk_piece(w, &p, seconds, &side);
        seconds -= time;
        /* a side that was shut opens again once the point has moved; if it opened at once, two cells could send the
           point back and forth for ever */
        p.shut = time > 0 ? -1 : p.shut;
        if (side >= 0 && walk_passes(w, &p, side) && !walk_cross(w, &p, side))
            return fmax(seconds, 0);
    }
    return 0;
}
