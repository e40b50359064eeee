/* Shared by the files that lay solids on the grid. */
#ifndef FR_MAC_SOLIDS_SOLIDS_PARTS_H
#define FR_MAC_SOLIDS_SOLIDS_PARTS_H

#include "mac/solids/solids.h"

/* Which bodies a pass lays on the grid: those that stand still, alone, or the moving ones on top of them. */
typedef enum solids_which { SOLIDS_STILL, SOLIDS_MOVING } solids_which;

/* User functions may not run on several threads. */
bool solids_parallel(const solids *s);

/* Distances and owners of all cells, distances of the corners in the region (solids_distance.c). */
fr_result solids_sample_cells(solids *s, solids_which which);
fr_result solids_sample_corners(solids *s, solids_which which, const region *r);

/* Whether the two cells of a face are on the same side of the obstacles there (solids_ways.c). */
fr_result solids_joins(const solids *s, int axis, const int face[3], bool *joins);

/* To the nearest obstacle, from any point. */
fr_result solids_distance_at(const solids *s, const double point[3], double *nearest);

/* A point, and how far from obstacles it is. */
typedef struct ways_point {
    double at[3], distance;
} ways_point;

/* The middle of a cell; puts a point outside; whether the straight way between two points, or that over a third, meets
   no obstacle (solids_ways.c). */
fr_result ways_middle(const solids *s, const int cell[3], ways_point *p);
fr_result ways_leave(const solids *s, ways_point *p);
fr_result ways_straight(const solids *s, const ways_point *from, const ways_point *to, bool *is_free);
fr_result ways_over(const solids *s, const ways_point ends[2], const ways_point *third, bool *is_free);

/* Marks what the last move has passed over (solids_sweep.c). */
fr_result solids_sweep(solids *s, const region *both);

/* Open shares of the faces in the region, from those distances; never more than the still obstacles alone leave open.
   solids_restore_faces puts those back, and stops the walls (solids_faces.c). */
fr_result solids_open_faces(solids *s, const region *r);
void solids_restore_faces(solids *s, const region *r);
void solids_join_ends(solids *s, const region *r);
void solids_set_walls(solids *s, const region *r);

/* Layers and marks of the region, from the open shares (solids_layers.c). */
void solids_mark(solids *s, const region *r);

#endif
