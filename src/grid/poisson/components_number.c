#include "base/threads.h"
#include "grid/poisson/components_parts.h"

/* Marks as tied the components that have an extra in this row. Returns false if there is none. Only blocks with
   stored extras can have one. */
static bool components_mark_row(const components *c, int j, int k)
{
    const lattice *l = c->l;
    bool any = false;
    for (int colour = 0; colour < 2; colour++) {
        lattice_run run = lattice_run_of(l, j, k);
        int32_t base = components_base(c, colour), last = -1;
        for (ptrdiff_t at = run.at; at < run.at + run.count; at += LANES) {
            if (l->code[colour][at >> LANES_SHIFT] < BLOCK_EDGE)
                continue;
            for (unsigned tied = components_open(l->e.of[colour] + at); tied; tied &= tied - 1) {
                const ptrdiff_t slot = at + components_first(tied);
                if (c->run[base + slot] == last)
                    continue;
                last = c->run[base + slot];
                c->parent[components_root(c, last)] = ROOT_TIED;
                any = true;
            }
        }
    }
    return any;
}

/* The slots of a block at which a run starts. */
static unsigned components_starts(const int32_t *run, int32_t cell)
{
    const wide_mask order = {0, 1, 2, 3, 4, 5, 6, 7};
    wide_mask halves[2];
    memcpy(halves, run, sizeof halves);
    return wide_bits(halves[0] == order + cell) | wide_bits(halves[1] == order + (cell + WIDE)) << WIDE;
}

/* Counts the free roots of a row; if `number` ≥ 0, also numbers them from there on. */
static int components_number_row(const components *c, int row, int number)
{
    const lattice *l = c->l;
    int j = row % l->n[1], k = row / l->n[1], count = 0;
    if (components_whole(l, row)) {
        int32_t *root = c->parent + components_row_run(c, row);
        bool one = *root == ROOT_FREE;
        if (one && number >= 0)
            *root = ROOT_NUMBERED - number;
        return one;
    }
    for (int colour = 0; colour < 2; colour++) {
        lattice_site site = {colour, lattice_parity(colour, j, k), lattice_at(l, j, k)};
        site.at += l->span[row].begin * LANES;
        for (int block = l->span[row].begin; block < l->span[row].end; block++, site.at += LANES) {
            int32_t cell = components_base(c, colour) + (int32_t)site.at;
            if (l->code[colour][site.at >> LANES_SHIFT] == BLOCK_EMPTY || (block > 0 && components_continues(l, site)))
                continue;
            unsigned starts = components_starts(c->run + cell, cell);
            for (starts &= components_live(l->flags[colour] + site.at); starts; starts &= starts - 1) {
                int h = components_first(starts);
                if (c->parent[cell + h] != ROOT_FREE)
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

/* Numbers the free roots in order. This is serial: they are few, and most slabs have none. */
static int components_number(const components *c)
{
    int numbers = 0;
    threads_for_cost(COMPONENTS_SLABS, (int64_t)c->l->n[1] * c->l->n[2] * c->l->n[0] / COMPONENTS_SLABS,
                     components_count_share, (void *)c);
    for (int slab = 0; slab < COMPONENTS_SLABS; slab++) {
        components_rows rows = components_slab(c, slab);
        for (int row = rows.first; row < rows.end && c->roots[slab] > 0; row++)
            numbers += components_number_row(c, row, numbers);
    }
    return numbers;
}

/* The mark of a run's root. Does no path compression, so that threads may call it concurrently. */
static int32_t components_mark_of(const components *c, int32_t run)
{
    while (c->parent[run] >= 0)
        run = c->parent[run];
    return c->parent[run];
}

/* Stores the component number of a run in the slots `which` of a block. */
static void components_write_run(const components *c, int32_t run, unsigned which, float *e)
{
    int32_t mark = components_mark_of(c, run);
    float stored = mark <= ROOT_NUMBERED ? components_store(ROOT_NUMBERED - mark) : 0;
    for (int h = 0; h < LANES && mark <= ROOT_NUMBERED; h++)
        e[h] = which >> h & 1 ? stored : e[h];
}

/* The same for a whole row. */
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

static void components_write_row(const components *c, int row)
{
    const lattice *l = c->l;
    if (components_whole(l, row)) {
        components_write_whole(c, row);
        return;
    }
    for (int colour = 0; colour < 2; colour++) {
        lattice_run active = lattice_run_of(l, row % l->n[1], row / l->n[1]);
        for (ptrdiff_t at = active.at; at < active.at + active.count; at += LANES) {
            const int32_t *run = c->run + components_base(c, colour) + at;
            unsigned live = components_live(l->flags[colour] + at);
            while (live) { /* one run at a time */
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

int components_number_all(const components *c, lattice *finest)
{
    const lattice *l = c->l;
    int rows = l->n[1] * l->n[2];
    for (int row = 0; row < rows; row++)
        if (components_mark_row(c, row % l->n[1], row / l->n[1]))
            finest->closed = false;
    int numbers = components_number(c);
    if (numbers > 0)
        threads_for_cost(rows, l->n[0], components_write_share, (void *)c);
    return numbers;
}
