/* The transforms diagonalise the Laplacian per axis: G. Strang, "The discrete cosine transform", SIAM Review 41
   (1999), section 4, and its sine counterparts. Eigenvalue of mode k among n: 2 − 2 cos θ with θ = πk/n (closed),
   π(k+1)/n (open), π(k+½)/n (one of each), 2πk/n (periodic). Plans are made for one thread and short rows, and run
   from our own threads: the same bits for any number of them. Limits: float transforms leave a relative error of
   about 1e-6, which the refinement removes. */
#include "grid/poisson_fft.h"

#ifdef FR_HAVE_FFTW

#include <fftw3.h>
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"

/* Columns of one item of work: a cache line of floats. Rows are padded by one more, so that columns do not fall into
   the same cache sets. */
enum { COLUMNS = 16, MOST_PASSES = 4 };

struct poisson_fft {
    domain block;
    double c[3];
    side_kind sides[6];
    bool singular;
    ptrdiff_t row, plane;
    float *data;            /* residual, then correction */
    double *x;              /* solution; as `data` */
    double *eigen[3];       /* c λ per mode */
    double *partial[4];     /* per plane and row group: see fft_residual */
    double scale;           /* of forward and backward transform together */
    fftwf_plan forward[3], backward[3];
    void *memory;

    /* Of the solve that runs. */
    const field *right;
    field *answer;
    double mean;
    bool back;
    int axis;
};

bool poisson_fft_available(void)
{
    return true;
}

static void fft_layout(poisson_fft *s, const domain *block)
{
    s->block = *block;
    s->row = (block->n[0] + COLUMNS - 1) / COLUMNS * COLUMNS + COLUMNS;
    s->plane = s->row * block->n[1] + COLUMNS;
}

static size_t fft_slots(const poisson_fft *s)
{
    return (size_t)s->plane * (size_t)s->block.n[2];
}

static size_t fft_rows(const domain *block)
{
    return (size_t)block->n[1] * (size_t)block->n[2];
}

static size_t fft_bytes(const poisson_fft *s)
{
    const int *n = s->block.n;
    return fft_slots(s) * (sizeof(double) + sizeof(float)) +
           ((size_t)n[0] + (size_t)n[1] + (size_t)n[2] + 4 * fft_rows(&s->block)) * sizeof(double);
}

size_t poisson_fft_bytes(const domain *block)
{
    poisson_fft s = {0};
    fft_layout(&s, block);
    return sizeof s + fft_bytes(&s);
}

/* Transform kinds of an axis and the angle of mode k: π (k + shift) · 2 / period. */
typedef struct fft_axis {
    fftwf_r2r_kind forward, backward;
    double shift, factor;
} fft_axis;

static fft_axis fft_axis_of(const side_kind sides[2])
{
    if (sides[0] == SIDE_PERIODIC)
        return (fft_axis){FFTW_R2HC, FFTW_HC2R, 0, 2};
    if (sides[0] == SIDE_CLOSED && sides[1] == SIDE_CLOSED)
        return (fft_axis){FFTW_REDFT10, FFTW_REDFT01, 0, 1};
    if (sides[0] == SIDE_OPEN && sides[1] == SIDE_OPEN)
        return (fft_axis){FFTW_RODFT10, FFTW_RODFT01, 1, 1};
    if (sides[0] == SIDE_CLOSED)
        return (fft_axis){FFTW_REDFT11, FFTW_REDFT11, 0.5, 1};
    return (fft_axis){FFTW_RODFT11, FFTW_RODFT11, 0.5, 1};
}

static fftwf_plan fft_plan(poisson_fft *s, int axis, fftwf_r2r_kind kind)
{
    int n = s->block.n[axis], stride = axis == 0 ? 1 : axis == 1 ? (int)s->row : (int)s->plane;
    return fftwf_plan_many_r2r(1, &n, axis == 0 ? 1 : COLUMNS, s->data, NULL, stride, 1, s->data, NULL, stride, 1,
                               &kind, FFTW_ESTIMATE);
}

static bool fft_plan_axis(poisson_fft *s, int axis)
{
    int n = s->block.n[axis];
    fft_axis a = fft_axis_of(&s->sides[2 * axis]);
    for (int k = 0; k < n; k++)
        s->eigen[axis][k] = s->c[axis] * (2 - 2 * cos(FR_PI * a.factor * (k + a.shift) / n));
    if (axis >= s->block.dims)
        return true;
    bool periodic = s->sides[2 * axis] == SIDE_PERIODIC;
    s->scale *= periodic ? n : 2.0 * n;
    s->singular = s->singular && a.shift == 0;
    s->forward[axis] = fft_plan(s, axis, a.forward);
    s->backward[axis] = fft_plan(s, axis, a.backward);
    return s->forward[axis] && s->backward[axis];
}

fr_result poisson_fft_create(const domain *block, const double coefficient[3], const side_kind sides[6], poisson_fft **out)
{
    *out = NULL;
    for (int a = 0; a < block->dims; a++)
        if ((sides[2 * a] == SIDE_PERIODIC) != (sides[2 * a + 1] == SIDE_PERIODIC))
            return fr_fail(FR_ERROR_INPUT, "axis %d is periodic on one side only; make both sides periodic or none", a);
    poisson_fft *s = MEMORY_NEW(poisson_fft, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    fft_layout(s, block);
    s->memory = memory_alloc(fft_bytes(s));
    if (!s->memory) {
        poisson_fft_destroy(s);
        return FR_ERROR_MEMORY;
    }
    s->x = s->memory;
    s->data = (float *)(s->x + fft_slots(s));
    s->eigen[0] = (double *)(void *)(s->data + fft_slots(s));
    s->eigen[1] = s->eigen[0] + block->n[0];
    s->eigen[2] = s->eigen[1] + block->n[1];
    for (int i = 0; i < 4; i++)
        s->partial[i] = s->eigen[2] + block->n[2] + (size_t)i * fft_rows(block);
    s->scale = 1;
    s->singular = true;
    bool planned = true;
    for (int a = 0; a < 6; a++)
        s->sides[a] = a / 2 < block->dims ? sides[a] : SIDE_CLOSED;
    for (int a = 0; a < 3; a++) {
        s->c[a] = a < block->dims ? coefficient[a] : 0;
        planned = fft_plan_axis(s, a) && planned;
    }
    if (!planned) {
        poisson_fft_destroy(s);
        return fr_fail(FR_ERROR_MEMORY, "out of memory: the fast transforms for %d × %d × %d cells could not be planned",
                       block->n[0], block->n[1], block->n[2]);
    }
    *out = s;
    return FR_OK;
}

void poisson_fft_destroy(poisson_fft *s)
{
    if (!s)
        return;
    for (int a = 0; a < 3; a++) {
        if (s->forward[a])
            fftwf_destroy_plan(s->forward[a]);
        if (s->backward[a])
            fftwf_destroy_plan(s->backward[a]);
    }
    memory_free(s->memory);
    memory_free(s);
}

static void fft_rows_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        float *row = s->data + r % s->block.n[1] * s->row + r / s->block.n[1] * s->plane;
        fftwf_execute_r2r(s->back ? s->backward[0] : s->forward[0], row, row);
    }
}

/* Groups of columns along y (in every plane) or along z (in every row). */
static void fft_columns_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    int groups = (s->block.n[0] + COLUMNS - 1) / COLUMNS;
    for (int g = begin; g < end; g++) {
        ptrdiff_t across = s->axis == 1 ? s->plane : s->row;
        float *first = s->data + (ptrdiff_t)(g % groups) * COLUMNS + g / groups * across;
        fftwf_execute_r2r(s->back ? s->backward[s->axis] : s->forward[s->axis], first, first);
    }
}

static void fft_transform(poisson_fft *s, int axis)
{
    const int *n = s->block.n;
    s->axis = axis;
    if (axis == 0)
        threads_for_cost(n[1] * n[2], n[0], fft_rows_share, s);
    else if (axis < s->block.dims)
        threads_for_cost((n[0] + COLUMNS - 1) / COLUMNS * n[axis == 1 ? 2 : 1], (int64_t)COLUMNS * n[axis],
                         fft_columns_share, s);
}

/* Divides every mode by its eigenvalue; the constant one of a singular box becomes 0. */
static void fft_divide_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        int j = r % s->block.n[1], k = r / s->block.n[1];
        float *row = s->data + j * s->row + k * s->plane;
        double rest = s->eigen[1][j] + s->eigen[2][k];
        for (int i = 0; i < s->block.n[0]; i++) {
            double lambda = s->eigen[0][i] + rest;
            row[i] = lambda > 0 ? (float)((double)row[i] / (lambda * s->scale)) : 0;
        }
    }
}

/* data = A⁻¹ data. */
static void fft_solve_data(poisson_fft *s)
{
    s->back = false;
    for (int a = 0; a < 3; a++)
        fft_transform(s, a);
    threads_for_cost(s->block.n[1] * s->block.n[2], s->block.n[0], fft_divide_share, s);
    s->back = true;
    for (int a = 2; a >= 0; a--)
        fft_transform(s, a);
}

static void fft_add_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        ptrdiff_t at = r % s->block.n[1] * s->row + r / s->block.n[1] * s->plane;
        double *x = s->x + at;
        for (int i = 0; i < s->block.n[0]; i++)
            x[i] += (double)s->data[at + i];
    }
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

/* b less its mean − A x of one row, into `out`; A x is 0 before the first pass. */
static void fft_residual_row(const poisson_fft *s, int j, int k, double *sums)
{
    const int n = s->block.n[0], last = n - 1;
    ptrdiff_t at = j * s->row + k * s->plane;
    const double *x = s->x + at, c0 = s->c[0], c1 = s->c[1], c2 = s->c[2];
    const float *b = field_row(s->right, j, k);
    fft_neighbour y[2], z[2];
    for (int side = 0; side < 2; side++) {
        y[side] = fft_beside(s, (int[3]){0, j, k}, 1, side);
        z[side] = fft_beside(s, (int[3]){0, j, k}, 2, side);
    }
    for (int i = 0; i < n; i++) {
        double rest = (double)b[i] - s->mean, low, high;
        double right = fabs(rest) <= ROUNDING * fabs((double)b[i]) ? 0 : rest;
        if (i > 0 && i < last) {
            low = x[i - 1];
            high = x[i + 1];
        } else {
            fft_neighbour end[2] = {fft_beside(s, (int[3]){i, j, k}, 0, 0), fft_beside(s, (int[3]){i, j, k}, 0, 1)};
            low = end[0].sign * *end[0].row;
            high = end[1].sign * *end[1].row;
        }
        double r = right - (c0 * ((x[i] - low) + (x[i] - high)) +
                            c1 * ((x[i] - y[0].sign * y[0].row[i]) + (x[i] - y[1].sign * y[1].row[i])) +
                            c2 * ((x[i] - z[0].sign * z[0].row[i]) + (x[i] - z[1].sign * z[1].row[i])));
        s->data[at + i] = (float)r;
        sums[0] += right * right;
        sums[1] = fabs(right) > sums[1] ? fabs(right) : sums[1];
        sums[2] += r * r;
        sums[3] = fabs(r) > sums[3] ? fabs(r) : sums[3];
    }
}

static void fft_residual_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++) {
        double sums[4] = {0};
        fft_residual_row(s, r % s->block.n[1], r / s->block.n[1], sums);
        for (int i = 0; i < 4; i++)
            s->partial[i][r] = sums[i];
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

static void fft_start_share(void *context, int begin, int end)
{
    const poisson_fft *s = context;
    for (int r = begin; r < end; r++)
        for (int i = 0; i < s->block.n[0]; i++)
            s->x[r % s->block.n[1] * s->row + r / s->block.n[1] * s->plane + i] = 0;
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
    stats->residual = !isfinite(l2) ? NAN : right > 0 ? most / right : 0;
    return most <= limits->absolute || (l2 <= limits->tolerance * right2 && most <= limits->tolerance * right);
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
    threads_for_cost(rows, s->block.n[0], fft_start_share, s);
    bool holds = fft_check(s, limits, &stats);
    while (!holds && isfinite(stats.residual) && stats.iterations < MOST_PASSES) {
        fft_solve_data(s);
        threads_for_cost(rows, s->block.n[0], fft_add_share, s);
        stats.iterations++;
        holds = fft_check(s, limits, &stats);
    }
    stats.converged = holds && isfinite(stats.residual);
    threads_for_cost(rows, s->block.n[0], fft_store_share, s);
    return stats;
}

#else

bool poisson_fft_available(void)
{
    return false;
}

fr_result poisson_fft_create(const domain *block, const double coefficient[3], const side_kind sides[6], poisson_fft **out)
{
    (void)block, (void)coefficient, (void)sides;
    *out = NULL;
    return fr_fail(FR_ERROR_UNSUPPORTED, "this build has no fast transforms; use the multigrid solver, or install FFTW "
                                         "(libfftw3-dev) and build again");
}

void poisson_fft_destroy(poisson_fft *solver)
{
    (void)solver;
}

size_t poisson_fft_bytes(const domain *block)
{
    (void)block;
    return 0;
}

solve_stats poisson_fft_solve(poisson_fft *solver, const field *b, field *x, const solve_limits *limits)
{
    (void)solver, (void)b, (void)x, (void)limits;
    return (solve_stats){.residual = 1};
}

#endif
