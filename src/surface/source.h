/* What a surface is made from: an implicit function, negative in the liquid, on the nodes of a lattice over the domain.

   The first and the last node of every axis lie on the domain's sides; the positions depend on the domain only, not on
   the liquid, so that surfaces at rest do not flicker in films. */
#ifndef FR_SURFACE_SOURCE_H
#define FR_SURFACE_SOURCE_H

#include <freshet/frame.h>

struct blocks;
struct spheres;

typedef struct source source;
struct source {
    const void *of;        /* the particles or the level set */
    int n[3];              /* nodes */
    double *place[3];      /* m, positions of the nodes along each axis */
    float far;             /* m: size of the values far from the surface */
    bool smooth;           /* values between the nodes are interpolated by cubics, and normals are gradients */
    float bulge;           /* m: how far these values may leave the range of the nodes around */
    int low[3], high[3];   /* the nodes that may be in the liquid or beside it */
    const struct spheres *spheres; /* correct values between the cells' centres; NULL: none */

    /* Fills the table: blocks to store, all liquid, all air (blocks.h). */
    fr_result (*mark)(const source *s, struct blocks *b);
    /* Values of the nodes of a block whose first node is `node`; those beyond the lattice are left alone. */
    void (*fill)(const source *s, const int node[3], float *values);
    void (*velocity)(const source *s, const double at[3], float velocity[3]);
};

fr_result source_places(source *s);        /* allocates `place` for n nodes along each axis */
void source_destroy(source *s);

/* Holds a value between nodes near their range, `least` to `most`, and on their side of the surface. */
static inline float source_limit(float value, float least, float most, float bulge)
{
    float low = least - bulge, high = most + bulge;
    low = least >= 0 && low < 0 ? 0 : low;
    high = most < 0 && high >= 0 ? most : high;
    return value < low ? low : value > high ? high : value;
}

#endif
