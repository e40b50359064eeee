/* Parcels that φ has lost: with no liquid in their cell, nor in one beside it. The flow has no velocity there, and they
   would hang in the air until φ learns of them again. Their cells become liquid to a small depth, so that they fly. */
#ifndef FR_HYBRID_LONE_H
#define FR_HYBRID_LONE_H

#include "hybrid/transfer.h"

typedef struct lone_cells {
    const field *solid; /* φ's cells: signed distance to obstacles, m; there is no liquid inside. NULL: none */
    float depth;        /* m */
    field *phi;         /* its cells may be finer than those of the parcels; ghosts are left as they are */
} lone_cells;

/* Of parcels as they lay when level_set_make found their surface. Returns whether there were any. */
bool lone_wet(const transfer *t, const parcels *p, const lone_cells *cells);

#endif
