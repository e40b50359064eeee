/* Which cells are on the same side of the obstacles.

   Shares of faces say nothing about what lies between two faces of one cell. A thin wall may pass there: with both
   faces open the cell would belong to both of its sides, and the fluid would flow through. So each cell belongs to one
   side, that of its middle: its centre, or where the centre lies inside an obstacle the nearest point outside. A face
   stays open only if a way leads from the one cell's middle to the other's that meets no obstacle: straight, or by way
   of the face's middle or one of its corners. The ways of open faces join to ways through the grid that meet no
   obstacle. So nothing leaks through any wall, however thin or slanted: one that is thinner than a cell stands on the
   faces that it passes by. */
#include <math.h>

#include "mac/solids/solids_parts.h"

/* How far outside a cell's middle is put, in cells. */
static const double WAYS_SKIN = 1e-3;

/* Towards the surface by the slope of the distance, until it is outside. */
fr_result ways_leave(const solids *s, ways_point *p)
{
    enum { MOST_STEPS = 4 };
    double width = domain_min_h(&s->domain), reach = 1e-2 * width;
    for (int step = 0; step < MOST_STEPS && p->distance < 0; step++) {
        double slope[3] = {0, 0, 0}, square = 1e-20;
        for (int a = 0; a < s->domain.dims; a++) {
            double ends[2], point[3] = {p->at[0], p->at[1], p->at[2]};
            for (int end = 0; end < 2; end++) {
                point[a] = p->at[a] + (end ? reach : -reach);
                FR_TRY(solids_distance_at(s, point, &ends[end]));
            }
            slope[a] = ends[1] - ends[0];
            square += slope[a] * slope[a];
        }
        for (int a = 0; a < s->domain.dims; a++)
            p->at[a] += (WAYS_SKIN * width - p->distance) * slope[a] / sqrt(square);
        FR_TRY(solids_distance_at(s, p->at, &p->distance));
    }
    return FR_OK;
}

/* A place of the grid, in cells from its corner. */
static fr_result ways_place(const solids *s, const double cells[3], ways_point *p)
{
    for (int a = 0; a < 3; a++)
        p->at[a] = a < s->domain.dims ? s->domain.origin[a] + cells[a] * s->domain.h[a] : 0;
    return solids_distance_at(s, p->at, &p->distance);
}

static bool ways_is_in(const solids *s, const int cell[3], const ways_point *p)
{
    bool in = true;
    for (int a = 0; a < s->domain.dims; a++)
        in = in && fabs((p->at[a] - s->domain.origin[a]) / s->domain.h[a] - cell[a] - 0.5) < 0.5;
    return in;
}

/* A centre as far from both sides of an edge gets to it in steps that each go 0.7 of the way. */
fr_result ways_middle(const solids *s, const int cell[3], ways_point *p)
{
    enum { MOST_TIMES = 4 };
    FR_TRY(ways_place(s, (double[3]){cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5}, p));
    FR_TRY(ways_leave(s, p));
    for (int time = 1; time < MOST_TIMES && p->distance < 0; time++) {
        ways_point further = *p;
        FR_TRY(ways_leave(s, &further));
        if (!ways_is_in(s, cell, &further))
            break;
        *p = further;
    }
    return FR_OK;
}

/* The distance at a point on the straight way between two. */
static fr_result ways_between(const solids *s, const ways_point *from, const ways_point *to, double part,
                              double *distance)
{
    double point[3] = {0, 0, 0};
    for (int a = 0; a < s->domain.dims; a++)
        point[a] = from->at[a] + part * (to->at[a] - from->at[a]);
    return solids_distance_at(s, point, distance);
}

/* The shortest step of a way, m. Rigid bodies move at every step and have ways along their whole surface, most of them
   short and close to it. */
static double ways_least(const solids *s, double length)
{
    return (s->rigid_count > 0 ? fmax(length, domain_min_h(&s->domain)) : length) / 64;
}

/* Whether the straight way between two points outside meets no obstacle. Steps are as long as the distance allows; one
   that the scene gives may be too large: at most an eighth of the way. */
fr_result ways_straight(const solids *s, const ways_point *from, const ways_point *to, bool *is_free)
{
    double length = 0, gone = 0, distance = from->distance;
    for (int a = 0; a < s->domain.dims; a++)
        length += (to->at[a] - from->at[a]) * (to->at[a] - from->at[a]);
    length = sqrt(length);
    const double least = ways_least(s, length);
    *is_free = from->distance >= 0 && to->distance >= 0;
    if (!*is_free || from->distance + to->distance >= length)
        return FR_OK;
    FR_TRY(ways_between(s, from, to, 0.5, &distance)); /* most ways that are not free are blocked there */
    *is_free = distance >= 0;
    if (!*is_free)
        return FR_OK;
    distance = from->distance;
    while (distance >= 0 && gone < length) {
        gone += fmin(fmax(distance, least), length / 8);
        FR_TRY(ways_between(s, from, to, fmin(gone / length, 1), &distance));
    }
    *is_free = distance >= 0;
    return FR_OK;
}

/* By way of a third point. */
fr_result ways_over(const solids *s, const ways_point ends[2], const ways_point *third, bool *is_free)
{
    FR_TRY(ways_straight(s, &ends[0], third, is_free));
    return *is_free ? ways_straight(s, third, &ends[1], is_free) : FR_OK;
}

/* By way of the face's middle or a corner. */
static fr_result ways_by_face(const solids *s, int axis, const int face[3], const ways_point ends[2], bool *is_free)
{
    int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, corners = s->domain.dims == 3 ? 4 : 2;
    for (int n = -1; n < corners && !*is_free; n++) {
        double place[3] = {face[0], face[1], face[2]};
        ways_point third;
        place[b] += n < 0 ? 0.5 : n & 1;
        place[c] += n < 0 ? 0.5 : n >> 1;
        FR_TRY(ways_place(s, place, &third));
        FR_TRY(ways_over(s, ends, &third, is_free));
    }
    return FR_OK;
}

double solids_clear(const domain *d)
{
    double square = 0;
    for (int a = 0; a < d->dims; a++)
        square += 0.25 * d->h[a] * d->h[a];
    return sqrt(square);
}

fr_result solids_joins(const solids *s, int axis, const int face[3], bool *joins)
{
    ways_point ends[2];
    for (int end = 0; end < 2; end++) {
        int cell[3] = {face[0], face[1], face[2]};
        cell[axis] += end - 1;
        FR_TRY(ways_middle(s, cell, &ends[end]));
    }
    FR_TRY(ways_straight(s, &ends[0], &ends[1], joins));
    return *joins ? FR_OK : ways_by_face(s, axis, face, ends, joins);
}
