#include "mac/solids/pockets.h"

#include "mac/solids/solids_parts.h"

/* A connected part with more cells than this stays, however small its volume. */
enum { MOST_CELLS = 512 };

typedef struct pockets {
    const region *r;
    const domain *d;
    const field *distance;
    field *open;
    const solids *s;
} pockets;

/* The face of a cell towards one end of an axis. */
static float *pockets_face(const pockets *p, const int c[3], int axis, int end)
{
    const field *open = &p->open[axis];
    return field_row(open, c[1], c[2]) + c[0] + (end ? open->stride[axis] : 0);
}

/* The neighbour through an open face; false when there is none. */
static bool pockets_step(const pockets *p, const int c[3], int axis, int end, int to[3])
{
    if (*pockets_face(p, c, axis, end) == 0)
        return false;
    for (int a = 0; a < 3; a++)
        to[a] = c[a];
    to[axis] += end ? 1 : -1;
    int n = p->d->n[axis];
    if (p->d->periodic[axis])
        to[axis] = (to[axis] + n) % n;
    return to[axis] >= 0 && to[axis] < n;
}

static float pockets_volume(const pockets *p, const int c[3])
{
    return solids_open_volume(p->d, field_row(p->distance, c[1], c[2])[c[0]]);
}

/* Closes a face of a cell. A rigid body nearby gets what was open, on both ends of a periodic axis. */
static void pockets_shut(const pockets *p, const int c[3], int axis, int end)
{
    int face[3] = {c[0], c[1], c[2]};
    float *open = pockets_face(p, c, axis, end);
    face[axis] += end;
    if (*open > 0 && p->s->rigid_count > 0 && solids_give_face(p->s, axis, face, *open) && p->d->periodic[axis] &&
        face[axis] % p->d->n[axis] == 0)
        open[(end ? -1 : 1) * p->d->n[axis] * p->open[axis].stride[axis]] = 0;
    *open = 0;
}

/* Whether the nearest body to a cell is rigid. What its surface leaves open of a cell inside it is passed by no flow
   but has the pressure that acts there. */
static bool pockets_is_rigid(const pockets *p, const int c[3])
{
    return p->s->bodies[p->s->owner[field_row(p->distance, c[1], c[2]) + c[0] - p->distance->block]].shares != NULL;
}

/* Open faces of a cell, and one of them. */
static int pockets_open_faces(const pockets *p, const int c[3], int *which)
{
    int open = 0;
    for (int face = 0; face < 2 * p->d->dims; face++)
        if (*pockets_face(p, c, face / 2, face % 2) > 0) {
            open++;
            *which = face;
        }
    return open;
}

static bool pockets_same(const int a[3], const int b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void pockets_put(int to[3], const int cell[3])
{
    for (int a = 0; a < 3; a++)
        to[a] = cell[a];
}

/* Closing a dead end may make its neighbour one, and so on along the way. The order does not matter to the result. */
static void pockets_close_dead_end(const pockets *p, const int start[3])
{
    int c[3], to[3], face;
    pockets_put(c, start);
    while (pockets_volume(p, c) < 0.5f && pockets_open_faces(p, c, &face) == 1 && !pockets_is_rigid(p, c) &&
           region_has(p->r, c)) {
        bool goes_on = pockets_step(p, c, face / 2, face % 2, to);
        pockets_shut(p, c, face / 2, face % 2);
        if (!goes_on)
            return;
        pockets_put(c, to);
    }
}

/* Gathers the part that a cell belongs to; returns its cells, or 0 when it holds `least` or leaves the region. */
static int pockets_gather(const pockets *p, const int start[3], double least, int part[MOST_CELLS][3])
{
    int count = 1;
    double volume = 0;
    pockets_put(part[0], start);
    for (int next = 0; next < count; next++) {
        int to[3];
        volume += pockets_volume(p, part[next]);
        if (volume >= least || !region_has(p->r, part[next]))
            return 0;
        for (int face = 0; face < 2 * p->d->dims; face++) {
            if (!pockets_step(p, part[next], face / 2, face % 2, to))
                continue;
            int known = 0;
            while (known < count && !pockets_same(part[known], to))
                known++;
            if (known == MOST_CELLS)
                return 0;
            if (known == count)
                pockets_put(part[count++], to);
        }
    }
    return count;
}

/* A part is bounded by closed faces, so one of its cells has one: only those are looked at. */
static void pockets_close_part(const pockets *p, const int start[3], double least)
{
    int part[MOST_CELLS][3], which, open = pockets_open_faces(p, start, &which);
    int count = open > 0 && open < 2 * p->d->dims ? pockets_gather(p, start, least, part) : 0;
    for (int i = 0; i < count; i++)
        for (int face = 0; face < 2 * p->d->dims; face++)
            pockets_shut(p, part[i], face / 2, face % 2);
}

/* Closes small parts, or with least = 0 dead ends, row by row. */
static void pockets_visit(const pockets *p, double least)
{
    region_near near = {.layer = -1};
    for (int row = 0; row < p->d->n[1] * p->d->n[2]; row++) {
        int c[3] = {0, row % p->d->n[1], row / p->d->n[1]}, spans[REGION_SPANS][2];
        const int count = region_row(p->r, p->distance, c[1], c[2], &near, spans);
        for (int n = 0; n < count; n++)
            for (c[0] = spans[n][0]; c[0] < spans[n][1]; c[0]++) {
                if (least > 0)
                    pockets_close_part(p, c, least);
                else
                    pockets_close_dead_end(p, c);
            }
    }
}

void pockets_close(solids *s, const region *r, double least)
{
    pockets p = {r, r->d, &s->distance, s->open, s};
    pockets_visit(&p, 0);
    pockets_visit(&p, least);
}
