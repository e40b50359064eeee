/* Extends values beyond the region where they are known, layer by layer: into solids, from liquid into air.

   A map of bytes, one per sample of a field and by the same block offsets, says what each sample is. Samples in layer n
   take the mean of their neighbours in layer n − 1, so that a constant is extended exactly. */
#ifndef FR_GRID_EXTEND_H
#define FR_GRID_EXTEND_H

#include "grid/field.h"

/* A place in the map: EXTEND_KNOWN, then the number of the layer, or one of the last three. */
enum {
    EXTEND_KNOWN = 0,
    EXTEND_MOST_LAYERS = 252,
    EXTEND_PARTLY = 253,     /* known as well: layer 1 touches it, but a method may treat it by itself */
    EXTEND_OUTSIDE = 254,    /* takes no part: ghosts of the field */
    EXTEND_FAR = 255         /* not reached by a layer */
};

static inline bool extend_is_known(const uint8_t *map, ptrdiff_t at)
{
    return map[at] == EXTEND_KNOWN || map[at] == EXTEND_PARTLY;
}

/* Gives the samples of a row that are still far and touch the layer below the number `layer`. Not for several rows at a
   time: neighbours read what is written. */
void extend_number_row(const field *layout, uint8_t *map, uint8_t layer, const int row[2], const int span[2]);

/* Some of the samples of a row: [begin, end). */
typedef struct extend_span {
    int32_t begin, end;
} extend_span;

/* Numbers `depth` layers around the known samples of the whole map. `spans`: one per row, to hold all that are not far;
   NULL: not wanted. */
void extend_number(const field *layout, uint8_t *map, int depth, extend_span *spans);

/* Whether the value at a block offset is given rather than extended, and what it is. */
typedef bool (*extend_given)(const void *context, ptrdiff_t at, float *value);

typedef struct extend_job {
    const uint8_t *map;
    const extend_span *spans; /* of extend_number; NULL: not known */
    int depth;               /* layers */
    float far;               /* value of what lies beyond the last layer */
    bool far_stays;          /* it has that value already */
    bool linear;             /* layer 1 continues the slope of the known samples, the smaller of two */
    extend_given given;      /* asked in layers and beyond them; NULL: nothing is given */
    const void *context;
} extend_job;

void extend_field(const extend_job *job, field *f);
/* The same for some fields at once, each with a job of its own. */
void extend_fields(const extend_job *jobs, field *const *fields, int count);

/* The mean of the neighbours that the map calls is[0] or is[1]; `none` where there are none. */
float extend_mean(const field *f, const uint8_t *map, ptrdiff_t at, const uint8_t is[2], float none);

#endif
