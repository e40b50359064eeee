/* Shared by the files that read the nodes of a river. */
#ifndef FR_RIVER_NODES_PARTS_H
#define FR_RIVER_NODES_PARTS_H

#include <stdio.h>

#include "grid/curve/curve.h"

/* The nodes to read, and where to store them. */
typedef struct node_table {
    int dims, nodes[3];      /* 1 along the third axis in 2D */
    int64_t count;
    double *at;              /* x, y, z of each, the first axis fastest */
    const char *file;
    int64_t bytes;           /* of the file */
} node_table;

/* Reads an open file from its beginning. */
fr_result river_nodes_csv(FILE *file, const node_table *table);
fr_result river_nodes_npy(FILE *file, const node_table *table);

curve_name river_nodes_name(const node_table *table, int64_t node);

/* What the file should hold, for messages: "river.cells = {40, 8} needs 41 x 9 = 369". */
typedef struct node_need {
    char text[120];
} node_need;
node_need river_nodes_need(const node_table *table);

#endif
