/* Boundary particles outside the closed sides of a box: the lattice of the domain, continued beyond it. */
#include "particles/shell_parts.h"

/* A lattice along one axis: `n` cells between the walls, `below` and `above` beyond them. */
typedef struct wall_axis {
    double low, high, step, spacing;
    int n, below, above;
} wall_axis;

static wall_axis wall_axis_of(const shell_plan *domain, int axis, const bool closed[6])
{
    double low = domain->low[axis], high = domain->high[axis];
    int n = (int)fmax(1, floor((high - low) / domain->spacing + 0.5));
    int below = closed[2 * axis] ? domain->layers : 0, above = closed[2 * axis + 1] ? domain->layers : 0;
    return (wall_axis){low, high, (high - low) / n, domain->spacing, n, below, above};
}

/* How many cells beyond the nearer wall cell i is: 0 between the walls, 1 for layer 0, …. `inwards`: the direction of
   the fluid. */
static int wall_beyond(const wall_axis *w, int i, int *inwards)
{
    *inwards = i < 0 ? 1 : i >= w->n ? -1 : 0;
    return i < 0 ? -i : i >= w->n ? i - w->n + 1 : 0;
}

static double wall_place(const wall_axis *w, int i)
{
    if (i < 0)
        return w->low + (i + 0.5) * w->spacing;
    return i >= w->n ? w->high + (i - w->n + 0.5) * w->spacing : w->low + (i + 0.5) * w->step;
}

/* Adds the point of a cell that is beyond a wall. */
static void wall_add(shell *s, const wall_axis axes[3], const int cell[3])
{
    int farthest = 0, inwards[3] = {0};
    double at[3], volume = 1;
    for (int a = 0; a < s->dims; a++) {
        int beyond = wall_beyond(&axes[a], cell[a], &inwards[a]);
        farthest = beyond > farthest ? beyond : farthest;
        at[a] = wall_place(&axes[a], cell[a]);
        volume *= beyond ? axes[a].spacing : axes[a].step;
    }
    if (farthest == 0)
        return;
    shell_add(s, at, vec3_unit((vec3){inwards[0], inwards[1], inwards[2]}), farthest - 1);
    s->cell[s->count - 1] = (float)volume;
}

/* Adds the cells of a row that are beyond the walls; all of them if the row itself is. */
static void wall_add_row(shell *s, const wall_axis axes[3], int j, int k)
{
    int inwards;
    bool between = wall_beyond(&axes[1], j, &inwards) == 0 && wall_beyond(&axes[2], k, &inwards) == 0;
    for (int i = -axes[0].below; i < (between ? 0 : axes[0].n); i++)
        wall_add(s, axes, (int[3]){i, j, k});
    for (int i = axes[0].n; i < axes[0].n + axes[0].above; i++)
        wall_add(s, axes, (int[3]){i, j, k});
}

/* The number of cells beyond the walls. */
static int64_t wall_count(const wall_axis axes[3])
{
    int64_t between = 1, all = 1;
    for (int a = 0; a < 3; a++) {
        between *= axes[a].n;
        all *= axes[a].below + axes[a].n + axes[a].above;
    }
    return all - between;
}

fr_result shell_walls(const shell_plan *domain, const bool closed[6], shell *out)
{
    wall_axis axes[3] = {[2] = {.n = 1}};
    *out = shell_empty(domain);
    for (int a = 0; a < domain->dims; a++)
        axes[a] = wall_axis_of(domain, a, closed);
    FR_TRY(shell_reserve(out, wall_count(axes)));
    for (int k = -axes[2].below; k < axes[2].n + axes[2].above; k++)
        for (int j = -axes[1].below; j < axes[1].n + axes[1].above; j++)
            wall_add_row(out, axes, j, k);
    return FR_OK;
}
