/* The spans of a level's rows. The operator is built in what may be active now or was before, so that what was left is
   closed; then the spans shrink to the active blocks, and vectors are 0 outside them again. */
#ifndef FR_GRID_POISSON_LATTICE_SPANS_H
#define FR_GRID_POISSON_LATTICE_SPANS_H

#include "grid/poisson/lattice_level.h"

/* The blocks of a row that may have active cells. */
typedef lattice_span (*lattice_reach)(const void *context, const int row[2]);

/* Widens every span by what `reach` says of its row. */
void lattice_spans_widen(lattice *l, lattice_reach reach, const void *context);

/* An array with `unit` bytes per slot; `of` as in lattice_vector. */
typedef struct lattice_array {
    void *of[2];
    size_t unit;
} lattice_array;

/* Shrinks the spans to blocks that are not empty, and clears the level's vectors and `more` arrays in the rest. */
void lattice_spans_shrink(lattice *l, const lattice_array *more, int count);

static inline bool lattice_span_empty(lattice_span span) { return span.begin >= span.end; }

static inline lattice_span lattice_span_join(lattice_span a, lattice_span b)
{
    if (lattice_span_empty(a) || lattice_span_empty(b))
        return lattice_span_empty(a) ? b : a;
    return (lattice_span){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

#endif
