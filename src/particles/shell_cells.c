/* Finds the cells near a shape's outer layers by recursive bisection of blocks of cells. A block that is farther from
   the surface than its size is skipped, so time and memory scale with the surface, not with the volume. */
#include <assert.h>
#include <stdlib.h>

#include "particles/shell_parts.h"

/* The lattice that is searched, and the cells found. */
typedef struct cell_search {
    const shape *shape;
    const shell_plan *plan;
    shell_cells *found;
} cell_search;

/* Cells [low, high) along each axis. */
typedef struct cell_block {
    int32_t low[3], high[3];
} cell_block;

static fr_result shell_lattice_fit(const shape *s, const shell_plan *plan, shell_lattice *l)
{
    double min[3], max[3], most = 1 << 30;
    shape_bounds(s, min, max);
    *l = (shell_lattice){.n = {1, 1, 1}};
    for (int a = 0; a < plan->dims; a++) {
        double low = isfinite(min[a]) ? min[a] : plan->low[a], high = isfinite(max[a]) ? max[a] : plan->high[a];
        double size = high - low, cells = fmax(1, floor(size / plan->spacing + 0.5));
        assert(isfinite(size));
        if (cells > most)
            return fr_fail(FR_ERROR_INPUT,
                           "a shape of %g m is too large for particles %g m apart: choose a larger spacing", size,
                           plan->spacing);
        l->n[a] = (int)cells;
        l->step[a] =
            fmax(size / cells, 0.5 * plan->spacing); /* so that a thinner plate is still searched from both sides */
        l->start[a] = 0.5 * (low + high) - 0.5 * cells * l->step[a];
    }
    return FR_OK;
}

static fr_result cell_search_keep(cell_search *c, const int32_t cell[3], double value)
{
    shell_cells *f = c->found;
    if (f->count == f->room) {
        int64_t room = 2 * f->room + 1024;
        shell_cell *cells = realloc(f->cells, sizeof *cells * (size_t)room);
        if (!cells)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for boundary particles %g m apart: choose a larger spacing",
                           c->plan->spacing);
        f->cells = cells;
        f->room = room;
    }
    f->cells[f->count++] = (shell_cell){{cell[0], cell[1], cell[2]}, (float)value};
    return FR_OK;
}

/* Whether a layer may pass through the block. */
static fr_result cell_search_matters(const cell_search *c, const cell_block *b, double *value, bool *matters)
{
    const shell_lattice *l = &c->found->lattice;
    double centre[3], reach2 = 0;
    *matters = true;
    for (int a = 0; a < 3; a++) {
        double half = 0.5 * (b->high[a] - b->low[a]) * l->step[a];
        centre[a] = l->start[a] + 0.5 * (b->low[a] + b->high[a]) * l->step[a];
        reach2 += half * half;
        *matters &= a >= c->plan->dims || (centre[a] + half >= c->plan->low[a] && centre[a] - half <= c->plan->high[a]);
    }
    if (!*matters)
        return FR_OK;
    FR_TRY(shape_distance(c->shape, centre, value));
    double reach = sqrt(reach2), deepest = c->plan->layers * c->plan->spacing, slope = shell_slope(c->shape);
    *matters = *value <= slope * reach && *value >= -slope * (reach + deepest);
    return FR_OK;
}

static int cell_block_longest(const cell_block *b)
{
    int longest = 0;
    for (int a = 1; a < 3; a++)
        if (b->high[a] - b->low[a] > b->high[longest] - b->low[longest])
            longest = a;
    return longest;
}

static fr_result cell_search_block(cell_search *c, cell_block b)
{
    bool matters;
    double value;
    FR_TRY(cell_search_matters(c, &b, &value, &matters));
    if (!matters)
        return FR_OK;
    int axis = cell_block_longest(&b), middle = b.low[axis] + (b.high[axis] - b.low[axis]) / 2;
    if (middle == b.low[axis])
        return cell_search_keep(c, b.low, value);
    cell_block lower = b, upper = b;
    lower.high[axis] = upper.low[axis] = middle;
    FR_TRY(cell_search_block(c, lower));
    return cell_search_block(c, upper);
}

fr_result shell_cells_find(const shape *s, const shell_plan *plan, shell_cells *out)
{
    *out = (shell_cells){0};
    FR_TRY(shell_lattice_fit(s, plan, &out->lattice));
    cell_search c = {s, plan, out};
    const int *n = out->lattice.n;
    return cell_search_block(&c, (cell_block){.high = {n[0], n[1], n[2]}});
}

void shell_cells_free(shell_cells *c)
{
    free(c->cells);
    *c = (shell_cells){0};
}
