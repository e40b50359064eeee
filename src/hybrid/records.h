/* Sums of weights and momenta while parcels are added up, filed in records (i, j, k): what parcels between the rows j
   and j + 1 of faces add to the face i of either, (w, w v) of row j and (w, w v) of row j + 1. So a parcel adds to the
   four faces around it in a plane across z at once: two records side by side, eight floats. Centres have plain sums of
   w, into what wants them.

   Only sums that parcels may reach are set to zero and read: spans of rows along x (slabs_bits). */
#ifndef FR_HYBRID_RECORDS_H
#define FR_HYBRID_RECORDS_H

#include "hybrid/slabs.h"
#include "hybrid/sums.h"
#include "hybrid/transfer.h"

enum { RECORDS_EACH = 4 }; /* floats */

typedef struct records {
    domain d;
    sums faces[3];   /* records */
    sums centres;    /* without memory: not wanted */
    bool periodic;   /* along any axis: what lies beyond one end counts at the other, so all records are in use */
    uint32_t *ready; /* per row of records along x, from the first ghost on: spans that are in use */
} records;

/* Floats, and rows with the first ghosts. */
size_t records_floats(const domain *d);
size_t records_rows(const domain *d);

typedef struct records_memory {
    float *block, *density; /* of records, of sums at centres; density NULL: not wanted */
    uint32_t *ready;
} records_memory;

/* None is in use yet, or all on periodic domains. */
records records_over(const records_memory *memory, const domain *d);

/* The spans in use of a row, k from −1 on; none of rows that no parcel reaches. */
static inline uint32_t records_used(const records *r, int j, int k)
{
    const size_t row = (size_t)(j + 1) + (size_t)(r->d.n[1] + 2) * (size_t)(k + 1);
    return j < -1 || j > r->d.n[1] ? 0 : r->ready[row];
}

/* Sets the layers [begin, end) across an axis to zero, as far as they exist. */
void records_clear(const records *r, int axis, int begin, int end);

/* Sets what parcels in spans of the row (j, k) of cells reach to zero, as far as it is not in use. */
void records_open(const records *r, int j, int k, uint32_t bits);

/* Sets what is not in use at centres to zero: their sums are read everywhere. */
void records_clear_rest(const records *r);

/* Velocities, weights and maps from the sums. */
void records_mean(const records *r, const transfer_faces *to);

#endif
