/* Obstacles on the grid: how much of each face is open, how they move, which samples lie inside, and from where values
   are extended into them. All of it follows from where the bodies are, however they came there. */
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

typedef struct solids_body {
    shape *shape;
    bool moves;
    motion motion;           /* as it was laid on the grid last */
    pose before;             /* as it was laid there before that */
} solids_body;

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
    field corner;            /* m: signed distance at the corners near moving obstacles */
    solids_body *bodies;
    int body_count;
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
   `face_layers` and `face_marks`, and the layers are as deep as those of the flow. Watertight obstacles let nothing
   through, however thin they are; others do where they lean. */
typedef struct solids_kind {
    int refine;
    bool watertight;
} solids_kind;

fr_result solids_create_as(const bodies *b, const domain *d, solids_kind kind, solids *out);
void solids_destroy(solids *s);

/* Puts the moving ones where the bodies are now. Says whether one stands elsewhere than before: only then have faces
   changed. Allocates nothing. Only a distance that the scene gives as a function can fail. */
fr_result solids_move(solids *s, const bodies *b, bool *changed);

/* The greatest distance, in cells, that a point of an obstacle goes between two times. */
fr_result solids_travel(const solids *s, double from, double to, double *cells);

/* What solids_create will take, bytes. */
double solids_bytes(const fr_obstacle_def *obstacles, int count, const domain *d, solids_kind kind);

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

/* Sets `volume` from the distances and the open faces, and fills the ghosts of these. */
void solids_measure(const domain *d, solids *s);

#endif
