/* Conversion between world positions and grid coordinates. */
#include "grid/curve/parts.h"

/* The cell of a place, and the position in it: 0 … 1, beyond that outside the grid. */
static curve_patch find_patch(const curve *c, const double grid[3], double in_cell[3])
{
    curve_nodes nodes = curve_nodes_of(c);
    int cell[3] = {0, 0, 0};
    in_cell[2] = 0;
    for (int a = 0; a < c->domain.dims; a++) {
        cell[a] = (int)clampd(floor(grid[a]), 0, c->domain.n[a] - 1);
        in_cell[a] = grid[a] - cell[a];
    }
    return curve_patch_at(&nodes, cell[0], cell[1], cell[2]);
}

static void find_store(vec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

void curve_position(const curve *c, const double grid[3], double world[3])
{
    double in_cell[3];
    curve_patch patch = find_patch(c, grid, in_cell);
    find_store(curve_patch_position(&patch, in_cell), world);
}

void curve_tangents(const curve *c, const double grid[3], double tangents[3][3])
{
    double in_cell[3];
    vec3 rows[3];
    curve_patch patch = find_patch(c, grid, in_cell);
    curve_patch_tangents(&patch, in_cell, rows);
    for (int a = 0; a < 3; a++)
        find_store(rows[a], tangents[a]);
}

/* A cell lies in the bounding box of its corners: the weights of the map are positive and add up to 1. */
static bool find_in_box(const curve_patch *p, vec3 place)
{
    vec3 low = p->corner[0], high = p->corner[0];
    for (int q = 1; q < 8; q++) {
        vec3 x = p->corner[q];
        low = (vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    double slack = 1e-9 * vec3_length(vec3_sub(high, low));
    return place.x >= low.x - slack && place.x <= high.x + slack && place.y >= low.y - slack &&
           place.y <= high.y + slack && place.z >= low.z - slack && place.z <= high.z + slack;
}

/* Newton's iteration from the cell's middle, with bounded steps; false: it does not end inside the cell. */
static bool find_in_cell(const curve_patch *p, vec3 place, double at[3])
{
    const double enough = 1e-13, slack = 1e-9;
    double step = 1;
    at[0] = at[1] = at[2] = 0.5;
    for (int iteration = 0; iteration < 40 && step > enough; iteration++) {
        vec3 t[3], missing = vec3_sub(place, curve_patch_position(p, at));
        curve_patch_tangents(p, at, t);
        double triple = curve_triple(t);
        step = 0;
        for (int a = 0; a < 3; a++) {
            double before = at[a];
            at[a] = clampd(at[a] + vec3_dot(missing, vec3_cross(t[(a + 1) % 3], t[(a + 2) % 3])) / triple, -0.5, 1.5);
            step = fmax(step, fabs(at[a] - before));
        }
    }
    bool inside = step <= slack;
    for (int a = 0; a < 3; a++) {
        inside &= at[a] >= -slack && at[a] <= 1 + slack;
        at[a] = clampd(at[a], 0, 1);
    }
    return inside;
}

bool curve_find(const curve *c, const double world[3], double grid[3])
{
    curve_nodes nodes = curve_nodes_of(c);
    const int *n = c->domain.n;
    vec3 place = {world[0], world[1], c->domain.dims == 3 ? world[2] : 0};
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                curve_patch patch = curve_patch_at(&nodes, i, j, k);
                double at[3];
                if (!find_in_box(&patch, place) || !find_in_cell(&patch, place, at))
                    continue;
                for (int a = 0; a < 3; a++)
                    grid[a] = (a == 0 ? i : a == 1 ? j : k) + at[a];
                return true;
            }
    return false;
}
