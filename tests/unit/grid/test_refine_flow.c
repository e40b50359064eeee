/* Interpolation and averaging between a grid and a finer one. */
#include "grid/refine.h"

#include "support/check.h"

static double component(int a, const double at[3])
{
    return 0.3 * (a + 1) + (2 - a) * at[0] - 3 * at[1] + (0.5 + a) * at[2];
}

static domain coarse_domain(int dims)
{
    return (domain){.dims = dims,
                    .n = {9, 7, dims == 3 ? 6 : 1},
                    .h = {0.1, 0.2, dims == 3 ? 0.15 : 1},
                    .origin = {0.3, -1, dims == 3 ? 2 : 0}};
}

static domain fine_domain(const domain *d, int refine)
{
    domain fine = *d;
    for (int a = 0; a < d->dims; a++) {
        fine.n[a] *= refine;
        fine.h[a] /= refine;
    }
    return fine;
}

/* A linear flow, ghosts included. */
static void make_flow(const domain *d, field velocity[3])
{
    int deep = d->dims == 3 ? GHOST : 0;
    for (int a = 0; a < d->dims; a++) {
        double origin[3];
        assert_ok(field_create(d, field_face(a), &velocity[a]));
        field_origin(&velocity[a], d, origin);
        for (int k = -deep; k < velocity[a].size[2] + deep; k++)
            for (int j = -GHOST; j < velocity[a].size[1] + GHOST; j++)
                for (int i = -GHOST; i < velocity[a].size[0] + GHOST; i++) {
                    double at[3] = {origin[0] + i * d->h[0], origin[1] + j * d->h[1],
                                    d->dims == 3 ? origin[2] + k * d->h[2] : 0};
                    field_row(&velocity[a], j, k)[i] = (float)component(a, at);
                }
    }
}

/* Moves of some cells either way, confined to the block. */
static void make_points(const domain *fine, int j, int k, sample_points *p)
{
    *p = (sample_points){.at = FR_AT_CELL, .n = fine->n[0] - 1, .i = 1, .j = j, .k = k};
    for (int i = 0; i < p->n; i++) {
        p->dx[i] = (float)(9 * check_noise((uint64_t)(7 * i + j)));
        p->dy[i] = (float)(9 * check_noise((uint64_t)(7 * i + j + 1000)));
        p->dz[i] = (float)(9 * check_noise((uint64_t)(7 * i + k + 2000)));
    }
    sample_confine(p, fine);
}

static void test_a_linear_flow_is_exact(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int refine = 1; refine <= 8; refine++) {
            domain d = coarse_domain(dims), fine = fine_domain(&d, refine);
            field velocity[3] = {0};
            make_flow(&d, velocity);
            for (int j = 0; j < fine.n[1]; j++) {
                int k = dims == 3 ? (5 * j) % fine.n[2] : 0;
                sample_points p;
                float flow[3][SAMPLE_ROW];
                make_points(&fine, j, k, &p);
                refine_flow(velocity, dims, refine, &p, flow);
                for (int i = 0; i < p.n; i++) {
                    double cells[3] = {i + 1.5 + p.dx[i], j + 0.5 + p.dy[i], k + 0.5 + p.dz[i]}, at[3] = {0, 0, 0};
                    for (int a = 0; a < dims; a++)
                        at[a] = fine.origin[a] + cells[a] * fine.h[a];
                    for (int a = 0; a < dims; a++)
                        assert_near(flow[a][i], component(a, at), 2e-5);
                }
            }
            for (int a = 0; a < dims; a++)
                field_destroy(&velocity[a]);
        }
}

/* Mirrored points in a mirrored flow find mirrored values, to the bit. */
static void test_mirrored_points_find_the_same_bits(void **state)
{
    (void)state;
    domain d = {.dims = 2, .n = {8, 4, 1}, .h = {0.1, 0.1, 1}};
    field velocity[3] = {0};
    for (int a = 0; a < 2; a++)
        assert_ok(field_create(&d, field_face(a), &velocity[a]));
    for (int j = -GHOST; j < 4 + GHOST; j++)
        for (int i = -GHOST; i <= 4; i++) {
            float v = (float)check_noise((uint64_t)(i + 100 * j + 1000));
            field_row(&velocity[0], j, 0)[i] = i == 4 ? 0 : v;
            field_row(&velocity[0], j, 0)[8 - i] = i == 4 ? 0 : -v;
        }
    sample_points p = {.at = FR_AT_CELL, .n = 24, .j = 5}, q = p;
    for (int i = 0; i < 24; i++) {
        p.dx[i] = (float)(0.5 * check_noise((uint64_t)i)) + 0.3f * (float)(12 - i);
        q.dx[23 - i] = -p.dx[i];
        p.dy[i] = q.dy[23 - i] = (float)(3 * check_noise((uint64_t)i + 99));
    }
    float flow[3][SAMPLE_ROW], other[3][SAMPLE_ROW];
    refine_flow(velocity, 2, 3, &p, flow);
    refine_flow(velocity, 2, 3, &q, other);
    for (int i = 0; i < 24; i++)
        assert_true(flow[0][i] == -other[0][23 - i]);
    field_destroy(&velocity[0]);
    field_destroy(&velocity[1]);
}

static void test_means_of_cells(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = coarse_domain(dims), fine = fine_domain(&d, 3);
        field from, mean;
        assert_ok(field_create(&fine, FR_AT_CELL, &from));
        assert_ok(field_create(&d, FR_AT_CELL, &mean));
        for (int k = 0; k < fine.n[2]; k++)
            for (int j = 0; j < fine.n[1]; j++)
                for (int i = 0; i < fine.n[0]; i++)
                    field_row(&from, j, k)[i] = (float)(i + 10 * j + 100 * k);
        refine_mean(&from, 3, &mean);
        for (int k = 0; k < d.n[2]; k++)
            for (int j = 0; j < d.n[1]; j++)
                for (int i = 0; i < d.n[0]; i++)
                    assert_near(field_row(&mean, j, k)[i],
                                3 * i + 1 + 10 * (3 * j + 1) + (dims == 3 ? 100 * (3 * k + 1) : 0), 1e-3);
        field_destroy(&from);
        field_destroy(&mean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_linear_flow_is_exact),
        cmocka_unit_test(test_mirrored_points_find_the_same_bits),
        cmocka_unit_test(test_means_of_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
