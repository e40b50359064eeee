/* Connected components of active cells without any extra (a tie to a known value). On each of them the system is
   singular: its null space is the constants. */
#ifndef FR_GRID_POISSON_COMPONENTS_H
#define FR_GRID_POISSON_COMPONENTS_H

#include <math.h>
#include <string.h>

#include "grid/poisson/lattice_level.h"

/* Numbers the closed components of the finest level and stores the numbers in the extras (lattice_tie). Sets `closed`
   of the level. `run` and `parent` have an int32 for every slot of both colours; they are written in spans only.
   Returns the number of components. */
int components_label(lattice *finest, int32_t *run, int32_t *parent);

/* The closed component of a cell, or −1. */
static inline int components_of(float stored)
{
    uint32_t bits;
    memcpy(&bits, &stored, sizeof bits);
    return bits >> 31 ? (int)(bits & 0x7fffffffu) : -1;
}

/* 1 in a cell of a closed component, else 0; branch-free. */
static inline float components_inside(float stored) { return 0.5f - copysignf(0.5f, stored); }

static inline float components_store(int number)
{
    uint32_t bits = 0x80000000u | (uint32_t)number;
    float stored;
    memcpy(&stored, &bits, sizeof stored);
    return stored;
}

#endif
