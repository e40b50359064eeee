/* Parts of a block as boxes of cells, visited row by row. */
#ifndef FR_MAC_SOLIDS_REGION_H
#define FR_MAC_SOLIDS_REGION_H

#include "grid/field.h"

/* Cells low ≤ i < high along each axis; none when high is not above low along x. */
typedef struct region_box {
    int low[3], high[3];
} region_box;

typedef struct region {
    const domain *d;
    const region_box *boxes;
    int count;
} region;

/* The cells within `margin` cells of what lies between min and max (m; may be endless), inside the block. Along a
   periodic axis a box that reaches one end reaches both, so that the two stay alike. */
region_box region_around(const domain *d, const double min[3], const double max[3], int margin);

region_box region_whole(const domain *d);

/* The samples [span[0], span[1]) of a row of `layout` from the first to the last that belongs to cells of the region,
   be it as one of their faces or corners; false when there is none. */
bool region_row(const region *r, const field *layout, int j, int k, int span[2]);

bool region_has(const region *r, const int cell[3]);

/* Does one row's part. */
typedef void (*region_work)(void *context, int j, int k, const int span[2]);

/* All rows of `layout` in the region; shared between threads when `parallel`. */
void region_for_rows(const region *r, const field *layout, bool parallel, region_work work, void *context);

#endif
