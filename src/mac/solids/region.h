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

/* Which boxes meet a layer of rows: a list that is made when a walk comes to the next layer, so that many boxes cost
   little. `layer` begins as −1. */
enum { REGION_NEAR = 512, REGION_SPANS = 64 };
typedef struct region_near {
    int layer, count;        /* more than REGION_NEAR: all are looked at */
    int of[REGION_NEAR];
} region_near;

/* The samples spans[n][0] ≤ i < spans[n][1] of a row of `layout` that belong to cells of the region, be it as one of
   their faces or corners: how many spans there are. They are apart and ascend; where there would be more than
   REGION_SPANS one span contains them all. */
int region_row(const region *r, const field *layout, int j, int k, region_near *near, int spans[REGION_SPANS][2]);

bool region_has(const region *r, const int cell[3]);

/* Does a span of a row. */
typedef void (*region_work)(void *context, int j, int k, const int span[2]);

/* All rows of `layout` in the region; shared between threads when `parallel`. */
void region_for_rows(const region *r, const field *layout, bool parallel, region_work work, void *context);

#endif
