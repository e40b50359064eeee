/* What parcels give to the grid, beside plain sums over all of them. */
#include <string.h>

#include "grid/extend.h"
#include "hybrid_case.h"

enum { PARCELS = 300 };

/* A long box, so that spans of rows are in use and others not. */
static domain long_box(int dims, int n, bool periodic)
{
    return (domain){.dims = dims,
                    .n = {n, 11, dims == 3 ? 19 : 1},
                    .h = {0.1, 0.1, dims == 3 ? 0.1 : 1},
                    .periodic = {periodic, periodic, periodic && dims == 3}};
}

/* Some in a heap at either end of the box, the first ones in its corners; a third of them are not sorted. */
static void scatter(hybrid_case *c)
{
    assert_ok(parcels_reserve(&c->p, PARCELS));
    for (int n = 0; n < PARCELS; n++) {
        float x[3], v[3];
        for (int a = 0; a < 3; a++) {
            float share = 0.5f + 0.5f * (float)check_noise((uint64_t)(7 * n + a));
            float end = (float)c->d.n[a], high = c->d.periodic[a] ? end - 0.01f : end;
            float first = a ? 0 : n % 2 ? end - 5 : 0, size = a ? end : 5;
            x[a] = n < 8 ? (n >> a & 1 ? high : 0) : first + 0.99f * size * share;
            v[a] = (float)check_noise((uint64_t)(7 * n + 3 + a));
        }
        parcels_add(&c->p, x, v);
        for (int a = 0; a < c->d.dims && c->p.kind == PARCELS_APIC; a++)
            for (int b = 0; b < c->d.dims; b++)
                c->p.c[a][b][n] = (float)check_noise((uint64_t)(7 * n + 3 * a + b)) / 4;
        if (n == 2 * PARCELS / 3)
            parcels_sort(&c->p);
    }
}

static double tent(const domain *d, int axis, double way)
{
    way = d->periodic[axis] ? way - d->n[axis] * round(way / d->n[axis]) : way;
    return fmax(0, 1 - fabs(way));
}

/* Σ w and Σ w v of a sample; v is not asked for at centres, axis −1. */
static void plain(const hybrid_case *c, int axis, const int at[3], double sums[2])
{
    const domain *d = &c->d;
    sums[0] = sums[1] = 0;
    for (int64_t n = 0; n < c->p.count; n++) {
        double w = 1, v = axis < 0 ? 0 : c->p.v[axis][n];
        for (int b = 0; b < d->dims; b++) {
            double way = at[b] + (b == axis ? 0 : 0.5) - (double)c->p.x[b][n];
            way = d->periodic[b] ? way - d->n[b] * round(way / d->n[b]) : way;
            w *= tent(d, b, way);
            v += axis >= 0 && c->p.kind == PARCELS_APIC ? (double)c->p.c[axis][b][n] * way : 0;
        }
        sums[0] += w;
        sums[1] += w * v;
    }
}

static void compare_face(const hybrid_case *c, int axis, const int at[3], uint8_t map)
{
    const ptrdiff_t from = field_offset(&c->velocity[axis], at[0], at[1], at[2]);
    const double weight = c->weight[axis].data[from], velocity = c->velocity[axis].data[from];
    double sums[2];
    plain(c, axis, at, sums);
    assert_true(fabs(weight - sums[0]) < 1e-5);
    if (fabs(sums[0] - 1e-3) > 1e-5) /* not where rounding decides */
        assert_int_equal(map, sums[0] > 1e-3 ? EXTEND_KNOWN : EXTEND_FAR);
    if (map == EXTEND_KNOWN)
        assert_true(fabs(velocity - sums[1] / sums[0]) < 1e-3);
    else
        assert_true(velocity == 0);
}

static void compare_density(const hybrid_case *c)
{
    int at[3];
    const int deep = c->d.dims == 3 ? GHOST : 0;
    for (at[2] = -deep; at[2] < c->d.n[2] + deep; at[2]++)
        for (at[1] = -GHOST; at[1] < c->d.n[1] + GHOST; at[1]++)
            for (at[0] = -GHOST; at[0] < c->d.n[0] + GHOST; at[0]++) {
                double sums[2];
                plain(c, -1, at, sums);
                assert_true(fabs((double)field_row(&c->phi, at[1], at[2])[at[0]] - sums[0]) < 1e-5);
            }
}

static size_t outside(const uint8_t *map, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += map[i] == EXTEND_OUTSIDE;
    return found;
}

static void compare(hybrid_case *c)
{
    uint8_t *map[3] = {NULL, NULL, NULL};
    int at[3];
    for (int a = 0; a < c->d.dims; a++) {
        map[a] = test_calloc(c->velocity[a].count, 1);
        memset(c->velocity[a].block, 0xff, c->velocity[a].count * sizeof(float));
    }
    memset(c->t.block, 0xff, 2 * sizeof(float) * c->velocity[0].count); /* what was there before does not count */
    transfer_faces to = {.velocity = c->velocity, .weight = c->weight, .density = c->phi.block};
    memcpy(to.map, map, sizeof map);
    transfer_to_grid(&c->t, &c->p, &to);
    for (int a = 0; a < c->d.dims; a++) {
        for (at[2] = 0; at[2] < c->velocity[a].size[2]; at[2]++)
            for (at[1] = 0; at[1] < c->velocity[a].size[1]; at[1]++)
                for (at[0] = 0; at[0] < c->velocity[a].size[0]; at[0]++)
                    compare_face(
                        c, a, at,
                        map[a][field_first(&c->velocity[a]) + field_offset(&c->velocity[a], at[0], at[1], at[2])]);
        assert_int_equal(outside(map[a], c->velocity[a].count),
                         c->velocity[a].count - (size_t)field_rows(&c->velocity[a]) * (size_t)c->velocity[a].size[0]);
        test_free(map[a]);
    }
    if (!c->d.periodic[0])
        compare_density(c);
}

static void sums_all_parcels(void **state)
{
    (void)state;
    static const int sizes[3] = {37, 64, 290};
    for (int run = 0; run < 24; run++) {
        domain d = long_box(run & 1 ? 3 : 2, sizes[run / 8], run >> 1 & 1);
        hybrid_case c = hybrid_case_make(d, run >> 2 & 1 ? PARCELS_APIC : PARCELS_FLIP);
        scatter(&c);
        compare(&c);
        hybrid_case_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_all_parcels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
