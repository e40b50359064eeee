/* Shared by the files that lay solids on the grid. */
#ifndef FR_MAC_SOLIDS_SOLIDS_PARTS_H
#define FR_MAC_SOLIDS_SOLIDS_PARTS_H

#include "mac/solids/solids.h"

/* Which bodies a pass lays on the grid: those that stand still, alone, or the moving ones on top of them. */
typedef enum solids_which { SOLIDS_STILL, SOLIDS_MOVING } solids_which;

/* User functions may not run on several threads. */
bool solids_parallel(const solids *s);

/* Whether nothing but rigid bodies is there: then corners are far from all that counts for them. */
static inline bool solids_all_rigid(const solids *s) { return s->rigid_count == s->body_count; }

/* Cells around a moving body's bounding box in which it can change anything: a cell for what it cuts, the layers of
   other obstacles that it touches, and one more. */
static inline int solids_margin(const solids *s) { return solids_depth(s) + 2; }

/* Distances and owners of all cells, distances of the corners in the region (solids_distance.c). */
fr_result solids_sample_cells(solids *s, solids_which which);
fr_result solids_sample_corners(solids *s, solids_which which, const region *r);

/* Half a diagonal of a cell, m: beyond this distance it has nothing of an obstacle in it, as deep inside nothing else.
 */
double solids_clear(const domain *d);

/* Whether the two cells of a face are as far outside, or inside. */
static inline bool solids_are_clear(double low, double high, double clear)
{
    return (low < high ? low : high) > clear || (low > high ? low : high) < -clear;
}

/* Whether the two cells of a face that are not are on the same side of the obstacles there (solids_ways.c). */
fr_result solids_joins(const solids *s, int axis, const int face[3], bool *joins);

/* To the nearest obstacle, from any point; the same of those without shares. The tree that finds it has room for all
   bodies, and is built where they are (solids_tree.c). */
fr_result solids_distance_at(const solids *s, const double point[3], double *nearest);
fr_result solids_distance_to_others(const solids *s, const double point[3], double *nearest);
fr_result tree_create(int bodies, solids_tree **out);
void tree_destroy(solids_tree *t);
double tree_bytes(int bodies);
void tree_build(solids *s);

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

/* The shares of the octants of cells in a row, from `cell` on, that are inside a shape: bit a of an octant's number
   says that it is in the upper half along axis a. In 2D the octants above are as those below (solids_cut.c). */
enum { CUT_OCTANTS = 8, CUT_MOST = 64 };
fr_result solids_cut(const shape *s, const domain *d, const int cell[3], int count, double part[][CUT_OCTANTS]);

/* Memory for what a body covers, and how much that is (solids_shares.c). */
fr_result shares_create(const domain *d, const shape *s, solids_shares **out);
void shares_destroy(solids_shares *shares);
double shares_bytes(const domain *d, const shape *s);

/* Where a cell, or the face below it, is in the arrays. */
static inline ptrdiff_t shares_place_of(const solids_shares *r, const int at[3])
{
    return at[0] - r->box.low[0] +
           r->size[0] * (at[1] - r->box.low[1] + (ptrdiff_t)r->size[1] * (at[2] - r->box.low[2]));
}

/* The layer of a row of samples; memory for the lists of layers, and how much that is. */
static inline int shares_layer(const domain *d, const int row[2]) { return row[d->dims == 3 ? 1 : 0]; }
fr_result layers_create(const domain *d, int bodies, solids_layers *out);
void layers_destroy(solids_layers *l);
double layers_bytes(const domain *d, int bodies);

/* Finds what rigid bodies cover, each for itself. */
fr_result solids_lay_shares(solids *s);

/* Takes what rigid bodies cover of a row of faces (solids_covers.c) from what others leave open of it. Where they take
   more than that, or almost all, they have all of it, in proportion. */
void solids_cover_faces(const solids *s, int axis, const int row[2], const int span[2], float *open);

/* Gives what is open of a face to the rigid body that is nearest to it; false: another is nearest. */
bool solids_give_face(const solids *s, int axis, const int face[3], float open);

/* Samples of a row of faces across an axis, or of cells (−1). */
typedef struct shares_run {
    int axis, row[2], first, count;
} shares_run;

/* Adds what all rigid bodies cover of samples (false: none is there); the same times how fast each moves along the
   faces' axis, m/s, but nothing on the domain's sides. */
bool solids_add_shares(const solids *s, const shares_run *run, double *share);
void solids_add_motion(const solids *s, const shares_run *run, double *moved);

/* Lists what rigid bodies push (solids_push.c). */
fr_result push_create(const domain *d, int64_t room, solids_push *out);
void push_destroy(solids_push *p);
double push_bytes(const domain *d, int64_t room);
void solids_list_pushes(solids *s);

/* How fast a body moves at a point, along an axis. */
double solids_motion_along(const solids_body *body, int axis, vec3 at);

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

/* `volume` in the region, from the distances and the open faces; fills the ghosts of these (solids_volume.c). */
void solids_measure(solids *s, const region *r);

#endif
