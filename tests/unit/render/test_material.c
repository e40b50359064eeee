/* What liquids are made of in pictures: black bodies, patterns, scales over decades, values on surfaces. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "render/draw/black_body.h"
#include "render/draw/pattern.h"
#include "render/draw/range.h"
#include "support/levels.h"

#include <freshet/surface.h>

#include <math.h>

/* Chromaticities of black bodies, from tables of the Planckian locus (CIE 1931). */
static void test_black_body_hues(void **state)
{
    (void)state;
    static const double known[][3] = {
        {1000, 0.6528, 0.3444}, {1500, 0.5857, 0.3931}, {2856, 0.4476, 0.4074}, {6500, 0.3135, 0.3237}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double xyz[3];
        black_body_xyz(known[i][0], xyz);
        double sum = xyz[0] + xyz[1] + xyz[2], x = xyz[0] / sum, y = xyz[1] / sum;
        print_message("%g K: x %.4f (%.4f), y %.4f (%.4f)\n", known[i][0], x, known[i][1], y, known[i][2]);
        assert_near(x, known[i][1], 0.0005);
        assert_near(y, known[i][2], 0.0005);
    }
}

static void test_glow_grows(void **state)
{
    (void)state;
    float before = 0;
    for (double kelvin = 600; kelvin <= 2500; kelvin += 25) {
        rgb glow = black_body_glow(kelvin);
        assert_true(glow.r >= glow.g && glow.g >= glow.b && glow.b >= 0);
        assert_true(colour_luminance(glow) > before);
        before = colour_luminance(glow);
    }
    /* dark at 700 K, dull red at 1000 K, more than white paper at 1450 K */
    assert_true(black_body_glow(700).r < 0.005f);
    assert_true(black_body_glow(1000).r > 0.02f && black_body_glow(1000).r < 0.3f);
    assert_true(colour_luminance(black_body_glow(1450)) > 1);
    assert_true(colour_luminance(black_body_glow(0)) == 0 && colour_luminance(black_body_glow(-5)) == 0);
}

static void test_patterns(void **state)
{
    (void)state;
    pattern checker = {FR_PATTERN_CHECKER, 0.1}, marble = {FR_PATTERN_MARBLE, 0.1};
    const float here[3] = {0.05f, 0.05f, 0.05f}, beside[3] = {0.15f, 0.05f, 0.05f}, below[3] = {-0.05f, 0.05f, 0.05f};
    assert_true(pattern_at(&checker, here) == 0);
    assert_true(pattern_at(&checker, beside) == 1 && pattern_at(&checker, below) == 1);
    for (int i = 0; i < 1000; i++) {
        const float at[3] = {0.013f * (float)i, -0.007f * (float)i, 0.002f * (float)i};
        assert_true(pattern_at(&marble, at) >= 0 && pattern_at(&marble, at) <= 1);
        assert_true(fabsf(pattern_noise(at)) <= 1);
    }
}

static void test_decades(void **state)
{
    (void)state;
    const fr_range range = {0.01, 100};
    assert_near(range_share(&range, true, 1), 0.5, 1e-6);
    assert_near(range_share(&range, true, 0.01), 0, 1e-6);
    assert_true(range_share(&range, true, 0) < 0 && isnan(range_share(&range, true, NAN)));
    assert_near(range_share(&range, false, 50.005), 0.5, 1e-6);
}

static double ball(const double at[3])
{
    return sqrt(pow(at[0] - 0.5, 2) + pow(at[1] - 0.5, 2) + pow(at[2] - 0.5, 2)) - 0.3;
}

static double round_pool(const double at[3])
{
    return hypot(at[0] - 0.5, at[1] - 0.5) - 0.3;
}

static double cold = 300, hot = 1400;

static double heat_of(const double at[3], level_shape shape)
{
    return shape(at) < 0 ? hot : cold;
}
static double heat_of_ball(const double at[3])
{
    return heat_of(at, ball);
}
static double heat_of_pool(const double at[3])
{
    return heat_of(at, round_pool);
}

/* Liquid of 1400 K in air of 300 K. */
static void make_hot(levels *l, int dims)
{
    level_make(l, (int[3]){16, 16, dims == 3 ? 16 : 1}, 1, dims == 3 ? ball : round_pool);
    level_add(l, "temperature", FR_AT_CELL, 1);
    level_fill(l, l->frame.field_count - 1, dims == 3 ? heat_of_ball : heat_of_pool, 1e9);
}

/* The air's temperature is not seen on the surface. */
static void test_surface_values(void **state)
{
    (void)state;
    levels l;
    fr_mesh mesh;
    make_hot(&l, 3);
    assert_ok(fr_surface_mesh(&l.frame, NULL, &mesh));
    float *values = malloc(sizeof *values * (size_t)mesh.vertex_count);
    assert_ok(fr_surface_values(&l.frame, &mesh, "temperature", values));
    for (int64_t v = 0; v < mesh.vertex_count; v++)
        assert_near(values[v], hot, 1e-3);
    assert_int_equal(fr_surface_values(&l.frame, &mesh, "u", values), FR_ERROR_INPUT);
    assert_int_equal(fr_surface_values(&l.frame, &mesh, "ink", values), FR_ERROR_INPUT);
    free(values);
    fr_mesh_destroy(&mesh);
    level_free(&l);
}

/* Nor does it fade the rim of a flat picture: pixels are of the liquid's colour or of the ground, or a mixture along
   the outline. */
static void test_rim(void **state)
{
    (void)state;
    levels l;
    make_hot(&l, 2);
    fr_scene_def def = fr_default_scene(FR_METHOD_LIQUID);
    fr_view_def view = {.field = "temperature", .min = 300, .max = 1500, .colormap = "gray"};
    fr_image image;
    def.look.width = def.look.height = 128;
    assert_ok(fr_render_view(&l.frame, &def, &view, NULL, &image));
    int wet = 0, dry = 0, between = 0;
    double middle = check_level(&image, 64, 64), ground = check_level(&image, 2, 2);
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            double level = check_level(&image, x, y);
            wet += fabs(level - middle) <= 1;
            dry += fabs(level - ground) <= 1;
            between += fabs(level - middle) > 1 && fabs(level - ground) > 1;
        }
    print_message("%d pixels of liquid, %d of air, %d between\n", wet, dry, between);
    assert_true(middle > ground + 100 && between < 600);
    assert_near(wet / 16384.0, 0.283, 0.02);
    fr_image_free(&image);
    level_free(&l);
}

/* The mean of the picture's middle, of each channel. */
static void middle_of(const levels *l, const fr_scene_def *def, const fr_view_def *view, double mean[3])
{
    fr_image image;
    assert_ok(fr_render_view(&l->frame, def, view, NULL, &image));
    mean[0] = mean[1] = mean[2] = 0;
    for (int n = 0; n < 64; n++)
        for (int c = 0; c < 3; c++) {
            int x = image.width / 2 - 4 + n % 8, y = image.height / 2 - 4 + n / 8;
            mean[c] += image.pixels[3 * (y * image.width + x) + c] / 64.0;
        }
    fr_image_free(&image);
}

/* Lava glows when it is hot; wax and honey are what they are; values on the surface have the map's colour. */
static void test_materials(void **state)
{
    (void)state;
    levels l;
    double mean[3];
    make_hot(&l, 3);
    fr_scene_def def = fr_default_scene(FR_METHOD_LIQUID);
    fr_view_def view = {.field = "liquid", .slice_axis = 2, .slice_at = 0.5};
    def.look.width = def.look.height = 120;
    def.look.liquid_material = FR_MATERIAL_LAVA;
    middle_of(&l, &def, &view, mean);
    assert_true(mean[0] > 240 && mean[1] > 120 && mean[2] < mean[1]);
    hot = 600;
    level_fill(&l, l.frame.field_count - 1, heat_of_ball, 1e9);
    middle_of(&l, &def, &view, mean);
    assert_true(mean[0] < 90 && mean[1] < 90 && mean[2] < 90);
    def.look.liquid_material = FR_MATERIAL_HONEY;
    middle_of(&l, &def, &view, mean);
    assert_true(mean[0] > mean[1] + 20 && mean[1] > mean[2] + 20);
    def.look.liquid_material = FR_MATERIAL_WAX;
    middle_of(&l, &def, &view, mean);
    assert_true(mean[0] > 120 && mean[0] > mean[2]);
    view = (fr_view_def){.field = "temperature", .surface = true, .min = 0, .max = 600, .colormap = "coolwarm"};
    middle_of(&l, &def, &view, mean);
    print_message("the warm end: %.0f %.0f %.0f\n", mean[0], mean[1], mean[2]);
    assert_true(mean[0] > 1.5 * mean[2]);
    hot = 1400;
    level_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_black_body_hues), cmocka_unit_test(test_glow_grows),
                                       cmocka_unit_test(test_patterns),        cmocka_unit_test(test_decades),
                                       cmocka_unit_test(test_surface_values),  cmocka_unit_test(test_rim),
                                       cmocka_unit_test(test_materials)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
