/* New parcels. */
#ifndef FR_HYBRID_SEED_H
#define FR_HYBRID_SEED_H

#include "grid/field.h"
#include "hybrid/parcels.h"

typedef struct seed {
    const field *surface; /* cells: signed distance, negative where parcels are wanted; ghosts filled */
    const field *taken;   /* cells: signed distance, none where it is negative: liquid that has parcels; NULL: none */
    int fine;             /* cells of these two along an edge of a cell; 0: they are the same */
    const field *solid;   /* cells: signed distance to obstacles, none in there; NULL: no obstacles */
    const uint8_t *sealed; /* faces between two sides of a wall, see seals.h, by offset from solid's data; NULL: none */
    int along;            /* parcels along each edge of a cell; 2: 8 in a cell, 4 in 2D */
    const field *flow;    /* faces, ghosts filled: their velocities; NULL: that below */
    float velocity[3];    /* m/s */
    uint64_t seed;        /* of the random places */
} seed;

/* Fills the region with parcels, one at a random place of each of along³ parts of a cell. Grows the store where it
   must. Call parcels_sort after it. */
fr_result seed_fill(const seed *s, parcels *p);

#endif
