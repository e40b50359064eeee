/* The direct solve: transform, divide, transform back, refine on the true residual. */
#include "grid/poisson_fft.h"

#ifdef FR_HAVE_FFTW

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/lattice_lanes.h"
#include "grid/poisson_fft_parts.h"

enum { MOST_PASSES = 4 };

static void fft_rows_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        float *row = s->data + r % s->block.n[1] * s->row + r / s->block.n[1] * s->plane;
        fftwf_execute_r2r(s->forward[0], row, row);
    }
}

/* The first column of a group along y (in every plane) or along z (in every row). */
static float *fft_group(const poisson_fft *s, int group)
{
    int groups = (s->block.n[0] + COLUMNS - 1) / COLUMNS;
    return s->data + (ptrdiff_t)(group % groups) * COLUMNS + group / groups * (s->axis == 1 ? s->plane : s->row);
}

static void fft_columns_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int g = begin; g < end; g++)
        fftwf_execute_r2r(s->back ? s->backward[s->axis] : s->forward[s->axis], fft_group(s, g), fft_group(s, g));
}

/* Divides the modes of part of a row by their eigenvalues; the constant one of a singular box becomes 0. */
static void fft_divide(const poisson_fft *s, int first, int j, int k)
{
    float *row = s->data + j * s->row + k * s->plane;
    double rest = s->eigen[1][j] + s->eigen[2][k];
    for (int i = first; i < first + COLUMNS && i < s->block.n[0]; i++) {
        double lambda = s->eigen[0][i] + rest;
        row[i] = lambda > 0 ? (float)((double)row[i] / (lambda * s->scale)) : 0;
    }
}

/* The last transform forward, the division and the first transform back, while the columns are in the cache. */
static void fft_turn_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    int groups = (s->block.n[0] + COLUMNS - 1) / COLUMNS, axis = s->axis;
    for (int g = begin; g < end; g++) {
        int first = g % groups * COLUMNS, across = g / groups;
        fftwf_execute_r2r(s->forward[axis], fft_group(s, g), fft_group(s, g));
        for (int m = 0; m < s->block.n[axis]; m++)
            fft_divide(s, first, axis == 1 ? m : across, axis == 1 ? across : m);
        fftwf_execute_r2r(s->backward[axis], fft_group(s, g), fft_group(s, g));
    }
}

/* Does the work on all groups of columns along an axis. */
static void fft_columns(poisson_fft *s, int axis, threads_work work)
{
    const int *n = s->block.n;
    s->axis = axis;
    threads_for_cost((n[0] + COLUMNS - 1) / COLUMNS * n[axis == 1 ? 2 : 1], (int64_t)COLUMNS * n[axis], work, s);
}

/* Back along x, and the correction to the solution. */
static void fft_add_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        ptrdiff_t at = r % s->block.n[1] * s->row + r / s->block.n[1] * s->plane;
        fftwf_execute_r2r(s->backward[0], s->data + at, s->data + at);
        double *x = s->x + at;
        for (int i = 0; i < s->block.n[0]; i++)
            x[i] += (double)s->data[at + i];
    }
}

/* x += A⁻¹ data. */
static void fft_correct(poisson_fft *s)
{
    int rows = (int)fft_rows(&s->block), last = s->block.dims - 1;
    threads_for_cost(rows, s->block.n[0], fft_rows_share, s);
    s->back = false;
    for (int a = 1; a < last; a++)
        fft_columns(s, a, fft_columns_share);
    fft_columns(s, last, fft_turn_share);
    s->back = true;
    for (int a = last - 1; a >= 1; a--)
        fft_columns(s, a, fft_columns_share);
    threads_for_cost(rows, s->block.n[0], fft_add_share, s);
}

/* The neighbour of a row, and the sign of its values: beyond a closed side lies the row itself, beyond an open one its
   negative. */
typedef struct fft_neighbour {
    const double *row;
    double sign;
} fft_neighbour;

static fft_neighbour fft_beside(const poisson_fft *s, const int at[3], int axis, int side)
{
    int to[3] = {at[0], at[1], at[2]}, n = s->block.n[axis];
    side_kind kind = s->sides[2 * axis + side];
    bool edge = at[axis] == (side ? n - 1 : 0);
    if (!edge || kind == SIDE_PERIODIC)
        to[axis] = (at[axis] + (side ? 1 : n - 1)) % n;
    return (fft_neighbour){s->x + to[0] + to[1] * s->row + to[2] * s->plane, edge && kind == SIDE_OPEN ? -1 : 1};
}

/* What rounding leaves of a right-hand side that equals its mean is none. */
static const double ROUNDING = 1e-12;

/* A row of cells and its neighbours across y and z. */
typedef struct fft_row {
    const poisson_fft *s;
    const double *x;
    const float *b;
    float *to;
    fft_neighbour y[2], z[2];
} fft_row;

/* Square and largest element of b less its mean and of the residual. */
typedef struct fft_norms {
    double right[2], rest[2];
} fft_norms;

/* b less its mean − A x of `count` cells from i on; `along` their neighbours along x. A plain loop, which the
   compiler vectorises; the sums in lanes. */
static void fft_residual_cells(const fft_row *w, int i, int count, const fft_neighbour along[2], fft_norms *norms)
{
    enum { PART = 128 };
    const double c0 = w->s->c[0], c1 = w->s->c[1], c2 = w->s->c[2], mean = w->s->mean;
    const double *low = along[0].row - i, *high = along[1].row - i, *x = w->x;
    const fft_neighbour *y = w->y, *z = w->z;
    for (int end = i + count; i < end; i += PART) {
        double right[PART], rest[PART];
        int part = end - i < PART ? end - i : PART, padded = (part + 15) / 16 * 16;
        for (int m = 0; m < part; m++) {
            double b = (double)w->b[i + m], own = x[i + m];
            right[m] = fabs(b - mean) <= ROUNDING * fabs(b) ? 0 : b - mean;
            rest[m] = right[m] - (c0 * ((own - along[0].sign * low[i + m]) + (own - along[1].sign * high[i + m])) +
                                  c1 * ((own - y[0].sign * y[0].row[i + m]) + (own - y[1].sign * y[1].row[i + m])) +
                                  c2 * ((own - z[0].sign * z[0].row[i + m]) + (own - z[1].sign * z[1].row[i + m])));
            w->to[i + m] = (float)rest[m];
        }
        for (int m = part; m < padded; m++)
            right[m] = rest[m] = 0;
        lanes_measure(right, padded, norms->right);
        lanes_measure(rest, padded, norms->rest);
    }
}

/* The ends of the row have other neighbours along x. */
static void fft_residual_row(const poisson_fft *s, int j, int k, fft_norms *norms)
{
    const int n = s->block.n[0];
    ptrdiff_t at = j * s->row + k * s->plane;
    fft_row w = {.s = s, .x = s->x + at, .b = field_row(s->right, j, k), .to = s->data + at};
    for (int side = 0; side < 2; side++) {
        w.y[side] = fft_beside(s, (int[3]){0, j, k}, 1, side);
        w.z[side] = fft_beside(s, (int[3]){0, j, k}, 2, side);
    }
    for (int i = 0; i < n; i += n > 1 ? n - 1 : 1) {
        const fft_neighbour along[2] = {fft_beside(s, (int[3]){i, j, k}, 0, 0), fft_beside(s, (int[3]){i, j, k}, 0, 1)};
        fft_residual_cells(&w, i, 1, along, norms);
    }
    const fft_neighbour along[2] = {{w.x, 1}, {w.x + 2, 1}};
    if (n > 2)
        fft_residual_cells(&w, 1, n - 2, along, norms);
}

static void fft_residual_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        fft_norms norms = {0};
        fft_residual_row(s, r % s->block.n[1], r / s->block.n[1], &norms);
        for (int i = 0; i < 2; i++) {
            s->partial[i][r] = norms.right[i];
            s->partial[2 + i][r] = norms.rest[i];
        }
    }
}

static void fft_mean_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        const float *b = field_row(s->right, r % s->block.n[1], r / s->block.n[1]);
        double sum = 0;
        for (int i = 0; i < s->block.n[0]; i++)
            sum += (double)b[i];
        s->partial[0][r] = sum;
    }
}

/* The first guess: the smaller the correction, the less its rounding in float matters. */
static void fft_load_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        int j = r % s->block.n[1], k = r / s->block.n[1];
        const float *from = field_row(s->answer, j, k);
        for (int i = 0; i < s->block.n[0]; i++)
            s->x[j * s->row + k * s->plane + i] = (double)from[i];
    }
}

static void fft_store_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        int j = r % s->block.n[1], k = r / s->block.n[1];
        float *to = field_row(s->answer, j, k);
        for (int i = 0; i < s->block.n[0]; i++)
            to[i] = (float)s->x[j * s->row + k * s->plane + i];
    }
}

/* Whether the residual keeps the limits; leaves it in `data` and its size in `stats`. */
static bool fft_check(poisson_fft *s, const solve_limits *limits, solve_stats *stats)
{
    int rows = (int)fft_rows(&s->block);
    threads_for_cost(rows, s->block.n[0], fft_residual_share, s);
    double right2 = sqrt(threads_sum(s->partial[0], rows)), right = threads_max(s->partial[1], rows);
    double l2 = sqrt(threads_sum(s->partial[2], rows)), most = threads_max(s->partial[3], rows);
    if (right == 0)                      /* whatever the first guess was, the answer is 0 */
        memset(s->x, 0, fft_slots(s) * sizeof(double));
    stats->residual = !isfinite(l2) ? NAN : right > 0 ? most / right : 0;
    return right == 0 || most <= limits->absolute || (l2 <= limits->tolerance * right2 && most <= limits->tolerance * right);
}

/* Float vectors that come from memory or go there: a check reads x (double) and b and writes the residual; a pass transforms
   every axis but the last forth and back in place, the last one in one go, and adds to x; loading and storing the answer. */
static double fft_traffic(const poisson_fft *s, int passes)
{
    double check = 4, pass = 2 * (2 * (s->block.dims - 1) + 1) + 4;
    return sizeof(float) * (double)domain_cells(&s->block) * (passes * (pass + check) + check + 2 * 3);
}

solve_stats poisson_fft_solve(poisson_fft *s, const field *b, field *x, const solve_limits *limits)
{
    int rows = (int)fft_rows(&s->block);
    solve_stats stats = {0};
    s->right = b;
    s->answer = x;
    s->mean = 0;
    if (s->singular) {
        threads_for_cost(rows, s->block.n[0], fft_mean_share, s);
        s->mean = threads_sum(s->partial[0], rows) / (double)domain_cells(&s->block);
    }
    threads_for_cost(rows, s->block.n[0], fft_load_share, s);
    bool holds = fft_check(s, limits, &stats);
    while (!holds && isfinite(stats.residual) && stats.iterations < MOST_PASSES) {
        fft_correct(s);
        stats.iterations++;
        holds = fft_check(s, limits, &stats);
    }
    stats.converged = holds && isfinite(stats.residual);
    threads_for_cost(rows, s->block.n[0], fft_store_share, s);
    stats.bytes = fft_traffic(s, stats.iterations);
    return stats;
}

typedef struct fft_gradient {
    const poisson_fft *s;
    int axis;
    double factor;
    field *faces;
} fft_gradient;

/* Adds to a row of faces the differences of the cells above and below them. */
static void fft_gradient_row(double factor, fft_neighbour low, fft_neighbour high, int n, float *restrict faces)
{
    for (int i = 0; i < n; i++)
        faces[i] += (float)(factor * (high.sign * high.row[i] - low.sign * low.row[i]));
}

/* The low faces of a row of cells, and the last face across the axis. */
static void fft_gradient_share(void *context, int begin, int end)
{
    const fft_gradient *g = context;
    const poisson_fft *s = g->s;
    int n = s->block.n[0];
    for (int r = begin; r < end; r++) {
        int at[3] = {0, r % s->block.n[1], r / s->block.n[1]}, last[3] = {n - 1, at[1], at[2]};
        fft_neighbour own = {s->x + at[1] * s->row + at[2] * s->plane, 1}, low = fft_beside(s, at, g->axis, 0);
        float *faces = field_row(g->faces, at[1], at[2]);
        if (g->axis == 0) {
            fft_neighbour end_of_row = {own.row + n - 1, 1};
            fft_gradient_row(g->factor, low, own, 1, faces);
            fft_gradient_row(g->factor, own, (fft_neighbour){own.row + 1, 1}, n - 1, faces + 1);
            fft_gradient_row(g->factor, end_of_row, fft_beside(s, last, 0, 1), 1, faces + n);
            continue;
        }
        fft_gradient_row(g->factor, low, own, n, faces);
        if (at[g->axis] == s->block.n[g->axis] - 1)
            fft_gradient_row(g->factor, own, fft_beside(s, at, g->axis, 1), n, faces + g->faces->stride[g->axis]);
    }
}

void poisson_fft_add_gradient(const poisson_fft *s, int axis, double factor, field *faces)
{
    fft_gradient g = {s, axis, factor, faces};
    threads_for_cost((int)fft_rows(&s->block), s->block.n[0], fft_gradient_share, &g);
}

#endif
