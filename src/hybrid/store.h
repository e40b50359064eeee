/* The lower edge of a narrow band of parcels (Ferstl, Ando, Wojtan, Westermann & Thuerey 2016).

   Below the band there are none, and as the surface moves parcels must come up from there, as many as if there were.
   So the last cells of the band are a store: before each step its parcels are replaced by those of full cells, with the
   flow's velocity and one in each part of a cell. Had the store only been filled up where it lacks some, more would
   come up from it than go down: cells with more than their share give none. */
#ifndef FR_HYBRID_STORE_H
#define FR_HYBRID_STORE_H

#include "hybrid/reseed.h"

typedef struct store {
    seed seed;       /* its surface goes on down to below the band; obstacles, flow */
    double from, to; /* m below the surface: cells with their centres between are the store; below it none stay */
    double share;    /* of full cells that it gets, 0 … 2: more than 1 where the band is short of parcels */
} store;

/* Right after parcels_sort, or reseed_run; adds to the report. New parcels are behind those sorted. */
fr_result store_renew(const store *s, parcels *p, reseed_report *report);

#endif
