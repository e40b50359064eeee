/* Sums over parcels at the samples of a grid, with the same bits for any number of threads.

   The layers of cells are cut into slabs of eight. A slab's parcels, by the order of the last sort, are added by one
   thread in that order. They may have moved up to three layers since, so they reach 16 layers: those of the even slabs
   do not overlap, nor do those of the odd ones, which follow. Parcels that have moved further ("strays"), or that are
   not sorted yet, are added one after the other at the end.

     layers   0       8       16      24      32
     slab 0   ########            (reach: −4 … 11)
     slab 2                   ########        (12 … 27)                                                            */
#ifndef FR_HYBRID_SLABS_H
#define FR_HYBRID_SLABS_H

#include "base/wide.h"
#include "hybrid/parcels.h"

/* Up to eight parcels. */
typedef struct slabs_group {
    const int32_t *index; /* which; NULL: those from `first` on */
    int64_t first;
    unsigned lanes; /* bit l: parcel l takes part, */
    wide_mask used; /* the same as a mask */
    wide x[3];      /* cells; those that take no part are where one is that does */
} slabs_group;

/* Their numbers are read one after the other, but with so much to do between that they are asked for so many parcels
   ahead. */
enum { SLABS_AHEAD = 96 };

/* One of a parcel's numbers, for the whole group. */
static inline wide slabs_load(const slabs_group *g, const float *array)
{
    if (!g->index)
        return wide_load(array + g->first);
    wide v = {0};
    for (int l = 0; l < WIDE; l++)
        v[l] = array[g->index[l]];
    return v;
}

/* Parcels that lie beside one another in the arrays, and by the last sort in space: from a multiple of SLABS_PACKET on.
 */
enum { SLABS_PACKET = 64 };

typedef struct slabs_packet {
    int16_t low[3], high[3]; /* the cells that they are in; more where some are gone */
    bool silent;             /* they add nothing */
} slabs_packet;

typedef struct slabs_job {
    const parcels *p;
    void (*clear)(const void *context, int begin, int end); /* sets the sums of layers to zero; any layers */
    void (*add)(const void *context, const slabs_group *group);
    const void *context;
    /* Instead of `clear`, where most of the domain may be empty: called before the first parcel in the row (j, k) of
       cells along x is added. Sets the sums of the rows around it to zero, as far as they are not yet. */
    void (*open)(const void *context, int j, int k);
} slabs_job;

/* Returns the number of strays. */
int64_t slabs_run(const slabs_job *job);

/* The same without looking at the parcels of silent packets. */
int64_t slabs_run_packets(const slabs_job *job, const slabs_packet *packets);

#endif
