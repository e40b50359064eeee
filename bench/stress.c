/* Times the viscosity solver: a ball in flight above a puddle, one line per viscosity.

     stress [threads] [size …]      (1 and 2 threads, 64 128) */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "grid/stress/stress.h"
#include "sizes.h"

typedef struct liquid {
    domain d;
    field start[3], velocity[3], surface, viscosities;
    halo_side sides[3][6];
    stress_problem problem;
    stress *solver;
} liquid;

static double liquid_distance(const liquid *l, const double x[3])
{
    double square = 0;
    for (int a = 0; a < l->d.dims; a++)
        square += (x[a] - (a == 1 ? 0.65 : 0.48)) * (x[a] - (a == 1 ? 0.65 : 0.48));
    return fmin(sqrt(square) - 0.2, x[1] - 0.27 - 0.02 * sin(9 * x[0]));
}

static double liquid_velocity(int a, const double x[3])
{
    return a == 1 ? -1 + sin(11 * x[0]) * cos(5 * x[2]) : sin((7 + 3 * a) * x[1] + 4 * x[0]) + 0.5 * cos(13 * x[2]);
}

/* The exponent of ν swings through its range within the ball and the puddle. */
static double liquid_viscosity(const double x[3], double least, double most)
{
    double part = 0.5 + 0.5 * sin(14 * x[0]) * cos(12 * x[1]) * cos(10 * x[2]);
    return exp(log(least) + part * log(most / least));
}

typedef double (*liquid_value)(const liquid *l, int a, const double x[3]);

static double value_distance(const liquid *l, int a, const double x[3])
{
    (void)a;
    return liquid_distance(l, x);
}

static double value_velocity(const liquid *l, int a, const double x[3])
{
    (void)l;
    return liquid_velocity(a, x);
}

static double range[2];

static double value_viscosity(const liquid *l, int a, const double x[3])
{
    (void)l;
    (void)a;
    return liquid_viscosity(x, range[0], range[1]);
}

static void liquid_fill(const liquid *l, field *f, liquid_value value)
{
    double origin[3];
    field_origin(f, &l->d, origin);
    int ghost = l->d.dims == 3 ? GHOST : 0;
    for (int k = -ghost; k < f->size[2] + ghost; k++)
        for (int j = -GHOST; j < f->size[1] + GHOST; j++)
            for (int i = -GHOST; i < f->size[0] + GHOST; i++) {
                double x[3] = {origin[0] + i * l->d.h[0], origin[1] + j * l->d.h[1], origin[2] + k * l->d.h[2]};
                field_row(f, j, k)[i] = (float)value(l, field_axis(f), x);
            }
}

static fr_result liquid_create(liquid *l, int size, int dims)
{
    double h = 1.0 / size;
    *l = (liquid){.d = {.dims = dims, .n = {size, size, dims == 3 ? size : 1}, .h = {h, h, dims == 3 ? h : 1}}};
    FR_TRY(stress_create(&l->d, &l->solver));
    FR_TRY(field_create(&l->d, FR_AT_CELL, &l->surface));
    FR_TRY(field_create(&l->d, FR_AT_CELL, &l->viscosities));
    for (int a = 0; a < dims; a++) {
        FR_TRY(field_create(&l->d, field_face(a), &l->start[a]));
        FR_TRY(field_create(&l->d, field_face(a), &l->velocity[a]));
        liquid_fill(l, &l->start[a], value_velocity);
    }
    liquid_fill(l, &l->surface, value_distance);
    l->problem = (stress_problem){.dt = 1.0 / 30, .surface = &l->surface, .sides = l->sides, .bulk = 1};
    for (int side = 0; side < 6; side++) {
        l->problem.fixed_sides[side] = true;
        for (int a = 0; a < 3; a++)
            l->sides[a][side].kind = side == 2 ? HALO_VALUE : HALO_EVEN;
    }
    return FR_OK;
}

static void liquid_destroy(liquid *l)
{
    stress_destroy(l->solver);
    field_destroy(&l->surface);
    field_destroy(&l->viscosities);
    for (int a = 0; a < 3; a++) {
        field_destroy(&l->start[a]);
        field_destroy(&l->velocity[a]);
    }
}

static void run_case(liquid *l, const char *what)
{
    const solve_limits limits = {.tolerance = 1e-4, .max_iterations = 5000};
    double set = 1e9, solve = 1e9;
    solve_stats stats = {0};
    for (int pass = 0; pass < 3; pass++) {
        for (int a = 0; a < l->d.dims; a++)
            field_copy(&l->velocity[a], &l->start[a]);
        double t0 = clock_now();
        stress_set(l->solver, &l->problem);
        double t1 = clock_now();
        stats = stress_solve(l->solver, l->velocity, &limits);
        double t2 = clock_now();
        set = fmin(set, t1 - t0);
        solve = fmin(solve, t2 - t1);
    }
    printf(
        "%4d%s  %-16s %d threads  %4d iterations  residual %.1e%s  set-up %7.2f ms  solve %8.2f ms  %5.1f bytes/cell\n",
        l->d.n[0], l->d.dims == 3 ? "³" : "²", what, fr_threads(), stats.iterations, stats.residual,
        stats.converged ? "" : " FAILED", set * 1e3, solve * 1e3,
        (double)stress_bytes(&l->d) / (double)domain_cells(&l->d));
    fflush(stdout);
}

static void run_constants(liquid *l)
{
    char what[32];
    for (double viscosity = 0.01; viscosity < 2e4; viscosity *= 100) {
        l->problem.viscosity = viscosity;
        snprintf(what, sizeof what, "ν %g", viscosity);
        run_case(l, what);
    }
    l->problem.form = STRESS_LAPLACIAN;
    l->problem.bulk = 0;
    l->problem.viscosity = 100;
    run_case(l, "ν 100 laplacian");
    l->problem.form = STRESS_FULL;
    l->problem.bulk = 1;
}

static void run_ranges(liquid *l)
{
    static const double ranges[2][2] = {{0.1, 1e4}, {1e-6, 1e5}};
    char what[32];
    l->problem.viscosities = &l->viscosities;
    for (int i = 0; i < 2; i++) {
        range[0] = ranges[i][0];
        range[1] = ranges[i][1];
        liquid_fill(l, &l->viscosities, value_viscosity);
        snprintf(what, sizeof what, "ν %g…%g", range[0], range[1]);
        run_case(l, what);
    }
}

static void run_size(int size, int dims)
{
    liquid l;
    if (liquid_create(&l, size, dims) != FR_OK)
        printf("%d: %s\n", size, fr_error_message());
    else {
        run_constants(&l);
        run_ranges(&l);
    }
    liquid_destroy(&l);
}

int main(int argc, char **argv)
{
    return sizes_run(argc, argv, run_size);
}
