/* Internals of the search for components, shared by its files: components_tied.c looks whether there is
   anything to search, components.c makes and joins the runs, components_number.c numbers the components. */
#ifndef FR_GRID_POISSON_COMPONENTS_PARTS_H
#define FR_GRID_POISSON_COMPONENTS_PARTS_H

#include "grid/poisson/components.h"

/* A run is a sequence of cells of one colour in a row that are joined through the cells between them; its first cell
   represents it. Runs are joined by union–find (Galler and Fischer 1964) with path halving. A cell is identified by its
   slot; the slots of colour 1 are counted after those of colour 0.

   A whole row, with no closed face except at its ends, is one run of both colours. Most rows are whole, so their cells
   need not be visited one by one. */
typedef struct components {
    const lattice *l;
    int32_t *run;        /* per slot: first cell of its run */
    int32_t *parent;     /* per first cell: another first cell of the component, or, in a root, its mark */
    int *roots;          /* per slab: number of free roots */
} components;

/* Slabs of rows that are joined in parallel. */
enum { COMPONENTS_SLABS = 16 };

/* Marks of roots; a numbered root holds ROOT_NUMBERED − number. */
enum { ROOT_FREE = -1, ROOT_TIED = -2, ROOT_NUMBERED = -3 };

static inline int32_t components_base(const components *c, int colour)
{
    return (int32_t)(colour * c->l->slots + c->l->origin);
}

static inline int32_t components_root(const components *c, int32_t cell)
{
    int32_t *parent = c->parent;
    while (parent[cell] >= 0) {
        if (parent[parent[cell]] >= 0)
            parent[cell] = parent[parent[cell]];
        cell = parent[cell];
    }
    return cell;
}

/* Rows are numbered k·n[1] + j. */
static inline ptrdiff_t components_row_at(const lattice *l, int row)
{
    return lattice_at(l, row % l->n[1], row / l->n[1]);
}

static inline bool components_whole(const lattice *l, int row)
{
    ptrdiff_t first = components_row_at(l, row) / LANES;
    bool whole = l->span[row].end - l->span[row].begin == l->blocks;
    for (int colour = 0; colour < 2; colour++)
        for (const uint8_t *code = l->code[colour] + first; whole && code < l->code[colour] + first + l->blocks; code++)
            whole = *code != BLOCK_EMPTY && *code < BLOCK_BINARY;
    return whole;
}

/* The first cell of a whole row. */
static inline int32_t components_row_run(const components *c, int row)
{
    return components_base(c, 0) + (int32_t)components_row_at(c->l, row);
}

static inline unsigned components_live(const uint16_t *flags)
{
    return wide_bits((wide_load_small(flags) & FLAG_LIVE) != 0) |
           wide_bits((wide_load_small(flags + WIDE) & FLAG_LIVE) != 0) << WIDE;
}

/* One bit per slot of a block: set where the number stored there is positive: an open face, an extra. */
static inline unsigned components_open(const float *w)
{
    return wide_bits(wide_load(w) > 0) | wide_bits(wide_load(w + WIDE) > 0) << WIDE;
}

static inline int components_first(unsigned bits) { return __builtin_ctz(bits); }
static inline int components_last(unsigned bits) { return 31 - __builtin_clz(bits); }

/* Whether the block codes alone show that no run begins in a block: it is interior, and so is the block with the cell
   before its first. */
static inline bool components_continues(const lattice *l, lattice_site site)
{
    return l->code[site.colour][site.at >> LANES_SHIFT] == BLOCK_INTERIOR &&
           l->code[1 - site.colour][(site.at + site.parity - 1) >> LANES_SHIFT] == BLOCK_INTERIOR;
}

/* Rows [first, end). */
typedef struct components_rows {
    int first, end;
} components_rows;

/* Each slab of rows is joined internally by one thread, then the slabs are joined to each other. The root of a
   component is always its lowest cell, however the rows are split. */
static inline components_rows components_slab(const components *c, int slab)
{
    int64_t rows = (int64_t)c->l->n[1] * c->l->n[2];
    return (components_rows){(int)(rows * slab / COMPONENTS_SLABS), (int)(rows * (slab + 1) / COMPONENTS_SLABS)};
}

/* Whether it is plain that every component has an extra; leaves zeros in what it uses of `run`. */
bool components_all_tied(const components *c);

/* Numbers the free roots once all runs are joined, and stores the numbers in the cells. Sets `closed` of the level.
   Returns the number of components. */
int components_number_all(const components *c, lattice *finest);

#endif
