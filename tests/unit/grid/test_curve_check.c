/* Which curvilinear grids are rejected, and with which message. */
#include "bent_grid.h"

#include <string.h>

static vec3 squares(double s, double t, double r)
{
    return (vec3){8 * s, 4 * t, 4 * r};
}

static void assert_refused(const bent_grid *g, const char *where, const char *why)
{
    assert_int_equal(curve_check(&g->def), FR_ERROR_INPUT);
    if (!strstr(fr_error_message(), where) || !strstr(fr_error_message(), why))
        fail_msg("\"%s\" does not have \"%s\" and \"%s\"", fr_error_message(), where, why);
}

static void move_node(const bent_grid *g, const int at[3], vec3 by)
{
    double *x = bent_node(g, at[0], at[1], at[2]);
    x[0] += by.x;
    x[1] += by.y;
    x[2] += by.z;
}

/* One node of a good grid moved: what is said, in 2D and 3D. */
static void assert_moved_is_refused(vec3 by, const char *where[2], const char *why)
{
    for (int dims = 2; dims <= 3; dims++) {
        bent_grid g = bent_make(squares, 8, 4, dims == 3 ? 4 : 0);
        assert_ok(curve_check(&g.def));
        move_node(&g, (int[3]){3, 2, dims == 3 ? 1 : 0}, by);
        assert_refused(&g, where[dims - 2], why);
        free(g.node);
    }
}

static void test_numbers_must_be_finite(void **state)
{
    (void)state;
    const char *where[2] = {"node (3, 2) ", "node (3, 2, 1) "};
    assert_moved_is_refused((vec3){NAN, 0, 0}, where, "finite");
    assert_moved_is_refused((vec3){0, INFINITY, 0}, where, "finite");
    assert_moved_is_refused((vec3){-1e10, 0, 0}, where, "1e+09");
}

static void test_nodes_in_one_place(void **state)
{
    (void)state;
    const char *where[2] = {"nodes (3, 2) and (4, 2) ", "nodes (3, 2, 1) and (4, 2, 1) "};
    assert_moved_is_refused((vec3){1, 0, 0}, where, "in one place");
}

/* A ring that goes down to its centre. */
static vec3 disk(double s, double t, double r)
{
    (void)r;
    return (vec3){t * cos(5 * s), t * sin(5 * s), 0};
}

static void test_a_pole_is_refused(void **state)
{
    (void)state;
    bent_grid g = bent_make(disk, 20, 5, 0);
    assert_refused(&g, "cell (0, 0) ", "in one place");
    free(g.node);
}

static void test_folded_cells(void **state)
{
    (void)state;
    const char *where[2] = {"cell (3, 1) ", "cell (3, 1, 0) "};
    assert_moved_is_refused((vec3){1.6, 0, 0}, where, "folded");
}

static void test_the_first_folded_cell_names_its_node(void **state)
{
    (void)state;
    bent_grid g = bent_make(squares, 8, 4, 0);
    move_node(&g, (int[3]){0, 0, 0}, (vec3){0.7, 0.7, 0});
    assert_refused(&g, "cell (0, 0) ", "its node (0, 0) ");
    free(g.node);
}

/* Lines of the grid that run back: s goes to 0.8 and returns. */
static vec3 running_back(double s, double t, double r)
{
    (void)r;
    return (vec3){s < 0.75 ? 8 * s : 12 - 8 * s, 4 * t, 0};
}

static void test_cells_turned_inside_out(void **state)
{
    (void)state;
    bent_grid g = bent_make(running_back, 8, 4, 0);
    assert_refused(&g, "cell (6, 0) ", "inside out");
    free(g.node);
}

static double shear; /* of the map below */

static vec3 sheared(double s, double t, double r)
{
    return (vec3){8 * s + shear * 4 * t, 4 * t, 4 * r};
}

static void test_skewed_cells(void **state)
{
    (void)state;
    for (int nr = 0; nr <= 4; nr += 4) {
        shear = 1 / tan(11 * FR_PI / 180);
        bent_grid g = bent_make(sheared, 8, 4, nr);
        assert_ok(curve_check(&g.def));
        free(g.node);
        shear = 1 / tan(9 * FR_PI / 180);
        g = bent_make(sheared, 8, 4, nr);
        assert_refused(&g, nr ? "cell (0, 0, 0) " : "cell (0, 0) ", "at its node");
        assert_non_null(strstr(fr_error_message(), " 9 degrees"));
        free(g.node);
    }
}

/* No two edges are near to each other, but the three are near to one plane. */
static vec3 flattened(double s, double t, double r)
{
    return (vec3){4 * s - 2 * r, 4 * t - 2 * r, 0.05 * r};
}

static void test_flat_corners_in_3d(void **state)
{
    (void)state;
    bent_grid g = bent_make(flattened, 4, 4, 4);
    assert_refused(&g, "cell (0, 0, 0) ", "skewed");
    free(g.node);
}

static void test_mirrored_grids_are_as_good(void **state)
{
    (void)state;
    bent_grid g = bent_make(bent_mirrored, 30, 10, 0);
    assert_ok(curve_check(&g.def));
    move_node(&g, (int[3]){5, 5, 0}, (vec3){-0.2, 0, 0});
    assert_refused(&g, "cell (5, 4) ", "folded");
    free(g.node);
}

static void test_ends_that_fit(void **state)
{
    (void)state;
    bent_grid ring = bent_make(bent_ring, 24, 6, 0), stretch = bent_make(squares, 8, 4, 4);
    ring.def.periodic[0] = true;
    stretch.def.periodic[0] = stretch.def.periodic[1] = stretch.def.periodic[2] = true;
    assert_ok(curve_check(&ring.def));
    assert_ok(curve_check(&stretch.def));
    free(ring.node);
    free(stretch.node);
}

static void test_ends_that_do_not_fit(void **state)
{
    (void)state;
    bent_grid half = bent_make(bent_half_ring, 24, 6, 0), ring = bent_make(bent_ring, 24, 6, 0);
    half.def.periodic[0] = ring.def.periodic[0] = true;
    assert_refused(&half, "along s", "node (24, 1) is (-2.33333, ");
    move_node(&ring, (int[3]){24, 4, 0}, (vec3){0.01, 0, 0});
    assert_refused(&ring, "along s", "node (24, 4) ");
    free(half.node);
    free(ring.node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_must_be_finite),
        cmocka_unit_test(test_nodes_in_one_place),
        cmocka_unit_test(test_a_pole_is_refused),
        cmocka_unit_test(test_folded_cells),
        cmocka_unit_test(test_the_first_folded_cell_names_its_node),
        cmocka_unit_test(test_cells_turned_inside_out),
        cmocka_unit_test(test_skewed_cells),
        cmocka_unit_test(test_flat_corners_in_3d),
        cmocka_unit_test(test_mirrored_grids_are_as_good),
        cmocka_unit_test(test_ends_that_fit),
        cmocka_unit_test(test_ends_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
