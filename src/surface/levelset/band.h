/* Working memory of a level set, and patches: a block of cells with a margin, gathered for kernels that need their
   neighbours. */
#ifndef FR_SURFACE_LEVELSET_BAND_H
#define FR_SURFACE_LEVELSET_BAND_H

#include "base/wide.h"
#include "surface/levelset/levelset.h"

enum { PATCH_MARGIN = 3, PATCH_MOST = 16 * 14 * 14, BLOCK_CELLS = 512, BLOCK_ROWS = 64 };

/* Cells of a block, relative to its first one; none when low > high. */
typedef struct band_span {
    int16_t low[3], high[3];
} band_span;

struct levelset {
    domain d;
    float width;         /* m */
    int reach[3];        /* the width in cells, */
    int ahead[3];        /* and with what the surface moved by when it was last carried */
    int side[3];         /* cells of a block: 8³, or 16² in 2D; rows are whole vectors */
    int blocks[3];       /* blocks of the box */
    bool open[6];        /* sides beyond which there is air */
    ptrdiff_t stride[3]; /* of a patch; stride[2] = 0 in 2D */
    int size[3];         /* of a patch, with margins */
    ptrdiff_t centre;    /* offset of the block's first cell in a patch */

    int32_t *list; /* the listed blocks, ascending; number x first */
    int count;
    int32_t *slot;       /* per block of the box: its place in the list, or −1 */
    uint8_t *mark;       /* one per block of the box: takes part in the next pass (band_marks) */
    int32_t *along[3];   /* scratch, numbers of blocks along an axis */
    band_span *crossing; /* per listed block: cells with a neighbour of the other sign */
    int32_t *turn;       /* scratch, places in the list */
    uint8_t *colour;     /* scratch, one per listed block */
    double *rows;        /* scratch, one per row of the box */
    double *partial;     /* per listed block: results of a pass, BAND_PARTIALS each */

    int capacity;      /* blocks in the arrays below */
    float *old, *next; /* values of the listed blocks, x first */
    uint8_t *beside;   /* per eight cells: bits of those beside the surface */
};

enum { BAND_PARTIALS = 4 };

/* What marks say. After band_update all blocks with cells beside the surface say so. */
enum band_marks { BAND_LEFT, BAND_TAKEN, BAND_CROSSED };
enum { BAND_WAITS = 4 }; /* for its turn: a bit beside them */

/* The first cell of a block, and how many of its cells lie in the box along each axis. */
typedef struct band_block {
    int first[3], inside[3];
} band_block;

/* Blocks of the box. */
int band_total(const levelset *ls);

band_block band_block_of(const levelset *ls, int number);

/* Gathers the block's patch from φ. Beyond the sides the values wrap around, or continue linearly; those
   of a distance no steeper than that can be. */
void band_gather(const levelset *ls, const field *phi, const band_block *b, bool distance, float patch[PATCH_MOST]);

/* The same for stencils that reach two cells along the axes, with what φ itself holds beyond the sides: */
void band_gather_cross(const levelset *ls, const field *phi, const band_block *b, float patch[PATCH_MOST]);
/* What distances beyond the sides are, for the lines through a block's cells. Where the surface meets the side it goes
   on beyond it, and cells may be nearer to it there than inside; all other lines end: they have ± the width. */
void band_hold_sides(const levelset *ls, const band_block *b, field *phi);

/* Lists the blocks within `reach` cells of the surface, which must lie in blocks already listed. Blocks that leave the
   list get ± the width. Then those listed are those marked. */
fr_result band_update(levelset *ls, field *phi, const int reach[3]);
/* The same over the whole box, by the signs of any φ, within the band's width. */
fr_result band_find(levelset *ls, field *phi);

/* The cell that stands for cell c along an axis: itself, or the one it wraps to; −1: beyond a side. */
static inline int band_cell(const domain *d, int axis, int c)
{
    const int n = d->n[axis];
    if (c >= 0 && c < n)
        return c;
    return d->periodic[axis] ? (c % n + n) % n : -1;
}

/* Whether the block's patch reaches beyond the box. */
bool band_at_sides(const levelset *ls, const band_block *b);

/* Calls `work` for pieces of the list. */
void band_for_blocks(const levelset *ls, void (*work)(void *, int, int), void *context);

/* Where the row (j, k) of a block begins: in its patch, and in its values. */
static inline ptrdiff_t band_patch_row(const levelset *ls, int j, int k)
{
    return ls->centre + j * ls->stride[1] + k * ls->stride[2];
}

static inline size_t band_block_row(const levelset *ls, int j, int k)
{
    return (size_t)((k * ls->side[1] + j) * ls->side[0]);
}

/* For each row of a block, bits of the cells that have a neighbour of the other sign. `first` is the block's first
   cell, in its patch or in φ. */
void band_beside(const levelset *ls, const float *first, const ptrdiff_t stride[3], uint16_t beside[BLOCK_ROWS]);

/* Widens a span by the cells of a row whose bits are set. */
void band_widen(band_span *span, unsigned cells, int j, int k);

/* Copies the values of the block that is listed as number m from φ; those beyond the box are left alone. */
void band_copy_block(const levelset *ls, int m, const field *phi, float *values);

/* Writes the values of the listed blocks that are marked into φ. */
void band_scatter_marked(const levelset *ls, const float *values, field *phi);

/* Marks the blocks that hold cells of the block's span or lie within `reach` cells of it. */
void band_mark(const levelset *ls, int number, const band_span *span, const int reach[3]);
void band_unmark(const levelset *ls);
/* Room for the values of all listed blocks, and a quarter more. */
fr_result band_reserve(levelset *ls);
/* Also lists the marked blocks. */
fr_result band_add_marked(levelset *ls);

/* The volume of φ < 0 in the listed blocks, m³; as levelset_volume. */
double band_volume(levelset *ls, const field *phi, const field *open);

#endif
