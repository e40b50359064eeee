/* How much of a cell is inside a shape, for each octant of the cell.

   Where the distance is smooth, its values at the octants' corners give its mean over an octant and its slope; the
   corners' mean is a²∇²d/12 more than that over the octant (a its edge), which the second differences across the cell
   take off. The plane of that mean and slope is then cut out of the octant exactly (Scardovelli & Zaleski 2000). So
   planes are exact, and balls of 4 cells' radius have their volume within 1e-4. Where the distance has a kink (edges,
   thin plates) a cell is sampled at 4³ points: boxes of 4 cells have their volume within 5e-3, of 8 within 1e-3. */
#include <math.h>

#include "mac/solids/solids_parts.h"

enum { CUT_LINES = 9, CUT_ALONG = 4 };

/* At a kink the second difference is up to twice the step; on a ball of one cell's radius half of it. */
static const double CUT_BEND = 0.5;

/* By how much the square of a slope may differ from one. */
static const double CUT_SLOPE = 0.1;

/* Distances at the corners, edges' middles … of the octants of a row of cells. */
typedef struct cut_lattice {
    const float *line[CUT_LINES]; /* along x, for y and z on a cell's low side, in its middle and on its high side */
    double half[3];               /* m: between them */
    double reach;                 /* m: from an octant's middle to its corners */
} cut_lattice;

static double cut_cube(double x) { return x * x * x; }

/* What of a cube is on the negative side of a linear function, from its value in the middle and its differences across
   the cube. */
static double cut_plane(double middle, const double across[3])
{
    double m[3] = {fabs(across[0]), fabs(across[1]), fabs(across[2])};
    for (int pass = 0; pass < 3; pass++) {
        const int low = pass % 2;
        const double least = fmin(m[low], m[low + 1]), most = fmax(m[low], m[low + 1]);
        m[low] = least;
        m[low + 1] = most;
    }
    const double sum = m[0] + m[1] + m[2], share = sum > 0 ? 0.5 - middle / sum : middle < 0;
    if (share <= 0 || share >= 1)
        return share > 0;
    const double a = share > 0.5 ? 1 - share : share, z = m[2] / sum, y = m[1] / sum;
    const double x = m[0] / sum > 1e-5 ? m[0] / sum : 0; /* smaller ones would be lost in rounding */
    double part;
    if (a < x)
        part = a * a * a / (6 * x * y * z);
    else if (a < y)
        part = (a * (a - x) + x * x / 3) / (2 * y * z);
    else if (a < x + y)
        part = (cut_cube(a) - cut_cube(a - x) - cut_cube(a - y) - cut_cube(fmax(a - z, 0))) / (6 * x * y * z);
    else
        part = (2 * a - x - y) / (2 * z);
    return share > 0.5 ? 1 - part : part;
}

static double cut_at(const cut_lattice *l, int at, int y, int z) { return (double)l->line[y + 3 * z][at]; }

/* The second differences along the three lines of nodes across the cell that begin at node (b, c) of the other axes. */
static double cut_bend(const cut_lattice *l, int at, int axis, int b, int c)
{
    int low[3] = {b, b, b}, step[3] = {0, 0, 0};
    low[axis] = 0;
    low[axis == 2 ? 1 : 2] = c;
    step[axis] = 1;
    double sum = 0;
    for (int n = 0; n < 3; n++)
        sum += (n == 1 ? -2 : 1) *
               cut_at(l, at + low[0] + n * step[0], low[1] + n * step[1], low[2] + n * step[2]);
    return sum;
}

/* All of them; false: one shows a kink. */
static bool cut_bends(const cut_lattice *l, int at, double bends[3][3][3])
{
    bool smooth = true;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++) {
                bends[a][b][c] = cut_bend(l, at, a, b, c);
                smooth = smooth && fabs(bends[a][b][c]) <= CUT_BEND * l->half[a];
            }
    return smooth;
}

/* Its sum over the lines through the corners of an octant, mean over them. */
static double cut_octant_bend(double bends[3][3][3], const int low[3])
{
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        const int b = low[a == 0 ? 1 : 0], c = low[a == 2 ? 1 : 2];
        sum += 0.25 * (bends[a][b][c] + bends[a][b + 1][c] + bends[a][b][c + 1] + bends[a][b + 1][c + 1]);
    }
    return sum;
}

/* The octants of a cell whose first node is `at`; false: there is a kink. */
static bool cut_smooth(const cut_lattice *l, int at, int dims, double part[CUT_OCTANTS])
{
    double bends[3][3][3];
    if (!cut_bends(l, at, bends))
        return false;
    for (int o = 0; o < CUT_OCTANTS; o++) {
        const int low[3] = {o & 1, o >> 1 & 1, o >> 2};
        double mean = 0, across[3] = {0, 0, 0}, square = 0;
        for (int n = 0; n < 8; n++) {
            const int end[3] = {n & 1, n >> 1 & 1, n >> 2};
            const double f = 0.125 * cut_at(l, at + low[0] + end[0], low[1] + end[1], low[2] + end[2]);
            mean += f;
            for (int a = 0; a < 3; a++)
                across[a] += end[a] ? 2 * f : -2 * f;
        }
        for (int a = 0; a < dims; a++)
            square += across[a] * across[a] / (l->half[a] * l->half[a]);
        if (fabs(mean) < l->reach && fabs(square - 1) > CUT_SLOPE)
            return false;
        part[o] = cut_plane(mean - cut_octant_bend(bends, low) / 12, across);
    }
    return true;
}

/* The octants of a cell from points in it: what is inside goes from none to all within their distance. */
static fr_result cut_sample(const shape *s, const domain *d, const int cell[3], double part[CUT_OCTANTS])
{
    const double width = domain_min_h(d) / CUT_ALONG;
    const int layers = d->dims == 3 ? CUT_ALONG : 1;
    float line[CUT_ALONG];
    for (int o = 0; o < CUT_OCTANTS; o++)
        part[o] = 0;
    for (int n = 0; n < CUT_ALONG * layers; n++) {
        const int at[3] = {0, n % CUT_ALONG, n / CUT_ALONG};
        double start[3] = {0, 0, 0};
        for (int a = 0; a < d->dims; a++)
            start[a] = d->origin[a] + (cell[a] + (at[a] + 0.5) / CUT_ALONG) * d->h[a];
        FR_TRY(shape_distance_row(s, start, d->h[0] / CUT_ALONG, CUT_ALONG, line));
        for (int i = 0; i < CUT_ALONG; i++) {
            const int o = i / 2 + 2 * (at[1] / 2) + 4 * (at[2] / 2);
            part[o] += fmin(fmax(0.5 - (double)line[i] / width, 0), 1) / (d->dims == 3 ? 8 : 4);
        }
    }
    for (int o = 0; o < CUT_OCTANTS / 2 && d->dims == 2; o++)
        part[o + CUT_OCTANTS / 2] = part[o];
    return FR_OK;
}

fr_result solids_cut(const shape *s, const domain *d, const int cell[3], int count, double part[][CUT_OCTANTS])
{
    float values[CUT_LINES][2 * CUT_MOST + 1];
    cut_lattice l = {.half = {0.5 * d->h[0], 0.5 * d->h[1], 0.5 * d->h[2]}};
    double square = 0;
    for (int a = 0; a < d->dims; a++)
        square += 0.25 * l.half[a] * l.half[a];
    l.reach = sqrt(square);
    for (int n = 0; n < CUT_LINES; n++) {
        const int at[3] = {0, n % 3, n / 3}, from = d->dims == 3 ? n : n % 3;
        double start[3] = {0, 0, 0};
        for (int a = 0; a < d->dims; a++)
            start[a] = d->origin[a] + cell[a] * d->h[a] + at[a] * l.half[a];
        l.line[n] = values[from];
        if (from == n)
            FR_TRY(shape_distance_row(s, start, l.half[0], 2 * count + 1, values[n]));
    }
    for (int n = 0; n < count; n++)
        if (!cut_smooth(&l, 2 * n, d->dims, part[n]))
            FR_TRY(cut_sample(s, d, (int[3]){cell[0] + n, cell[1], cell[2]}, part[n]));
    return FR_OK;
}
