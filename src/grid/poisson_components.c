#include "grid/poisson_components.h"

#include "base/threads.h"
#include "base/wide.h"

/* Cells of one colour that follow each other in a row and are joined through the cells between them make a run; its
   first cell stands for it. Runs are joined by union–find (Galler and Fischer 1964), with path halving. A cell's
   number is its slot, those of colour 1 after those of colour 0.

   Whole rows, which nothing but their ends cuts, are one run of both colours, and most rows are whole: their cells need not be
   looked at one by one. */
typedef struct components {
    const lattice *l;
    int32_t *run;        /* per slot: first cell of its run */
    int32_t *parent;     /* per first cell: another one of the component, or for roots a mark */
    int *roots;          /* per slab: those without a mark */
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

/* Rows are numbered k·n[1] + j. */
static ptrdiff_t components_row_at(const lattice *l, int row) { return lattice_at(l, row % l->n[1], row / l->n[1]); }

static bool components_whole(const lattice *l, int row)
{
    ptrdiff_t first = components_row_at(l, row) / LANES;
    bool whole = true;
    for (int colour = 0; colour < 2; colour++)
        for (const uint8_t *code = l->code[colour] + first; code < l->code[colour] + first + l->blocks; code++)
            whole = whole && *code != BLOCK_EMPTY && *code < BLOCK_BINARY;
    return whole;
}

/* The first cell of a whole row. */
static int32_t components_row_run(const components *c, int row) { return components_base(c, 0) + (int32_t)components_row_at(c->l, row); }

/* A bit for every slot of a block: which of the faces stored from `w` on are open. */
static unsigned components_open(const float *w)
{
    return wide_bits(wide_load(w) > 0) | wide_bits(wide_load(w + WIDE) > 0) << WIDE;
}

static unsigned components_live(const uint16_t *flags)
{
    return wide_bits((wide_load_small(flags) & FLAG_LIVE) != 0) | wide_bits((wide_load_small(flags + WIDE) & FLAG_LIVE) != 0) << WIDE;
}

enum { ALL_LANES = (1 << LANES) - 1 };

static int components_first(unsigned bits) { return __builtin_ctz(bits); }
static int components_last(unsigned bits) { return 31 - __builtin_clz(bits); }

/* Whether the codes alone tell that no run begins in a block: it is interior, and so is the one with the cell before its first. */
static bool components_continues(const lattice *l, lattice_site site)
{
    return l->code[site.colour][site.at >> LANES_SHIFT] == BLOCK_INTERIOR &&
           l->code[1 - site.colour][(site.at + site.parity - 1) >> LANES_SHIFT] == BLOCK_INTERIOR;
}

/* The slots of a block that are joined to the slots before them through the cells between them: both faces are open, and so all
   three cells active. */
static unsigned components_follow(const lattice *l, lattice_site site)
{
    if (components_continues(l, site))
        return ALL_LANES;
    return components_open(l->w[0].of[site.parity] + site.at) &
           components_open(l->w[0].of[1 - site.parity] + site.at + site.parity - 1);
}

static void components_make_runs(const components *c, int colour, int j, int k)
{
    const lattice *l = c->l;
    lattice_site site = {colour, lattice_parity(colour, j, k), lattice_at(l, j, k)};
    int32_t base = components_base(c, colour), first = 0;
    unsigned joins = ALL_LANES - 1; /* in its first block nothing comes before the row; round the seam it is joined later */
    for (int block = 0; block < l->blocks; block++, site.at += LANES, joins = ALL_LANES) {
        int32_t *run = c->run + base + site.at, cell = base + (int32_t)site.at;
        joins &= components_follow(l, site);
        for (int h = 0; h < LANES && joins != ALL_LANES; h++) {
            if (!(joins >> h & 1))
                c->parent[first = cell + h] = ROOT_FREE;
            run[h] = first;
        }
        for (int h = 0; h < LANES && joins == ALL_LANES; h++)
            run[h] = first;
    }
}

static void components_make_run(const components *c, int row)
{
    int32_t first = components_row_run(c, row);
    c->parent[first] = ROOT_FREE;
    for (int colour = 0; colour < 2; colour++) {
        int32_t *run = c->run + components_base(c, colour) + components_row_at(c->l, row);
        for (ptrdiff_t h = 0; h < c->l->row; h++)
            run[h] = first;
    }
}

/* Two runs that were joined last. */
typedef struct components_pair {
    int32_t a, b;
} components_pair;

/* Joins the cells of a block to their neighbours across one low face, `step` slots away in the other colour, through the faces
   `open`. Runs have no gaps: where the first and the last pair of cells belong to the same two runs, all between do. */
static void components_join_block(const components *c, lattice_site site, ptrdiff_t step, unsigned open, components_pair *pair)
{
    const int32_t *own = c->run + components_base(c, site.colour) + site.at;
    const int32_t *other = c->run + components_base(c, 1 - site.colour) + site.at + step;
    if (!open)
        return;
    int first = components_first(open), last = components_last(open);
    bool same = own[first] == own[last] && other[first] == other[last];
    for (int h = first; h <= (same ? first : last); h++) {
        if (!(open >> h & 1) || (own[h] == pair->a && other[h] == pair->b))
            continue;
        *pair = (components_pair){own[h], other[h]};
        components_join(c, pair->a, pair->b);
    }
}

/* Rows [first, end). */
typedef struct components_rows {
    int first, end;
} components_rows;

/* Joins a whole row to another one beside it, if that is whole too. */
static bool components_join_whole(const components *c, int row, int other)
{
    bool whole = components_whole(c->l, other);
    if (whole)
        components_join(c, components_row_run(c, row), components_row_run(c, other));
    return whole;
}

/* Joins a row to its low neighbours among the given rows. */
static void components_join_row(const components *c, int row, components_rows among)
{
    const lattice *l = c->l;
    int j = row % l->n[1], k = row / l->n[1];
    bool along_y = j > 0 && row - 1 >= among.first && row - 1 < among.end;
    bool along_z = k > 0 && row - l->n[1] >= among.first && row - l->n[1] < among.end;
    bool along_x = row >= among.first && row < among.end;
    if (components_whole(l, row)) { /* and so all its faces across y and z are open */
        along_x = false;
        along_y = along_y && !components_join_whole(c, row, row - 1);
        along_z = along_z && !components_join_whole(c, row, row - l->n[1]);
    }
    if (!along_x && !along_y && !along_z)
        return;
    for (int colour = 0; colour < 2; colour++) {
        lattice_site site = {colour, lattice_parity(colour, j, k), lattice_at(l, j, k)};
        components_pair pair[3] = {{-1, -1}, {-1, -1}, {-1, -1}};
        for (int block = 0; block < l->blocks; block++, site.at += LANES) {
            lattice_code code = l->code[colour][site.at >> LANES_SHIFT];
            if (code == BLOCK_EMPTY)
                continue;
            /* The cell i = 0 has its low neighbour along x across the seam: not here. Faces across y and z are closed in none of
               the active cells of plain blocks. */
            unsigned live = components_live(l->flags[colour] + site.at), plain = code < BLOCK_BINARY ? ALL_LANES : 0;
            unsigned within = block == 0 && site.parity == 0 ? ALL_LANES - 1 : ALL_LANES;
            if (along_x)
                components_join_block(c, site, site.parity - 1, live & within & components_open(l->w[0].of[site.parity] + site.at),
                                      &pair[0]);
            if (along_y)
                components_join_block(c, site, -l->row, live & (plain | components_open(l->w[1].of[colour] + site.at)), &pair[1]);
            if (along_z)
                components_join_block(c, site, -l->plane, live & (plain | components_open(l->w[2].of[colour] + site.at)), &pair[2]);
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

/* The slots of a block that are the first ones of their runs. */
static unsigned components_starts(const int32_t *run, int32_t cell)
{
    const wide_mask order = {0, 1, 2, 3, 4, 5, 6, 7};
    wide_mask halves[2];
    memcpy(halves, run, sizeof halves);
    return wide_bits(halves[0] == order + cell) | wide_bits(halves[1] == order + (cell + WIDE)) << WIDE;
}

/* Counts the free roots of a row, and numbers them from `number` on if it is not negative. */
static int components_number_row(const components *c, int row, int number)
{
    const lattice *l = c->l;
    int j = row % l->n[1], k = row / l->n[1], count = 0;
    if (components_whole(l, row)) {
        int32_t *root = c->parent + components_row_run(c, row);
        bool one = *root == ROOT_FREE;
        *root = one && number >= 0 ? ROOT_NUMBERED - number : *root;
        return one;
    }
    for (int colour = 0; colour < 2; colour++) {
        lattice_site site = {colour, lattice_parity(colour, j, k), lattice_at(l, j, k)};
        for (int block = 0; block < l->blocks; block++, site.at += LANES) {
            int32_t cell = components_base(c, colour) + (int32_t)site.at;
            if (l->code[colour][site.at >> LANES_SHIFT] == BLOCK_EMPTY || (block > 0 && components_continues(l, site)))
                continue;
            for (unsigned starts = components_starts(c->run + cell, cell); starts; starts &= starts - 1) {
                int h = components_first(starts);
                if (!(l->flags[colour][site.at + h] & FLAG_LIVE) || c->parent[cell + h] != ROOT_FREE)
                    continue;
                if (number >= 0)
                    c->parent[cell + h] = ROOT_NUMBERED - (number + count);
                count++;
            }
        }
    }
    return count;
}

static void components_count_share(void *context, int begin, int end)
{
    const components *c = context;
    for (int slab = begin; slab < end; slab++) {
        components_rows rows = components_slab(c, slab);
        c->roots[slab] = 0;
        for (int row = rows.first; row < rows.end; row++)
            c->roots[slab] += components_number_row(c, row, -1);
    }
}

/* Numbers the free roots in their order; they are few, and most slabs have none. */
static int components_number(const components *c)
{
    int numbers = 0;
    threads_for_cost(SLABS, (int64_t)c->l->n[1] * c->l->n[2] * c->l->n[0] / SLABS, components_count_share, (void *)c);
    for (int slab = 0; slab < SLABS; slab++) {
        components_rows rows = components_slab(c, slab);
        for (int row = rows.first; row < rows.end && c->roots[slab] > 0; row++)
            numbers += components_number_row(c, row, numbers);
    }
    return numbers;
}

/* The mark of a run's root; changes nothing, so that threads may ask together. */
static int32_t components_mark_of(const components *c, int32_t run)
{
    while (c->parent[run] >= 0)
        run = c->parent[run];
    return c->parent[run];
}

/* Writes the number of a run down in the slots `which` of a block. */
static void components_write_run(const components *c, int32_t run, unsigned which, float *e)
{
    int32_t mark = components_mark_of(c, run);
    float stored = mark <= ROOT_NUMBERED ? components_store(ROOT_NUMBERED - mark) : 0;
    for (int h = 0; h < LANES && mark <= ROOT_NUMBERED; h++)
        e[h] = which >> h & 1 ? stored : e[h];
}

/* The same in a whole row. */
static void components_write_whole(const components *c, int row)
{
    const lattice *l = c->l;
    int32_t mark = components_mark_of(c, components_row_run(c, row));
    for (int colour = 0; colour < 2 && mark <= ROOT_NUMBERED; colour++) {
        float stored = components_store(ROOT_NUMBERED - mark), *e = l->e.of[colour] + components_row_at(l, row);
        int cells = lattice_half(l->n[0], lattice_parity(colour, row % l->n[1], row / l->n[1]));
        for (int h = 0; h < cells; h++)
            e[h] = stored;
    }
}

/* Writes the numbers down in a row. */
static void components_write_row(const components *c, int row)
{
    const lattice *l = c->l;
    if (components_whole(l, row)) {
        components_write_whole(c, row);
        return;
    }
    for (int colour = 0; colour < 2; colour++) {
        ptrdiff_t at = lattice_at(l, row % l->n[1], row / l->n[1]);
        for (int block = 0; block < l->blocks; block++, at += LANES) {
            const int32_t *run = c->run + components_base(c, colour) + at;
            unsigned live = components_live(l->flags[colour] + at);
            while (live) { /* run after run */
                int first = components_first(live), last = components_last(live);
                unsigned same = live;
                for (int h = first; h <= last && run[last] != run[first]; h++)
                    same = run[h] == run[first] ? same : same & ~(1u << h);
                components_write_run(c, run[first], same, l->e.of[colour] + at);
                live &= ~same;
            }
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
    for (int row = begin; row < end; row++) {
        if (components_whole(c->l, row))
            components_make_run(c, row);
        else
            for (int colour = 0; colour < 2; colour++)
                components_make_runs(c, colour, row % c->l->n[1], row / c->l->n[1]);
    }
}

int components_label(lattice *finest, int32_t *scratch)
{
    const lattice *l = finest;
    int rows = l->n[1] * l->n[2], roots[SLABS];
    components c = {l, scratch, scratch + 2 * l->slots, roots};
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
    int numbers = components_number(&c);
    if (numbers > 0)
        threads_for_cost(rows, l->n[0], components_write_share, &c);
    return numbers;
}
