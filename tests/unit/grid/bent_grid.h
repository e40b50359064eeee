/* Curvilinear grids for tests, from a map of the unit square or cube. */
#ifndef TESTS_GRID_BENT_GRID_H
#define TESTS_GRID_BENT_GRID_H

#include "grid/curve/curve.h"

#include <stdlib.h>

#include "base/vec.h"
#include "support/check.h"

#define BENT_UNUSED __attribute__((unused))

typedef vec3 (*bent_map)(double s, double t, double r);

typedef struct bent_grid {
    curve_def def;
    double *node;
} bent_grid;

static bent_grid bent_make(bent_map map, int ns, int nt, int nr)
{
    bent_grid g = {.def = {.dims = nr ? 3 : 2, .cells = {ns, nt, nr}}};
    g.node = calloc((size_t)(ns + 1) * (size_t)(nt + 1) * (size_t)(nr + 1), 3 * sizeof(double));
    assert_non_null(g.node);
    double *at = g.node;
    for (int k = 0; k <= nr; k++)
        for (int j = 0; j <= nt; j++)
            for (int i = 0; i <= ns; i++) {
                vec3 x = map((double)i / ns, (double)j / nt, nr ? (double)k / nr : 0);
                *at++ = x.x;
                *at++ = x.y;
                *at++ = x.z;
            }
    g.def.node = g.node;
    return g;
}

BENT_UNUSED static void bent_create(const bent_grid *g, curve *c)
{
    assert_ok(curve_check(&g->def));
    assert_ok(curve_create(&g->def, c));
}

BENT_UNUSED static double *bent_node(const bent_grid *g, int i, int j, int k)
{
    return g->node + 3 * (i + (ptrdiff_t)(g->def.cells[0] + 1) * (j + (ptrdiff_t)(g->def.cells[1] + 1) * k));
}

/* Lines that wave in both directions, cells up to 30 degrees from square. */
BENT_UNUSED static vec3 bent_wavy(double s, double t, double r)
{
    (void)r;
    return (vec3){2 * s + 0.1 * sin(2 * FR_PI * t) * sin(3 * s + 1), t + 0.15 * sin(2 * FR_PI * s), 0};
}

BENT_UNUSED static vec3 bent_mirrored(double s, double t, double r)
{
    vec3 x = bent_wavy(s, t, r);
    return (vec3){-x.x, x.y, x.z};
}

/* Half a ring from radius 1 to 2, and a whole one; s runs against the clock around it, so it is left-handed. */
BENT_UNUSED static vec3 bent_half_ring(double s, double t, double r)
{
    (void)r;
    return (vec3){(1 + t) * cos(FR_PI * s), (1 + t) * sin(FR_PI * s), 0};
}

BENT_UNUSED static vec3 bent_ring(double s, double t, double r)
{
    return bent_half_ring(2 * s, t, r);
}

/* A square pipe along a helix that also turns about its own axis. */
BENT_UNUSED static vec3 bent_helix(double s, double t, double r)
{
    double turn = 1.5 * s, along = 2 * FR_PI * s;
    double p = (t - 0.5) * cos(turn) - (r - 0.5) * sin(turn), q = (t - 0.5) * sin(turn) + (r - 0.5) * cos(turn);
    return (vec3){(3 + p) * cos(along), (3 + p) * sin(along), 2.5 * s + q};
}

#endif
