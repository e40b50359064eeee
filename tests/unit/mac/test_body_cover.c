/* What bodies cover of the grid. */
#include "coupled_tank.h"

static double share_sum(const body_cover *c, const field *layout, double moment[3])
{
    body_piece piece;
    double sum = 0;
    moment[0] = moment[1] = moment[2] = 0;
    for (body_walk w = body_walk_on(c, layout); body_walk_next(&w, &piece);) {
        sum += *piece.share;
        for (int a = 0; a < 3; a++)
            moment[a] += *piece.share * piece.place[a];
    }
    return sum;
}

static field layout_of(const domain *d, fr_location at)
{
    field layout;
    field_layout(d, at, &layout);
    return layout;
}

/* Over cells and over the faces of every axis the shares are the body's volume, wherever it lies between them, and
   their centre is its own. */
static void test_shares_add_up(void **state)
{
    (void)state;
    double worst = 0, off = 0;
    for (int dims = 2; dims <= 3; dims++)
        for (int radius = 3; radius <= 8; radius++) {
            tank t;
            tank_ball(&t, dims, 24, radius, 1);
            const double at[3] = {0.5 + 0.013, 0.5 - 0.007, dims == 3 ? 0.509 : 0};
            tank_place(&t, Z_AXIS, 0, at);
            double cell = domain_cell_volume(&t.d), moment[3];
            field cells = layout_of(&t.d, FR_AT_CELL);
            double sum = share_sum(&t.cover, &cells, moment);
            worst = fmax(worst, fabs(sum * cell / t.volume - 1));
            for (int a = 0; a < dims; a++) {
                off = fmax(off, fabs(moment[a] / sum - at[a]) / t.d.h[a]);
                field faces = layout_of(&t.d, field_face(a));
                double none[3];
                assert_near(share_sum(&t.cover, &faces, none), sum, 1e-5 * sum);
            }
            tank_destroy(&t);
        }
    print_message("volume of balls within %.2g, their centre within %.2g cells\n", worst, off);
    assert_below(worst, 2e-3);
    assert_below(off, 2e-3);
}

/* The same for a plate thinner than a cell, in any pose: room is made once. */
static void test_thin_bodies_are_not_lost(void **state)
{
    (void)state;
    tank t;
    const double h = 1.0 / 24, width = 10 * h, thickness = 0.5 * h;
    tank_make(&t, 3, 24, h, plate_form(width, thickness));
    for (int n = 0; n < 12; n++) {
        double moment[3];
        tank_place(&t, TURN_AXIS, 30 * n, (double[3]){0.5, 0.51, 0.49});
        field cells = layout_of(&t.d, FR_AT_CELL);
        double sum = share_sum(&t.cover, &cells, moment) * domain_cell_volume(&t.d);
        assert_near(sum / (width * width * thickness), 1, 0.03);
        for (int a = 0; a < 3; a++)
            assert_near(moment[a] * domain_cell_volume(&t.d) / sum, t.state.position[a], 0.02 * h);
    }
    tank_destroy(&t);
}

/* Two bodies that overlap, beside a wall, in faces that obstacles leave half open. */
static void test_no_face_is_covered_twice(void **state)
{
    (void)state;
    tank t, other;
    tank_ball(&t, 3, 16, 4, 1);
    tank_ball(&other, 3, 16, 4, 1);
    tank_place(&t, Z_AXIS, 0, (double[3]){0.2, 0.5, 0.5});
    tank_place(&other, Z_AXIS, 0, (double[3]){0.5, 0.55, 0.5});
    field open[3], sum;
    for (int a = 0; a < 3; a++) {
        assert_ok(field_create(&t.d, field_face(a), &open[a]));
        field_fill(&open[a], a == 1 ? 0.5f : 1);
    }
    body_cover *covers[2] = {&t.cover, &other.cover};
    body_cover_limit(covers, 2, &(body_space){.open = open, .spare = t.spare});
    for (int a = 0; a < 3; a++) {
        assert_ok(field_create(&t.d, field_face(a), &sum));
        body_piece piece;
        for (int b = 0; b < 2; b++)
            for (body_walk w = body_walk_on(covers[b], &sum); body_walk_next(&w, &piece);)
                sum.data[piece.at] += *piece.share;
        for (size_t i = 0; i < sum.count; i++)
            assert_true(sum.block[i] <= open[a].block[i] * (1 + 1e-6f));
        for (int k = 0; k < 16; k++)
            for (int j = 0; j < 16 && a == 0; j++)
                assert_true(field_row(&sum, j, k)[0] == 0);
        field_destroy(&sum);
        field_destroy(&open[a]);
    }
    tank_destroy(&t);
    tank_destroy(&other);
}

static double liquid_at(double x, double y)
{
    return y - 0.55 + 0.1 * x;
}

/* Liquid and body together, around a body that stands out of the liquid; and how much of it is wet. */
static void test_where_the_pressure_is_sought(void **state)
{
    (void)state;
    tank t;
    tank_ball(&t, 2, 32, 6, 1);
    field phi;
    assert_ok(field_create(&t.d, FR_AT_CELL, &phi));
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++)
            field_row(&phi, j, 0)[i] = (float)liquid_at((i + 0.5) / 32, (j + 0.5) / 32);
    assert_near(body_cover_wet(&t.cover, &phi), 0.5, 0.05);
    assert_near(body_cover_wet(&t.cover, NULL), 1, 0);
    assert_ok(body_cover_join(&t.d, t.shape, &phi));
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++) {
            double x = (i + 0.5) / 32, y = (j + 0.5) / 32, ball = hypot(x - 0.5, y - 0.5) - 6.0 / 32;
            double both = fmin(liquid_at(x, y), ball);
            if (ball < 1.5 / 32)
                assert_near(field_row(&phi, j, 0)[i], both, 1e-6);
        }
    field_destroy(&phi);
    tank_destroy(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_add_up), cmocka_unit_test(test_thin_bodies_are_not_lost),
        cmocka_unit_test(test_no_face_is_covered_twice), cmocka_unit_test(test_where_the_pressure_is_sought)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
