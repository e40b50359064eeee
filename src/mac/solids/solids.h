/* Obstacles on the grid: how much of each face is open, how they move, which samples lie inside, and from where values
   are extended into them. All of it follows from where the bodies are, however they came there.

   Rigid bodies move with the pressure. What such a body covers of a face is the share of the cube of one cell around
   the face's middle that is inside it. So its shares on the faces across any axis add up to its volume, and the
   pressure of resting water lifts it by its weight in water wherever it is between the cells. What a rigid body covers,
   what other obstacles close and what is open add up to the whole face. */
#ifndef FR_MAC_SOLIDS_SOLIDS_H
#define FR_MAC_SOLIDS_SOLIDS_H

#include <freshet/defs.h>

#include "geom/shape.h"
#include "grid/extend.h"
#include "method/bodies.h"
#include "mac/solids/region.h"

/* Layers of closed samples for grid/extend.h, counted from the fluid. A sliver is a face that is open, but so little
   that its middle lies inside the obstacle: fluid to its neighbours. */
enum {
    SOLIDS_FLUID = EXTEND_KNOWN,
    SOLIDS_LAYERS = 3,
    SOLIDS_SLIVER = EXTEND_PARTLY,
    SOLIDS_GHOST = EXTEND_OUTSIDE,
    SOLIDS_DEEP = EXTEND_FAR
};

/* Whether so much of a face is open that its middle is. */
static inline bool solids_half_open(float share) { return share >= 0.5f; }

/* The most cells that take over from closed ones beside them, per body. */
enum { SOLIDS_PASSED_ON = 64 };

/* The cells that a rigid body pushes at, and the volume (m³; in 2D m²) that it pushes out of each of them per metre
   that it moves along x, y, z (push[0 … 2]), and per radian that it turns about axes along x, y, z through its centre
   of mass (push[3 … 5]). In 2D push[2 … 4] are 0. Only cells with an open face are listed. */
typedef struct solids_push {
    int count, room;
    int32_t *cell;           /* i + n_x (j + n_y k), ascending, each once */
    float *push[6];
    int passed;              /* what is in these from closed cells beside them, where bodies touch */
    int32_t passed_cell[SOLIDS_PASSED_ON];
    float passed_push[SOLIDS_PASSED_ON][6];
} solids_push;

/* What a rigid body covers, in a box of cells. Places of the box are those of its cells and of the faces below these,
   and one more along each axis for the faces beyond. Faces on the domain's sides have half a cube, that inside. */
typedef struct solids_shares {
    region_box box;          /* none when the body is not in the domain */
    int size[3];             /* places along each axis */
    int64_t room;            /* places that there is memory for */
    float *cell, *face[3];   /* shares of cells, and of the cubes around the faces across each axis */
    float *doubt, *doubts[3]; /* by how much each may change when they are made to fit the volume; scratch */
    solids_push push;
} solids_shares;

typedef struct solids_body {
    shape *shape;
    bool moves;
    bool rigid;              /* found by the world of bodies */
    bool present;            /* laid on the grid at all */
    motion motion;           /* as it was laid on the grid last */
    pose before;             /* as it was laid there before that */
    bool appears;            /* it was not there before that */
    double centre[3];        /* m: of mass; of rigid ones */
    double filled;           /* m³ (in 2D m²): how much it is; of rigid ones */
    double min[3], max[3];   /* m: contain it; of those that move */
    solids_shares *shares;   /* of rigid ones; NULL: what others close of a face is the area that they cover */
} solids_body;

/* The rigid bodies whose shares reach into each layer of rows, ascending: those of layer n are of[first[n]] up to
   of[first[n + 1]]. A layer is a plane across z; in 2D a row. */
typedef struct solids_layers {
    int count;
    int *first;
    uint16_t *of;
} solids_layers;

/* Finds the nearest of them (solids_tree.c). */
typedef struct solids_tree solids_tree;

/* The grid with the obstacles alone that stand still; moving ones are laid over it. Empty when there are none. */
typedef struct solids_still {
    field distance, corner, open[3];
    uint16_t *owner;
    uint8_t *sealed;
} solids_still;

typedef struct solids {
    bool any;
    bool moving;             /* one of them can move */
    field distance; /* m, cells: signed distance to the nearest obstacle, negative inside, ghosts filled; far from
                       moving ones a lower bound of it. Made by solids_create, solids_move */
    field open[3];           /* open share of each face, ghosts filled; made with it */
    field wall[3]; /* m/s: how the obstacle moves on faces that it cuts or whose middle it holds, 0 on others; empty
                      unless `moving` */
    uint16_t *owner;         /* nearest obstacle of every cell, by block offset */
    uint16_t *other;         /* the nearest that is not rigid; NULL: none of these moves, or none is rigid */
    field volume;            /* open share of each cell, for totals, diffusion and fluxes; made by solids_measure */
    uint8_t *cell_layers;    /* of cells by block offset; a cell is closed when it has no open face */
    uint8_t *face_layers[3]; /* of faces, slivers among them; one is closed when nothing of it is open */
    uint8_t *cell_marks;     /* diffusion_mark of every cell, by block offset: outside in closed cells */
    uint8_t *warm_marks; /* the same for temperature: fixed in obstacles that have one, wherever the centre is inside,
                            whole around them; NULL when none has */
    uint8_t *face_marks[3]; /* of every face: fixed in obstacles that stick, wherever the centre is inside or the face
                               closed; outside where closed by those that slip */

    uint8_t *sealed; /* watertight obstacles: of cells by block offset, bit a where the face below the cell along axis a
                        lies between two sides of a wall, and nothing may pass; NULL: they are not */
    bool any_sealed;
    uint16_t *swept; /* watertight obstacles that move: of cells by block offset, what the last move did to them; see
                        below. NULL: none moves */
    bool any_swept;          /* the last call of solids_move has moved some */

    const fr_obstacle_def *obstacles;   /* one per body */
    int refine;              /* cells per cell of the flow; 1: the flow's own grid, else one for scalars alone */
    domain domain, corners;  /* cells of `corners` are the corners of ours */
    field corner;            /* m: signed distance at the corners near moving obstacles; rigid ones do not count */
    float far;               /* m: the distance where nothing is near */
    solids_body *bodies;
    int body_count, rigid_count;
    solids_tree *tree;
    solids_layers layers;
    solids_still still;
    region_box *boxes; /* cells around the moving bodies: as they stand, then as they stood before the last move */
    int box_count;           /* of each */
} solids;

/* Marks in `swept`: the cell's centre was inside before the move; a wall has passed over the cell, and what was in it
   belongs to the cell that the rest of the mark leads to, if there is one. */
enum { SWEPT_INSIDE = 1 << 15, SWEPT_PASSED = 1 << 14, SWEPT_REACH = 3 };

static inline uint16_t solids_swept_code(const int off[3])
{
    enum { SIDE = 2 * SWEPT_REACH + 1 };
    return (uint16_t)(1 + off[0] + SWEPT_REACH + SIDE * (off[1] + SWEPT_REACH + SIDE * (off[2] + SWEPT_REACH)));
}

/* Where the mark of a cell leads; false: nowhere. */
static inline bool solids_swept_to(uint16_t mark, const int cell[3], int to[3])
{
    enum { SIDE = 2 * SWEPT_REACH + 1 };
    int code = (mark & (SWEPT_PASSED - 1)) - 1;
    to[0] = cell[0] + code % SIDE - SWEPT_REACH;
    to[1] = cell[1] + code / SIDE % SIDE - SWEPT_REACH;
    to[2] = cell[2] + code / SIDE / SIDE - SWEPT_REACH;
    return code >= 0;
}

/* Where the last move has carried a point of a body. */
vec3 solids_carried(const solids_body *body, vec3 x);

/* How many layers there are: three cells of the flow deep. */
static inline int solids_depth(const solids *s) { return SOLIDS_LAYERS * s->refine; }

/* The bodies where they are. `any` stays false without bodies, and no memory is taken. */
fr_result solids_create(const bodies *b, const domain *d, solids *out);

/* With refine > 1, a grid on which scalars live and no flow, so many times as fine as the flow's: there are no `wall`,
   `face_layers` and `face_marks`, the layers are as deep as those of the flow, and rigid bodies close faces by area.
   Watertight obstacles let nothing through, however thin they are; others do where they lean. */
typedef struct solids_kind {
    int refine;
    bool watertight;
    int rigid; /* for solids_bytes alone: how many are rigid */
} solids_kind;

fr_result solids_create_as(const bodies *b, const domain *d, solids_kind kind, solids *out);
void solids_destroy(solids *s);

/* Puts the moving ones where the bodies are now. Says whether one stands elsewhere than before, or has come or gone:
   only then have faces changed. Allocates nothing. Only a distance that the scene gives as a function can fail. */
fr_result solids_move(solids *s, const bodies *b, bool *changed);

/* Takes over how fast the bodies are while they stay where they are: only `wall` changes. Unlike solids_move it leaves
   alone what the last move has swept. */
void solids_take_speeds(solids *s, const bodies *b);

/* The greatest distance, in cells, that a point of an obstacle goes between two times. */
fr_result solids_travel(const solids *s, double from, double to, double *cells);

/* What solids_create will take, bytes; the last `kind.rigid` obstacles are rigid. Fails where a shape does. */
fr_result solids_bytes(const fr_obstacle_def *obstacles, int count, const domain *d, solids_kind kind, double *bytes);

/* What a rigid body pushes, as it was laid on the grid last. On the domain's sides nothing is pushed: they belong to
   the walls. A body that reaches through a side feels no pressure on its section there. */
const solids_push *solids_pushes(const solids *s, int body);

/* Adds to a field of cells, 1/s, what rigid bodies push out of closed cells where they touch, and pass on. */
void solids_pass_on(const solids *s, field *divergence);

/* By how much more the faces of a cell across an axis are covered by a rigid body than it fills the cell, m³ (in 2D
   m²). Over a body that adds up to nothing, but where it is thinner than a cell and closes whole faces: the pressures
   in the middles of cells are those further from each other than its two sides, and lift it by the weight of as much
   resting water too much, times the share of the cell that is wet. */
double solids_surplus(const solids *s, int body, const int cell[3], int axis);

/* The volume that a rigid body covers (m³; in 2D m²) as the faces across an axis have it, or the cells (−1). Those of
   faces are more where it is thinner than a cell: there it closes whole faces. */
double solids_share_volume(const solids *s, int body, int axis);

/* Which obstacle a sample of cells or faces belongs to: the nearest of its cell, or of the nearer of a face's two
 * cells. */
uint16_t solids_owner(const solids *s, const domain *d, const field *layout, const int at[3]);

/* How fast the wall moves on a face, along its axis, m/s. */
static inline float solids_wall(const solids *s, int axis, ptrdiff_t block_offset)
{
    return s->wall[axis].block ? s->wall[axis].block[block_offset] : 0;
}

/* How fast the obstacle that holds a face moves along that face's axis, m/s, `shift` cells from its centre along axis
   b: a body that turns has another speed on its surface than in the nearest face. */
double solids_wall_beside(const solids *s, int axis, const int face[3], int b, double shift);

/* Share of a cell that is not obstacle, from the distance at its centre. */
float solids_open_volume(const domain *d, float distance);


#endif
