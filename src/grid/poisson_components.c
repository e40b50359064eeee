#include "grid/poisson_components.h"

#include "base/threads.h"

/* Cells of one colour that follow each other in a row and are joined through the cells between them make a run; its
   first cell stands for it. Runs are joined by union–find (Galler and Fischer 1964), with path halving. A cell's
   number is its slot, those of colour 1 after those of colour 0. */
typedef struct components {
    const lattice *l;
    int32_t *run;        /* per slot: first cell of its run */
    int32_t *parent;     /* per first cell: another one of the component, or for roots a mark */
} components;

/* Shares of the rows that are joined side by side. */
enum { SLABS = 16 };

/* Marks of roots; below them −NUMBERED − number. */
enum { ROOT_FREE = -1, ROOT_TIED = -2, ROOT_NUMBERED = -3 };

static int32_t components_base(const components *c, int colour)
{
    return (int32_t)(colour * c->l->slots + c->l->origin);
}

static int32_t components_root(const components *c, int32_t cell)
{
    int32_t *parent = c->parent;
    while (parent[cell] >= 0) {
        if (parent[parent[cell]] >= 0)
            parent[cell] = parent[parent[cell]];
        cell = parent[cell];
    }
    return cell;
}

static void components_join(const components *c, int32_t a, int32_t b)
{
    a = components_root(c, a);
    b = components_root(c, b);
    if (a != b)
        c->parent[a > b ? a : b] = a > b ? b : a;
}

/* Whether slot h of a row is joined to slot h − 1 through the cell between them. */
static bool components_follows(const lattice *l, int colour, int parity, ptrdiff_t at)
{
    bool live = l->flags[colour][at] & FLAG_LIVE && l->flags[colour][at - 1] & FLAG_LIVE;
    return live && l->w[0].of[parity][at] > 0 && l->w[0].of[1 - parity][at + parity - 1] > 0;
}

static void components_make_runs(const components *c, int colour, int j, int k)
{
    const lattice *l = c->l;
    int parity = lattice_parity(colour, j, k), count = lattice_half(l->n[0], parity);
    ptrdiff_t at = lattice_at(l, j, k);
    int32_t base = components_base(c, colour), first = 0;
    for (int h = 0; h < count; h++) {
        if (h == 0 || !components_follows(l, colour, parity, at + h)) {
            first = base + (int32_t)(at + h);
            c->parent[first] = ROOT_FREE;
        }
        c->run[base + at + h] = first;
        /* Cells of an interior block all follow each other. */
        if (h % LANES == 0 && l->code[colour][(at + h) / LANES] == BLOCK_INTERIOR)
            for (int end = h + LANES - 1; h < end; h++)
                c->run[base + at + h + 1] = first;
    }
}

/* Joins the cells of a block to their neighbours across one low face, `step` slots away in the other colour. Cells
   of interior blocks belong to one run. The cell i = 0 has its low neighbour along x across the seam: not here. */
static void components_join_block(const components *c, lattice_site site, int axis, ptrdiff_t step)
{
    int colour = site.colour;
    ptrdiff_t at = site.at;
    const lattice *l = c->l;
    int first = axis == 0 && step < 0 && at % l->row == 0 ? 1 : 0;
    const int32_t *own = c->run + components_base(c, colour) + at;
    const int32_t *other = c->run + components_base(c, 1 - colour) + at + step;
    const float *w = lattice_low(l, axis, colour, site.parity) + at;
    const uint16_t *flags = l->flags[colour] + at;
    bool interior = l->code[colour][at / LANES] == BLOCK_INTERIOR;
    bool single = interior && (axis == 0 || l->code[1 - colour][(at + step) / LANES] == BLOCK_INTERIOR);
    int32_t a = -1, b = -1;
    for (int h = first; h < (single ? first + 1 : LANES); h++) {
        if (!(flags[h] & FLAG_LIVE) || !(w[h] > 0) || (own[h] == a && other[h] == b))
            continue;
        a = own[h];
        b = other[h];
        components_join(c, a, b);
    }
}

/* Rows [first, end), numbered k·n[1] + j. */
typedef struct components_rows {
    int first, end;
} components_rows;

/* Joins a row to its low neighbours among the given rows. */
static void components_join_row(const components *c, int row, components_rows among)
{
    const lattice *l = c->l;
    int j = row % l->n[1], k = row / l->n[1];
    bool along_y = j > 0 && row - 1 >= among.first && row - 1 < among.end;
    bool along_z = k > 0 && row - l->n[1] >= among.first && row - l->n[1] < among.end;
    bool along_x = row >= among.first && row < among.end;
    if (!along_x && !along_y && !along_z)
        return;
    for (int colour = 0; colour < 2; colour++) {
        lattice_site site = {colour, lattice_parity(colour, j, k), lattice_at(l, j, k)};
        for (int block = 0; block < l->blocks; block++, site.at += LANES) {
            if (l->code[colour][site.at / LANES] == BLOCK_EMPTY)
                continue;
            if (along_x)
                components_join_block(c, site, 0, site.parity - 1);
            if (along_y)
                components_join_block(c, site, 1, -l->row);
            if (along_z)
                components_join_block(c, site, 2, -l->plane);
        }
    }
}

/* Slabs of rows are joined inside by one thread each, then to each other. The root of a component is its lowest cell, however
   the rows are shared out. */
static components_rows components_slab(const components *c, int slab)
{
    int64_t rows = (int64_t)c->l->n[1] * c->l->n[2];
    return (components_rows){(int)(rows * slab / SLABS), (int)(rows * (slab + 1) / SLABS)};
}

static void components_join_share(void *context, int begin, int end)
{
    const components *c = context;
    for (int slab = begin; slab < end; slab++) {
        components_rows rows = components_slab(c, slab);
        for (int row = rows.first; row < rows.end; row++)
            components_join_row(c, row, rows);
    }
}

/* Only the first plane of a slab has low neighbours outside. */
static void components_join_slabs(const components *c)
{
    for (int slab = 1; slab < SLABS; slab++) {
        components_rows rows = components_slab(c, slab);
        for (int row = rows.first; row < rows.end && row < rows.first + c->l->n[1]; row++)
            components_join_row(c, row, (components_rows){0, rows.first});
    }
}

/* Joins the two sides of a periodic axis, cell by cell. */
static void components_join_seam(const components *c, int axis)
{
    const lattice *l = c->l;
    int end[3] = {l->n[0], l->n[1], l->n[2]};
    end[axis] = 1;
    for (int k = 0; k < end[2]; k++) {
        for (int j = 0; j < end[1]; j++) {
            for (int i = 0; i < end[0]; i++) {
                int far[3] = {i, j, k};
                far[axis] = l->n[axis] - 1;
                int near_colour = lattice_colour(i, j, k);
                int far_colour = lattice_colour(far[0], far[1], far[2]);
                ptrdiff_t near_slot = lattice_slot(l, i, j, k);
                ptrdiff_t far_slot = lattice_slot(l, far[0], far[1], far[2]);
                if (l->flags[near_colour][near_slot] & FLAG_LIVE &&
                    lattice_low(l, axis, near_colour, i & 1)[near_slot] > 0)
                    components_join(c, c->run[components_base(c, near_colour) + near_slot],
                                    c->run[components_base(c, far_colour) + far_slot]);
            }
        }
    }
}

/* Marks the components that have an extra somewhere; false when none has. Only general blocks can. */
static bool components_mark_row(const components *c, int j, int k)
{
    const lattice *l = c->l;
    bool any = false;
    for (int colour = 0; colour < 2; colour++) {
        ptrdiff_t at = lattice_at(l, j, k);
        int32_t base = components_base(c, colour), last = -1;
        for (int block = 0; block < l->blocks; block++, at += LANES) {
            for (int h = 0; h < LANES && l->code[colour][at / LANES] == BLOCK_GENERAL; h++) {
                if (!(l->e.of[colour][at + h] > 0) || c->run[base + at + h] == last)
                    continue;
                last = c->run[base + at + h];
                c->parent[components_root(c, last)] = ROOT_TIED;
                any = true;
            }
        }
    }
    return any;
}

/* Gives numbers to the roots of a row, in their order. Interior blocks have at most one, for their cells make one run. */
static void components_number_row(const components *c, int row, int *numbers)
{
    const lattice *l = c->l;
    for (int colour = 0; colour < 2; colour++) {
        ptrdiff_t at = lattice_at(l, row % l->n[1], row / l->n[1]);
        int32_t base = components_base(c, colour);
        for (int block = 0; block < l->blocks; block++, at += LANES) {
            lattice_code code = l->code[colour][at >> LANES_SHIFT];
            int lanes = code == BLOCK_EMPTY ? 0 : code == BLOCK_INTERIOR ? 1 : LANES;
            for (int h = 0; h < lanes; h++) {
                int32_t cell = base + (int32_t)at + h;
                if (l->flags[colour][at + h] & FLAG_LIVE && c->run[cell] == cell && c->parent[cell] == ROOT_FREE)
                    c->parent[cell] = ROOT_NUMBERED - (*numbers)++;
            }
        }
    }
}

/* The mark of a run's root; changes nothing, so that threads may ask together. */
static int32_t components_mark_of(const components *c, int32_t run)
{
    while (c->parent[run] >= 0)
        run = c->parent[run];
    return c->parent[run];
}

/* Writes the numbers down in a row. */
static void components_write_row(const components *c, int row)
{
    const lattice *l = c->l;
    for (int colour = 0; colour < 2; colour++) {
        ptrdiff_t at = lattice_at(l, row % l->n[1], row / l->n[1]);
        int32_t base = components_base(c, colour), last = -1, mark = ROOT_TIED;
        for (int block = 0; block < l->blocks; block++, at += LANES) {
            bool interior = l->code[colour][at >> LANES_SHIFT] == BLOCK_INTERIOR;
            float *e = l->e.of[colour] + at;
            for (int h = 0; h < LANES; h++) {
                if (!(l->flags[colour][at + h] & FLAG_LIVE))
                    continue;
                if (c->run[base + at + h] != last) {
                    last = c->run[base + at + h];
                    mark = components_mark_of(c, last);
                }
                if (mark <= ROOT_NUMBERED)
                    e[h] = components_store(ROOT_NUMBERED - mark);
                if (interior)
                    break;
            }
            for (int h = 1; h < LANES && interior; h++)
                e[h] = e[0];
        }
    }
}

static void components_write_share(void *context, int begin, int end)
{
    for (int row = begin; row < end; row++)
        components_write_row(context, row);
}

static void components_runs_share(void *context, int begin, int end)
{
    const components *c = context;
    for (int row = begin; row < end; row++)
        for (int colour = 0; colour < 2; colour++)
            components_make_runs(c, colour, row % c->l->n[1], row / c->l->n[1]);
}

int components_label(lattice *finest, int32_t *scratch)
{
    const lattice *l = finest;
    components c = {l, scratch, scratch + 2 * l->slots};
    int rows = l->n[1] * l->n[2], numbers = 0;
    finest->closed = !(l->base > 0); /* else every active cell has an extra */
    if (!finest->closed)
        return 0;
    threads_for_cost(rows, l->n[0], components_runs_share, &c);
    threads_for_cost(SLABS, (int64_t)rows * l->n[0] / SLABS, components_join_share, &c);
    components_join_slabs(&c);
    for (int a = 0; a < 3; a++)
        if (l->wrap[a])
            components_join_seam(&c, a);
    for (int row = 0; row < rows; row++)
        if (components_mark_row(&c, row % l->n[1], row / l->n[1]))
            finest->closed = false;
    for (int row = 0; row < rows; row++)
        components_number_row(&c, row, &numbers);
    threads_for_cost(rows, l->n[0], components_write_share, &c);
    return numbers;
}
