/* Curvilinear grids from a map, for the tests of the tensor solver: coefficients from the map's tangents at faces and
   edges. */
#ifndef FR_TEST_TENSOR_CASE_H
#define FR_TEST_TENSOR_CASE_H

#include <math.h>
#include <stdlib.h>

#include "grid/tensor/tensor.h"

/* The world's place of grid coordinates, in cells. */
typedef void (*tensor_map)(const domain *d, const double s[3], double x[3]);

typedef struct tensor_case {
    const char *name;
    int n[3];
    tensor_map map;
    tensor_side sides[6];
    bool (*solid)(const domain *d, int i, int j, int k);
} tensor_case;

static const double CASE_PI = 3.14159265358979323846;

static inline domain case_domain(const tensor_case *c)
{
    domain d = {.dims = c->n[2] > 1 ? 3 : 2, .n = {c->n[0], c->n[1], c->n[2]}, .h = {1, 1, 1}};
    for (int a = 0; a < 3; a++)
        d.periodic[a] = c->sides[2 * a] == TENSOR_PERIODIC;
    return d;
}

/* J g^ab at a place. */
static inline void case_metric(const tensor_case *c, const domain *d, const double s[3], double g[3][3])
{
    double t[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}, face[3][3];
    for (int a = 0; a < d->dims; a++) {
        double low[3] = {s[0], s[1], s[2]}, high[3] = {s[0], s[1], s[2]}, x[2][3];
        low[a] -= 1e-4;
        high[a] += 1e-4;
        c->map(d, low, x[0]);
        c->map(d, high, x[1]);
        for (int i = 0; i < 3; i++)
            t[a][i] = (x[1][i] - x[0][i]) / 2e-4;
    }
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) {
            const double *u = t[(a + 1) % 3], *v = t[(a + 2) % 3];
            face[a][i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
        }
    double volume = t[0][0] * face[0][0] + t[0][1] * face[0][1] + t[0][2] * face[0][2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            g[a][b] = (face[a][0] * face[b][0] + face[a][1] * face[b][1] + face[a][2] * face[b][2]) / fabs(volume);
}

static inline bool case_solid(const tensor_case *c, const domain *d, const int at[3])
{
    int cell[3];
    for (int a = 0; a < 3; a++)
        cell[a] = (at[a] + d->n[a]) % d->n[a];
    return c->solid && c->solid(d, cell[0], cell[1], cell[2]);
}

static inline float case_weight(const tensor_case *c, const domain *d, int a, const int at[3])
{
    bool low = at[a] == 0, high = at[a] == d->n[a];
    int below[3] = {at[0], at[1], at[2]}, above[3] = {at[0], at[1], at[2]};
    below[a]--;
    if (!d->periodic[a] && low)
        below[a] = 0;
    if (!d->periodic[a] && high)
        above[a]--;
    bool closed = (low && c->sides[2 * a] == TENSOR_CLOSED) || (high && c->sides[2 * a + 1] == TENSOR_CLOSED);
    if (closed || case_solid(c, d, below) || case_solid(c, d, above))
        return 0;
    double s[3] = {at[0] + 0.5, at[1] + 0.5, at[2] + 0.5}, g[3][3];
    s[a] = at[a];
    case_metric(c, d, s, g);
    return (float)g[a][a];
}

static inline void case_fill(const tensor_case *c, tensor *t)
{
    const domain *d = &t->domain;
    int at[3];
    for (int a = 0; a < d->dims; a++)
        for (at[2] = 0; at[2] < d->n[2] + (a == 2); at[2]++)
            for (at[1] = 0; at[1] < d->n[1] + (a == 1); at[1]++)
                for (at[0] = 0; at[0] < d->n[0] + (a == 0); at[0]++)
                    field_row(&t->weight[a], at[1], at[2])[at[0]] = case_weight(c, d, a, at);
    for (int along = d->dims == 3 ? 0 : 2; along < 3; along++) {
        int a = along == 0 ? 1 : 0, b = along == 2 ? 1 : 2;
        for (at[2] = 0; at[2] < d->n[2] + (along != 2); at[2]++)
            for (at[1] = 0; at[1] < d->n[1] + (along != 1); at[1]++)
                for (at[0] = 0; at[0] < d->n[0] + (along != 0); at[0]++) {
                    double s[3] = {at[0], at[1], at[2]}, g[3][3];
                    s[along] += 0.5;
                    case_metric(c, d, s, g);
                    field_row(&t->cross[along], at[1], at[2])[at[0]] = (float)g[a][b];
                }
    }
}

static inline void map_uniform(const domain *d, const double s[3], double x[3])
{
    (void)d;
    for (int a = 0; a < 3; a++)
        x[a] = s[a];
}

static inline void map_long(const domain *d, const double s[3], double x[3])
{
    map_uniform(d, s, x);
    x[0] *= 20;
}

static inline void map_wide(const domain *d, const double s[3], double x[3])
{
    map_uniform(d, s, x);
    x[1] *= 20;
}

/* Sheared by 45 degrees; in 3D along two axes. */
static inline void map_sheared(const domain *d, const double s[3], double x[3])
{
    map_uniform(d, s, x);
    x[0] += s[1];
    if (d->dims == 3)
        x[1] += s[2];
}

/* A full ring, the outer radius ten times the inner. */
static inline void map_annulus(const domain *d, const double s[3], double x[3])
{
    double radius = 1 + 9 * s[1] / d->n[1], angle = -2 * CASE_PI * s[0] / d->n[0];
    x[0] = radius * cos(angle);
    x[1] = radius * sin(angle);
    x[2] = 0;
}

/* A winding channel, ten times as long as wide, with a throat of half the width in the middle. */
static inline void map_throat(const domain *d, const double s[3], double x[3])
{
    double along = 10 * s[0] / d->n[0], across = s[1] / d->n[1] - 0.5;
    double width = 1 - 0.5 * exp(-(along - 5) * (along - 5));
    x[0] = along;
    x[1] = sin(along) + width * across;
    x[2] = 0;
}

static inline bool solid_blocks(const domain *d, int i, int j, int k)
{
    (void)k;
    int across = d->n[1];
    bool first = abs(i - d->n[0] / 3) < across / 6 && abs(j - across / 2) < across / 6;
    bool second = abs(i - 2 * d->n[0] / 3) < across / 5 && j < 2 * across / 3 && j > across / 2;
    return first || second;
}

/* Walls of one cell between pools, the first with no way out. */
static inline bool solid_walls(const domain *d, int i, int j, int k)
{
    (void)j, (void)k;
    return i == d->n[0] / 3 || i == d->n[0] / 2 + 1 || i == 3 * d->n[0] / 4;
}

#define CASE_CHANNEL {TENSOR_CLOSED, TENSOR_FIXED, TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED}
#define CASE_CLOSED {TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED}
#define CASE_RING {TENSOR_PERIODIC, TENSOR_PERIODIC, TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED, TENSOR_CLOSED}
#define CASE_FIXED {TENSOR_FIXED, TENSOR_FIXED, TENSOR_FIXED, TENSOR_FIXED, TENSOR_FIXED, TENSOR_FIXED}
#define CASE_PERIODIC                                                                                                  \
    {                                                                                                                  \
        TENSOR_PERIODIC, TENSOR_PERIODIC, TENSOR_PERIODIC, TENSOR_PERIODIC, TENSOR_PERIODIC, TENSOR_PERIODIC           \
    }

#endif
