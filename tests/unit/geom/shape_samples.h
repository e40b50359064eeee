/* Shapes for the tests, and dense samples of their surfaces for brute-force distances. */
#ifndef SHAPE_SAMPLES_H
#define SHAPE_SAMPLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "geom/shape.h"

/* In double; cmocka's own compares floats. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static inline shape *sample_shape(const fr_shape_def *def, int dims)
{
    shape *s = NULL;
    fr_result result = shape_create(&(fr_placed_shape){.shape = def}, dims, "shape", &s);
    if (result != FR_OK)
        print_message("%s\n", fr_error_message());
    assert_int_equal(result, FR_OK);
    return s;
}

static inline double sample_at(const shape *s, double x, double y, double z)
{
    double d = NAN;
    assert_int_equal(shape_distance(s, (double[3]){x, y, z}, &d), FR_OK);
    assert_true(isfinite(d));
    return d;
}

/* The distance of a definition at one point. */
static inline double sample_once(const fr_shape_def *def, int dims, vec3 p)
{
    shape *s = sample_shape(def, dims);
    double d = sample_at(s, p.x, p.y, p.z);
    shape_destroy(s);
    return d;
}

/* Numbers in [0, 1), the same every time. */
static inline double sample_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static inline vec3 sample_point(uint64_t *state, double half)
{
    double x = sample_random(state), y = sample_random(state), z = sample_random(state);
    return (vec3){half * (2 * x - 1), half * (2 * y - 1), half * (2 * z - 1)};
}

typedef struct sample_cloud {
    vec3 *points;
    int count, space;
} sample_cloud;

static inline void sample_add(sample_cloud *c, vec3 p)
{
    if (c->count == c->space) {
        c->space = 2 * c->space + 1024;
        c->points = realloc(c->points, sizeof *c->points * (size_t)c->space);
        assert_non_null(c->points);
    }
    c->points[c->count++] = p;
}

static inline double sample_nearest(const sample_cloud *c, vec3 p)
{
    double best = INFINITY;
    for (int i = 0; i < c->count; i++) {
        vec3 d = vec3_sub(c->points[i], p);
        double d2 = vec3_dot(d, d);
        best = d2 < best ? d2 : best;
    }
    return sqrt(best);
}

/* Length of the distance's gradient by central differences. */
static inline double sample_slope(const shape *s, vec3 p, double h)
{
    double gx = sample_at(s, p.x + h, p.y, p.z) - sample_at(s, p.x - h, p.y, p.z);
    double gy = sample_at(s, p.x, p.y + h, p.z) - sample_at(s, p.x, p.y - h, p.z);
    double gz = sample_at(s, p.x, p.y, p.z + h) - sample_at(s, p.x, p.y, p.z - h);
    return sqrt(gx * gx + gy * gy + gz * gz) / (2 * h);
}

/* A shape that holds other shapes. */
static inline fr_shape_def sample_group(fr_shape_kind kind, const fr_shape_def *const *children, int count)
{
    fr_shape_def def = fr_default_shape(kind);
    def.children = children;
    def.child_count = count;
    return def;
}

static inline fr_shape_def sample_sphere(double radius)
{
    fr_shape_def def = fr_default_shape(FR_SHAPE_SPHERE);
    def.radius = radius;
    return def;
}

static inline fr_shape_def sample_box(double hx, double hy, double hz)
{
    fr_shape_def def = fr_default_shape(FR_SHAPE_BOX);
    const double half[3] = {hx, hy, hz};
    for (int a = 0; a < 3; a++) {
        def.min[a] = -half[a];
        def.max[a] = half[a];
    }
    return def;
}

#endif
