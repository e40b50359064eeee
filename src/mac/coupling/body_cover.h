/* What a rigid body covers of the grid: of each cell the share and the centre of mass of what lies in it, and of each
   face the share of the box of a cell's size around its middle, for which its velocity stands (Carlson 2004, section
   5.5). Over all faces across an axis the shares add up to as much as over the cells: all come from the same samples.

   Made anew whenever bodies have moved, in the room of the largest box that the body can fill in any pose. */
#ifndef FR_MAC_COUPLING_BODY_COVER_H
#define FR_MAC_COUPLING_BODY_COVER_H

#include <freshet/defs.h>

#include "geom/shape.h"
#include "grid/field.h"

/* A box of cells with one more layer at the high ends, for the faces there: all arrays are alike. */
typedef struct body_cover {
    domain d;
    int low[3], size[3]; /* cells; on periodic axes `low` may lie outside the block */
    ptrdiff_t stride[3];
    size_t room;      /* of each array */
    float *share;     /* cells */
    float *centre[3]; /* of what is covered, from the cell's middle, in cells */
    float *face[3];   /* faces; in 2D there are two of each */
} body_cover;

/* The shape may stand in any pose; no bounds of it are endless. */
fr_result body_cover_create(const domain *d, const shape *s, body_cover *out);
void body_cover_destroy(body_cover *c);
double body_cover_bytes(const domain *d, const shape *s); /* what body_cover_create will take */

/* The shape where it stands now. Shares of cells that its surface may cut come from 64 samples of its distance.
   Allocates nothing; only a distance that the scene gives as a function can fail. */
fr_result body_cover_make(body_cover *c, const shape *s);

/* What all bodies may fill of the faces. */
typedef struct body_space {
    const field *open;     /* one per axis: what obstacles leave of a face; NULL: all */
    const bool *open_side; /* FR_SIDES: flow goes through; nothing covers the faces on other sides */
    float *spare;          /* working memory, as large as the largest component; spoilt */
} body_space;

/* Bodies and obstacles together cover no face more than once: what is too much is taken from all bodies there alike.
   Once after all covers have been made. */
void body_cover_limit(body_cover *const *covers, int count, const body_space *space);

/* phi = min(phi, distance to the shape) in the cells around it, the margin of two cells included that the pressure's
   surface needs: where liquid and body together are. Ghosts are for the caller to fill. */
fr_result body_cover_join(const domain *d, const shape *s, field *phi);

/* The share of the covered volume where φ is negative; NULL: 1. 0 when nothing is covered. */
double body_cover_wet(const body_cover *c, const field *phi);

/* Where a cell or face of the box is in the arrays; faces have the number of the cell on their high side. */
static inline size_t body_cover_index(const body_cover *c, const int cell[3])
{
    return (size_t)(cell[0] * c->stride[0] + cell[1] * c->stride[1] + cell[2] * c->stride[2]);
}

/* A piece of the body in a cell or around a face. */
typedef struct body_piece {
    ptrdiff_t at; /* the sample of the layout */
    size_t index; /* in the cover's arrays */
    float *share;
    double place[3]; /* m: the centre of mass in a cell, the middle of a face; not wrapped on periodic axes */
} body_piece;

/* All pieces, by rows:  for (body_walk w = body_walk_on(c, &layout); body_walk_next(&w, &piece);) */
typedef struct body_walk {
    const body_cover *c;
    const field *layout;
    int next[3], end[3];
    double origin[3]; /* m: sample (0, 0, 0) */
} body_walk;
body_walk body_walk_on(const body_cover *c, const field *layout);
bool body_walk_next(body_walk *w, body_piece *piece);

#endif
