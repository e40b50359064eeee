#include "grid/curve/parts.h"

/* Volumes are float32: within these limits they and their inverses stay in range. */
#define CHECK_FARTHEST 1e9       /* m, of a coordinate */
#define CHECK_SHORTEST 1e-9      /* m, of an edge */
#define CHECK_DIGITS 1e-10       /* shortest edge relative to the largest coordinate: shorter ones lose their digits */
#define CHECK_DEGREES 10.0
#define CHECK_SEAM 1e-3          /* tolerance for the match of periodic ends, relative to the shortest edge there */

/* The node at corner q of a cell. */
static curve_name check_corner(int dims, const int cell[3], int q)
{
    return curve_name_of(dims, (int[3]){cell[0] + (q & 1), cell[1] + (q >> 1 & 1), cell[2] + (q >> 2)});
}

static fr_result check_numbers(const curve_nodes *g, double *farthest)
{
    *farthest = 0;
    for (int k = 0; k < g->n[2]; k++)
        for (int j = 0; j < g->n[1]; j++)
            for (int i = 0; i < g->n[0]; i++) {
                vec3 x = curve_node(g, i, j, k);
                double most = fmax(fmax(fabs(x.x), fabs(x.y)), fabs(x.z));
                if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z) || most > CHECK_FARTHEST)
                    return fr_fail(
                        FR_ERROR_INPUT,
                        "node %s of the grid lies at (%g, %g, %g); coordinates must be finite and at most %g m",
                        curve_name_of(g->dims, (int[3]){i, j, k}).text, x.x, x.y, x.z, CHECK_FARTHEST);
                *farthest = fmax(*farthest, most);
            }
    return FR_OK;
}

/* The edges that meet at corner q, each towards higher coordinates: in a good grid their triple product has the same
   sign at all corners. */
static void check_edges(const curve_patch *p, int q, vec3 edges[3])
{
    for (int a = 0; a < 3; a++)
        edges[a] = vec3_sub(p->corner[q | 1 << a], p->corner[q & ~(1 << a)]);
}

typedef struct check_grid {
    curve_nodes nodes;
    double shortest;         /* m */
    double hand;             /* 1, or −1 where most corners are left-handed */
} check_grid;

typedef struct check_cell {
    int at[3];
    curve_patch patch;
} check_cell;

static fr_result check_lengths(const check_grid *g, const check_cell *cell)
{
    int dims = g->nodes.dims;
    for (int q = 0; q < 1 << dims; q++)
        for (int a = 0; a < dims; a++) {
            int other = q | 1 << a;
            double length = vec3_length(vec3_sub(cell->patch.corner[other], cell->patch.corner[q]));
            if (other != q && length < g->shortest)
                return fr_fail(
                    FR_ERROR_INPUT,
                    "cell %s of the grid: its nodes %s and %s lie in one place (%g m apart); move them apart",
                    curve_name_of(dims, cell->at).text, check_corner(dims, cell->at, q).text,
                    check_corner(dims, cell->at, other).text, length);
        }
    return FR_OK;
}

static fr_result check_turns(const check_grid *g, const check_cell *cell)
{
    int dims = g->nodes.dims, turned = 0, first = 0;
    for (int q = 0; q < 1 << dims; q++) {
        vec3 edges[3];
        check_edges(&cell->patch, q, edges);
        if (g->hand * curve_triple(edges) < 0 && turned++ == 0)
            first = q;
    }
    if (turned == 1 << dims)
        return fr_fail(FR_ERROR_INPUT,
                       "cell %s of the grid is turned inside out: lines of the grid cross there; untangle its nodes",
                       curve_name_of(dims, cell->at).text);
    if (turned)
        return fr_fail(
            FR_ERROR_INPUT,
            "cell %s of the grid is folded: at its node %s the edges turn the other way than in the rest of the grid; "
            "move that node or its neighbours, and see that nodes along s come one after the other",
            curve_name_of(dims, cell->at).text, check_corner(dims, cell->at, first).text);
    return FR_OK;
}

static fr_result check_skew(const check_grid *g, const check_cell *cell)
{
    const double degree = FR_PI / 180, least = sin(CHECK_DEGREES * degree);
    int dims = g->nodes.dims;
    for (int q = 0; q < 1 << dims; q++) {
        vec3 edges[3];
        check_edges(&cell->patch, q, edges);
        double sine = curve_sine(edges);
        if (!(sine >= least))
            return fr_fail(
                FR_ERROR_INPUT,
                "cell %s of the grid is too skewed: at its node %s the edges are %.2g degrees from being parallel, "
                "at least %g are needed; spread its nodes",
                curve_name_of(dims, cell->at).text, check_corner(dims, cell->at, q).text,
                isnan(sine) ? 0.0 : asin(sine) / degree, CHECK_DEGREES);
    }
    if (!(g->hand * curve_patch_volume(&cell->patch) > 0))
        return fr_fail(FR_ERROR_INPUT, "cell %s of the grid is twisted until its volume is %g m³; spread its nodes",
                       curve_name_of(dims, cell->at).text, g->hand * curve_patch_volume(&cell->patch));
    return FR_OK;
}

typedef fr_result (*check_test)(const check_grid *g, const check_cell *cell);

static fr_result check_cells(const check_grid *g, check_test test)
{
    const int *nodes = g->nodes.n;
    int layers = g->nodes.dims == 3 ? nodes[2] - 1 : 1;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < nodes[1] - 1; j++)
            for (int i = 0; i < nodes[0] - 1; i++) {
                check_cell cell = {{i, j, k}, curve_patch_at(&g->nodes, i, j, k)};
                FR_TRY(test(g, &cell));
            }
    return FR_OK;
}

/* 1 where more cells are right-handed than left-handed, else −1. */
static double check_hand(const curve_nodes *g)
{
    int64_t right = 0;
    for (int k = 0; k < (g->dims == 3 ? g->n[2] - 1 : 1); k++)
        for (int j = 0; j < g->n[1] - 1; j++)
            for (int i = 0; i < g->n[0] - 1; i++) {
                curve_patch cell = curve_patch_at(g, i, j, k);
                vec3 tangents[3];
                curve_patch_tangents(&cell, (double[3]){0.5, 0.5, 0.5}, tangents);
                right += curve_triple(tangents) > 0 ? 1 : -1;
            }
    return right >= 0 ? 1 : -1;
}

static vec3 check_node(const curve_nodes *g, const int at[3])
{
    return curve_node(g, at[0], at[1], at[2]);
}

static double check_shortest_edge(const curve_nodes *g, const int at[3])
{
    double shortest = INFINITY;
    for (int a = 0; a < g->dims; a++) {
        int other[3] = {at[0], at[1], at[2]};
        other[a] += at[a] + 1 < g->n[a] ? 1 : -1;
        shortest = fmin(shortest, vec3_length(vec3_sub(check_node(g, at), check_node(g, other))));
    }
    return shortest;
}

/* On a periodic axis every node of the high end must be offset from its partner at the low end by the same vector. */
static fr_result check_seam(const curve_nodes *g, int axis)
{
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    int origin[3] = {0, 0, 0}, end[3] = {0, 0, 0};
    end[axis] = g->n[axis] - 1;
    vec3 moved = vec3_sub(check_node(g, end), check_node(g, origin));
    for (int k = 0; k < g->n[c]; k++)
        for (int j = 0; j < g->n[b]; j++) {
            int low[3] = {0, 0, 0}, high[3];
            low[b] = j;
            low[c] = k;
            for (int a = 0; a < 3; a++)
                high[a] = low[a] + end[a];
            vec3 here = vec3_sub(check_node(g, high), check_node(g, low));
            if (vec3_length(vec3_sub(here, moved)) > CHECK_SEAM * check_shortest_edge(g, low))
                return fr_fail(
                    FR_ERROR_INPUT,
                    "the periodic ends of the grid along %c do not fit together: node %s is (%g, %g, %g) m from node "
                    "%s, but "
                    "node %s is (%g, %g, %g) m from node %s; both ends must be in one place, or moved by one vector",
                    "str"[axis], curve_name_of(g->dims, high).text, here.x, here.y, here.z,
                    curve_name_of(g->dims, low).text, curve_name_of(g->dims, end).text, moved.x, moved.y, moved.z,
                    curve_name_of(g->dims, origin).text);
        }
    return FR_OK;
}

fr_result curve_check(const curve_def *def)
{
    check_grid g = {.nodes = curve_nodes_of_def(def)};
    double farthest;
    FR_TRY(check_numbers(&g.nodes, &farthest));
    g.shortest = fmax(CHECK_SHORTEST, CHECK_DIGITS * farthest);
    g.hand = check_hand(&g.nodes);
    FR_TRY(check_cells(&g, check_lengths));
    FR_TRY(check_cells(&g, check_turns));
    FR_TRY(check_cells(&g, check_skew));
    for (int a = 0; a < def->dims; a++)
        if (def->periodic[a])
            FR_TRY(check_seam(&g.nodes, a));
    return FR_OK;
}
