/* The transforms diagonalise the Laplacian per axis: G. Strang, "The discrete cosine transform", SIAM Review 41
   (1999), section 4, and its sine counterparts. Eigenvalue of mode k among n: 2 − 2 cos θ with θ = πk/n (closed),
   π(k+1)/n (open), π(k+½)/n (one of each), 2πk/n (periodic). Plans are made for one thread and short rows, and run
   from our own threads: the same bits for any number of them. Limits: float transforms leave a relative error of
   about 1e-6, which the refinement removes. */
#include "grid/poisson_fft.h"

#ifdef FR_HAVE_FFTW

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "grid/poisson_fft_parts.h"

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

fr_result poisson_fft_create(const domain *block, const double coefficient[3], const side_kind sides[6],
                             poisson_fft **out)
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
        return fr_fail(FR_ERROR_MEMORY,
                       "out of memory: the fast transforms for %d × %d × %d cells could not be planned",
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

#else

bool poisson_fft_available(void)
{
    return false;
}

fr_result poisson_fft_create(const domain *block, const double coefficient[3], const side_kind sides[6],
                             poisson_fft **out)
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

void poisson_fft_add_gradient(const poisson_fft *solver, int axis, double factor, field *faces)
{
    (void)solver, (void)axis, (void)factor, (void)faces;
}

#endif
