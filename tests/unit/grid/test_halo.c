/* Ghost layers. */
#include "grid/halo.h"

#include "support/check.h"

static domain small_domain(int dims)
{
    return (domain){.dims = dims, .n = {5, 4, dims == 3 ? 3 : 1}, .h = {1, 1, 1}};
}

static void fill_with_index(field *f)
{
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++)
                field_row(f, j, k)[i] = (float)(100 * k + 10 * j + i + 1);
}

static void test_even_mirrors_centres(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        domain d = small_domain(dims);
        field f;
        assert_ok(field_create(&d, FR_AT_CELL, &f));
        fill_with_index(&f);
        halo_side sides[6] = {{.kind = HALO_EVEN}};
        halo_fill(&f, &d, sides);
        assert_near(field_row(&f, 1, 0)[-1], field_row(&f, 1, 0)[0], 0);
        assert_near(field_row(&f, 1, 0)[-2], field_row(&f, 1, 0)[1], 0);
        assert_near(field_row(&f, 4, 0)[2], field_row(&f, 3, 0)[2], 0);
        assert_near(field_row(&f, -2, 0)[-2], field_row(&f, 1, 0)[1], 0);
        if (dims == 3)
            assert_near(field_row(&f, 1, 3)[2], field_row(&f, 1, 2)[2], 0);
        field_destroy(&f);
    }
}

static void test_value_is_the_mean_across_the_side(void **state)
{
    (void)state;
    domain d = small_domain(3);
    field f;
    assert_ok(field_create(&d, FR_AT_CELL, &f));
    fill_with_index(&f);
    float plane[12];
    for (int i = 0; i < 12; i++)
        plane[i] = (float)i;
    halo_side sides[6] = {[1] = {.kind = HALO_VALUE, .value = 7}, [0] = {.kind = HALO_VALUE, .values = plane}};
    halo_fill(&f, &d, sides);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 4; j++) {
            const float *row = field_row(&f, j, k);
            assert_near(0.5 * (row[-1] + row[0]), plane[j + 4 * k], 1e-6);
            assert_near(0.5 * (row[-2] + row[1]), plane[j + 4 * k], 1e-6);
            assert_near(0.5 * (row[5] + row[4]), 7, 1e-6);
        }
    field_destroy(&f);
}

static void test_faces_on_a_wall_are_mirrored_about_it(void **state)
{
    (void)state;
    domain d = small_domain(2);
    field f;
    assert_ok(field_create(&d, FR_AT_FACE_X, &f));
    fill_with_index(&f);
    halo_side sides[6] = {{.kind = HALO_VALUE}, {.kind = HALO_EVEN}};
    halo_fill(&f, &d, sides);
    const float *row = field_row(&f, 2, 0);
    assert_near(row[-1], 2 * row[0] - row[1], 1e-6);
    assert_near(row[6], row[5], 0);
    field_destroy(&f);
}

static void test_periodic_wraps_cells_and_faces(void **state)
{
    (void)state;
    domain d = small_domain(2);
    d.periodic[0] = d.periodic[1] = true;
    halo_side sides[6];
    for (int s = 0; s < 6; s++)
        sides[s] = (halo_side){.kind = HALO_PERIODIC};
    field c, u;
    assert_ok(field_create(&d, FR_AT_CELL, &c));
    assert_ok(field_create(&d, FR_AT_FACE_X, &u));
    fill_with_index(&c);
    fill_with_index(&u);
    halo_fill(&c, &d, sides);
    halo_fill(&u, &d, sides);
    assert_near(field_row(&c, 1, 0)[-1], field_row(&c, 1, 0)[4], 0);
    assert_near(field_row(&c, -1, 0)[-2], field_row(&c, 3, 0)[3], 0);
    assert_near(field_row(&u, 1, 0)[5], field_row(&u, 1, 0)[0], 0);
    assert_near(field_row(&u, 1, 0)[-1], field_row(&u, 1, 0)[4], 0);
    assert_near(field_row(&u, 1, 0)[6], field_row(&u, 1, 0)[1], 0);
    field_destroy(&c);
    field_destroy(&u);
}

static void test_periodic_works_on_one_cell(void **state)
{
    (void)state;
    domain d = {.dims = 2, .n = {1, 1, 1}, .h = {1, 1, 1}, .periodic = {true, true, false}};
    halo_side sides[6];
    for (int s = 0; s < 6; s++)
        sides[s] = (halo_side){.kind = HALO_PERIODIC};
    field c;
    assert_ok(field_create(&d, FR_AT_CELL, &c));
    c.data[0] = 3;
    halo_fill(&c, &d, sides);
    for (int j = -GHOST; j < 1 + GHOST; j++)
        for (int i = -GHOST; i < 1 + GHOST; i++)
            assert_near(field_row(&c, j, 0)[i], 3, 0);
    field_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even_mirrors_centres),
        cmocka_unit_test(test_value_is_the_mean_across_the_side),
        cmocka_unit_test(test_faces_on_a_wall_are_mirrored_about_it),
        cmocka_unit_test(test_periodic_wraps_cells_and_faces),
        cmocka_unit_test(test_periodic_works_on_one_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
