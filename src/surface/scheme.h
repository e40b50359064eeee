/* How a cell of the lattice is cut into tetrahedra.

   Points of a cell: its corners 0 … 7 (bits x, y, z), the centres of its faces 8 + 2·axis + (1 for the upper one), its
   centre 14. Six tetrahedra lie around the cell's diagonal, in every cell alike (Kuhn 1960). Twenty-four share the
   cell's centre: each has the centre of a face and one of this face's edges (Carlson 2004, 6.4). Either way the cells
   on both sides of a face cut it into the same triangles: surfaces have no holes and no ambiguous cases.

   A node of the lattice owns the points and edges of the cell above it that belong to no later cell. */
#ifndef FR_SURFACE_SCHEME_H
#define FR_SURFACE_SCHEME_H

#include <stdint.h>

enum { POINT_FACE = 8, POINT_CENTRE = 14, SCHEME_POINTS = 15 };
enum { SCHEME_MOST = 24, SCHEME_SLOTS = 33 };

/* A place for a vertex: on an edge, or at a point of the domain's sides. */
typedef struct scheme_slot {
    uint8_t owner;           /* the node, as a corner of the cell */
    uint8_t slot;            /* its number there */
} scheme_slot;

/* The triangles of one tetrahedron for one set of corners in the liquid. */
typedef struct scheme_cut {
    int count;
    scheme_slot vertices[6];
} scheme_cut;

typedef struct scheme {
    int points;                              /* 8 or 15 */
    int tetrahedra;                          /* 6 or 24 */
    uint8_t place[SCHEME_POINTS][3];         /* of the points in the cell, in half edges: 0, 1, 2 */
    uint16_t points_in_room[8];              /* points that exist where the lattice goes on along these axes (bits) */
    uint8_t corners[SCHEME_MOST][4];         /* of a tetrahedron, in positive orientation */
    scheme_cut cuts[SCHEME_MOST][16];        /* bit c of the set: corner c is in the liquid */
    int slots;
    uint8_t ends[SCHEME_SLOTS][2];           /* points of the owner's cell; equal for a slot at a point */
    uint64_t slots_in_room[8];               /* likewise */
    scheme_slot between[SCHEME_POINTS][SCHEME_POINTS];   /* the slot of an edge; of a point, with itself */
    int face_triangles;                      /* 2 or 4 */
    uint8_t face[3][4][3];                   /* of the lower face across an axis, anticlockwise seen from above */
} scheme;

/* Fills the tables for 6 or 24 tetrahedra a cell. */
void scheme_make(int tetrahedra, scheme *out);

#endif
