/* What seeding and reseeding share. */
#ifndef FR_HYBRID_SEED_PARTS_H
#define FR_HYBRID_SEED_PARTS_H

#include "hybrid/seed.h"

/* A random place, in cells, in part `number` of a cell; parts are numbered with x fastest. */
void seed_place(const seed *s, const parcels *p, const int cell[3], int number, float x[3]);

/* Whether a cell is on the side of its walls on which the liquid is: φ is interpolated through thin ones. */
bool seed_reaches(const seed *s, const parcels *p, const int cell[3]);

/* Makes parcel n a new one at a place, with the velocity and its gradient as given or of the flow. */
void seed_set(const seed *s, parcels *p, int64_t n, const float x[3]);

#endif
