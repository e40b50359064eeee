/* Obstacles on the grid. */
#include "mac/solids/solids.h"

#include "support/check.h"

static const double PI = 3.14159265358979323846;

typedef struct one_solid {
    fr_shape_def shape;
    fr_obstacle_def obstacle;
} one_solid;

static void one_solid_make(one_solid *s, int dims)
{
    s->obstacle = (fr_obstacle_def){.shape = {.shape = &s->shape, .at = {0.5, 0.5, dims == 3 ? 0.5 : 0}}};
}

static fr_result one_solid_lay(const one_solid *s, const domain *d, solids *out)
{
    bodies b;
    assert_ok(bodies_create(&s->obstacle, 1, &b));
    fr_result result = solids_create(&b, d, out);
    bodies_destroy(&b);
    return result;
}

static domain unit_box(int dims, int n)
{
    return (domain){.dims = dims, .n = {n, n, dims == 3 ? n : 1}, .h = {1.0 / n, 1.0 / n, dims == 3 ? 1.0 / n : 1}};
}

/* Closed area of the faces in the plane through a ball's middle: π r². */
static void test_closed_area_of_a_ball(void **state)
{
    (void)state;
    one_solid s = {.shape = fr_default_shape(FR_SHAPE_SPHERE)};
    s.shape.radius = 0.3;
    one_solid_make(&s, 3);
    domain d = unit_box(3, 24);
    solids solid;
    assert_ok(one_solid_lay(&s, &d, &solid));
    for (int axis = 0; axis < 3; axis++) {
        double closed = 0;
        for (int b = 0; b < 24; b++)
            for (int c = 0; c < 24; c++) {
                int at[3] = {axis == 0 ? 12 : b, axis == 1 ? 12 : axis == 0 ? b : c, axis == 2 ? 12 : c};
                closed += 1 - field_row(&solid.open[axis], at[1], at[2])[at[0]];
            }
        assert_near(closed / 576, PI * 0.09, 0.002);
    }
    solids_destroy(&solid);
}

/* A slope gives shares, not stairs: half-plane at 30°. */
static void test_a_slope_is_cut_exactly(void **state)
{
    (void)state;
    one_solid s = {.shape = fr_default_shape(FR_SHAPE_PLANE)};
    s.shape.normal[0] = -sin(PI / 6);
    s.shape.normal[1] = cos(PI / 6);
    one_solid_make(&s, 2);
    domain d = unit_box(2, 16);
    solids solid;
    assert_ok(one_solid_lay(&s, &d, &solid));
    for (int i = 0; i < 16; i++) {
        double x = i / 16.0, top = 0.5 + (x - 0.5) * tan(PI / 6), closed = 0;
        for (int j = 0; j < 16; j++)
            closed += (1 - field_row(&solid.open[0], j, 0)[i]) / 16;
        assert_near(closed, top, 0.1 / 16 + 1e-5);      /* a share below a tenth is taken as closed */
    }
    solids_destroy(&solid);
}

/* A plate a tenth of a cell thick, between two rows of centres, lets nothing through. */
static void test_thin_plates_close_faces(void **state)
{
    (void)state;
    for (int axis = 0; axis < 2; axis++)
        for (int place = 0; place < 5; place++) {
            one_solid s = {.shape = fr_default_shape(FR_SHAPE_BOX)};
            double h = 1.0 / 16, middle = (0.1 + 0.2 * place) * h;
            for (int a = 0; a < 3; a++) {
                s.shape.min[a] = a == axis ? middle - 0.13 * h : -1;
                s.shape.max[a] = a == axis ? middle + 0.13 * h : 1;
            }
            one_solid_make(&s, 2);
            domain d = unit_box(2, 16);
            solids solid;
            assert_ok(one_solid_lay(&s, &d, &solid));
            for (int b = 0; b < 16; b++) {
                bool shut = false;
                for (int c = 1; c < 16; c++)
                    shut = shut || field_row(&solid.open[axis], axis == 0 ? b : c, 0)[axis == 0 ? c : b] == 0;
                assert_true(shut);
            }
            solids_destroy(&solid);
        }
}

/* Marks the cells that open faces lead to from a cell. */
static void flood(const solids *s, int i, int j, bool seen[32][32])
{
    if (seen[j][i])
        return;
    seen[j][i] = true;
    if (i > 0 && field_row(&s->open[0], j, 0)[i] > 0)
        flood(s, i - 1, j, seen);
    if (i < 31 && field_row(&s->open[0], j, 0)[i + 1] > 0)
        flood(s, i + 1, j, seen);
    if (j > 0 && field_row(&s->open[1], j, 0)[i] > 0)
        flood(s, i, j - 1, seen);
    if (j < 31 && field_row(&s->open[1], j + 1, 0)[i] > 0)
        flood(s, i, j + 1, seen);
}

/* No way leads through a watertight wall, whatever its thickness and slope; and it cuts nothing off from its own side.
 */
static void test_watertight_walls_have_no_holes(void **state)
{
    (void)state;
    for (int n = 0; n < 200; n++) {
        one_solid s = {.shape = fr_default_shape(FR_SHAPE_BOX)};
        double thick = (0.75 + 0.7 * check_noise((uint64_t)n)) / 32, angle = PI * check_noise((uint64_t)n + 1000);
        for (int a = 0; a < 3; a++) {
            s.shape.min[a] = a == 0 ? -thick / 2 : -5;
            s.shape.max[a] = a == 0 ? thick / 2 : 5;
        }
        one_solid_make(&s, 2);
        s.obstacle.shape.at[0] = 0.5 + 0.1 * check_noise((uint64_t)n + 2000);
        s.obstacle.shape.at[1] = 0.5 + 0.1 * check_noise((uint64_t)n + 3000);
        s.obstacle.shape.axis[2] = 1;
        s.obstacle.shape.degrees = angle * 180 / PI;
        domain d = unit_box(2, 32);
        solids solid;
        bodies b;
        assert_ok(bodies_create(&s.obstacle, 1, &b));
        assert_ok(solids_create_as(&b, &d, (solids_kind){.refine = 1, .watertight = true}, &solid));
        bool seen[32][32] = {{false}};
        double far[2] = {0, 0};
        for (int side = 0; side < 2; side++) { /* the centre furthest from the wall on each side */
            int at[2] = {0, 0};
            for (int c = 0; c < 32 * 32; c++) {
                double x = (c % 32 + 0.5) / 32 - s.obstacle.shape.at[0];
                double y = (c / 32 + 0.5) / 32 - s.obstacle.shape.at[1];
                double across = (cos(angle) * x + sin(angle) * y) * (side ? -1 : 1);
                if (across > far[side]) {
                    far[side] = across;
                    at[0] = c % 32;
                    at[1] = c / 32;
                }
            }
            assert_false(seen[at[1]][at[0]]);
            flood(&solid, at[0], at[1], seen);
        }
        for (int c = 0; c < 32 * 32; c++)
            assert_true(seen[c / 32][c % 32] || field_row(&solid.distance, c / 32, 0)[c % 32] < 1.0f / 32);
        solids_destroy(&solid);
        bodies_destroy(&b);
    }
}

static void test_outside_is_refused_by_key(void **state)
{
    (void)state;
    one_solid s = {.shape = fr_default_shape(FR_SHAPE_SPHERE)};
    s.shape.radius = 0.1;
    one_solid_make(&s, 3);
    s.obstacle.shape.at[0] = 5;
    domain d = unit_box(3, 8);
    solids solid;
    assert_int_equal(one_solid_lay(&s, &d, &solid), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "obstacles[1]");
    solids_destroy(&solid);
}

static void test_layers_reach_into_the_obstacle(void **state)
{
    (void)state;
    one_solid s = {.shape = fr_default_shape(FR_SHAPE_SPHERE)};
    s.shape.radius = 0.3;
    one_solid_make(&s, 2);
    domain d = unit_box(2, 32);
    solids solid;
    assert_ok(one_solid_lay(&s, &d, &solid));
    int closed = 0, deep = 0;
    for (size_t at = 0; at < solid.distance.count; at++) {
        uint8_t layer = solid.cell_layers[at];
        if (layer == SOLIDS_FLUID || layer == SOLIDS_GHOST)
            continue;
        assert_true(solid.distance.block[at] < 0);
        closed++;
        deep += layer == SOLIDS_DEEP;
    }
    assert_true(closed > 200 && deep > 20 && deep < closed / 2);
    solids_destroy(&solid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_area_of_a_ball),
        cmocka_unit_test(test_a_slope_is_cut_exactly),
        cmocka_unit_test(test_thin_plates_close_faces),
        cmocka_unit_test(test_watertight_walls_have_no_holes),
        cmocka_unit_test(test_outside_is_refused_by_key),
        cmocka_unit_test(test_layers_reach_into_the_obstacle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
