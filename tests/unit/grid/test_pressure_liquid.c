/* The pressure of liquids that move: a system built again and again gives what a new one gives, wherever the liquid was
   before; drops, empty rows and planes, rows of any length, periodic axes, walls, and liquid without any air. */
#include "grid/projection.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "grid/operators.h"
#include "support/check.h"

typedef struct pool {
    domain d;
    field surface, open[3], velocity[3], b, x, work;
    projection_geometry g;
} pool;

static void pool_make(pool *p, const domain *d)
{
    *p = (pool){.d = *d};
    for (int a = 0; a < d->dims; a++) {
        assert_ok(field_create(d, field_face(a), &p->open[a]));
        assert_ok(field_create(d, field_face(a), &p->velocity[a]));
        field_fill(&p->open[a], 1);
    }
    assert_ok(field_create(d, FR_AT_CELL, &p->surface));
    assert_ok(field_create(d, FR_AT_CELL, &p->b));
    assert_ok(field_create(d, FR_AT_CELL, &p->x));
    assert_ok(field_create(d, FR_AT_CELL, &p->work));
    p->g = (projection_geometry){.surface = &p->surface};
}

static void pool_destroy(pool *p)
{
    for (int a = 0; a < p->d.dims; a++) {
        field_destroy(&p->open[a]);
        field_destroy(&p->velocity[a]);
    }
    field_destroy(&p->surface);
    field_destroy(&p->b);
    field_destroy(&p->x);
    field_destroy(&p->work);
}

static double ball(const double x[3], double cx, double cy, double radius)
{
    double far = 0, centre[3] = {cx, cy, 0.5};
    for (int a = 0; a < 3; a++)
        far += (x[a] - centre[a]) * (x[a] - centre[a]);
    return sqrt(far) - radius;
}

enum { SCENES = 7 };

/* Signed distances, more or less, in a unit cube: a column, a drop alone, drops of a cell, nothing, a sloping pool, a
   box full but for a bubble, a block in the far corner. */
static double scene_distance(int scene, const double x[3], double h)
{
    switch (scene) {
    case 0:
        return fmax(x[0] - 0.4, x[1] - 0.6);
    case 1:
        return ball(x, 0.7, 0.7, 0.12);
    case 2:
        return fmin(ball(x, 0.2, 0.3, 0.8 * h), ball(x, 0.9, 0.3, 0.8 * h));
    case 3:
        return 1;
    case 4:
        return x[1] - 0.3 - 0.2 * x[0] + 0.1 * x[2];
    case 5:
        return -ball(x, 0.5, 0.6, 0.2);
    default:
        return fmax(0.7 - x[0], fmax(0.6 - x[1], 0.5 - x[2]));
    }
}

static void pool_fill(pool *p, int scene)
{
    const int *n = p->d.n, deep = p->d.dims == 3 ? GHOST : 0;
    for (int k = -deep; k < n[2] + deep; k++)
        for (int j = -GHOST; j < n[1] + GHOST; j++)
            for (int i = -GHOST; i < n[0] + GHOST; i++) {
                int at[3] = {i, j, k};
                double x[3];
                for (int a = 0; a < 3; a++)
                    x[a] = ((p->d.periodic[a] ? (at[a] + n[a]) % n[a] : at[a]) + 0.5) / n[a];
                field_row(&p->surface, j, k)[i] = (float)scene_distance(scene, x, p->d.h[0]);
            }
    srand((unsigned)scene + 1);
    for (int a = 0; a < p->d.dims; a++)
        for (int k = 0; k < p->velocity[a].size[2]; k++)
            for (int j = 0; j < p->velocity[a].size[1]; j++)
                for (int i = 0; i < p->velocity[a].size[0]; i++) {
                    int at[3] = {i, j, k}, first[3] = {i, j, k};
                    bool side = at[a] == 0 || at[a] == n[a];
                    float u = (float)rand() / (float)RAND_MAX - 0.5f;
                    first[a] = 0;
                    if (side && p->d.periodic[a] && at[a])
                        u = field_row(&p->velocity[a], first[1], first[2])[first[0]];
                    field_row(&p->velocity[a], j, k)[i] = side && !p->d.periodic[a] ? 0 : u;
                }
}

/* A wall with a slit, and a post. */
static void pool_close(pool *p)
{
    p->g.open = p->open;
    for (int a = 0; a < p->d.dims; a++)
        for (int k = 0; k < p->open[a].size[2]; k++)
            for (int j = 0; j < p->open[a].size[1]; j++)
                for (int i = 0; i < p->open[a].size[0]; i++) {
                    bool wall = a == 0 && i == p->d.n[0] / 4 && j != 2;
                    bool post = i > 0 && i < 4 && j > 3 && j < 6;
                    field_row(&p->open[a], j, k)[i] = wall ? 0 : post ? 0.3f : 1;
                }
}

/* Makes the flow of the liquid free of divergence; returns by how much it was not before. */
static double pool_project(pool *p, projection *solver, solve_stats *stats)
{
    double *largest = malloc((size_t)field_rows(&p->b) * sizeof(double));
    operators_flow flow = {.velocity = p->velocity,
                           .open = p->g.open,
                           .inside = &p->surface,
                           .scale = (float)-domain_cell_volume(&p->d),
                           .largest = largest};
    projection_build(solver, &p->g, &p->work);
    operators_divergence_of(&p->d, &flow, &p->b);
    double before = threads_max(largest, field_rows(&p->b));
    projection_task task = {.b = &p->b, .limits = &(solve_limits){.tolerance = 1e-6, .max_iterations = 200}};
    *stats = projection_solve(solver, &task, &p->x);
    projection_correct(solver, &p->x, 1, 1, p->velocity);
    free(largest);
    return before;
}

static double pool_divergence(const pool *p)
{
    double most = 0;
    field out;
    assert_ok(field_create(&p->d, FR_AT_CELL, &out));
    operators_divergence(&p->d, p->velocity, p->g.open, &out);
    for (int k = 0; k < p->d.n[2]; k++)
        for (int j = 0; j < p->d.n[1]; j++)
            for (int i = 0; i < p->d.n[0]; i++)
                if (field_row(&p->surface, j, k)[i] < 0)
                    most = fmax(most, fabs((double)field_row(&out, j, k)[i]));
    field_destroy(&out);
    return most;
}

static bool same_samples(const field *a, const field *b)
{
    bool same = true;
    for (int k = 0; k < a->size[2]; k++)
        for (int j = 0; j < a->size[1]; j++)
            same = same && !memcmp(field_row(a, j, k), field_row(b, j, k), (size_t)a->size[0] * sizeof(float));
    return same;
}

static const domain shapes[] = {
    {.dims = 3, .n = {70, 20, 13}, .h = {1. / 70, 1. / 20, 1. / 13}},
    {.dims = 3, .n = {33, 17, 16}, .h = {1. / 33, 1. / 17, 1. / 16}},
    {.dims = 3, .n = {40, 18, 12}, .h = {1. / 40, 1. / 18, 1. / 12}, .periodic = {true, false, true}},
    {.dims = 3, .n = {35, 16, 9}, .h = {1. / 35, 1. / 16, 1. / 9}, .periodic = {false, true, true}},
    {.dims = 2, .n = {150, 40, 1}, .h = {1. / 150, 1. / 40, 1}},
    {.dims = 2, .n = {65, 31, 1}, .h = {1. / 65, 1. / 31, 1}, .periodic = {true, false, false}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* The same solver for all scenes in turn, twice, each compared with a solver of its own on more threads. */
static void test_spans_follow_the_liquid(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int solid = 0; solid < 2; solid++) {
            pool p, q;
            projection *kept;
            pool_make(&p, &shapes[shape]);
            pool_make(&q, &shapes[shape]);
            if (solid) {
                pool_close(&p);
                pool_close(&q);
            }
            assert_ok(projection_create(&p.d, true, &kept));
            for (int turn = 0; turn < 2 * SCENES; turn++) {
                int scene = turn * 3 % SCENES;
                projection *fresh;
                solve_stats stats, again;
                pool_fill(&p, scene);
                pool_fill(&q, scene);
                assert_ok(projection_create(&q.d, true, &fresh));
                fr_set_threads(1);
                double before = pool_project(&p, kept, &stats);
                fr_set_threads(3);
                pool_project(&q, fresh, &again);
                projection_destroy(fresh);
                if (!stats.converged || stats.iterations != again.iterations || !same_samples(&p.x, &q.x) ||
                    !same_samples(&p.velocity[1], &q.velocity[1]))
                    fail_msg("shape %d solid %d scene %d: %d and %d iterations, residual %g", shape, solid, scene,
                             stats.iterations, again.iterations, stats.residual);
                double left = pool_divergence(&p);
                if (left > 1e-5 * before)
                    fail_msg("shape %d solid %d scene %d: a divergence of %g is left of %g", shape, solid, scene, left,
                             before);
            }
            projection_destroy(kept);
            pool_destroy(&p);
            pool_destroy(&q);
        }
    fr_set_threads(1);
}

/* Behind a wall the box is full to its lid: the pressure there has no level, and what cannot flow off stays. */
static void test_liquid_without_air_keeps_its_mean(void **state)
{
    (void)state;
    pool p;
    projection *solver;
    solve_stats stats;
    pool_make(&p, &(domain){.dims = 3, .n = {64, 12, 10}, .h = {1, 1, 1}});
    p.g.open = p.open;
    assert_ok(projection_create(&p.d, true, &solver));
    for (int wall = 0; wall <= 40; wall += 20) {
        pool_fill(&p, 3);
        for (int k = -GHOST; k < 10 + GHOST; k++)
            for (int j = -GHOST; j < 12 + GHOST; j++)
                for (int i = -GHOST; i < 64 + GHOST; i++)
                    field_row(&p.surface, j, k)[i] = i < wall ? -1 : (float)j - 5.3f;
        field_fill(&p.open[0], 1);
        for (int k = 0; k < 10; k++)
            for (int j = 0; j < 12; j++)
                field_row(&p.open[0], j, k)[wall] = 0;
        pool_project(&p, solver, &stats);
        double sum = 0, size = 0;
        for (int k = 0; k < 10; k++)
            for (int j = 0; j < 12; j++)
                for (int i = 0; i < wall; i++) {
                    sum += (double)field_row(&p.x, j, k)[i];
                    size += fabs((double)field_row(&p.x, j, k)[i]);
                }
        assert_true(stats.converged && stats.iterations < 20);
        assert_true(fabs(sum) <= 1e-5 * size);
    }
    projection_destroy(solver);
    pool_destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spans_follow_the_liquid),
                                       cmocka_unit_test(test_liquid_without_air_keeps_its_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
