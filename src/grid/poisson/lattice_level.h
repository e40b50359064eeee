/* One level of the multigrid hierarchy: a block of cells, red–black, with each colour stored separately.

   Cell (i, j, k) has the colour (i + j + k) mod 2 and lies at slot ⌊i/2⌋ of the row (j, k) of its colour:

     row (j, k), j + k even      colour 0:  i = 0 2 4 6 …       colour 1:  i = 1 3 5 7 …
                     slot h                     0 1 2 3 …                      0 1 2 3 …

   so the neighbours of a cell along y and z have the same slot in the other colour; those along x have the same slot
   and one next to it. All loops run over consecutive slots.

   Rows are padded to LANES slots. Each plane has a ghost row on both sides, and in 3D the block has a ghost plane on
   both sides: zero, or copies where an axis is periodic. Along x a periodic row keeps its two ghosts in its padding; a
   closed one needs none, because the weights at its ends are 0. The weights of faces across x are stored by i mod 2
   instead of by colour, so that this holds for them too: the entry after the last face of a row is then face 0 of the
   next row, which is closed as well.

   Work follows the active cells, not the box: each row keeps the span of blocks in which they lie. Outside the spans
   flags, weights and vectors are 0 and codes BLOCK_EMPTY, and no pass goes there. */
#ifndef FR_GRID_POISSON_LATTICE_LEVEL_H
#define FR_GRID_POISSON_LATTICE_LEVEL_H

#include <freshet/base.h>

#include "base/wide.h"

enum { LANES_SHIFT = 4, LANES = 1 << LANES_SHIFT };

/* What a block of LANES slots holds; selects the kernel. */
typedef enum lattice_code {
    BLOCK_EMPTY,       /* no active cell */
    BLOCK_INTERIOR,    /* all weights 1, all extras `base` */
    BLOCK_FIRST,       /* interior, except for what is missing at the start of a row: see lattice_end */
    BLOCK_LAST,        /* the same at the end of a row of several blocks */
    BLOCK_BINARY,      /* all weights 0 or 1, extras `base` in active cells */
    BLOCK_EDGE,        /* all weights 0 or 1, stored extras, and beyond closed faces x is 0, in inactive cells or
                          ghosts: liquid beside air */
    BLOCK_GENERAL      /* stored weights and extras */
} lattice_code;

/* Bits 0 … 5 of a cell's flags: its faces −x +x −y +y −z +z have weight 1. */
enum {
    FLAG_FACES = 63,
    FLAG_LIVE = 64,    /* active: some weight or the extra is not 0 */
    FLAG_MOVED = 128,  /* one bit per axis, shifted by its number: the parent is the left neighbour of the usual one */
    FLAG_MOVED_ON = 1024, /* the same: its right neighbour */
    FLAG_ANY_MOVED = 7 * (FLAG_MOVED | FLAG_MOVED_ON)
};

/* One float per cell, by colour; each pointer is at the slot of row (0, 0). */
typedef struct lattice_vector {
    float *of[2];
} lattice_vector;

/* The masks and diagonal of the first or last block of a row that is interior except for the row's end. They are the
   same for all rows, so the flags need not be read: in rows of 128 cells a quarter of the blocks are such ends, and
   each would cost a cache line from memory. */
typedef struct lattice_end {
    wide_mask flags[LANES / WIDE];
    wide_mask live[LANES / WIDE];      /* all bits in active cells */
    wide_mask open[2][LANES / WIDE];   /* all bits where the face −x, +x is open */
    wide inverse[LANES / WIDE];        /* 1 / diagonal; 0 in inactive cells */
} lattice_end;

/* Blocks [begin, end) of a row that hold all its active cells, of both colours; begin = end: there are none. */
typedef struct lattice_span {
    int begin, end;
} lattice_span;

/* A work item: rows [j0, j1) of plane k; partial results are stored by `item`. */
typedef struct lattice_strip {
    int item, k, j0, j1;
} lattice_strip;

typedef struct lattice {
    int n[3];
    bool wrap[3];          /* periodic and more than one cell */
    bool clash;            /* periodic with an odd number of cells: neighbours at the seam have the same colour */
    bool deep;             /* more than one cell along z */
    bool coarsen[3];       /* axes that the next coarser level halves */
    double c[3];           /* coefficient per axis */
    double base;           /* extra of an ordinary cell */
    bool surface;          /* the active cells may end at a free surface: most rows then have uneven blocks */
    bool unobstructed;     /* of the finest level: all faces between active cells are open */
    bool closed;           /* no extra anywhere: the constants are the null space */
    ptrdiff_t row, plane;  /* slots to the next row and plane; plane 0 when flat */
    ptrdiff_t origin;      /* slots before row (0, 0) */
    ptrdiff_t slots;       /* of one colour, ghosts included */
    int blocks;            /* of LANES slots in a row */
    int band, bands;       /* rows per work item; items per plane */
    lattice_span *span;    /* [k·n[1] + j] */
    lattice_strip *strips; /* per item: its rows from the first to the last active one */
    int32_t *load;         /* active blocks in the items before each item, and at the end of all of them */
    int slices[2];         /* first and end of the slices with active cells: see lattice_slice_items */
    lattice_vector w[3];   /* weight of the low face across each axis: see lattice_low */
    lattice_vector e;      /* extra; on the finest level see lattice_tie */
    lattice_vector over;   /* with a surface: 1 / diagonal in blocks from BLOCK_BINARY on, 0 in inactive cells, negative
                              in those with more extra than `base` */
    uint16_t *flags[2];
    uint8_t *code[2];      /* lattice_code of each block, [slot / LANES] */
    lattice_end end[2][2]; /* by i mod 2; first block, last block */
    uint8_t *moved_rows;   /* [k·n[1] + j]: the row has cells with FLAG_MOVED */
    bool moved;            /* some row has */
    lattice_vector x, b;   /* unknown and right-hand side of the correction */
    lattice_vector side[3];/* residual sums of the low children along each axis; not on the finest level */
    void *memory;
} lattice;

/* Sets sizes and strides; allocates nothing. */
typedef struct lattice_shape {
    int n[3];
    bool periodic[3];
} lattice_shape;
void lattice_layout(lattice *l, const lattice_shape *shape);

/* The bytes of the arrays of one level; the finest one has no `side`. */
size_t lattice_bytes(const lattice *l, bool finest);
fr_result lattice_allocate(lattice *l, bool finest);
void lattice_free(lattice *l);

static inline ptrdiff_t lattice_at(const lattice *l, int j, int k) { return j * l->row + k * l->plane; }
/* i mod 2 of the cells of this colour in row (j, k). */
static inline int lattice_parity(int colour, int j, int k) { return (colour + j + k) & 1; }
static inline int lattice_colour(int i, int j, int k) { return (i + j + k) & 1; }
static inline ptrdiff_t lattice_slot(const lattice *l, int i, int j, int k) { return lattice_at(l, j, k) + (i >> 1); }
/* Cells of parity `parity` in a row of n. */
static inline int lattice_half(int n, int parity) { return (n - parity + 1) / 2; }
/* Where cells of one colour start: the first slot of a row or block, and their i mod 2. */
typedef struct lattice_site {
    int colour, parity;
    ptrdiff_t at;
} lattice_site;
/* The arrays with the weights of the low and the high faces of the cells of a row. The high face of a cell is stored at
   the slot of its neighbour. */
static inline float *lattice_low(const lattice *l, int axis, int colour, int parity)
{
    return l->w[axis].of[axis == 0 ? parity : colour];
}
static inline float *lattice_high(const lattice *l, int axis, int colour, int parity)
{
    return l->w[axis].of[axis == 0 ? 1 - parity : 1 - colour];
}
static inline int lattice_items(const lattice *l) { return l->bands * l->n[2]; }

/* How many cells become one of the next coarser level. */
static inline int lattice_children(const lattice *l)
{
    return (l->coarsen[0] ? 2 : 1) * (l->coarsen[1] ? 2 : 1) * (l->coarsen[2] ? 2 : 1);
}

/* Fills the periodic ghosts of one colour's array, `unit` bytes per slot. Both arrays are given, because a clashing
   seam copies from the other colour. `arrays` as in lattice_vector. */
void lattice_wrap(const lattice *l, void *const arrays[2], size_t unit, int colour);
static inline void lattice_wrap_vector(const lattice *l, const lattice_vector *v, int colour)
{
    lattice_wrap(l, (void *const[2]){v->of[0], v->of[1]}, sizeof(float), colour);
}

typedef void (*lattice_work)(void *context, const lattice_strip *strip);

/* All rows of an item, active or not. */
static inline lattice_strip lattice_strip_whole(const lattice *l, int item)
{
    int j0 = item % l->bands * l->band, j1 = j0 + l->band;
    return (lattice_strip){item, item / l->bands, j0, j1 < l->n[1] ? j1 : l->n[1]};
}

/* A slice is a plane, or on flat levels an item; this many items are in each. */
static inline int lattice_slice_items(const lattice *l) { return l->deep ? l->bands : 1; }

/* Calls `work` on the strips of all slices with active cells, in parallel. */
void lattice_for(const lattice *l, lattice_work work, void *context);

static inline lattice_span lattice_span_of(const lattice *l, int j, int k) { return l->span[k * l->n[1] + j]; }

/* The active slots of a row: `count` of them from `at` on, which is slot `first` of the row. */
typedef struct lattice_run {
    ptrdiff_t at, first, count;
} lattice_run;

static inline lattice_run lattice_run_of(const lattice *l, int j, int k)
{
    lattice_span span = lattice_span_of(l, j, k);
    ptrdiff_t first = (ptrdiff_t)span.begin * LANES;
    return (lattice_run){lattice_at(l, j, k) + first, first, (ptrdiff_t)(span.end - span.begin) * LANES};
}

/* The share of the level's blocks that are in spans. */
static inline double lattice_active(const lattice *l)
{
    return l->load[lattice_items(l)] / ((double)l->blocks * l->n[1] * l->n[2]);
}

/* In cells of closed components the extra is 0; its storage holds the component's number instead, as an integer with
   the sign bit set, so it is never a positive float. */
static inline float lattice_tie(float stored) { return stored > 0 ? stored : 0; }

#endif
