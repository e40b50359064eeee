/* Invalid shape definitions are rejected with the key and a message. */
#include "shape_samples.h"

#include <string.h>

static void refused(const fr_shape_def *def, int dims, const char *word)
{
    shape *s = (shape *)1;
    fr_placed_shape placed = {.shape = def};
    assert_int_equal(shape_create(&placed, dims, "obstacles[3].shape", &s), FR_ERROR_INPUT);
    assert_null(s);
    assert_string_equal(fr_error_key(), "obstacles[3].shape");
    if (!strstr(fr_error_message(), word))
        print_message("'%s' lacks '%s'\n", fr_error_message(), word);
    assert_non_null(strstr(fr_error_message(), word));
}

static void test_defaults(void **state)
{
    (void)state;
    const char *words[] = {
        [FR_SHAPE_SPHERE] = "radius",
        [FR_SHAPE_ELLIPSOID] = "radii",
        [FR_SHAPE_TORUS] = "radius",
        [FR_SHAPE_BOX] = "max",
        [FR_SHAPE_CYLINDER] = "radius",
        [FR_SHAPE_CAPSULE] = "radius",
        [FR_SHAPE_CONE] = "radius",
        [FR_SHAPE_PLANE] = "normal",
        [FR_SHAPE_GEAR] = "radius",
        [FR_SHAPE_POLYGON] = "3 points",
        [FR_SHAPE_EXTRUDE] = "height",
        [FR_SHAPE_REVOLVE] = "3 points",
        [FR_SHAPE_MESH] = "file",
        [FR_SHAPE_UNION] = "at least one",
        [FR_SHAPE_INTERSECTION] = "at least one",
        [FR_SHAPE_DIFFERENCE] = "at least one",
        [FR_SHAPE_SMOOTH_UNION] = "k",
        [FR_SHAPE_TRANSLATE] = "exactly one",
        [FR_SHAPE_ROTATE] = "exactly one",
        [FR_SHAPE_SCALE] = "exactly one",
        [FR_SHAPE_OFFSET] = "exactly one",
        [FR_SHAPE_SHELL] = "exactly one",
        [FR_SHAPE_SDF] = "function",
    };
    for (int kind = FR_SHAPE_SPHERE; kind <= FR_SHAPE_SDF; kind++) {
        fr_shape_def def = fr_default_shape((fr_shape_kind)kind);
        assert_int_equal(def.axis, 1);
        refused(&def, 3, words[kind]);
    }
    fr_shape_def unknown = fr_default_shape((fr_shape_kind)99);
    refused(&unknown, 3, "kind 99");
    refused(NULL, 3, "missing");
}

static void test_numbers(void **state)
{
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY, 1e300, 1e-300};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fr_shape_def ball = sample_sphere(bad[i]), good = sample_sphere(1);
        refused(&ball, 3, "radius");
        const fr_shape_def *one[] = {&good};
        fr_shape_def scale = sample_group(FR_SHAPE_SCALE, one, 1);
        scale.amount = bad[i];
        refused(&scale, 3, "factor");
    }
    fr_shape_def box = sample_box(1, 1, 1);
    box.round = 1.5;
    refused(&box, 3, "round");
    box.round = 0, box.min[1] = 2;
    refused(&box, 3, "along y");
    fr_shape_def tube = fr_default_shape(FR_SHAPE_CYLINDER);
    tube.radius = tube.height = 1, tube.axis = 3;
    refused(&tube, 3, "axis");
    fr_shape_def gear = fr_default_shape(FR_SHAPE_GEAR);
    gear.radius = 1, gear.depth = 0.2, gear.thickness = 1, gear.teeth = 2;
    refused(&gear, 3, "teeth");
    gear.teeth = 12, gear.hole = 0.8;
    refused(&gear, 3, "hole");
}

static void test_polygons(void **state)
{
    (void)state;
    const double flat[4][2] = {{0, 0}, {1, 1}, {2, 2}, {0.5, 0.5}}, same[3][2] = {{1, 1}, {1, 1}, {1, 1}};
    const double wrong[3][2] = {{0, 0}, {NAN, 1}, {1, 0}}, crossing[3][2] = {{-1, 0}, {1, 0}, {1, 1}};
    fr_shape_def def = fr_default_shape(FR_SHAPE_POLYGON);
    def.points = flat, def.point_count = 4;
    refused(&def, 2, "one line");
    def.points = same, def.point_count = 3;
    refused(&def, 2, "one line");
    def.points = wrong;
    refused(&def, 2, "points");
    def.kind = FR_SHAPE_REVOLVE, def.points = crossing;
    refused(&def, 3, "negative");
}

static void test_placements(void **state)
{
    (void)state;
    fr_shape_def ball = sample_sphere(1);
    shape *s;
    assert_int_equal(shape_create(&(fr_placed_shape){.shape = &ball, .degrees = 30}, 3, "k", &s), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "axis"));
    assert_int_equal(shape_create(&(fr_placed_shape){.shape = &ball, .at = {NAN, 0, 0}}, 3, "k", &s), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "position"));
}

/* A shape that holds itself, and one that doubles at each of many levels. */
static void test_endless_trees(void **state)
{
    (void)state;
    const fr_shape_def *self[1];
    fr_shape_def loop = sample_group(FR_SHAPE_UNION, self, 1);
    self[0] = &loop;
    refused(&loop, 3, "deep");
    enum { LEVELS = 60 };
    fr_shape_def levels[LEVELS] = {sample_sphere(1)};
    const fr_shape_def *pairs[LEVELS][2];
    for (int i = 1; i < LEVELS; i++) {
        pairs[i][0] = pairs[i][1] = &levels[i - 1];
        levels[i] = sample_group(FR_SHAPE_UNION, pairs[i], 2);
    }
    refused(&levels[LEVELS - 1], 3, "parts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_numbers),       cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_placements), cmocka_unit_test(test_endless_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
