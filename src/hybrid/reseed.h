/* Keeps the number of parcels in each cell within bounds, away from the surface.

   Cells between two depths below the surface that hold too few parcels get new ones in their empty parts, with the
   flow's velocity; crowded ones lose some. Nothing is added near the surface, where it would make liquid of air.

   In a narrow band (Ferstl, Ando, Wojtan, Westermann & Thuerey 2016) parcels are kept down to `deepest` alone; the
   caller carries the grid's velocity below that, and the level set as well: its φ is the smaller one of that of the
   parcels and the carried one plus a cell. */
#ifndef FR_HYBRID_RESEED_H
#define FR_HYBRID_RESEED_H

#include "hybrid/seed.h"

typedef struct reseed {
    seed seed;       /* its surface, obstacles and flow; `seed` should change from step to step */
    double from;     /* m below the surface: nothing is added above */
    double deepest;  /* m: of a narrow band, parcels more than a cell below it are removed; 0: no band */
    int least, most; /* parcels in a cell; most ≥ along³ */
    bool balance;    /* add no more than are removed: each parcel stands for a volume */
} reseed;

typedef struct reseed_report {
    int64_t added, removed;
} reseed_report;

/* Right after parcels_sort. New parcels are behind those sorted. */
fr_result reseed_run(const reseed *r, parcels *p, reseed_report *report);

#endif
