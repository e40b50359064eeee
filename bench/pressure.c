/* Times the pressure solvers: one line per case, with the copy bandwidth of the same run for comparison; then one line
   per pass over the finest level, with its least memory traffic and the bandwidth reached.

     pressure [threads] [size …]      (1 and 2 threads, 64 128; 256 takes 1 GB) */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "copy.h"
#include "grid/poisson/lattice_sweep.h"
#include "grid/poisson/lattice_transfer.h"
#include "grid/poisson/parts.h"
#include "sizes.h"

typedef enum scene { EMPTY, SPHERE, PLATE, BOTH } scene;
static const char *const scene_name[] = {"empty", "sphere", "plate", "both"};

typedef struct problem {
    domain d;
    field w[3], b, x;
    poisson_operator op;
} problem;

static bool problem_solid(const problem *p, scene kind, const int c[3])
{
    double r2 = 0;
    for (int a = 0; a < p->d.dims; a++) {
        double x = (c[a] + 0.5) / p->d.n[a] - (a == 0 ? 0.4 : 0.55);
        r2 += x * x;
    }
    return (kind == SPHERE || kind == BOTH) && r2 < 0.18 * 0.18;
}

/* Faces of solid cells are closed, and those of a thin plate in the middle, on a face with an odd index. */
static float problem_weight(const problem *p, scene kind, int axis, const int c[3])
{
    int low[3] = {c[0], c[1], c[2]};
    low[axis]--;
    if (low[axis] < 0 || c[axis] == p->d.n[axis])
        return 0;
    bool plate = (kind == PLATE || kind == BOTH) && axis == 1 && c[1] == p->d.n[1] / 4 * 2 + 1;
    for (int a = 0; a < p->d.dims; a++)
        plate = plate && (a == 1 || (c[a] > p->d.n[a] / 5 && c[a] < p->d.n[a] * 7 / 8));
    return plate || problem_solid(p, kind, c) || problem_solid(p, kind, low) ? 0 : 1;
}

static void problem_fill(problem *p, scene kind)
{
    uint32_t seed = 12345;
    for (int a = 0; a < p->d.dims; a++)
        for (int k = 0; k < p->w[a].size[2]; k++)
            for (int j = 0; j < p->w[a].size[1]; j++)
                for (int i = 0; i < p->w[a].size[0]; i++)
                    field_row(&p->w[a], j, k)[i] = problem_weight(p, kind, a, (int[3]){i, j, k});
    for (int k = 0; k < p->d.n[2]; k++)
        for (int j = 0; j < p->d.n[1]; j++)
            for (int i = 0; i < p->d.n[0]; i++) {
                seed = seed * 1664525u + 1013904223u;
                field_row(&p->b, j, k)[i] = (float)(seed >> 8) / 16777216.0f - 0.5f;
            }
}

static bool problem_create(problem *p, int size, int dims)
{
    *p = (problem){.d = {.dims = dims, .n = {size, size, dims == 3 ? size : 1}, .h = {1, 1, 1}}};
    p->op = (poisson_operator){.coefficient = {1, 1, 1}};
    for (int a = 0; a < dims; a++) {
        if (field_create(&p->d, field_face(a), &p->w[a]) != FR_OK)
            return false;
        p->op.weight[a] = &p->w[a];
    }
    return field_create(&p->d, FR_AT_CELL, &p->b) == FR_OK && field_create(&p->d, FR_AT_CELL, &p->x) == FR_OK;
}

static void problem_destroy(problem *p)
{
    for (int a = 0; a < 3; a++)
        field_destroy(&p->w[a]);
    field_destroy(&p->b);
    field_destroy(&p->x);
}

typedef struct timing {
    double setup, solve;
    solve_stats stats;
} timing;

static timing time_multigrid(problem *p, poisson *s)
{
    const solve_limits limits = {.tolerance = 1e-6, .max_iterations = 100};
    timing best = {1e9, 1e9, {0}};
    for (int pass = 0; pass < 4; pass++) {
        field_fill(&p->x, 0);
        double t0 = clock_now();
        poisson_set_operator(s, &p->op);
        double t1 = clock_now();
        best.stats = poisson_solve(s, &p->b, &p->x, &limits);
        double t2 = clock_now();
        best.setup = t1 - t0 < best.setup ? t1 - t0 : best.setup;
        best.solve = t2 - t1 < best.solve ? t2 - t1 : best.solve;
    }
    return best;
}

/* The passes of one iteration and of its residual checks. */
typedef struct pass {
    const char *name;
    void (*run)(poisson *s);
    double vectors, coarse;     /* float vectors read or written, of the finest and of the next level */
} pass;

static void pass_one_sweep(poisson *s) { lattice_smooth_first(&s->level[0], NULL, 1); }
static void pass_smooth_first(poisson *s) { lattice_smooth_first(&s->level[0], NULL, 2); }
static void pass_restrict(poisson *s) { lattice_restrict(&s->level[0], &s->level[1]); }
static void pass_smooth_last(poisson *s) { lattice_smooth_last(&s->level[0], &s->level[1], 2, s->partial); }

/* A factor so small that the fields do not change. */
static const double HARDLY = 1e-30;

static void pass_direction(poisson *s)
{
    s->pending = HARDLY;
    poisson_direction(s, HARDLY);
}

static void pass_step(poisson *s) { poisson_step(s, HARDLY); }

static void pass_residual(poisson *s)
{
    s->pending = HARDLY;
    poisson_residual(s);
}

static const pass passes[] = {
    {"one sweep", pass_one_sweep, 2, 0},                             /* b; x */
    {"two sweeps", pass_smooth_first, 2, 0},
    {"restrict", pass_restrict, 1.5, 1},                             /* x, half of b; b of the next level */
    {"prolong, two sweeps, z.r", pass_smooth_last, 2.5, 1},          /* b, half of x; x */
    {"x, p, A p, p.q", pass_direction, 8, 0},                        /* x (double), p, z; x, p, q */
    {"r, norms, two sweeps", pass_step, 4, 0},                       /* r, q; r, x */
    {"x, true residual", pass_residual, 7, 0},                       /* x, p, b; x, r */
};

/* Call after a solve: the passes use its fields. */
static void print_passes(const problem *p, poisson *s)
{
    enum { TRIES = 8 };
    double copy = copy_bandwidth(), cells = (double)domain_cells(&p->d);
    const int *n = s->level[1].n;
    for (const pass *pass = passes; pass < passes + sizeof passes / sizeof passes[0]; pass++) {
        double best = 1e9, bytes = 4 * (pass->vectors * cells + pass->coarse * n[0] * n[1] * n[2]);
        for (int try = 0; try < TRIES; try++) {
            double start = clock_now();
            pass->run(s);
            best = fmin(best, clock_now() - start);
        }
        printf("            %-26s %8.3f ms  %7.1f MB  %5.1f GB/s  %3.0f %% of copy\n", pass->name, best * 1e3,
               bytes / 1e6, bytes / best / 1e9, 100 * bytes / best / 1e9 / copy);
    }
}

static void print_case(const problem *p, const char *what, const timing *t, double bytes)
{
    double cells = (double)domain_cells(&p->d);
    printf("%4d%s  %-7s %d threads  %2d iterations  residual %.1e  set-up %7.2f ms  solve %8.2f ms  %5.1f bytes/cell  "
           "copy %5.1f GB/s\n",
           p->d.n[0], p->d.dims == 3 ? "³" : "²", what, fr_threads(), t->stats.iterations, t->stats.residual,
           t->setup * 1e3, t->solve * 1e3, bytes / cells, copy_bandwidth());
    fflush(stdout);
}

static void run_size(int size, int dims)
{
    problem p;
    poisson *s = NULL;
    if (!problem_create(&p, size, dims) || poisson_create(&p.d, false, &s) != FR_OK) {
        printf("%d: %s\n", size, fr_error_message());
        problem_destroy(&p);
        return;
    }
    for (scene kind = EMPTY; kind <= BOTH; kind++) {
        problem_fill(&p, kind);
        timing t = time_multigrid(&p, s);
        print_case(&p, scene_name[kind], &t, (double)poisson_bytes(&p.d, false));
    }
    print_passes(&p, s);
    poisson_destroy(s);
    problem_destroy(&p);
}

int main(int argc, char **argv)
{
    return sizes_run(argc, argv, run_size);
}
