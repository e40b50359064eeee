/* The level set of parcels. */
#include "hybrid_case.h"
#include "support/parcel_tank.h"

static const float AT_REST[3] = {0, 0, 0};
static const double DEPTH = 10; /* cells, of the pool */

static double pool(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (x[1] - DEPTH);
}

static double edges[3]; /* m, of the cells that the slope is seen in */

static double slope(const double x[3], int axis)
{
    (void)axis;
    return (x[0] - 12) * 0.48 * edges[0] + (x[1] - 12) * 0.8 * edges[1] + (x[2] - 12) * 0.36 * edges[2];
}

static double ball(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (sqrt((x[0] - 12) * (x[0] - 12) + (x[1] - 12) * (x[1] - 12) + (x[2] - 12) * (x[2] - 12)) - 7);
}

/* Eddies below the surface, which is not moved by them, nor are the walls crossed; no divergence. */
static double eddies(const double x[3], int axis)
{
    double k = FR_PI / 6, l = FR_PI / DEPTH, y = fmin(x[1], DEPTH);
    if (axis == 0)
        return 0.1 * sin(k * x[0]) * cos(l * y) * (1 + 0.5 * sin(k * x[2]));
    if (axis == 1)
        return -0.1 * (k / l) * cos(k * x[0]) * sin(l * y) * (1 + 0.5 * sin(k * x[2]));
    return 0;
}

/* Parcels as after some time of flow: no trace of how they were seeded. */
static void disturb(hybrid_case *c)
{
    for (int a = 0; a < c->d.dims; a++)
        hybrid_set(&c->d, &c->velocity[a], eddies);
    for (int n = 0; n < 60; n++)
        transfer_from_grid(&(transfer_flow){.velocity = c->velocity, .change = c->velocity, .dt = 0.5, .order = 3},
                           &c->p);
    parcels_sort(&c->p);
}

/* Height of the surface above a cell of the bottom, in cells. */
static double height(const hybrid_case *c, int i, int k)
{
    for (int j = c->d.n[1] - 1; j > 0; j--) {
        double high = field_row(&c->phi, j, k)[i], low = field_row(&c->phi, j - 1, k)[i];
        if (low < 0)
            return j - 0.5 + low / (low - high);
    }
    return 0;
}

/* A pool's surface is flat and where it was filled to. */
static void pool_is_flat(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int stirred = 0; stirred < 2; stirred++) {
            hybrid_case c = hybrid_case_make(hybrid_box(dims, 24), PARCELS_FLIP);
            hybrid_set(&c.d, &c.phi, pool);
            hybrid_seed(&c, AT_REST);
            if (stirred)
                disturb(&c);
            for (int64_t n = 0; n < c.p.count; n++)
                c.p.x[1][n] += 0.3f;
            level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = dims == 3 ? 8 : 4}, &c.phi);
            double mean = 0, square = 0, count = c.d.n[0] * c.d.n[2];
            for (int k = 0; k < c.d.n[2]; k++)
                for (int i = 0; i < c.d.n[0]; i++) {
                    double error = height(&c, i, k) - DEPTH - 0.3;
                    mean += error / count;
                    square += error * error / count;
                }
            print_message("%dD, %s: mean %.4f, rms %.4f cells\n", dims, stirred ? "stirred" : "seeded", mean,
                          sqrt(square));
            assert_near(mean, 0, dims == 3 ? 0.01 : 0.1);
            assert_below(sqrt(square), dims == 3 ? (stirred ? 0.07 : 0.03) : (stirred ? 0.25 : 0.06));
            hybrid_case_free(&c);
        }
}

/* Distances to a sloping plane are right within a cell of it, signs everywhere, also where it meets the walls, and in
   cells that are no cubes. */
static void plane_is_exact(void **state)
{
    (void)state;
    for (int cubes = 0; cubes < 2; cubes++) {
        domain d = hybrid_box(3, 24);
        d.h[1] = cubes ? 0.1 : 0.07;
        d.h[2] = cubes ? 0.1 : 0.15;
        memcpy(edges, d.h, sizeof edges);
        hybrid_case c = hybrid_case_make(d, PARCELS_MARKERS);
        hybrid_set(&c.d, &c.phi, slope);
        hybrid_seed(&c, AT_REST);
        level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8}, &c.phi);
        double square = 0, mean = 0, count = 0;
        double h = sqrt(pow(0.48 * d.h[0], 2) + pow(0.8 * d.h[1], 2) + pow(0.36 * d.h[2], 2)); /* a cell across it */
        for (int n = 0; n < 24 * 24 * 24; n++) {
            int i = n % 24, j = n / 24 % 24, k = n / 576;
            double exact = slope((double[3]){i + 0.5, j + 0.5, k + 0.5}, -1) / h;
            double error = (double)field_row(&c.phi, j, k)[i] / h - exact;
            bool inner = i > 1 && i < 22 && j > 1 && j < 22 && k > 1 && k < 22;
            if (fabs(exact) > 2.5)
                assert_true(exact < 0 ? error + exact < -1 : error + exact > 1);
            if (fabs(exact) > 1 || !inner)
                continue;
            mean += error;
            square += error * error;
            count++;
        }
        print_message("plane: mean %.4f, rms %.4f cells\n", mean / count, sqrt(square / count));
        assert_near(mean / count, 0, 0.03);
        assert_below(sqrt(square / count), 0.06);
        hybrid_case_free(&c);
    }
}

/* A curved surface is seen a little too far inside: 0.28 cells times its curvature. */
static void ball_keeps_its_volume(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 24), PARCELS_MARKERS);
    hybrid_set(&c.d, &c.phi, ball);
    hybrid_seed(&c, AT_REST);
    level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8}, &c.phi);
    assert_near(parcel_tank_volume(&c.phi, &c.d) / ((double)c.p.count / 8), 0.965, 0.015);
    hybrid_case_free(&c);
}

/* Lone parcels in the air keep a cell each; empty cells deep in the liquid are none of the air's. */
static void keeps_drops_and_closes_holes(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 24), PARCELS_MARKERS);
    hybrid_set(&c.d, &c.phi, pool);
    hybrid_seed(&c, AT_REST);
    for (int64_t n = 0; n < c.p.count; n++) {
        int cell[3];
        parcels_cell_of(&c.p, n, cell);
        bool hole = (cell[1] == 5 && cell[0] % 3 == 0 && cell[2] % 3 == 0) ||
                    (cell[1] == 2 && cell[0] % 8 < 2 && cell[2] == 10);
        if (hole)
            parcels_remove(&c.p, n);
    }
    assert_ok(parcels_reserve(&c.p, c.p.count + 64));
    int64_t first = c.p.count;
    for (uint64_t n = 0; n < 64; n++) {
        float x[3] = {(float)(12 + 11.9 * check_noise(3 * n)), (float)(18 + 4 * check_noise(3 * n + 1)),
                      (float)(12 + 11.9 * check_noise(3 * n + 2))};
        parcels_add(&c.p, x, NULL);
    }
    level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8}, &c.phi);
    for (int64_t n = first; n < c.p.count; n++) {
        int cell[3];
        parcels_cell_of(&c.p, n, cell);
        assert_true(field_row(&c.phi, cell[1], cell[2])[cell[0]] < 0);
    }
    for (int k = 0; k < 24; k++)
        for (int j = 0; j < 9; j++)
            for (int i = 0; i < 24; i++)
                assert_true(field_row(&c.phi, j, k)[i] < -0.05f);
    hybrid_case_free(&c);
}

/* On finer cells a drop is no larger than its parcel, and parcels fill a finer φ. */
static void drops_are_as_fine_as_their_cells(void **state)
{
    (void)state;
    for (int fine = 2; fine <= 4; fine++) {
        hybrid_case c = hybrid_case_make(hybrid_box(3, 12), PARCELS_MARKERS);
        domain d = c.d;
        field phi, drops;
        for (int a = 0; a < 3; a++) {
            d.n[a] *= fine;
            d.h[a] /= fine;
        }
        assert_ok(field_create(&d, FR_AT_CELL, &phi));
        assert_ok(field_create(&d, FR_AT_CELL, &drops));
        field_fill(&phi, 1);
        for (int k = -GHOST; k < phi.size[2] + GHOST; k++)
            for (int j = -GHOST; j < fine * 6; j++)
                for (int i = -GHOST; i < phi.size[0] + GHOST; i++)
                    field_row(&phi, j, k)[i] = -1;
        assert_ok(seed_fill(&(seed){.surface = &phi, .fine = fine, .along = 2, .seed = 7}, &c.p));
        assert_near((double)c.p.count / (8 * 6 * 12 * 12), 1, 1e-3);
        parcels_sort(&c.p);
        assert_ok(parcels_reserve(&c.p, c.p.count + 1));
        parcels_add(&c.p, (float[3]){3.3f, 9.9f, 11.97f}, NULL);
        level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8, .no_drops = true}, &c.phi);
        field_fill(&drops, 1);
        level_set_add_drops(&c.t, &c.p, fine, &c.phi, &drops);
        double wet = 0;
        for (int k = 0; k < drops.size[2]; k++)
            for (int j = 0; j < drops.size[1]; j++)
                for (int i = 0; i < drops.size[0]; i++)
                    wet += field_row(&drops, j, k)[i] < 0;
        assert_true(field_row(&drops, (int)(fine * 9.9), (int)(fine * 11.97))[(int)(fine * 3.3)] < 0);
        assert_below(wet / (fine * fine * fine), 0.126);
        field_destroy(&phi);
        field_destroy(&drops);
        hybrid_case_free(&c);
    }
}

/* A pillar whose bottom stands in the pool. */
static double pillar(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (hypot(x[0] - 12, x[2] - 12) - 5);
}

/* Liquid that touches an obstacle goes on into it; where the obstacle is dry it stays so. */
static void goes_on_into_obstacles(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 24), PARCELS_MARKERS);
    field solid;
    assert_ok(field_create(&c.d, FR_AT_CELL, &solid));
    hybrid_set(&c.d, &solid, pillar);
    hybrid_set(&c.d, &c.phi, pool);
    seed s = {.surface = &c.phi, .solid = &solid, .along = 2, .seed = 3};
    assert_ok(seed_fill(&s, &c.p));
    parcels_sort(&c.p);
    level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8, .solid = &solid}, &c.phi);
    double worst = 0;
    for (int k = 0; k < 24; k++)
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                double away = 10 * (double)field_row(&solid, j, k)[i], phi = 10 * (double)field_row(&c.phi, j, k)[i];
                if (away < -0.9)
                    continue;
                assert_true(j < 8 ? phi < -0.5 : j > 12 ? phi > 0.5 : true);
                if ((j == 9 || j == 10) && away < 2)
                    worst = fmax(worst, fabs(phi - (j + 0.5 - DEPTH)));
            }
    print_message("at the pillar: off by %.3f cells at most\n", worst);
    assert_below(worst, 0.5);
    field_destroy(&solid);
    hybrid_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool_is_flat),           cmocka_unit_test(plane_is_exact),
        cmocka_unit_test(ball_keeps_its_volume),  cmocka_unit_test(keeps_drops_and_closes_holes),
                                       cmocka_unit_test(drops_are_as_fine_as_their_cells),
        cmocka_unit_test(goes_on_into_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
