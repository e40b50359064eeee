/* Spreading keeps parcels in the liquid.

   The potential of spread.h is 0 on the surface, so that a crowd below it pushes parcels out into the air. Those that
   it has pushed out by a quarter of a cell would be drops, and stir liquid that rests. So what spreading alone has done
   to a parcel, δ, loses its part along the normal of the surface as far as the parcel has come nearer to it than
   `least`. */
#ifndef FR_HYBRID_STAY_H
#define FR_HYBRID_STAY_H

#include "grid/field.h"
#include "hybrid/parcels.h"

typedef struct stay {
    const field *surface;  /* cells: φ where the parcels are now, m, ghosts filled */
    int fine;              /* cells of it along an edge of a cell; 0: they are the same */
    const field *drift;    /* m/s, faces, ghosts filled: what has moved them, */
    const field *velocity; /* and what would have without spreading; NULL: nothing */
    const field *solid;    /* cells: signed distance to obstacles; NULL: none. Only where it lies is read, by */
    const uint8_t *sealed; /* faces that nothing may pass, see seals.h; NULL: none */
    double dt;             /* s */
    float least;           /* m */
} stay;

void stay_inside(const stay *s, parcels *p);

#endif
