/* The grid coordinates under a pixel on a curvilinear grid. */
#define _POSIX_C_SOURCE 200809L
#include "bent.h"
#include "check.h"

#include "render/flat/bend.h"

static const double pi = 3.14159265358979323846;

/* Half-way around the origin, from 0.4 to 1. */
static void half_ring(double s, double t, double r, double x[3])
{
    (void)r;
    x[0] = (0.4 + 0.6 * t) * cos(pi * s);
    x[1] = (0.4 + 0.6 * t) * sin(pi * s);
}

static void half_ring_mirrored(double s, double t, double r, double x[3]) { half_ring(1 - s, t, r, x); }

static const bend_view view = {{3, 5, 303, 205}, {153, 195}, {120, -120}};   /* 1 m is 120 pixels */

static void ring(test_frame *t, bend *bend, bent_map map)
{
    bent_init(t, (const int[3]){96, 24, 1}, map);
    CHECK_OK(bend_create(&t->frame, &view, bend));
}

static void test_places_are_those_of_the_map(void **state)
{
    (void)state;
    test_frame t;
    bend bend;
    ring(&t, &bend, half_ring);
    for (int y = view.box[1]; y < view.box[3]; y++)
        for (int x = view.box[0]; x < view.box[2]; x++) {
            ptrdiff_t n = bend_pixel(&bend, x, y);
            double world[2] = {(x + 0.5 - 153) / 120, (195 - y - 0.5) / 120};
            double radius = hypot(world[0], world[1]), angle = atan2(world[1], world[0]);
            double pixels = fmin(fmin(radius - 0.4, 1 - radius), world[1]) * 120;   /* from the nearest bank */
            if (pixels < -1) {
                assert_true(bend.share[n] == 0 && isnan(bend.place[n][0]));
            } else if (pixels > 1) {
                assert_true(bend.share[n] == 1);
                /* the chord of a cell lies 5e-4 of the radius inside the circle: 0.02 cells */
                assert_true(fabs((double)bend.place[n][0] - 96 * angle / pi) < 0.01);
                assert_true(fabs((double)bend.place[n][1] - 24 * (radius - 0.4) / 0.6) < 0.03);
            }
        }
    bend_destroy(&bend);
    bent_free(&t);
}

static void test_shares_add_up_to_the_area(void **state)
{
    (void)state;
    test_frame t;
    bend bend;
    ring(&t, &bend, half_ring);
    double sum = 0, polygon = 96 * sin(pi / 96) / 2 * (1 - 0.4 * 0.4) * 120 * 120;
    for (int n = 0; n < 300 * 200; n++)
        sum += (double)bend.share[n];
    assert_true(fabs(sum / polygon - 1) < 1e-3);
    /* banks with their two ends: area·2/(length) */
    assert_true(fabs(bend.width / 120 - 0.84 * pi / (1.4 * pi + 1.2)) < 1e-3);
    bend_destroy(&bend);
    bent_free(&t);
}

static void test_a_mirrored_grid_lies_in_the_same_place(void **state)
{
    (void)state;
    test_frame t, m;
    bend bend, mirrored;
    ring(&t, &bend, half_ring);
    ring(&m, &mirrored, half_ring_mirrored);
    assert_memory_equal(bend.share, mirrored.share, sizeof(float) * 300 * 200);
    for (int n = 0; n < 300 * 200; n++)
        if (bend.share[n] == 1)
            assert_true(fabsf(96 - mirrored.place[n][0] - bend.place[n][0]) < 1e-4f &&
                        fabsf(mirrored.place[n][1] - bend.place[n][1]) < 1e-4f);
    bend_destroy(&bend);
    bend_destroy(&mirrored);
    bent_free(&t);
    bent_free(&m);
}

/* f = x in the world, as a slope per cell, must come back as 1/120 m per pixel along x. */
static void test_slopes_turn_with_the_grid(void **state)
{
    (void)state;
    test_frame t;
    bend bend;
    ring(&t, &bend, half_ring);
    for (int n = 0; n < 5; n++) {
        double s = 0.1 + 0.2 * n, radius = 0.7, slope[2];
        const double per_cell[2] = {-radius * sin(pi * s) * pi / 96, cos(pi * s) * 0.6 / 24};
        bend_slope(&bend, (double[2]){96 * s, 12}, per_cell, slope);
        assert_true(fabs(slope[0] * 120 - 1) < 0.02 && fabs(slope[1] * 120) < 0.02);
    }
    bend_destroy(&bend);
    bent_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_are_those_of_the_map),
        cmocka_unit_test(test_shares_add_up_to_the_area),
        cmocka_unit_test(test_a_mirrored_grid_lies_in_the_same_place),
        cmocka_unit_test(test_slopes_turn_with_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
