#include "surface/scheme.h"

#include <stdbool.h>

static int scheme_place(int point, int axis)
{
    if (point < POINT_FACE)
        return point >> axis & 1 ? 2 : 0;
    if (point < POINT_CENTRE && (point - POINT_FACE) / 2 == axis)
        return (point - POINT_FACE) % 2 ? 2 : 0;
    return 1;
}

/* Whether the point exists where the lattice goes on along the axes `room` (bits) only. */
static bool scheme_fits(int point, int room)
{
    bool fits = true;
    for (int a = 0; a < 3; a++)
        fits = fits && (room >> a & 1 || scheme_place(point, a) == 0);
    return fits;
}

/* The node that owns whatever lies between two points, as a corner: one step up along the axes where both are on the
   upper face of the cell. */
static int scheme_owner(int p, int q)
{
    int owner = 0;
    for (int a = 0; a < 3; a++)
        owner |= (scheme_place(p, a) == 2 && scheme_place(q, a) == 2) << a;
    return owner;
}

/* The same point seen from the cell of a node that is its corner `owner`. */
static int scheme_lowered(int point, int owner)
{
    if (point < POINT_FACE)
        return point & ~owner;
    int axis = (point - POINT_FACE) / 2;
    return point < POINT_CENTRE && owner >> axis & 1 ? POINT_FACE + 2 * axis : point;
}

static int scheme_find_slot(const scheme *s, int p, int q)
{
    for (int i = 0; i < s->slots; i++)
        if ((s->ends[i][0] == p && s->ends[i][1] == q) || (s->ends[i][0] == q && s->ends[i][1] == p))
            return i;
    return -1;
}

static void scheme_add_between(scheme *s, int p, int q)
{
    int owner = scheme_owner(p, q), low[2] = {scheme_lowered(p, owner), scheme_lowered(q, owner)};
    int slot = scheme_find_slot(s, low[0], low[1]);
    if (slot < 0) {
        slot = s->slots++;
        for (int end = 0; end < 2; end++)
            s->ends[slot][end] = (uint8_t)low[end];
        for (int room = 0; room < 8; room++)
            s->slots_in_room[room] |= (uint64_t)(scheme_fits(low[0], room) && scheme_fits(low[1], room)) << slot;
    }
    s->between[p][q] = s->between[q][p] = (scheme_slot){(uint8_t)owner, (uint8_t)slot};
}

/* Paths of corners from 0 to 7, one axis a step. The two middle corners are swapped where the orientation would be
   negative. */
static void scheme_cut_in_six(scheme *s)
{
    static const uint8_t corners[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                          {0, 3, 2, 7}, {0, 5, 1, 7}, {0, 6, 4, 7}};
    for (int t = 0; t < 6; t++)
        for (int c = 0; c < 4; c++)
            s->corners[t][c] = corners[t][c];
    s->points = 8;
    s->tetrahedra = 6;
    s->face_triangles = 2;
    for (int a = 0; a < 3; a++) {
        const uint8_t right = (uint8_t)(1 << (a + 1) % 3), up = (uint8_t)(1 << (a + 2) % 3);
        const uint8_t triangles[2][3] = {{0, right, right | up}, {0, right | up, up}};
        for (int t = 0; t < 2; t++)
            for (int c = 0; c < 3; c++)
                s->face[a][t][c] = triangles[t][c];
    }
}

static void scheme_cut_in_twenty_four(scheme *s)
{
    s->points = SCHEME_POINTS;
    s->face_triangles = 4;
    for (int a = 0; a < 3; a++) {
        const uint8_t right = (uint8_t)(1 << (a + 1) % 3), up = (uint8_t)(1 << (a + 2) % 3);
        const uint8_t around[4] = {0, right, right | up, up};
        for (int e = 0; e < 4; e++) {
            uint8_t from = around[e], to = around[(e + 1) % 4];
            const uint8_t low[3] = {(uint8_t)(POINT_FACE + 2 * a), from, to};
            for (int c = 0; c < 3; c++)
                s->face[a][e][c] = low[c];
            for (int upper = 0; upper < 2; upper++) {
                uint8_t *t = s->corners[s->tetrahedra++], high = (uint8_t)(upper << a);
                t[0] = (uint8_t)(low[0] + upper);
                t[1] = upper ? to | high : from;
                t[2] = upper ? from | high : to;
                t[3] = POINT_CENTRE;
            }
        }
    }
}

/* For each set of corners in the liquid an even permutation of the corners. It begins with those in the liquid; where
   these are three, with the one in the air. */
static const uint8_t arrangement[16][4] = {
    {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 3, 2}, {0, 1, 2, 3}, {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 0, 3}, {3, 2, 1, 0},
    {3, 2, 1, 0}, {0, 3, 1, 2}, {1, 3, 2, 0}, {2, 3, 0, 1}, {2, 3, 0, 1}, {1, 0, 3, 2}, {0, 1, 2, 3}, {0, 1, 2, 3}};
static const uint8_t corner_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static void scheme_find_cut(const scheme *s, const uint8_t corners[4], int set, scheme_cut *cut)
{
    /* The edges for one corner in the liquid, for one in the air (three), and for two and two, oriented outwards. */
    static const uint8_t one[3][2] = {{0, 1}, {0, 2}, {0, 3}}, three[3][2] = {{0, 1}, {0, 3}, {0, 2}};
    static const uint8_t two[6][2] = {{0, 2}, {0, 3}, {1, 3}, {0, 2}, {1, 3}, {1, 2}};
    int inside = corner_count[set];
    const uint8_t(*edges)[2] = inside == 1 ? one : inside == 2 ? two : three;
    cut->count = inside == 0 || inside == 4 ? 0 : inside == 2 ? 2 : 1;
    for (int i = 0; i < 3 * cut->count; i++) {
        int p = corners[arrangement[set][edges[i][0]]], q = corners[arrangement[set][edges[i][1]]];
        cut->vertices[i] = s->between[p][q];
    }
}

void scheme_make(int tetrahedra, scheme *out)
{
    *out = (scheme){.points = 0};
    (tetrahedra == 6 ? scheme_cut_in_six : scheme_cut_in_twenty_four)(out);
    for (int p = 0; p < out->points; p++) {
        for (int a = 0; a < 3; a++)
            out->place[p][a] = (uint8_t)scheme_place(p, a);
        for (int room = 0; room < 8; room++)
            out->points_in_room[room] |= (uint16_t)(scheme_fits(p, room) << p);
    }
    for (int t = 0; t < out->tetrahedra; t++)
        for (int p = 0; p < 4; p++)
            for (int q = p + 1; q < 4; q++)
                scheme_add_between(out, out->corners[t][p], out->corners[t][q]);
    for (int p = 0; p < out->points && p < POINT_CENTRE; p++)
        scheme_add_between(out, p, p);
    for (int t = 0; t < out->tetrahedra; t++)
        for (int set = 0; set < 16; set++)
            scheme_find_cut(out, out->corners[t], set, &out->cuts[t][set]);
}
