/* Keeps the number of parcels in each cell within bounds, inside the liquid.

   Where a cell holds fewer parcels than `least`, of a cell at the surface the share that is deep enough, new ones come
   into its empty parts, with the flow's velocity; crowded ones lose some. Nothing is added nearer to the surface than
   `from`, where it would make liquid of air, and nothing is taken there or outside: sheets and spray stay. */
#ifndef FR_HYBRID_RESEED_H
#define FR_HYBRID_RESEED_H

#include "hybrid/seed.h"

typedef struct reseed {
    seed seed;       /* its surface, obstacles and flow; `seed` should change from step to step */
    double from;     /* m below the surface: nothing is added or crowded out above */
    double deepest;  /* m: cells with their centres below it are left alone (store.h); 0: none are */
    int least, most; /* parcels in a cell; most ≥ along³ */
    int64_t lacking; /* how many may be added beyond those removed: each parcel stands for a volume */
} reseed;

typedef struct reseed_report {
    int64_t added, removed;
} reseed_report;

/* Right after parcels_sort. New parcels are behind those sorted. */
fr_result reseed_run(const reseed *r, parcels *p, reseed_report *report);

#endif
