/* Systems for the tests of the pressure solvers. */
#ifndef FR_TESTS_POISSON_CASE_H
#define FR_TESTS_POISSON_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "grid/poisson/poisson.h"

typedef struct poisson_case {
    domain d;
    field w[3], e, b, x;
    poisson_operator op;
} poisson_case;

/* Whether a cell is solid, by its index. */
typedef bool (*case_solid)(const domain *d, const int cell[3]);

static inline uint32_t case_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}
static inline float case_unit(uint32_t *seed) { return (float)case_random(seed) / 16777216.0f; }

static inline domain case_domain(int nx, int ny, int nz)
{
    return (domain){.dims = nz > 0 ? 3 : 2, .n = {nx, ny, nz > 0 ? nz : 1}, .h = {1, 1, 1}};
}

/* A block of open faces, closed sides, no extra, b = 0. */
static inline void case_create(poisson_case *c, domain d)
{
    *c = (poisson_case){.d = d};
    for (int a = 0; a < d.dims; a++) {
        assert_int_equal(field_create(&d, field_face(a), &c->w[a]), FR_OK);
        field_fill(&c->w[a], 1);
        c->op.weight[a] = &c->w[a];
    }
    for (int a = 0; a < 3; a++)
        c->op.coefficient[a] = d.h[0] * d.h[1] * d.h[2] / (d.h[a] * d.h[a]);
    assert_int_equal(field_create(&d, FR_AT_CELL, &c->e), FR_OK);
    assert_int_equal(field_create(&d, FR_AT_CELL, &c->b), FR_OK);
    assert_int_equal(field_create(&d, FR_AT_CELL, &c->x), FR_OK);
    c->op.extra = &c->e;
}

static inline void case_destroy(poisson_case *c)
{
    for (int a = 0; a < 3; a++)
        field_destroy(&c->w[a]);
    field_destroy(&c->e);
    field_destroy(&c->b);
    field_destroy(&c->x);
}

static inline float *case_at(const field *f, int i, int j, int k) { return field_row(f, j, k) + i; }

#define CASE_EACH(d, i, j, k)                                                                                          \
    for (int k = 0; k < (d)->n[2]; k++)                                                                                \
        for (int j = 0; j < (d)->n[1]; j++)                                                                            \
            for (int i = 0; i < (d)->n[0]; i++)

/* Closes the faces of solid cells. */
static inline void case_close(poisson_case *c, case_solid solid)
{
    CASE_EACH(&c->d, i, j, k) {
        int cell[3] = {i, j, k};
        if (!solid(&c->d, cell))
            continue;
        for (int a = 0; a < c->d.dims; a++) {
            int high[3] = {i, j, k};
            high[a]++;
            *case_at(&c->w[a], i, j, k) = 0;
            *case_at(&c->w[a], high[0], high[1], high[2]) = 0;
            if (c->d.periodic[a] && i * (a == 0) + j * (a == 1) + k * (a == 2) == c->d.n[a] - 1) {
                high[a] = 0;
                *case_at(&c->w[a], high[0], high[1], high[2]) = 0;
            }
        }
    }
}

/* Opens one side of the block: p = 0 on its faces (2 c w). */
static inline void case_open_side(poisson_case *c, int axis, bool high)
{
    CASE_EACH(&c->d, i, j, k) {
        int at[3] = {i, j, k};
        if (at[axis] == (high ? c->d.n[axis] - 1 : 0))
            *case_at(&c->e, i, j, k) += (float)(2 * c->op.coefficient[axis]);
    }
}

static inline void case_random_right(poisson_case *c, uint32_t seed)
{
    CASE_EACH(&c->d, i, j, k)
        *case_at(&c->b, i, j, k) = case_unit(&seed) - 0.5f;
}

/* The weight of the low (side 0) or high face of a cell and its neighbour; 0 where there is none. */
static inline double case_face(const poisson_case *c, const int at[3], int axis, int side, int neighbour[3])
{
    const domain *d = &c->d;
    memcpy(neighbour, at, 3 * sizeof(int));
    neighbour[axis] += side ? 1 : -1;
    int face[3] = {at[0], at[1], at[2]};
    face[axis] += side;
    if (axis >= d->dims || d->n[axis] == 1)
        return 0;
    if (neighbour[axis] < 0 || neighbour[axis] >= d->n[axis]) {
        if (!d->periodic[axis])
            return 0;
        neighbour[axis] = (neighbour[axis] + d->n[axis]) % d->n[axis];
        face[axis] = 0;
    }
    return c->op.weight[axis] ? (double)*case_at(c->op.weight[axis], face[0], face[1], face[2]) : 1;
}

/* (A x) of one cell, as the header defines it, in double. */
static inline double case_apply(const poisson_case *c, const double *x, const int at[3])
{
    const domain *d = &c->d;
    double sum = 0, weights = 0, own = x[(at[2] * d->n[1] + at[1]) * d->n[0] + at[0]];
    for (int a = 0; a < d->dims; a++) {
        for (int side = 0; side < 2; side++) {
            int n[3];
            double w = case_face(c, at, a, side, n);
            weights += w;
            if (w != 0)
                sum += c->op.coefficient[a] * w * (own - x[(n[2] * d->n[1] + n[1]) * d->n[0] + n[0]]);
        }
    }
    double e = c->op.extra ? (double)*case_at(c->op.extra, at[0], at[1], at[2]) : 0;
    return sum + (e + (e > 0 || weights > 0 ? c->op.extra_constant : 0)) * own;
}

static inline solve_stats case_solve_within(poisson_case *c, double tolerance, int iterations)
{
    poisson *s;
    assert_int_equal(poisson_create(&c->d, false, &s), FR_OK);
    poisson_set_operator(s, &c->op);
    solve_limits limits = {.tolerance = tolerance, .max_iterations = iterations};
    solve_stats stats = poisson_solve(s, &c->b, &c->x, &limits);
    poisson_destroy(s);
    return stats;
}

static inline solve_stats case_solve(poisson_case *c, double tolerance) { return case_solve_within(c, tolerance, 200); }

#endif
