#include "base/threads.h"
#include "grid/poisson/components_parts.h"

static void components_join(const components *c, int32_t a, int32_t b)
{
    a = components_root(c, a);
    b = components_root(c, b);
    if (a != b)
        c->parent[a > b ? a : b] = a > b ? b : a;
}

enum { ALL_LANES = (1 << LANES) - 1 };

/* The slots of a block that are joined to the slot before them through the cell of the other colour in between: both
   faces are open, so all three cells are active. */
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
    lattice_span span = lattice_span_of(l, j, k);
    unsigned joins = span.begin ? ALL_LANES : ALL_LANES - 1; /* slot 0 has none before it; the seam is joined later */
    site.at += span.begin * LANES;
    for (int block = span.begin; block < span.end; block++, site.at += LANES, joins = ALL_LANES) {
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

/* The two runs that were joined last. */
typedef struct components_pair {
    int32_t a, b;
} components_pair;

/* Joins the cells of a block to their neighbours across one low face, `step` slots away in the other colour, through
   the faces in the mask `open`. Runs have no gaps: if the first and the last pair of cells belong to the same two
   runs, so do all pairs between them. */
static void components_join_block(const components *c, lattice_site site, ptrdiff_t step, unsigned open,
                                  components_pair *pair)
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

/* Joins a whole row to a neighbouring row; false if that one is not whole. */
static bool components_join_whole(const components *c, int row, int other)
{
    bool whole = components_whole(c->l, other);
    if (whole)
        components_join(c, components_row_run(c, row), components_row_run(c, other));
    return whole;
}

/* Joins a row to those of its low neighbours that are in the range `among`. */
static void components_join_row(const components *c, int row, components_rows among)
{
    const lattice *l = c->l;
    int j = row % l->n[1], k = row / l->n[1];
    bool along_y = j > 0 && row - 1 >= among.first && row - 1 < among.end;
    bool along_z = k > 0 && row - l->n[1] >= among.first && row - l->n[1] < among.end;
    bool along_x = row >= among.first && row < among.end;
    if (components_whole(l, row)) { /* then all its faces across y and z are open */
        along_x = false;
        along_y = along_y && !components_join_whole(c, row, row - 1);
        along_z = along_z && !components_join_whole(c, row, row - l->n[1]);
    }
    if (!along_x && !along_y && !along_z)
        return;
    for (int colour = 0; colour < 2; colour++) {
        lattice_site site = {colour, lattice_parity(colour, j, k), lattice_at(l, j, k)};
        components_pair pair[3] = {{-1, -1}, {-1, -1}, {-1, -1}};
        lattice_span span = lattice_span_of(l, j, k);
        site.at += span.begin * LANES;
        for (int block = span.begin; block < span.end; block++, site.at += LANES) {
            lattice_code code = l->code[colour][site.at >> LANES_SHIFT];
            if (code == BLOCK_EMPTY)
                continue;
            /* The low x neighbour of cell i = 0 lies across the periodic seam and is joined elsewhere. In plain blocks
               the active cells have no closed face across y or z. */
            unsigned live = components_live(l->flags[colour] + site.at), plain = code < BLOCK_BINARY ? ALL_LANES : 0;
            unsigned within = block == 0 && site.parity == 0 ? ALL_LANES - 1 : ALL_LANES;
            if (along_x)
                components_join_block(c, site, site.parity - 1,
                                      live & within & components_open(l->w[0].of[site.parity] + site.at), &pair[0]);
            if (along_y)
                components_join_block(c, site, -l->row, live & (plain | components_open(l->w[1].of[colour] + site.at)),
                                      &pair[1]);
            if (along_z)
                components_join_block(c, site, -l->plane,
                                      live & (plain | components_open(l->w[2].of[colour] + site.at)), &pair[2]);
        }
    }
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

/* Joins each slab to the ones below it: only its first plane has low neighbours outside the slab. */
static void components_join_slabs(const components *c)
{
    for (int slab = 1; slab < COMPONENTS_SLABS; slab++) {
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

int components_label(lattice *finest, int32_t *run, int32_t *parent)
{
    const lattice *l = finest;
    int rows = l->n[1] * l->n[2], roots[COMPONENTS_SLABS];
    components c = {l, run, parent, roots};
    finest->closed = !(l->base > 0); /* with a base > 0 every active cell has an extra */
    if (!finest->closed)
        return 0;
    if (l->surface && components_all_tied(&c)) {
        finest->closed = l->load[lattice_items(l)] == 0;
        return 0;
    }
    threads_for_cost(rows, l->n[0], components_runs_share, &c);
    threads_for_cost(COMPONENTS_SLABS, (int64_t)rows * l->n[0] / COMPONENTS_SLABS, components_join_share, &c);
    components_join_slabs(&c);
    for (int a = 0; a < 3; a++)
        if (l->wrap[a])
            components_join_seam(&c, a);
    return components_number_all(&c, finest);
}
